//! Run directories that are damaged, changed, mixed up or foreign: refused or played again, never counted.

mod support;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use support::{CARD_ARENA, Folder, depends_on_the_clock, play_in_parts, unfinished_arena, unlock};
use ttr_agents::{AgentSpec, Roster};
use ttr_cli::report;
use ttr_engine::board::BoardGame;
use ttr_engine::card_game::CardGame;
use ttr_engine::{Dice, codec, maps};
use ttr_sim::arena::{Arena, ArenaOptions, ArenaPart, SprtPlan};
use ttr_sim::game::Ending;
use ttr_sim::run::plan::FORMAT;
use ttr_sim::run::{KeptRun, RunDir, RunError, RunPlan, StudyPlan};
use ttr_sim::table::entrant::Entrant;
use ttr_sim::table::runner::Drive;
use ttr_sim::table::schedule::Schedule;
use ttr_sim::tickets::{TicketOptions, Tickets};
use ttr_sim::tune::{Generation, Generations};

/// All files of a directory, except for those that depend on the clock.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            let name = PathBuf::from(name);
            found.extend(files(&path).into_iter().map(|(file, bytes)| (name.join(file), bytes)));
        } else if !depends_on_the_clock(&name) && name != ".lock" {
            found.insert(name.into(), std::fs::read(path).unwrap());
        }
    }
    found
}

/// Reports the file that differs, rather than all their bytes.
fn assert_same(one: &Path, other: &Path) {
    let (one, other) = (files(one), files(other));
    assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>());
    for (name, bytes) in one {
        assert!(other[&name] == bytes, "{} differs", name.display());
    }
}

fn part(run: &Path, from: u64, to: u64) -> PathBuf {
    run.join(format!("parts/{from:010}-{to:010}"))
}

/// R1: a part of 16 MiB could not be read back.
#[test]
fn parts_are_bounded_and_come_back() {
    let folder = Folder::new("bounded");
    let game = BoardGame::new(&maps::load("usa").unwrap(), 5).unwrap();
    let agents = vec![AgentSpec::parse("random").unwrap()];
    let mut options = ArenaOptions::default();
    (options.replays, options.seat_tables) = (12_000, true);
    let schedule = Schedule::table(vec![0; 5]);
    let plan = RunPlan::new(StudyPlan::Arena(options), &game, "usa", 1, agents.clone());
    let dir = RunDir::create(&folder.0.join("run"), plan.with_deals(&schedule, 12_000)).unwrap();
    let entrants = vec![Entrant::from_spec(&game, &agents[0]).unwrap()];
    let mut run = KeptRun::open(dir, |plan| Arena::from_plan(game, entrants, plan)).unwrap();
    run.play(&Drive::threads(2)).unwrap();
    let sizes: Vec<u64> = std::fs::read_dir(folder.0.join("run/parts"))
        .unwrap()
        .map(|entry| entry.unwrap().metadata().unwrap().len())
        .collect();
    assert!(sizes.iter().sum::<u64>() > 12 << 20, "{sizes:?}");
    assert!(sizes.iter().all(|&size| size < 6 << 20), "{sizes:?}");
    assert_eq!(run.so_far().unwrap().unwrap().games, 12_000);
    // Of any size.
    let dir = RunDir::create(&folder.0.join("large"), run.dir().plan().clone()).unwrap();
    let large = vec![1u64; 40 << 20];
    dir.write_part(&(0..1), &large).unwrap();
    assert!(dir.read_part::<Vec<u64>>(&(0..1)).unwrap() == large);
}

