//! Reports as files: their links resolve, and their commands repeat the run.

mod support;

use std::path::Path;

use support::Folder;

/// The links of a report that lead to other files.
fn links(html: &str) -> Vec<&str> {
    let links = html.split(" href=\"").skip(1).filter_map(|rest| rest.split('"').next());
    links.filter(|link| !link.starts_with('#')).collect()
}

/// The command of a report as words for the program.
fn command(html: &str) -> Vec<String> {
    let (_, rest) = html.split_once("<dt>Command</dt><dd><code>").expect("a command");
    let (code, _) = rest.split_once("</code>").expect("its end");
    let text: String =
        code.split('<').filter_map(|part| part.split_once('>')).map(|(_, text)| text).collect();
    assert!(!text.contains(['\'', '&']), "no word of these tests needs quotes: {text}");
    text.split(' ').map(str::to_owned).collect()
}

fn assert_links(folder: &Path, wanted: &[&str]) {
    let html = std::fs::read_to_string(folder.join("report.html")).unwrap();
    let links = links(&html);
    for link in &links {
        assert!(folder.join(link).is_file(), "{} has no {link}", folder.display());
    }
    for file in wanted {
        assert!(links.contains(file), "{} is without a link to {file}: {links:?}", folder.display());
    }
}

/// Runs `ttr` with these arguments, checks the links of the report, and that its command gives the same
/// summary.
fn check(folder: &Folder, args: &[&str], wanted: &[&str]) {
    folder.ttr_slowly(&[args, &["--out", "run"]].concat()).good();
    let run = folder.0.join("run");
    assert_links(&run, wanted);
    let html = std::fs::read_to_string(run.join("report.html")).unwrap();
    let words = command(&html);
    assert_eq!(words[0], "ttr");
    let again: Vec<&str> = words[1..].iter().map(String::as_str).chain(["--out", "again"]).collect();
    folder.ttr_slowly(&again).good();
    for file in ["summary.json", "report.html"] {
        let read = |name: &str| std::fs::read_to_string(folder.0.join(name).join(file)).unwrap();
        assert!(read("run") == read("again"), "{again:?}: another {file}");
    }
    for name in ["run", "again"] {
        std::fs::remove_dir_all(folder.0.join(name)).unwrap();
    }
}

/// On every kind of page, unknown figures are omitted, no figure is written as ±0, and all settings of the
/// agents are listed.
#[test]
fn no_interval_is_empty_or_0() {
    let folder = Folder::new("report-intervals");
    let of_tickets = |games: &'static str| {
        ["tickets", "--map", "europe", "--agents", "planner", "--games", games].to_vec()
    };
    let forced = |games: &'static str| [&of_tickets(games)[..], &["--forced"]].concat();
    let tune = ["tune", "--map", "first-journey-usa", "--budget", "100", "--deals", "1", "--candidates", "4"];
    let tune =
        |confirm: &'static str| [&tune[..], &["--params", "claim,point", "--confirm", confirm]].concat();
    for args in [
        of_tickets("2"),
        of_tickets("40"),
        forced("30"),
        forced("200"),
        tune("4"),
        tune("200"),
        vec!["rate", "planner", "--only", "first-journey-usa-2"],
        vec!["rate", "random", "--only", "first-journey-usa-2"],
    ] {
        folder.ttr_slowly(&[&args[..], &["--out", "run"]].concat()).good();
        let html = std::fs::read_to_string(folder.0.join("run/report.html")).unwrap();
        for wrong in ["±–", "±-", "±0<", "±0.0<", "±0.00<", "±0.000<", "±0.0\u{a0}%", "(–..–)", "NaN"]
        {
            assert!(!html.contains(wrong), "{wrong} in {args:?}");
        }
        let settings = html.contains("settings of planner") && html.contains("<code>hurry</code>");
        assert_eq!(settings, !args.contains(&"random"), "{args:?}");
        std::fs::remove_dir_all(folder.0.join("run")).unwrap();
    }
}

#[test]
fn reports_of_arenas() {
    let folder = Folder::new("report-arena");
    let arena = ["arena", "--map", "first-journey-usa", "--agents", "greedy,random", "--games", "60"];
    let tables = ["games.csv", "games.parquet", "seats.csv", "agents.csv", "convergence.csv", "summary.json"];
    check(&folder, &arena, &tables);
    let more = ["--seat-tables", "--decisions", "--sprt", "1,2", "--seats", "3"];
    check(&folder, &[&arena[..], &more].concat(), &["seat_tickets.csv", "decisions.parquet", "llr.csv"]);
}

#[test]
fn reports_of_tickets() {
    let folder = Folder::new("report-tickets");
    let tickets = ["tickets", "--map", "usa", "--agents", "greedy", "--games", "56"];
    check(&folder, &tickets, &["tickets.csv", "routes.parquet", "cities.csv", "pairs.csv", "summary.json"]);
    check(&folder, &[&tickets[..], &["--forced"]].concat(), &["effects.csv", "choices.csv", "openings.csv"]);
}

#[test]
fn reports_of_ratings() {
    let folder = Folder::new("report-rate");
    let rate = ["rate", "greedy", "--only", "first-journey-usa-2"];
    check(&folder, &rate, &["ratings.csv", "summary.json", "tables/first-journey-usa-2/summary.json"]);
}

#[test]
fn reports_of_tuning() {
    let folder = Folder::new("report-tune");
    let small = ["--deals", "2", "--candidates", "4", "--budget", "64", "--confirm", "16"];
    let tune = ["tune", "--map", "first-journey-usa", "--agent", "planner"];
    check(&folder, &[&tune[..], &small].concat(), &["tuned.toml", "curve.csv", "summary.json"]);
}

#[test]
fn reports_of_experiments() {
    let folder = Folder::new("report-experiment");
    folder.write(
        "experiment.toml",
        "title = \"T\"\nquestion = \"Q?\"\n[[run]]\nname = \"a\"\nmap = \"first-journey-usa\"\n\
         agents = [\"greedy\", \"random\"]\ngames = 20\n",
    );
    folder.ttr(&["experiment", "run", "."]).good();
    assert_links(&folder.0, &["experiment.toml", "results.csv"]);
}

/// The picture in the README is the one that the program draws.
#[test]
fn the_board_in_the_documentation_is_up_to_date() {
    let folder = Folder::new("report-board");
    let drawn = folder.ttr(&["maps", "show", "europe", "--svg", "-"]).good();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/europe.svg");
    assert!(std::fs::read_to_string(path).unwrap() == drawn, "ttr maps show europe --svg docs/europe.svg");
}
