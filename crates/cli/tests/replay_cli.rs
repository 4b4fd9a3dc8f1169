//! `ttr replay` as its users see it, and the library behind it.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value as Json;
use ttr_agents::{Agent, Candidate, Explanation, Forfeit, Note};
use ttr_cli::words::opinion::Opinion;
use ttr_cli::words::replay_text::Story;
use ttr_engine::board::{Action, BoardGame, Observation};
use ttr_engine::card_game::CardGame;
use ttr_engine::{CardKind, Dice, Notation, Replay, Seat, View, maps};

/// The whole output for a short game.
const TINY: &str = "\
tiny, random against random, seed 7
verified: 18 decisions, 10 turns, ending: final-round

market after the turn: P purple, B blue, O orange, W white, G green, Y yellow, K black, R red, L locomotive
turn  moves  seat    points  market  decisions
   -      1  seat 1     0-0  BBL     keep Alba-Brno
   -      2  seat 2     0-0  BBL     keep Brno-Como (tickets kept: 1-1)
   1      3  seat 1     1-0  BBL     claim Brno-Como in red (+1 point; 2 trains left)
   2      4  seat 2     1-0  BBR     take locomotive
   3    5-6  seat 1     1-0  BBR     tickets (offered: Alba-Como), keep Alba-Como
   4    7-8  seat 2     1-0  BBL     take red, take red
   5      9  seat 1     1-0  BBR     take locomotive
   6  10-11  seat 2     1-0  BBR     take red, take blue
   7  12-13  seat 1     1-0  BBB     take red (reshuffled: 1 card), take blind (red*1)
   8     14  seat 2     1-2  BBB     claim Alba-Brno in red + 1 locomotive \
(+2 points; 1 train left; reshuffled: 2 cards; final round: 2 turns left)
   9  15-16  seat 1     1-2  BBB     take blind (locomotive*1), take blind (red*1)
  10  17-18  seat 2     1-2  B       take blue, take blue (game over: final-round)

after 10 turns: over, final-round
face up blue*1; deck 0, discard 0, ticket deck 0
seat 1: 1 point, 2 trains
  hand      red*3 locomotive*2 (5 cards)
  tickets   Alba-Brno (2), Alba-Como (2)
  routes    Brno-Como
seat 2: 2 points, 1 train
  hand      blue*4 red*2 (6 cards)
  tickets   Brno-Como (1)
  routes    Alba-Brno

seat    agent   routes  tickets  points  place  tickets done  not done  trains left
seat 1  random       1       -4      -3      2             0         2            2
seat 2  random       2       -1       1      1             0         1            1
";

/// The result of a run of `ttr`.
#[derive(Debug)]
struct Run {
    code: Option<i32>,
    out: String,
    err: String,
}

impl Run {
    fn good(self) -> String {
        assert_eq!((self.code, self.err.as_str()), (Some(0), ""), "{self:?}");
        self.out
    }

    /// The error of a run that must have refused its input, on one line.
    fn refused(self) -> String {
        assert_eq!((self.code, self.out.as_str()), (Some(2), ""), "{self:?}");
        assert!(self.err.starts_with("error: ") && !self.err.contains("panicked"), "{self:?}");
        self.err
    }
}