/// R4: names were trusted.
#[test]
fn a_part_is_of_its_deals() {
    let folder = Folder::new("mixed-up");
    let run = folder.0.join("run");
    unfinished_arena(&run, 8, 2);
    let (first, second) = (part(&run, 0, 1), part(&run, 1, 2));
    let good = std::fs::read(&first).unwrap();
    let resume = || folder.ttr(&["arena", "--resume", "run"]).refused();
    let refuse = |name: &str, says: &str| {
        folder.write(&format!("run/parts/{name}"), &good);
        let error = resume();
        assert!(error.contains(name) && error.contains(says), "{name}: {error}");
        std::fs::remove_file(run.join("parts").join(name)).unwrap();
    };
    refuse("0000000004-0000000005", "it is the part 0000000000-0000000001 under another name");
    refuse("0000000000-0000000004", "have deals in common");
    refuse("0000000005-0000000003", "deals that are not played here");
    refuse("0000000003-0000000003", "deals that are not played here");
    refuse("0000000007-0000000009", "deals that are not played here, which are 0 to 7");
    refuse("0000000002-18446744073709551615", "deals that are not played here");
    refuse("2-3", "is not a part of a run");
    refuse("copy", "is not a part of a run");
    // Swapped.
    let other = std::fs::read(&second).unwrap();
    std::fs::write(&first, &other).unwrap();
    std::fs::write(&second, &good).unwrap();
    assert!(resume().contains("under another name"));
    // Once restored, the run resumes to the bytes of an undisturbed one; missing deals are played.
    std::fs::remove_file(&first).unwrap();
    std::fs::write(&second, &other).unwrap();
    folder.ttr(&["arena", "--resume", "run"]).good();
    folder.ttr(&[&CARD_ARENA[..], &["--games", "16", "--out", "whole"]].concat()).good();
    assert_same(&run, &folder.0.join("whole"));
}

/// R4, R21: a shard with the deals of another, and read-only inputs.
#[test]
fn merge_takes_each_deal_once_and_changes_no_input() {
    let folder = Folder::new("merge-parts");
    let arena = [&CARD_ARENA[..], &["--games", "16"]].concat();
    for (shard, out) in [("1/2", "one"), ("2/2", "two")] {
        folder.ttr(&[&arena[..], &["--shard", shard, "--out", out]].concat()).good();
        std::fs::remove_file(folder.0.join(out).join(".lock")).unwrap();
    }
    let (one, two) = (part(&folder.0.join("one"), 0, 4), part(&folder.0.join("two"), 4, 8));
    let (first, second) = (std::fs::read(one).unwrap(), std::fs::read(&two).unwrap());
    std::fs::write(&two, &first).unwrap();
    let merge = ["merge", "one", "two", "--out", "merged"];
    let error = folder.ttr(&merge).refused();
    assert!(error.contains("it is the part 0000000000-0000000004 under another name"), "{error}");
    std::fs::write(part(&folder.0.join("two"), 2, 4), &second).unwrap();
    let error = folder.ttr(&merge).refused();
    assert!(error.contains("deals that are not played here, which are 4 to 7"), "{error}");
    std::fs::remove_file(part(&folder.0.join("two"), 2, 4)).unwrap();
    assert!(!folder.0.join("merged").exists());
    std::fs::write(&two, &second).unwrap();
    folder.ttr(&merge).good();
    for input in ["one", "two"] {
        let mut names: Vec<_> = std::fs::read_dir(folder.0.join(input))
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        names.sort();
        assert_eq!(names, ["parts", "run.toml"], "merge leaves its inputs alone");
    }
    folder.ttr(&[&arena[..], &["--out", "whole"]].concat()).good();
    assert_same(&folder.0.join("merged"), &folder.0.join("whole"));
}

/// R5: a sequential test counted deals after a gap as if they came before it.
#[test]
fn a_sequential_test_takes_deals_in_order() {
    let folder = Folder::new("sprt-gap");
    let sprt = SprtPlan { agent: 1, other: 0, elo0: 0.0, elo1: 60.0 };
    let mut options = ArenaOptions::default();
    options.sprt = Some(sprt);
    let command = ["--games", "4000", "--sprt", "2,1", "--elo1", "60", "--out", "whole"];
    folder.ttr(&[&CARD_ARENA[..], &command].concat()).good();
    let decided = games(&folder.0.join("whole")) / 2;
    assert!((32..1000).contains(&decided), "{decided}");
    for gap in [0, 10, decided - 1] {
        let run = folder.0.join(format!("gap-{gap}"));
        play_in_parts(&run, 2000, u64::MAX, &options);
        std::fs::remove_file(part(&run, gap, gap + 1)).unwrap();
        folder.ttr(&["arena", "--resume", run.to_str().unwrap()]).good();
        assert_same(&run, &folder.0.join("whole"));
    }
}

