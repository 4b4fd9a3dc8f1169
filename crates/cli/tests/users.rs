//! Mistakes of new users and the answers of the program: options, hints, warnings, progress.

mod support;

use support::{Folder, ttr};

#[test]
fn resume_takes_no_settings() {
    let folder = Folder::new("resume-settings");
    for args in [
        &["arena", "--resume", "run", "--games", "5"][..],
        &["arena", "--resume", "run", "--map", "europe"],
        &["arena", "--resume", "run", "--seed", "1"],
        &["tickets", "--resume", "run", "--games", "5"],
        &["tickets", "--resume", "run", "--forced"],
        &["tune", "--resume", "run", "--budget", "5"],
        &["tune", "--resume", "run", "--agent", "planner"],
    ] {
        let error = folder.ttr(args).refused();
        assert!(error.contains(args[3]) && error.contains("cannot be used with"), "{args:?}: {error}");
    }
    let new = ["arena", "--map", "usa", "--agents", "random", "--games", "4", "--out", "run", "-q"];
    folder.ttr(&new).good();
    folder.ttr(&["arena", "--resume", "run", "--threads", "1", "--json", "-q"]).json();
}

#[test]
fn numbers_of_games() {
    for games in ["2000", "2_000", "2e3", "2k", "2K", "0.002M", "2.0e3"] {
        let run = ttr(&["bench", "--map", "first-journey-usa", "--games", games, "--json"]).json();
        assert_eq!(run["games"], 2000, "{games}");
    }
    for (games, says) in [
        ("18446744073709551615", "expected at most 1,000,000,000,000 games"),
        ("99999999999999999999", "expected at most 1,000,000,000,000 games"),
        ("1000000000001", "expected at most 1,000,000,000,000 games"),
        ("2.5", "a number of games from 1"),
        ("inf", "a number of games from 1"),
        ("nan", "a number of games from 1"),
        ("1e3k", "a number of games from 1"),
        ("k", "a number of games from 1"),
        ("", "a number of games from 1"),
    ] {
        let error = ttr(&["bench", "--games", games]).refused();
        assert!(error.contains(says), "{games}: {error}");
    }
}

#[test]
fn wrong_numbers() {
    for (args, says) in [
        (&["arena", "--shard", "3/2"][..], "there is no shard 3 of 2; shards are numbered from 1 to 2"),
        (&["arena", "--shard", "0/2"], "there is no shard 0 of 2"),
        (&["arena", "--shard", "-1/2"], "such as 2/4"),
        (&["arena", "--shard", "1/0"], "such as 2/4"),
        (&["arena", "--save-replays", "-3"], "expected a number of games to save, such as 10"),
        (&["tune", "--budget", "-3"], "a number of games from 1"),
        (&["tune", "--candidates", "-3"], "expected a whole number from 4 to 1000"),
        (&["replay", "game.ttr", "--move", "-3"], "counted from 1"),
        (&["replay", "game.ttr", "--seat", "-3"], "counted from 1"),
    ] {
        let error = ttr(args).refused();
        assert!(error.contains(says), "{args:?}: {error}");
    }
}

#[test]
fn misspelt_agents_and_parameters() {
    let folder = Folder::new("misspelt");
    for (args, says) in [
        (
            &["arena", "--agents", "planer,greedy"][..],
            "there is no agent \"planer\"; did you mean \"planner\"?",
        ),
        (&["agents", "plannr"], "did you mean \"planner\"?"),
        (
            &["arena", "--agents", "planner:ticket_csot=2"],
            "no parameter \"ticket_csot\"; did you mean \"ticket_cost\"?\n",
        ),
        (
            &["tune", "--params", "ticket_csot"],
            "no parameter \"ticket_csot\"; did you mean \"ticket_cost\"?\n",
        ),
        (&["arena", "--agents", "planner:xyz=2"], "`ttr agents planner` lists them"),
        (&["tune", "--agent", "ismcts", "--params", "iters"], "iters can't be tuned, it is a whole number"),
    ] {
        let error = folder.ttr(args).refused();
        assert!(error.contains(says), "{args:?}: {error}");
    }
}

/// An agent with all parameters set leaves nothing to tune; the message does not repeat its settings.
#[test]
fn nothing_left_to_tune() {
    let folder = Folder::new("all-set");
    let all: Vec<String> = ttr(&["agents", "yard", "--json"]).json()[0]["parameters"]
        .as_array()
        .unwrap()
        .iter()
        .map(|param| format!("{}={}", param["name"].as_str().unwrap(), param["default"].as_str().unwrap()))
        .collect();
    let agent = format!("yard:{}", all.join(","));
    let error = folder.ttr(&["tune", "--map", "card-game", "--agent", &agent]).refused();
    assert_eq!(
        error,
        "error: all parameters of yard that can be tuned are set; omit some, or list those to tune with --params\n"
    );
}