/// A folder for one test, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("ttr-replay-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        std::fs::write(self.0.join(name), bytes).unwrap();
    }

    fn replay(&self, args: &[&str]) -> Run {
        let mut ttr = Command::new(env!("CARGO_BIN_EXE_ttr"));
        let output = ttr.arg("replay").args(args).current_dir(&self.0).output().expect("ttr runs");
        let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
        Run { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn board(map: &str, seats: usize) -> BoardGame {
    BoardGame::new(&maps::find(map).unwrap(), seats).unwrap()
}

fn tiny() -> (BoardGame, &'static str) {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/bots/python/tiny.toml");
    (board(file, 2), file)
}

/// A game between random agents.
fn recorded<G: Notation>(game: &G, seed: u64) -> Replay<G::Action> {
    let agents = (0..game.seats()).map(|_| "random");
    // By index in the list: the way a game picks a random action may change, and would change the golden
    // game.
    let choose = |game: &G, state: &G::State, dice: &mut Dice| {
        let n = dice.below(game.count_actions(state) as u32);
        game.nth_action(state, n as usize).unwrap()
    };
    Replay::play(game, seed, agents, choose).unwrap()
}

#[test]
fn a_whole_game() {
    let folder = Folder::new("whole");
    let (game, file) = tiny();
    let replay = recorded(&game, 7);
    folder.write("game.ttr", replay.to_bytes());
    assert_eq!(folder.replay(&["game.ttr", "--map", file]).good(), TINY);
    // The text form is the same game.
    folder.write("game.txt", replay.to_text(&game).unwrap());
    assert_eq!(folder.replay(&["game.txt", "--map", file]).good(), TINY);
    // A part of it.
    let some = folder.replay(&["game.ttr", "--map", file, "--from", "3", "--to", "6"]).good();
    let lines: Vec<&str> = TINY.lines().collect();
    assert_eq!(some, format!("{}\n", [&lines[..5], &lines[7..10]].concat().join("\n")));
}

#[test]
fn every_game_can_be_read() {
    let folder = Folder::new("every");
    for id in maps::ids().iter().chain(&["europe+depots", "nordic+depots"]) {
        let seats = maps::find(id).unwrap().seats.max.into();
        folder.write("game.ttr", recorded(&board(id, seats), 3).to_bytes());
        let text = folder.replay(&["game.ttr"]).good();
        assert!(text.starts_with(&format!("{id}, random against random")), "{text}");
        assert!(text.lines().filter(|line| line.starts_with("  ")).all(|line| line.chars().count() < 250));
        let sheet = text.lines().rev().take_while(|line| line.starts_with("seat ")).count();
        assert_eq!(sheet, 1 + seats, "{text}");
    }
    let game = CardGame::new(&maps::card_game(), 4).unwrap();
    folder.write("game.ttr", recorded(&game, 3).to_bytes());
    let text = folder.replay(&["game.ttr", "--positions"]).good();
    for says in ["card-game, ", "  track ", "  rows ", "big cities", "cards left"] {
        assert!(text.contains(says), "{says}: {text}");
    }
}

#[test]
fn a_position() {
    let folder = Folder::new("position");
    let game = board("europe+depots", 3);
    let replay = recorded(&game, 5);
    folder.write("game.ttr", replay.to_bytes());
    let all = folder.replay(&["game.ttr", "--move", "120"]).good();
    for says in ["    120  seat ", "depots in reserve", "in the warehouse", "  routes ", "face up "] {
        assert!(all.contains(says), "{says}: {all}");
    }
    assert_eq!(all.matches("to decide: ").count(), 2, "{all}");
    assert_eq!(all.matches("  hand ").count(), 6, "{all}");
    assert!(!all.contains("place"), "the score sheet is for the end: {all}");

    let json = folder.replay(&["game.ttr", "--move", "120", "--json"]).good();
    let json: Json = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["verified"], &json["map"]), (&true.into(), &"europe+depots".into()));
    assert_eq!(json["decisions"].as_array().unwrap().len(), replay.actions.len());
    assert_eq!(json["seed"], "5");
    let after: Vec<_> = json["positions"].as_array().unwrap().iter().map(|p| p["after"].as_u64()).collect();
    assert_eq!(after, [Some(119), Some(120)]);
    for (seat, sheet) in json["scores"].as_array().unwrap().iter().enumerate() {
        let sum: i64 = sheet["sources"].as_object().unwrap().values().map(|n| n.as_i64().unwrap()).sum();
        assert_eq!((sum, &sheet["points"]), (replay.points[seat].into(), &replay.points[seat].into()));
    }
}