fn games(run: &Path) -> u64 {
    std::fs::read_to_string(run.join("games.csv")).unwrap().lines().count() as u64 - 1
}

/// R3, R11: JSON that is read back is identical to the last bit, or refused.
#[test]
fn what_is_read_back_is_verified() {
    let folder = Folder::new("verified");
    let arena = [&CARD_ARENA[..], &["--games", "40", "--json", "--quiet"]].concat();
    let first = folder.ttr(&[&arena[..], &["--out", "run"]].concat()).good();
    let resume = ["arena", "--resume", "run", "--json", "--quiet"];
    assert_eq!(folder.ttr(&resume).good(), first);
    let summary = std::fs::read_to_string(folder.0.join("run/summary.json")).unwrap();
    assert_eq!(summary, first);
    folder.ttr(&[&arena[..], &["--seed", "2", "--out", "other"]].concat()).good();
    let digit = summary.rfind("0.4").unwrap() + 3;
    let mut edited = summary.clone();
    edited.replace_range(digit..=digit, if &summary[digit..=digit] == "1" { "2" } else { "1" });
    let foreign = std::fs::read_to_string(folder.0.join("other/summary.json")).unwrap();
    for damaged in [edited, foreign, summary.replacen('\n', "", 1), format!("{summary}\n")] {
        folder.write("run/summary.json", damaged);
        let error = folder.ttr(&resume).refused();
        assert!(error.contains("run/summary.json is damaged: it was changed"), "{error}");
    }
    folder.write("run/summary.json", [0xff, 0xfe]);
    assert!(folder.ttr(&resume).refused().contains("run/summary.json is damaged"));

    // Times are in the table only.
    folder.write("run/summary.json", &summary);
    let table = ["arena", "--resume", "run", "--quiet"];
    let good = folder.ttr(&table).good();
    let timing = std::fs::read_to_string(folder.0.join("run/timing.json")).unwrap();
    let foreign = std::fs::read_to_string(folder.0.join("other/timing.json")).unwrap();
    let edited = timing.replacen("\"nanoseconds\": ", "\"nanoseconds\": 1", 1);
    for damaged in [edited, foreign, String::new(), "[]".to_owned()] {
        folder.write("run/timing.json", damaged);
        let error = folder.ttr(&table).refused();
        assert!(error.contains("run/timing.json is damaged: it was changed"), "{error}");
        assert!(error.contains("delete it: no result depends on it"), "{error}");
    }
    std::fs::remove_file(folder.0.join("run/timing.json")).unwrap();
    assert_ne!(folder.ttr(&table).good(), good, "decisions per second are dashes");
    assert_eq!(folder.ttr(&resume).good(), first);
}

const TUNE: [&str; 11] =
    ["tune", "--map", "card-game", "--agent", "yard", "--deals", "5", "--candidates", "4", "--confirm", "50"];