/// All problems of an experiment are reported at once, each with its line, before anything is played.
#[test]
fn an_experiment_is_checked_as_a_whole() {
    let folder = Folder::new("check");
    let good = "title = 'T'\nquestion = 'Q'\n[[run]]\nname = 'two'\nmap = 'usa'\nagents = ['greedy', 'random']\ngames = 4\n";
    folder.write(
        "experiment.toml",
        "\
titel = 'T'
question = 'Q'
published_file = 'published.csv'
[[run]]
name = 'a b'
map = 'usa'
agents = [
  'greedy',
  'planer',
]
games = -10
[[run]]
name = 'two'
map = 'usa'
rules = { trians = 20 }
agents = ['random']
games = 4
[[run]]
name = 'three'
map = 'usa'
seats = 9
line_up = ['yard', 'random']
games = 4
[[run]]
name = 'good'
map = 'usa'
agents = ['greedy', 'random']
games = 4
[[published]]
run = 'god'
subject = 'greedy'
figure = 'win_share'
value = 1
source = 's'
[[published]]
run = 'good'
subject = 'nobody'
figure = 'win_share'
value = 1
source = 's'
",
    );
    folder.write(
        "published.csv",
        "run,subject,figure,value,error,source\ngood,greedy,win_shar,0.5,,s\ngood,greedy / random,ahead,x,,s\nshort\n",
    );
    for command in ["check", "run"] {
        let error = folder.ttr(&["experiment", command, "."]).refused();
        for says in [
            "experiment.toml:1: unknown key \"titel\"; did you mean \"title\"?",
            "experiment.toml:1: the key \"title\" is missing",
            "experiment.toml:5: run \"a b\": the name can't be used; use letters, digits, - and _",
            "experiment.toml:9: run \"a b\": there is no agent \"planer\"; did you mean \"planner\"?",
            "experiment.toml:11: run \"a b\": games: expected a whole number from 1 to",
            "experiment.toml:15: run \"two\": rules: unknown key \"trians\"; did you mean \"trains\"?",
            "experiment.toml:21: run \"three\": line_up has 2 agents for 9 seats",
            "experiment.toml:30: there is no run \"god\"; did you mean \"good\"?",
            "experiment.toml:37: the run \"good\" measures nothing of \"nobody\"",
            "published.csv:2: the run \"good\" has no figure \"win_shar\" of \"greedy\"; did you mean \"win_share\"?",
            "published.csv:3: \"x\" is not a number",
            "published.csv:4: the line has 1 fields",
        ] {
            assert!(error.contains(says), "{says}:\n{error}");
        }
        assert_eq!(folder.files(), ["experiment.toml", "published.csv"], "nothing is played");
    }
    // One problem at a time.
    for (from, to, says) in [
        (
            "'greedy', 'random'",
            "'greedy', 'yard'",
            "experiment.toml:6: run \"two\": yard plays the Card Game, not usa",
        ),
        (
            "'greedy', 'random'",
            "'greedy', 'planer'",
            "experiment.toml:6: run \"two\": there is no agent \"planer\"; did you mean",
        ),
        (
            "games = 4",
            "games = 4\nseats = 9",
            "experiment.toml:8: run \"two\": usa is played by 2 to 5 seats, not by 9",
        ),
        (
            "map = 'usa'",
            "map = 'us'",
            "experiment.toml:5: run \"two\": there is no map \"us\"; did you mean \"usa\"?",
        ),
        ("[[run]]", "[[runs]]", "experiment.toml:1: the key \"run\" is missing"),
    ] {
        folder.write("experiment.toml", good.replacen(from, to, 1));
        let error = folder.ttr(&["experiment", "check", "."]).refused();
        assert!(error.contains(says), "{says}:\n{error}");
    }
    folder.write("experiment.toml", good);
    folder.ttr(&["experiment", "check", "."]).good();
}

/// The shipped experiments pass the check, with all their published figures.
#[test]
fn shipped_experiments_are_right() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../experiments");
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let experiments: Vec<_> = entries.filter(|path| path.join("experiment.toml").exists()).collect();
    assert!(experiments.len() >= 15);
    for path in experiments {
        ttr(&["experiment", "check", path.to_str().unwrap()]).good();
    }
}