#[test]
fn a_seat_sees_no_secrets() {
    let folder = Folder::new("seat");
    let game = board("nordic", 2);
    folder.write("game.ttr", recorded(&game, 5).to_bytes());
    let all = folder.replay(&["game.ttr"]).good();
    let own = folder.replay(&["game.ttr", "--seat", "1"]).good();
    assert!(all.contains("  keep ") && !all.contains("hidden"));
    for (all, own) in all.lines().zip(own.lines()).skip(3) {
        if all.contains("  seat 1  ") {
            assert_eq!(all, own);
        }
        if own.contains("  seat 2  ") {
            let hidden = own.matches(" (hidden)").count() + own.matches("tickets kept").count();
            assert_eq!(own.matches("keep").count() + own.matches("kept").count(), hidden, "{own}");
            let drawn = CardKind::ALL.into_iter().find(|kind| own.contains(&format!("take blind ({kind}*")));
            assert_eq!(drawn, None, "{own}");
        }
    }
    let cards = CardGame::new(&maps::card_game(), 2).unwrap();
    let story = Story::of(&cards, &recorded(&cards, 5), Some(Seat::new(0))).unwrap();
    let others = story.decisions.iter().filter(|decision| decision.seat == Seat::new(1));
    let mut secrets = others.filter(|d| d.action.starts_with("keep") || d.action.starts_with("complete"));
    assert!(secrets.all(|decision| decision.action.ends_with("(hidden)")));
}

/// CC-27: every claim either scores, or shows the cards turned up and its end; the same to a seat that
/// observes.
#[test]
fn failed_tunnels_are_shown() {
    let game = board("europe", 3);
    let mut given_up = 0;
    for seed in 0..5 {
        let replay = recorded(&game, seed);
        let story = Story::of(&game, &replay, None).unwrap();
        let seen = Story::of(&game, &replay, Some(Seat::new(2))).unwrap();
        for (i, decision) in story.decisions.iter().enumerate().filter(|(_, d)| d.action.starts_with("claim"))
        {
            let says = |what: &str| decision.outcome.iter().any(|outcome| outcome.contains(what));
            if says("point") {
                continue;
            }
            assert!(says("turned up: ") && says(", extra cost "), "{decision:?}");
            let next = &story.decisions[i + 1];
            assert!(next.action.starts_with("pay") || next.action == "decline", "{next:?}");
            if next.action == "decline" {
                assert_eq!(next.outcome, ["given up"]);
                given_up += 1;
            }
            for i in [i, i + 1] {
                assert_eq!(seen.decisions[i], story.decisions[i], "both are public");
            }
        }
    }
    assert!(given_up > 5, "{given_up}");
}