/// R3, R10, R11.
#[test]
fn a_search_is_resumed_from_its_own_generations() {
    let folder = Folder::new("generations");
    let tune = |seed: &str, out: &str| {
        let more = ["--budget", "400", "--quiet", "--seed", seed, "--out", out];
        folder.ttr(&[&TUNE[..], &more].concat()).good();
    };
    tune("1", "whole");
    tune("1", "run");
    tune("2", "other");
    let run = folder.0.join("run");
    let resume = ["tune", "--resume", "run", "--quiet"];
    // As if it had been killed before the end.
    for name in ["summary.json", "report.html", "curve.csv", "tuned.toml"] {
        std::fs::remove_file(run.join(name)).unwrap();
    }
    folder.ttr(&resume).good();
    assert_same(&run, &folder.0.join("whole"));

    std::fs::remove_file(run.join("summary.json")).unwrap();
    let text = std::fs::read_to_string(run.join("generations.json")).unwrap();
    let other = std::fs::read_to_string(folder.0.join("other/generations.json")).unwrap();
    for damaged in
        [&other, &text.replacen("\"games\": 40", "\"games\": 41", 1), &text[..text.len() / 2], "[]"]
    {
        folder.write("run/generations.json", damaged);
        let error = folder.ttr(&resume).refused();
        assert!(error.contains("run/generations.json is damaged: it was changed"), "{error}");
    }
    // With a correct checksum.
    folder.write("run/generations.json", &text);
    let read = |dir: &RunDir| dir.read_json::<Generations>("generations.json").unwrap().unwrap();
    type Change = fn(&mut Vec<Generation>);
    let changes: [(Change, &str); 5] = [
        (|all| all[2].costs.truncate(1), "generation 3: it has 1 costs of 4 candidates"),
        (
            |all| all[0].games = 10u64.pow(18),
            "generation 1: it ends after 1000000000000000000 games and has 5 deals, not 40 and 5",
        ),
        (|all| all.swap(0, 1), "deals, not 40 and 5"),
        (|all| all.insert(1, all[0].clone()), "generation 2: it ends after 40 games and has 5 deals, not "),
        (
            |all| all.push(Generation { games: all.last().unwrap().games + 40, ..all[0].clone() }),
            "the budget was spent before it",
        ),
    ];
    for (change, says) in changes {
        let dir = RunDir::open(&run).unwrap();
        let good = read(&dir);
        let mut changed = good.clone();
        change(&mut changed.generations);
        dir.write_json("generations.json", &changed).unwrap();
        drop(dir);
        unlock(&run);
        let error = folder.ttr(&resume).refused();
        assert!(error.contains(says), "{says}: {error}");
        RunDir::open(&run).unwrap().write_json("generations.json", &good).unwrap();
        unlock(&run);
    }
    folder.ttr(&resume).good();
    assert_same(&run, &folder.0.join("whole"));
}

/// R10: hostile plans with a correct checksum.
#[test]
fn a_plan_is_validated() {
    let folder = Folder::new("plans");
    let run = folder.0.join("run");
    unfinished_arena(&run, 8, 0);
    let good = std::fs::read_to_string(run.join("run.toml")).unwrap();
    let resume = ["arena", "--resume", "run"];
    let sprt = |agent: usize, other: usize, elo0: &str, elo1: &str| {
        format!("replays = 0\nsprt = {{ agent = {agent}, other = {other}, elo0 = {elo0}, elo1 = {elo1} }}")
    };
    for (from, to, says) in [
        ("line_ups = [[0, 1]]", "line_ups = [[0, 5]]", "has agent 5, and there are 2"),
        ("line_ups = [[0, 1]]", "line_ups = [[]]", "does not have 2 seats"),
        ("line_ups = [[0, 1]]", "line_ups = [[0]]", "does not have 2 seats"),
        ("line_ups = [[0, 1]]", "line_ups = [[0, 1, 1]]", "does not have 2 seats"),
        ("line_ups = [[0, 1]]", "line_ups = []", "line_ups is empty"),
        ("seats = 2", "seats = 3", "does not have 3 seats"),
        ("seats = 2", "seats = 1000", "1000"),
        ("first_deal = 0", "first_deal = 9", "are not in order"),
        ("end_deal = 8", "end_deal = 9", "are not in order"),
        ("deals = 8", "deals = 9223372036854775807", "more games than can be counted"),
        ("replays = 0", &sprt(0, 7, "0.0", "10.0"), "sprt has agent 7, and there are 2"),
        ("replays = 0", &sprt(0, 1, "10.0", "0.0"), "the option sprt must be"),
        ("replays = 0", &sprt(0, 1, "nan", "0.0"), "the option sprt must be"),
        ("replays = 0", &sprt(0, 1, "0.0", "inf"), "the option sprt must be"),
        ("replays = 0", &sprt(0, 0, "0.0", "10.0"), "the option sprt must be"),
        ("replays = 0", &sprt(0, 0, "0.0", "\"10.0\""), "expected f64"),
        ("replays = 0", "replays = 0\nanchor = 2", "anchor has agent 2, and there are 2"),
        (
            "replays = 0",
            "replays = 0\nknown_ratings = [1.0, 2.0]",
            "known_ratings must be a number for every",
        ),
        ("replays = 0", "replays = 0\nknown_ratings = [nan]", "known_ratings must be a number for every"),
        ("replays = 0", "replays = -1", "expected u64"),
        ("replays = 0", "", "missing field `replays`"),
        ("replays = 0", "replays = 0\nluck = 1", "unknown field `luck`"),
        ("line_ups = [[0, 1]]", "line_ups = [[0, 1]]\nexec_secret = \"1F\"", "16 hexadecimal digits"),
        ("[study.arena]", "[study.walk]", "unknown variant `walk`, expected one of `arena`, `tickets`"),
        ("[study.arena]", "[study.tickets]", "unknown field `decisions`, expected `forced`"),
        ("map_hash = \"", "map_hash = \"0", "has changed since"),
    ] {
        let body = good[..good.rfind("# checksum").unwrap()].replacen(from, to, 1);
        assert!(!good.starts_with(&body), "{from} is there: {good}");
        // Changed by hand.
        let old = good[good.rfind("# checksum").unwrap()..].to_owned();
        folder.write("run/run.toml", format!("{body}{old}"));
        let error = folder.ttr(&resume).refused();
        assert!(error.contains("run/run.toml is damaged: it was changed"), "{to}: {error}");
        // Changed deliberately.
        let checksum = codec::checksum(format!("run.toml\n{body}").as_bytes());
        folder.write("run/run.toml", format!("{body}# checksum: {checksum:016x}\n"));
        let error = folder.ttr(&resume).refused();
        assert!(error.contains(says), "{to}: {error}");
    }
    let agents = good.find("[[agents]]").unwrap();
    let body = good[..agents].to_owned() + "agents = []\n";
    let body = body.replacen("[study.arena]", "[study2.arena]", 1);
    folder.write("run/run.toml", body);
    folder.ttr(&resume).refused();
    folder.write("run/run.toml", good.replace(&format!("format = {FORMAT}"), "format = 1"));
    assert!(folder.ttr(&resume).refused().contains("with format 1"));
    folder.write("run/run.toml", &good);
    folder.ttr(&resume).good();
}

