//! The examples run, and `ttr` with your own agent has all features of `ttr`.

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use support::{Folder, Run};

/// The directory of the examples, built like this test. `cargo test` has built them unless it was asked for
/// this file alone.
fn examples() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let test = std::env::current_exe().unwrap();
        let profile = test.parent().and_then(Path::parent).expect("tests are in PROFILE/deps");
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "--workspace", "--examples", "--quiet"]);
        if profile.ends_with("release") {
            cargo.arg("--release");
        }
        assert!(cargo.status().expect("cargo runs").success());
        profile.join("examples")
    })
}

fn example(name: &str, folder: &Folder, args: &[&str]) -> Run {
    let output = Command::new(examples().join(name)).args(args).current_dir(&folder.0).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Run { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn random_game() {
    let folder = Folder::new("example-random");
    let game = example("random_game", &folder, &[]).good();
    assert!(game.starts_with("seat ") && game.contains("\npoints: ["), "{game}");
    assert_eq!(
        game,
        example("random_game", &folder, &["europe", "3"]).good(),
        "the same seed, the same game"
    );
    assert_eq!(example("random_game", &folder, &["nowhere"]).code, Some(1));
}

/// The agent of the README wins more than half of its games against `hungry`, with certainty.
#[test]
fn my_agent_beats_hungry() {
    let folder = Folder::new("example-agent");
    let table = example("my_agent", &folder, &["300"]).good();
    let row = table.lines().find(|line| line.starts_with("ticket-routes")).expect(&table);
    let wins: Vec<f64> =
        row.split_whitespace().filter_map(|cell| cell.trim_matches('±').parse().ok()).collect();
    let [_games, share, margin, ..] = wins[..] else { panic!("{row}") };
    assert!(share - 2.0 * margin > 50.0, "{row}");
}

/// The README shows the agent of the example.
#[test]
fn the_readme_has_the_same_agent() {
    let text = |path: &str| std::fs::read_to_string(root().join(path)).unwrap();
    let agent = |text: &str| {
        let start = text.find("/// Claims routes on the shortest paths").expect("it has the agent");
        text[start..].split("\n}\n").next().unwrap().to_owned()
    };
    assert_eq!(agent(&text("README.md")), agent(&text("examples/my_agent.rs")));
}

#[test]
fn my_game() {
    let folder = Folder::new("example-game");
    let line = example("my_game", &folder, &[]).good();
    let wins: u32 = line.split_whitespace().find_map(|word| word.parse().ok()).expect(&line);
    assert!(wins > 15, "{line}");
}

/// Experiment 0004 is a table of the example: all 80,000 games of it.
#[test]
fn my_game_answers_experiment_0004() {
    let folder = Folder::new("example-experiment");
    let experiment = root().join("experiments/0004-maloney-2020");
    let results = example("my_game", &folder, &[experiment.to_str().unwrap()]).good();
    assert_eq!(results, std::fs::read_to_string(experiment.join("results.csv")).unwrap());
}

#[test]
fn replays_become_csv() {
    let folder = Folder::new("example-replays");
    for map in ["first-journey-usa", "card-game"] {
        let arena = ["arena", "--map", map, "--agents", "greedy,random", "--games", "2"];
        folder.ttr(&[&arena[..], &["--save-replays", "2", "--out", map, "--quiet"]].concat()).good();
    }
    let files = ["first-journey-usa/replays/000000.ttr", "card-game/replays/000001.ttr"];
    let csv = example("replays_to_csv", &folder, &files).good();
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("file,map,seed,decision,seat,action"));
    for file in files {
        let rows = csv.lines().filter(|line| line.starts_with(&format!("\"{file}\","))).count();
        let replay = folder.ttr(&["replay", file, "--json"]).json();
        assert_eq!(rows, replay["decisions"].as_array().unwrap().len(), "{csv}");
    }
}

// --- ttr with your own agent ---

fn my_ttr(folder: &Folder, args: &[&str]) -> Run {
    example("my_ttr", folder, args)
}

#[test]
fn own_agents_are_listed_and_suggested() {
    let folder = Folder::new("my-agents");
    let agents = my_ttr(&folder, &["agents"]).good();
    assert!(agents.contains("planner: ") && agents.contains("ticket-routes: "), "{agents}");
    let mine = my_ttr(&folder, &["agents", "ticket-routes", "--map", "usa", "--json"]).json();
    assert_eq!(mine[0]["parameters"][0]["default"], "4");
    for (args, says) in [
        (&["arena", "--agents", "ticket-route,greedy"][..], "did you mean \"ticket-routes\"?"),
        (&["arena", "--agents", "ticket-routes:lnog=2,greedy"], "did you mean \"long\"?"),
        (&["arena", "--agents", "ticket-routes:long=9,greedy"], "long is a whole number from 1 to 6"),
        (&["arena", "--map", "card-game", "--agents", "ticket-routes,greedy"], "plays boards, not card-game"),
        (&["tune", "--agent", "ticket-routes", "--params", "long"], "long can't be tuned"),
    ] {
        let error = my_ttr(&folder, args).refused();
        assert!(error.contains(says), "{args:?}: {error}");
    }
    // The plain program does not know it.
    assert!(folder.ttr(&["agents", "ticket-routes"]).refused().contains("there is no agent"));
}

#[test]
fn own_agents_play_arenas_and_explain_themselves() {
    let folder = Folder::new("my-arena");
    let run = ["arena", "--map", "usa", "--agents", "mine=ticket-routes:long=5,greedy", "--games", "40"];
    let kept = ["--save-replays", "1", "--out", "games", "--quiet"];
    let table = my_ttr(&folder, &[&run[..], &kept].concat()).good();
    assert!(table.contains("mine"), "{table}");
    let report = std::fs::read_to_string(folder.0.join("games/report.html")).unwrap();
    assert!(report.contains("length from which routes are claimed"), "its settings are described");
    let agents = std::fs::read_to_string(folder.0.join("games/agents.csv")).unwrap();
    assert!(agents.contains("ticket-routes:blind=1.0,locomotive=0.1,long=5"), "{agents}");
    assert_eq!(my_ttr(&folder, &["arena", "--resume", "games"]).good(), table);
    let ask = ["replay", "games/replays/000000.ttr", "--move", "20", "--explain", "ticket-routes"];
    let explained = my_ttr(&folder, &ask).good();
    assert!(
        explained.contains("ticket-routes chooses: ") && explained.contains("best actions"),
        "{explained}"
    );

    let tickets =
        ["tickets", "--map", "usa", "--agents", "ticket-routes", "--games", "20", "--out", "tickets"];
    assert!(my_ttr(&folder, &tickets).good().contains("usa, 2 seats, ticket-routes: 20 games"));
    let experiment = "title = 'T'\nquestion = 'Q'\n[[run]]\nname = 'mine'\nmap = 'usa'\n\
        agents = ['ticket-routes', 'greedy']\ngames = 4\n";
    folder.write("experiment.toml", experiment);
    my_ttr(&folder, &["experiment", "run", "."]).good();
    let results = std::fs::read_to_string(folder.0.join("results.csv")).unwrap();
    assert!(results.contains("mine,ticket-routes,win_share,"), "{results}");
}

#[test]
fn own_agents_are_tuned_and_rated() {
    let folder = Folder::new("my-tune");
    let tune = ["tune", "--map", "usa", "--agent", "ticket-routes", "--against", "greedy", "--out", "tuned"];
    let little = ["--budget", "80", "--deals", "5", "--candidates", "4", "--confirm", "20", "--quiet"];
    let table = my_ttr(&folder, &[&tune[..], &little].concat()).good();
    assert!(table.contains("locomotive") && table.contains("blind"), "{table}");
    let arena = ["arena", "--map", "usa", "--games", "4", "--quiet"];
    let agents = ["--agents", "ticket-routes@tuned/tuned.toml,ticket-routes"];
    my_ttr(&folder, &[&arena[..], &agents].concat()).good();
    let rate = my_ttr(&folder, &["rate", "ticket-routes", "--only", "usa-2", "--out", "rating", "--quiet"]);
    assert!(rate.good().contains("usa-2"));
    let card_game = my_ttr(&folder, &["rate", "ticket-routes", "--only", "card-game-2"]).refused();
    assert!(card_game.contains("ticket-routes plays boards only"), "{card_game}");
}
