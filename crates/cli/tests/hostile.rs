//! Hostile input as users meet it: files that never end, names that control terminals, bots that try to
//! harm the run.

#![cfg(unix)]

mod support;

use std::process::Command;

use support::{Folder, ttr};
use ttr_engine::plain_text::is_printable;

/// Answers every question with its first action, after running `before`.
fn bot(folder: &Folder, name: &str, before: &str) -> String {
    let text = format!(
        "{before}\nwhile read -r line; do case $line in '{{\"type\":\"decide\"'*) echo '{{\"index\":0}}' ;; esac; done\n"
    );
    folder.write(&format!("{name}.sh"), text);
    format!("exec:sh {name}.sh")
}

fn read(folder: &Folder, path: &str) -> String {
    std::fs::read_to_string(folder.0.join(path)).unwrap()
}

/// Every file that is read is a regular one of bounded length; anything else is an error at once (R12).
#[test]
fn only_regular_files_are_read() {
    let folder = Folder::new("regular");
    let arena = ["arena", "--map", "usa", "--agents", "random", "--games", "10", "-q"];
    for out in ["run", "timed"] {
        folder.ttr(&[&arena[..], &["--out", out]].concat()).good();
    }
    assert!(Command::new("mkfifo").arg(folder.0.join("fifo")).status().unwrap().success());
    std::os::unix::fs::symlink("/dev/zero", folder.0.join("zero")).unwrap();
    std::fs::create_dir(folder.0.join("folder")).unwrap();
    std::fs::File::create(folder.0.join("huge")).unwrap().set_len(100_000_000_000).unwrap();
    for (name, says) in [
        ("fifo", "not a regular file"),
        ("zero", "not a regular file"),
        ("folder", "not a regular file"),
        ("huge", "longer than"),
    ] {
        let link = |target: &str| {
            let path = folder.0.join(target);
            let _ = std::fs::remove_file(&path);
            std::os::unix::fs::symlink(folder.0.join(name), path).unwrap();
        };
        link("map.toml");
        link("run/run.toml");
        folder.write(
            "published.toml",
            format!(
                "title = 't'\nquestion = 'q'\npublished_file = '{name}'\n\
                 [[run]]\nname = 'a'\nmap = 'usa'\nagents = ['random']\ngames = 1\n"
            ),
        );
        for args in [
            &["maps", "check", "map.toml"][..],
            &["arena", "--map", "map.toml"],
            &["arena", "--agents", &format!("planner@{name}")],
            &["arena", "--resume", "run"],
            &["merge", "run", "--out", "merged"],
            &["replay", name],
            &["experiment", "check", "published.toml"],
        ] {
            let error = folder.ttr(args).refused();
            assert!(error.contains(says), "{args:?} with {name}: {error}");
        }
        link("timed/timing.json");
        let run = folder.ttr(&["arena", "--resume", "timed"]);
        assert_eq!((run.code, run.out.as_str()), (Some(1), ""), "{run:?}");
        assert!(run.err.contains("timed/timing.json can't be read") && run.err.contains(says), "{run:?}");
        // The experiment of a directory is the file in it.
        let error = folder.ttr(&["experiment", "check", name]).refused();
        assert!(name == "folder" || error.contains(says), "{name}: {error}");
    }
    // A pipe in place of the lock does not block either.
    let _ = std::fs::remove_file(folder.0.join("run/run.toml"));
    folder.ttr(&[&arena[..], &["--out", "other"]].concat()).good();
    let _ = std::fs::remove_file(folder.0.join("other/.lock"));
    assert!(Command::new("mkfifo").arg(folder.0.join("other/.lock")).status().unwrap().success());
    for args in [&["arena", "--resume", "other"][..], &["merge", "other", "--out", "merged"]] {
        let error = folder.ttr(args).refused();
        assert!(error.contains(".lock is not a regular file"), "{args:?}: {error}");
    }
}

/// Seats, games and line-ups are checked before anything is allocated for them (R9).
#[test]
fn sizes_are_checked_first() {
    let folder = Folder::new("sizes");
    for seats in ["30", "1000000", "18446744073709551615"] {
        for args in [
            &["arena", "--map", "usa", "--games", "2"][..],
            &["arena", "--map", "usa", "--agents", "random"],
            &["tickets", "--map", "card-game"],
            &["tune", "--map", "usa"],
        ] {
            let error = folder.ttr(&[args, &["--seats", seats]].concat()).refused();
            assert!(error.contains(&format!("seats, not by {seats}; give --seats from 2 to ")), "{error}");
        }
    }
    let experiment = |lines: &str| {
        let start = "title = 't'\nquestion = 'q'\n[[run]]\nname = 'a'\nmap = 'usa'\n";
        folder.write("experiment.toml", format!("{start}{lines}"));
        folder.ttr(&["experiment", "check", "."]).refused()
    };
    for seats in ["100000", "9223372036854775807"] {
        let error = experiment(&format!("agents = ['random']\ngames = 1\nseats = {seats}\n"));
        assert!(error.contains(&format!("usa is played by 2 to 5 seats, not by {seats}")), "{error}");
    }
    let error = experiment("agents = ['random']\ngames = 9223372036854775807\n");
    assert!(error.contains("expected a whole number from 1 to 1000000000000"), "{error}");
    let many: Vec<String> = (1..=100).map(|n| format!("flat:iters={n}")).collect();
    let error = folder.ttr(&["arena", "--map", "usa", "--seats", "5", "--agents", &many.join(",")]).refused();
    assert!(error.contains("100 agents at 5 seats make more than 100000 line-ups"), "{error}");
}