/// Until format 4, options were a table of texts.
#[test]
fn runs_of_an_older_format_are_refused() {
    let folder = Folder::new("format-3");
    std::fs::create_dir_all(folder.0.join("run")).unwrap();
    let body = concat!(
        "format = 3\nversion = \"0.1.0\"\nverb = \"arena\"\nmap = \"usa\"\nmap_hash = \"3aeea76a14ea55dd\"\n",
        "seats = 2\nseed = 1\ndeals = 4\nfirst_deal = 0\nend_deal = 4\nline_ups = [[0, 0]]\n\n",
        "[options]\ndecisions = \"false\"\nreplays = \"0\"\nseat_tables = \"false\"\nstop_on_forfeit = \"false\"\n\n",
        "[[agents]]\nname = \"random\"\n"
    );
    let checksum = codec::checksum(format!("run.toml\n{body}").as_bytes());
    folder.write("run/run.toml", format!("{body}# checksum: {checksum:016x}\n"));
    for args in [&["arena", "--resume", "run"][..], &["merge", "run", "--out", "whole"]] {
        let error = folder.ttr(args).refused();
        let says = format!(
            "run was started by version 0.1.0 of ttr with format 3, and this is 0.1.0 with format {FORMAT}"
        );
        assert!(error.contains(&says) && error.contains("finish it with that version"), "{error}");
    }
}