#[test]
fn wrong_records_are_refused() {
    let folder = Folder::new("wrong");
    let game = board("usa", 2);
    let replay = recorded(&game, 7);
    let bytes = replay.to_bytes();
    folder.write("game.ttr", &bytes);
    folder.write("empty.ttr", "");
    folder.write("foreign.ttr", "PK\u{3}\u{4} something else");
    folder.write("cut.ttr", &bytes[..bytes.len() / 2]);
    let mut flipped = bytes.clone();
    flipped[40] ^= 1;
    folder.write("flipped.ttr", &flipped);
    folder.write("early.ttr", Replay { actions: replay.actions[..9].to_vec(), ..replay.clone() }.to_bytes());
    folder.write("points.ttr", Replay { points: vec![1, 2], ..replay.clone() }.to_bytes());
    let mut illegal = replay.clone();
    illegal.actions[4] = Action::Store(Seat::new(4));
    folder.write("illegal.ttr", illegal.to_bytes());
    let mut many = replay.clone();
    many.header.seats = 9;
    folder.write("many.ttr", many.to_bytes());
    let mut own = replay.clone();
    own.header.map = "../my-map.toml".to_owned();
    folder.write("own.ttr", own.to_bytes());
    folder.write("text.ttr", replay.to_text(&game).unwrap().replace(": take", ": steal"));
    folder.write("header.ttr", "ttr game 2\nmap: usa\n");
    folder.write("latin.ttr", b"ttr game 2\nmap: \xff\n");
    folder.write("cards.ttr", recorded(&CardGame::new(&maps::card_game(), 2).unwrap(), 1).to_bytes());

    for (args, says) in [
        (&["none.ttr"][..], "the file none.ttr can't be read: "),
        (&["."], "can't be read: "),
        (&["empty.ttr"], "empty.ttr: this is not a recorded game"),
        (&["foreign.ttr"], "foreign.ttr: this is not a recorded game"),
        (&["cut.ttr"], "it was cut off or damaged"),
        (&["flipped.ttr"], "the checksum does not match"),
        (&["early.ttr"], "the game is not over after 9 decisions"),
        (&["points.ttr"], "the record says [1, 2]"),
        (&["illegal.ttr"], "decision 5 is not legal"),
        (&["many.ttr"], "usa is played by 2 to 5 seats, not by 9"),
        (&["own.ttr"], "on the map \"../my-map.toml\", which is not shipped; give its file with --map"),
        (&["text.ttr"], "is not understood; an action starts with"),
        (&["header.ttr"], "the line \"seats: ...\" is missing"),
        (&["latin.ttr"], "latin.ttr: the record can't be read: invalid utf-8"),
        (&["game.ttr", "--map", "europe"], "load the map it was played on"),
        (&["cards.ttr", "--map", "usa"], "cards.ttr: "),
        (&["game.ttr", "--map", "eurpoe"], "there is no map \"eurpoe\"; did you mean \"europe\"?"),
        (&["game.ttr", "--move", "0"], "--move 0: decisions are counted from 1 to "),
        (&["game.ttr", "--move", "100000"], "--move 100000: decisions are counted from 1 to "),
        (&["game.ttr", "--from", "9", "--to", "3"], "--from is after --to"),
        (&["game.ttr", "--seat", "3"], "--seat 3: seats are counted from 1 to 2"),
        (&["game.ttr", "--seat", "0"], "--seat 0: seats are counted from 1 to 2"),
        (&["game.ttr", "--explain", "random"], "--move <N>"),
        (&["game.ttr", "--move", "3", "--explain", "randon"], "there is no agent \"randon\""),
        (&["game.ttr", "--move", "3", "--explain", "exec:no-such-program"], "can't be started: "),
        (&["game.ttr", "--move", "3", "--to", "4"], "cannot be used with"),
    ] {
        let error = folder.replay(args).refused();
        assert!(error.contains(says), "{args:?}: {error}");
    }
}

#[test]
fn names_in_a_record_cannot_confuse_the_terminal() {
    let folder = Folder::new("names");
    let game = board("usa", 2);
    let mut replay = recorded(&game, 7);
    replay.header.agents = vec!["\u{1b}[2Jgone\n".to_owned()];
    folder.write("game.ttr", replay.to_bytes());
    let text = folder.replay(&["game.ttr"]).good();
    assert!(!text.contains('\u{1b}') && text.contains("\\u{1b}[2Jgone\\n, seed 7"), "{text}");
}

#[test]
fn help() {
    let help = Folder::new("help").replay(&["--help"]).good();
    assert!(help.contains("Examples:") && help.contains("--explain"), "{help}");
}

/// Takes the first action, and reports that it considered the first three.
struct Talker;

impl Agent<BoardGame> for Talker {
    fn choose(&mut self, view: &Observation<'_>, _: &mut Dice) -> Result<Action, Forfeit> {
        view.nth_action(0).ok_or_else(|| Forfeit::new("nothing is possible"))
    }