/// Any text of a file or a bot is printed short and printable: on the terminal, in tables, pages and
/// pictures (R2, R17).
#[test]
fn nothing_commands_a_terminal_or_a_spreadsheet() {
    let folder = Folder::new("escapes");
    let clean = |what: &str, text: &str| {
        let wrong = text.chars().find(|&c| c != '\n' && !is_printable(c));
        assert_eq!(wrong, None, "{what}");
    };
    // A label of an agent file, a title, a file name, and a broken file that the error quotes.
    folder.write("red.toml", "name = \"random\"\nlabel = \"\\u001b[31mred\\u202e\"\n");
    folder.write("broken.toml", "title = \"\u{1b}[31m\u{202e}\"\n");
    folder.write("\u{1b}[31m.toml", "format = 2");
    folder.write(
        "title.toml",
        "title = \"\\u001b]0;x\\u0007\"\nquestion = 'q'\n[[run]]\nname = 'a'\nmap = 'usa'\nagents = ['random']\ngames = 1\n",
    );
    for args in [
        &["experiment", "check", "broken.toml"][..],
        &["experiment", "check", "title.toml"],
        &["maps", "check", "\u{1b}[31m.toml"],
        &["maps", "show", "\u{1b}[31m"],
        &["arena", "--agents", "\u{1b}[31m"],
    ] {
        clean(&format!("{args:?}"), &folder.ttr(args).refused());
    }
    // Reasons of forfeits, and the stderr of a bot.
    let escape = r#"printf '\033]0;title\007\n' >&2
        while read -r line; do case $line in '{"type":"decide"'*) echo '{"action":"\u001b[31m\u202e"}' ;; esac; done"#;
    let huge = r#"text=$(head -c 900000 /dev/zero | tr '\0' x)
        while read -r line; do case $line in '{"type":"decide"'*) echo "{\"action\":\"claim $text\"}" ;; esac; done"#;
    folder.write("escape.sh", escape);
    folder.write("huge.sh", huge);
    for name in ["escape", "huge"] {
        let agents = format!("exec:sh {name}.sh,random@red.toml");
        let run =
            folder.ttr(&["arena", "--map", "usa", "--agents", &agents, "--games", "40", "-q", "--out", name]);
        clean(name, &run.out);
        clean(name, &run.err);
        let files =
            ["games.csv", "seats.csv", "summary.json", "report.html"].map(|file| format!("{name}/{file}"));
        for file in files {
            let text = read(&folder, &file);
            clean(&file, &text);
            assert!(text.len() < 1_000_000, "{file} has {} bytes", text.len());
        }
        let games = read(&folder, &format!("{name}/games.csv"));
        assert_eq!(games.lines().filter(|line| line.contains("forfeit")).count(), 41, "{games}");
    }
}

/// The secret of processes is in the plan of a run that has some, and only there; shards share it (R8).
#[test]
fn runs_with_processes_have_a_secret() {
    let folder = Folder::new("secret");
    let tiny = include_str!("../../../examples/bots/python/tiny.toml");
    folder.write("tiny.toml", tiny);
    let agents = format!("{},random", bot(&folder, "good", ""));
    let exec = ["arena", "--map", "tiny.toml", "--agents", &agents, "--games", "12", "-q"];
    let run = |args: &[&str]| folder.ttr(&[&exec[..], args].concat());
    let plan = |name: &str| read(&folder, &format!("{name}/run.toml"));

    folder
        .ttr(&["arena", "--map", "tiny.toml", "--agents", "random", "--games", "2", "-q", "--out", "none"])
        .good();
    assert!(!plan("none").contains("exec_secret"), "{}", plan("none"));
    run(&["--out", "a"]).good();
    run(&["--out", "b"]).good();
    let secret = |name: &str| {
        let line = plan(name).lines().find(|line| line.starts_with("exec_secret = ")).map(str::to_owned);
        line.unwrap_or_else(|| panic!("{}", plan(name)))
    };
    assert_ne!(secret("a"), secret("b"));
    run(&["--out", "c", "--exec-secret", "1F"]).good();
    assert_eq!(secret("c"), "exec_secret = \"000000000000001f\"");
    for wrong in ["", "x", "12345678123456781", "+1", "-1"] {
        let error = run(&["--out", "d", &format!("--exec-secret={wrong}")]).refused();
        assert!(error.contains("hexadecimal digits"), "{error}");
    }

    let error = run(&["--out", "d", "--shard", "1/2"]).refused();
    assert!(error.contains("give each of them --exec-secret "), "{error}");
    for (name, shard, secret) in [("s1", "1/2", "1f"), ("s2", "2/2", "1f"), ("s3", "2/2", "2f")] {
        run(&["--out", name, "--shard", shard, "--exec-secret", secret]).good();
    }
    let error = folder.ttr(&["merge", "s1", "s3", "--out", "m"]).refused();
    assert!(error.contains("give the same --exec-secret to all shards"), "{error}");
    folder.ttr(&["merge", "s1", "s2", "--out", "m"]).good();
    for file in ["run.toml", "games.csv", "seats.csv", "summary.json"] {
        assert_eq!(read(&folder, &format!("m/{file}")), read(&folder, &format!("c/{file}")), "{file}");
    }

    // A run whose plan has lost its secret can't be resumed.
    let text =
        plan("s1").lines().filter(|line| !line.starts_with("exec_secret")).collect::<Vec<_>>().join("\n");
    folder.write("s1/run.toml", text);
    let error = folder.ttr(&["arena", "--resume", "s1"]).refused();
    assert!(error.contains("s1/run.toml is damaged"), "{error}");
}