/// R10: content that was changed deliberately, with a correct checksum, is refused or harmless.
#[test]
fn changed_parts_with_a_right_checksum_are_harmless() {
    let folder = Folder::new("mutants");
    let game = || CardGame::new(&maps::card_game(), 2).unwrap();
    let agents = AgentSpec::list("random,greedy").unwrap();
    let entrants = || agents.iter().map(|agent| Entrant::from_spec(&game(), agent).unwrap()).collect();
    let schedule = Schedule::round_robin(2, 2);
    let mut options = ArenaOptions::default();
    (options.replays, options.decisions, options.seat_tables) = (1, true, true);
    let dir = |name: &str, study: StudyPlan| {
        let plan = RunPlan::new(study, &game(), "card-game", 1, agents.clone());
        RunDir::create(&folder.0.join(name), plan.with_deals(&schedule, 2)).unwrap()
    };
    let arena = dir("arena", StudyPlan::Arena(options));
    let mut arena = KeptRun::open(arena, |plan| Arena::from_plan(game(), entrants(), plan)).unwrap();
    let [mut tickets, mut forced] = [("tickets", false), ("forced", true)].map(|(name, forced)| {
        let dir = dir(name, StudyPlan::Tickets(TicketOptions::forced(forced)));
        KeptRun::open(dir, |plan| Tickets::from_plan(game(), entrants(), plan)).unwrap()
    });
    arena.play(&Drive::threads(1)).unwrap();
    tickets.play(&Drive::threads(1)).unwrap();
    forced.play(&Drive::threads(1)).unwrap();
    let of_tickets = |run: &KeptRun<Tickets<CardGame>>| {
        let summary = run.so_far()?.unwrap();
        Ok::<_, RunError>(
            summary.to_string()
                + &report::tickets(
                    &summary,
                    &game(),
                    &[],
                    Roster::built_in(),
                    &report::Provenance::default(),
                ),
        )
    };
    let of_arena = || {
        let summary = arena.so_far()?.unwrap();
        Ok(summary.to_string()
            + &report::arena(&summary, &game(), Roster::built_in(), &report::Provenance::default()))
    };
    let sum_up = |verb: &str| match verb {
        "arena" => of_arena(),
        "tickets" => of_tickets(&tickets),
        _ => of_tickets(&forced),
    };
    let mut dice = Dice::from_seed(1);
    for verb in ["arena", "tickets", "forced"] {
        let path = part(&folder.0.join(verb), 0, 2);
        let good = std::fs::read(&path).unwrap();
        let expected = sum_up(verb).unwrap();
        let (head, content) = (44, good.len() - 8);
        let (mut refused, mut other) = (0, 0);
        for _ in 0..if verb == "arena" { 600 } else { 300 } {
            let mut mutant = good[..content].to_vec();
            let at = head + dice.below((content - head) as u32) as usize;
            mutant[at] = dice.below(256) as u8;
            let checksum = codec::checksum(&mutant);
            mutant.extend(checksum.to_le_bytes());
            std::fs::write(&path, &mutant).unwrap();
            match sum_up(verb) {
                Err(error) => {
                    assert!(
                        error.to_string().contains("delete it, and its deals are played again"),
                        "{error}"
                    );
                    refused += 1;
                }
                Ok(found) => other += u32::from(found != expected),
            }
        }
        assert!(refused > 100, "{verb}: {refused} refused, {other} with other figures");
    }
}

/// Unknown values must not be counted as something else.
#[test]
fn an_unknown_ending_is_refused() {
    let folder = Folder::new("ending");
    let run = folder.0.join("run");
    unfinished_arena(&run, 2, 1);
    let path = part(&run, 0, 1);
    let good = std::fs::read(&path).unwrap();
    let (head, end) = (44, good.len() - 8);
    let mut known: ArenaPart = codec::decode(&good[head..end]).unwrap();
    assert_eq!(codec::encode(&known), good[head..end]);
    known.games[0].ending = Ending::Forfeit;
    let other = codec::encode(&known);
    let at = (0..other.len()).find(|&at| other[at] != good[head + at]).unwrap();
    assert_eq!(usize::from(other[at]), Ending::Forfeit.index());
    for unknown in Ending::ALL.len() as u8..=250 {
        let mut bytes = good[..end].to_vec();
        bytes[head + at] = unknown;
        let checksum = codec::checksum(&bytes);
        bytes.extend(checksum.to_le_bytes());
        std::fs::write(&path, bytes).unwrap();
        let dir = RunDir::open(&run).unwrap();
        let error = dir.read_part::<ArenaPart>(&(0..1)).unwrap_err().to_string();
        assert!(error.contains("is damaged") && error.contains(&format!("integer `{unknown}`")), "{error}");
    }
    unlock(&run);
    folder.ttr(&["arena", "--resume", "run"]).refused();
    // In a summary too, with a correct checksum.
    std::fs::write(&path, good).unwrap();
    folder.ttr(&["arena", "--resume", "run"]).good();
    let dir = RunDir::open(&run).unwrap();
    let mut summary: serde_json::Value = dir.read_json("summary.json").unwrap().unwrap();
    assert_eq!(summary["endings"][0]["ending"], "last-turns");
    summary["endings"][0]["ending"] = "earthquake".into();
    dir.write_json("summary.json", &summary).unwrap();
    drop(dir);
    unlock(&run);
    let error = folder.ttr(&["arena", "--resume", "run"]).refused();
    assert!(error.contains("unknown variant `earthquake`, expected one of `final-round`"), "{error}");
}