    fn explain(&self, view: &Observation<'_>) -> Explanation<Action> {
        let mut actions = Vec::new();
        let _ = view.legal_actions(|action| {
            let line = vec![view.write_action(action), "pass".to_owned(), "tickets".to_owned()];
            let mut candidate = Candidate::new(action);
            (candidate.visits, candidate.value, candidate.line) = (10 - actions.len() as u32, 0.5, line);
            actions.push(candidate);
            if actions.len() < 3 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        Explanation::new(vec![Note::new("mood", "talkative")], actions)
    }
}

#[test]
fn an_agent_explains() {
    let folder = Folder::new("explain");
    let game = board("usa", 2);
    let replay = recorded(&game, 7);
    let opinion = Opinion::of(&game, &replay, 1, "talker", &mut Talker).unwrap().unwrap();
    let text = opinion.to_string();
    assert!(text.starts_with("talker chooses: keep ") && text.contains("\n  mood  talkative\n"), "{text}");
    assert!(text.contains("    10  0.500  keep ") && text.contains("  pass; tickets\n"), "{text}");
    assert_eq!((opinion.candidates.len(), text.lines().count()), (3, 7));
    // Candidates without differences are one row, wherever they are.
    let mut same = opinion.clone();
    for candidate in &mut same.candidates {
        (candidate.visits, candidate.error) = (7, Some(0.1));
        (candidate.gain, candidate.expected_gain) = (Some((-0.02, 0.01)), Some(-0.01));
    }
    let mut other = same.candidates[0].clone();
    other.visits = 8;
    same.candidates.insert(1, other);
    let text = same.to_string();
    assert!(
        text.contains("     7  0.500 ±0.196  -0.020 ±0.020    -0.010  keep ")
            && text.contains(" and 2 more like it"),
        "{text}"
    );
    assert_eq!(text.lines().count(), 6, "{text}");
    assert!(Opinion::of(&game, &replay, 0, "talker", &mut Talker).is_err());
    assert!(Opinion::of(&game, &replay, 10_000, "talker", &mut Talker).is_err());

    folder.write("game.ttr", replay.to_bytes());
    let args = ["game.ttr", "--move", "9", "--explain", "random"];
    let text = folder.replay(&args).good();
    assert!(
        text.contains("\nrandom chooses: ") && text.ends_with("This agent gives no explanation.\n"),
        "{text}"
    );
    let json: Json = serde_json::from_str(&folder.replay(&[&args[..], &["--json"]].concat()).good()).unwrap();
    assert_eq!(json["explanation"]["agent"], "random");
    assert_eq!(json["explanation"]["played"], json["decisions"][8]["action"]);

    let args = ["game.ttr", "--move", "1", "--explain", "ismcts:iters=40,rollout=light"];
    let text = folder.replay(&args).good();
    assert!(text.contains("\nismcts:iters=40,rollout=light chooses: keep "), "{text}");
    assert_eq!(text.matches("to decide: ").count(), 1, "the position is printed once: {text}");
    let json: Json = serde_json::from_str(&folder.replay(&[&args[..], &["--json"]].concat()).good()).unwrap();
    let candidates = json["explanation"]["candidates"].as_array().unwrap();
    assert_eq!(candidates[0]["action"], json["explanation"]["choice"]);
    let visits: u64 = candidates.iter().map(|candidate| candidate["visits"].as_u64().unwrap()).sum();
    assert!((30..=50).contains(&visits), "{visits}");
}

/// The events of a decision are available as data, and its outcome is made of them.
#[test]
fn json_has_the_events() {
    let folder = Folder::new("events");
    let game = board("europe", 2);
    folder.write("game.ttr", recorded(&game, 5).to_bytes());
    let all: Json = serde_json::from_str(&folder.replay(&["game.ttr", "--json"]).good()).unwrap();
    let own: Json =
        serde_json::from_str(&folder.replay(&["game.ttr", "--json", "--seat", "1"]).good()).unwrap();
    let (all, own) = (all["decisions"].as_array().unwrap(), own["decisions"].as_array().unwrap());
    let has = |decision: &Json, kind: &str| {
        decision["events"].as_array().unwrap().iter().any(|event| event["type"] == kind)
    };
    let (mut claims, mut given_up) = (0, 0);
    for (all, own) in all.iter().zip(own) {
        assert_eq!(all["events"][0]["type"], "decision");
        assert_eq!(all["events"][0]["action"], all["action"]);
        let says = |what: &str| all["outcome"].to_string().contains(what);
        assert_eq!(has(all, "claimed"), says(" left"), "{all}");
        assert_eq!(has(all, "given-up"), says("given up"), "{all}");
        assert_eq!(has(all, "turned-up"), says("turned up"), "{all}");
        claims += usize::from(has(all, "claimed"));
        given_up += usize::from(has(all, "given-up"));
        if own["seat"] == 1 && (has(own, "drawn") || has(own, "offered")) {
            assert!(own["events"].to_string().len() < all["events"].to_string().len(), "{own}");
        } else if own["seat"] == 0 {
            assert_eq!(own, all);
        }
    }
    assert!(claims > 10 && given_up > 0, "{claims} {given_up}");
}

#[test]
fn a_position_as_a_picture() {
    let folder = Folder::new("svg");
    let game = board("europe", 2);
    let replay = recorded(&game, 5);
    folder.write("game.ttr", replay.to_bytes());
    let svg = folder.replay(&["game.ttr", "--move", "60", "--svg", "-"]).good();
    assert!(svg.starts_with("<svg ") && svg.contains("after decision 60, seat "), "{svg}");
    assert!(svg.contains("seat 1 (random): ") && svg.contains("seat 2 (random): "), "{svg}");
    let run = folder.replay(&["game.ttr", "--svg", "end.svg"]);
    assert_eq!((run.code, run.out.as_str()), (Some(0), ""), "{run:?}");
    assert!(run.err.starts_with("wrote end.svg"), "{run:?}");
    let end = std::fs::read_to_string(folder.0.join("end.svg")).unwrap();
    assert!(end.contains(&format!("after decision {}, ", replay.actions.len())) && end != svg);

    folder.write("cards.ttr", recorded(&CardGame::new(&maps::card_game(), 2).unwrap(), 1).to_bytes());
    for (args, says) in [
        (&["cards.ttr", "--svg", "-"][..], "has no board to draw; omit --svg"),
        (&["game.ttr", "--svg", "-", "--json"], "cannot be used with"),
        (&["game.ttr", "--svg", "-", "--positions"], "cannot be used with"),
    ] {
        let error = folder.replay(args).refused();
        assert!(error.contains(says), "{args:?}: {error}");
    }
}

/// The page is one file that loads nothing, with every position of the game in it.
#[test]
fn a_game_as_a_page() {
    let folder = Folder::new("html");
    let replay = recorded(&board("europe", 3), 5);
    folder.write("game.ttr", replay.to_bytes());
    folder.write("cards.ttr", recorded(&CardGame::new(&maps::card_game(), 4).unwrap(), 1).to_bytes());
    let run = folder.replay(&["game.ttr", "--html", "game.html"]);
    assert!(run.code == Some(0) && run.err.starts_with("wrote game.html"), "{run:?}");
    let board = std::fs::read_to_string(folder.0.join("game.html")).unwrap();
    let cards = folder.replay(&["cards.ttr", "--html", "-"]).good();
    for (page, decisions) in [(&board, replay.actions.len()), (&cards, 10)] {
        assert!(!page.contains("src=\"") && !page.contains("href=\"style"), "it loads nothing");
        let (_, data) = page.split_once(r#"id="record">"#).unwrap();
        let record: Json = serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap();
        let positions = record["positions"].as_array().unwrap();
        assert_eq!(positions.len(), record["end"]["last"].as_u64().unwrap() as usize + 1);
        assert!(positions.len() > decisions, "{} positions", positions.len());
        assert!(record["end"]["sheet"].is_array());
    }
    let error = folder.replay(&["game.ttr", "--html", "-", "--move", "3"]).refused();
    assert!(error.contains("cannot be used with"), "{error}");
}

/// An explanation shows the knowledge of the seat that decides, so no other seat gets it.
#[test]
fn planner_explains_its_plan_to_its_own_seat() {
    let folder = Folder::new("plan");
    let game = board("europe", 2);
    folder.write("game.ttr", recorded(&game, 5).to_bytes());
    let decisions: Json = serde_json::from_str(&folder.replay(&["game.ttr", "--json"]).good()).unwrap();
    let seat = decisions["decisions"][39]["seat"].as_u64().unwrap() + 1;
    let (own, other) = (seat.to_string(), (3 - seat).to_string());
    let args = ["game.ttr", "--move", "40", "--explain", "planner", "--seat"];
    let text = folder.replay(&[&args[..], &[&own]].concat()).good();
    assert!(text.contains("\nplanner chooses: ") && text.contains("\n  turns "), "{text}");
    assert!(text.contains("  routes for tickets  ") && !text.contains("no explanation"), "{text}");
    assert_eq!(text.matches("to decide: ").count(), 1, "the position is printed once: {text}");
    let error = folder.replay(&[&args[..], &[&other]].concat()).refused();
    assert!(error.contains(&format!("decision 40 belongs to seat {seat}; ")), "{error}");
}