/// Processes that a bot leaves behind cost the run nothing: no files stay open, however many games it plays
/// (R15).
#[test]
fn daemons_do_not_pile_up() {
    let folder = Folder::new("daemons");
    folder.write(
        "daemon.sh",
        "setsid sleep 60 &\nread -r line\nread -r line\nread -r line\necho '{\"index\":0}'\nexit 1\n",
    );
    let ttr = env!("CARGO_BIN_EXE_ttr");
    let command = format!(
        "ulimit -n 48; exec '{ttr}' arena --map usa --agents 'exec:sh daemon.sh,random' --games 60 --threads 2 -q --out run"
    );
    let run = Command::new("sh").args(["-c", &command]).current_dir(&folder.0).output().unwrap();
    let games = read(&folder, "run/games.csv");
    assert_eq!(
        games.lines().filter(|line| line.contains("it ended with exit status: 1")).count(),
        60,
        "{run:?}\n{games}"
    );
}

/// However much a bot writes to stderr, the user sees its start, its end, and the size of the gap (R16).
#[test]
fn stderr_is_bounded() {
    let folder = Folder::new("stderr");
    folder.write("tiny.toml", include_str!("../../../examples/bots/python/tiny.toml"));
    let agents = format!(
        "{},random",
        bot(
            &folder,
            "loud",
            "echo first >&2; head -c 20000000 /dev/zero | tr '\\0' x >&2; echo; echo last >&2"
        )
    );
    // The empty line on stdout comes before any question: the game is lost, and the process ends.
    let run = folder.ttr(&[
        "arena",
        "--map",
        "tiny.toml",
        "--agents",
        &agents,
        "--games",
        "2",
        "--threads",
        "1",
        "-q",
        "--out",
        "run",
    ]);
    assert!(run.err.len() < 400_000, "{} bytes", run.err.len());
    assert!(run.err.starts_with("first\n"), "{:.300}", run.err);
    let left_out = run.err.lines().filter(|line| line.ends_with("bytes of stderr left out]")).count();
    assert!(left_out >= 2, "{:.300}", run.err);
    assert!(run.err.lines().all(|line| line.len() <= 1000), "lines are cut");
    assert_eq!(ttr(&["agents"]).code, Some(0));
}

/// Processes that are started again and again share a budget, whatever each of them may say.
#[test]
fn stderr_of_a_run_is_bounded() {
    let folder = Folder::new("stderr-run");
    folder.write("tiny.toml", include_str!("../../../examples/bots/python/tiny.toml"));
    // It answers once, so it is started again for the next game.
    let bot = r#"while read -r line; do case $line in '{"type":"decide"'*)
        if [ -n "$answered" ]; then head -c 200000 /dev/zero | tr '\0' x >&2; exit 1; fi
        answered=1; echo '{"index":0}' ;; esac; done"#;
    folder.write("crash.sh", bot);
    let run = folder.ttr(&[
        "arena",
        "--map",
        "tiny.toml",
        "--agents",
        "exec:sh crash.sh,random",
        "--games",
        "50",
        "-q",
        "--out",
        "run",
    ]);
    let games = read(&folder, "run/games.csv");
    let crashes = games.lines().filter(|line| line.contains("it ended with exit status: 1")).count();
    assert!(crashes >= 40, "{games}");
    assert!((500_000..1_100_000).contains(&run.err.len()), "{} bytes", run.err.len());
    let remarks = run.err.lines().filter(|line| line.contains("further stderr of agents")).count();
    assert_eq!(remarks, 1, "{:.300}", run.err);
}