/// R7: a run that died before it had a plan.
#[test]
fn a_directory_without_a_plan_is_new() {
    let folder = Folder::new("stillborn");
    std::fs::create_dir_all(folder.0.join("run/parts")).unwrap();
    folder.write("run/.lock", "");
    folder.write("run/.run.toml.123-0.tmp", "version = ");
    let error = folder.ttr(&["arena", "--resume", "run"]).refused();
    assert!(error.contains("run the command that starts it again"), "{error}");
    let arena = [&CARD_ARENA[..], &["--games", "8", "--quiet", "--out"]].concat();
    folder.ttr(&[&arena[..], &["run"]].concat()).good();
    folder.ttr(&[&arena[..], &["whole"]].concat()).good();
    assert_same(&folder.0.join("run"), &folder.0.join("whole"));
    // Other files do not belong to a run.
    std::fs::create_dir_all(folder.0.join("other/parts")).unwrap();
    folder.write("other/parts/letter", "dear");
    assert!(folder.ttr(&[&arena[..], &["other"]].concat()).refused().contains("other is not empty"));
    assert!(!folder.0.join("other/.lock").exists());
}

/// R14, R21: the remains of a killed process are removed, and a complete run is otherwise only read.
#[test]
fn a_complete_run_is_tidied_and_only_read() {
    let folder = Folder::new("tidy");
    let arena = [&CARD_ARENA[..], &["--games", "8", "--quiet", "--out"]].concat();
    folder.ttr(&[&arena[..], &["run"]].concat()).good();
    folder.ttr(&[&arena[..], &["whole"]].concat()).good();
    std::fs::create_dir(folder.0.join("run/parts")).unwrap();
    folder.write("run/parts/0000000000-0000000004", "left");
    folder.write("run/parts/.0000000000-0000000004.7-0.tmp", "left");
    folder.write("run/.games.csv.7-0.tmp", "left");
    let resume = ["arena", "--resume", "run", "--quiet"];
    let first = folder.ttr(&resume).good();
    assert_same(&folder.0.join("run"), &folder.0.join("whole"));
    // With a disk on which every change fails.
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_ttr"))
        .args(resume)
        .env("TTR_FILE_FAULT", "broken:1")
        .current_dir(&folder.0)
        .output()
        .unwrap();
    assert!(output.status.success() && output.stdout == first.into_bytes(), "{output:?}");
}

/// R6: Ctrl-C in the test at the end of a search.
#[cfg(unix)]
#[test]
fn an_interrupted_test_is_not_a_result() {
    let folder = Folder::new("confirm");
    let args = [
        "tune",
        "--map",
        "europe",
        "--seats",
        "5",
        "--agent",
        "planner",
        "--params",
        "wild",
        "--step",
        "0.05",
        "--budget",
        "40",
        "--deals",
        "2",
        "--candidates",
        "4",
        "--confirm",
        "1000000",
        "--out",
        "run",
    ];
    let child = std::process::Command::new(env!("CARGO_BIN_EXE_ttr"))
        .args(args)
        .current_dir(&folder.0)
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let start = std::time::Instant::now();
    // The budget allows only one generation.
    while !folder.0.join("run/generations.json").exists() {
        assert!(start.elapsed().as_secs() < 120, "no generation was played");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let killed = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let output = child.wait_with_output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(75), "as an interrupted search: {error}");
    assert!(error.contains("stopped during the final test"), "{error}");
    assert!(error.contains("resume with: ttr tune --resume run") && output.stdout.is_empty(), "{error}");
    for name in ["summary.json", "report.html", "curve.csv"] {
        assert!(!folder.0.join("run").join(name).exists(), "{name}");
    }
}
