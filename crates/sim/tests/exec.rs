//! Agents that are processes: the example plays, and every failure of a process is a forfeit with its
//! reason.

#![cfg(unix)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use serde_json::Value as Json;
use ttr_agents::{AgentSpec, Roster};
use ttr_engine::board::BoardGame;
use ttr_engine::card_game::CardGame;
use ttr_engine::plain_text::is_printable;
use ttr_engine::{CardKind, Dice, Seat, Step, Turn, maps};
use ttr_show::Event;
use ttr_sim::arena::{Arena, ArenaPart, GameRecord};
use ttr_sim::exec::ExecOptions;
use ttr_sim::game::Playable;
use ttr_sim::table::entrant::{Crew, Entrant, EntrantError};
use ttr_sim::table::one_game::{Watch, deal_seed, play};
use ttr_sim::table::runner::{self, Drive, Go, PlayError};
use ttr_sim::table::schedule::Schedule;

/// Long enough for any bot on a busy machine: only bots that never answer use it up.
static PATIENT: LazyLock<ExecOptions> = LazyLock::new(|| {
    let patient = ExecOptions::new(1).without_stderr();
    patient.with_time_limit(Duration::from_secs(60)).with_start_limit(Duration::from_secs(60))
});
/// Too short for a bot that sleeps.
static HASTY: LazyLock<ExecOptions> = LazyLock::new(|| {
    let hasty = ExecOptions::new(1).without_stderr();
    hasty.with_time_limit(Duration::from_millis(100)).with_start_limit(Duration::from_millis(200))
});

/// Reads a message and, if it is a question, runs the commands that follow.
const EVERY_QUESTION: &str = "while read -r line; do case $line in '{\"type\":\"decide\"'*)";
const END: &str = ";; esac; done";

/// A folder for one test, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("ttr-exec-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// The command line of a shell script.
    fn script(&self, name: &str, text: &str) -> String {
        let path = self.0.join(format!("{name}.sh"));
        std::fs::write(&path, text).unwrap();
        format!("sh '{}'", path.display())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// The command line of the example.
fn example() -> String {
    let python = Command::new("python3").arg("--version").output();
    assert!(python.is_ok_and(|run| run.status.success()), "these tests need python3 in the PATH");
    format!("python3 '{}'", root().join("examples/bots/python/bot.py").display())
}

fn usa() -> BoardGame {
    BoardGame::new(&maps::load("usa").unwrap(), 2).unwrap()
}

fn tiny() -> BoardGame {
    let map = maps::load_path(root().join("examples/bots/python/tiny.toml")).unwrap();
    BoardGame::new(&map, 2).unwrap()
}

fn exec<G: Playable>(game: &G, command: &str, options: &ExecOptions) -> Result<Entrant<G>, EntrantError> {
    Entrant::from_spec_with(game, &AgentSpec::process(command), Roster::built_in(), options)
}

fn random<G: Playable>(game: &G) -> Entrant<G> {
    Entrant::from_spec(game, &AgentSpec::new("random")).unwrap()
}

/// The games of some deals between a command and the random agent, in both rotations.
fn games<G: Playable>(game: G, command: &str, options: &ExecOptions, deals: u64) -> Vec<GameRecord> {
    games_on(1, game, command, options, deals)
}

fn games_on<G: Playable>(
    threads: usize,
    game: G,
    command: &str,
    options: &ExecOptions,
    deals: u64,
) -> Vec<GameRecord> {
    let entrants = vec![exec(&game, command, options).unwrap(), random(&game)];
    let arena = Arena::round_robin(game, entrants, 1);
    let mut games = Vec::new();
    let keep = |_, part: ArenaPart| {
        games.extend(part.games);
        Ok::<_, PlayError>(Go::On)
    };
    runner::run(&arena, 0..deals, &Drive::threads(threads), keep).unwrap();
    games
}

/// The reason why a command forfeits: the same in both games of a deal, and always its own seat.
fn reason(command: &str, options: &ExecOptions) -> String {
    let games = games(usa(), command, options, 1);
    let reasons: Vec<String> = games
        .into_iter()
        .map(|game| {
            let (seat, why) = game.forfeit.expect("it forfeits");
            let (own, other) = (&game.seats[usize::from(seat)], &game.seats[1 - usize::from(seat)]);
            assert_eq!((own.agent, own.share, other.share), (0, 0, 60), "{why}");
            why
        })
        .collect();
    assert_eq!(reasons.len(), 2);
    assert_eq!(reasons[0], reasons[1]);
    reasons.into_iter().next().unwrap()
}

#[test]
fn the_example_plays_boards() {
    let games = games(usa(), &example(), &PATIENT, 4);
    assert_eq!(games.len(), 8);
    assert!(games.iter().all(|game| game.forfeit.is_none()), "{games:?}");
    let won: u32 =
        games.iter().flat_map(|game| &game.seats).filter(|s| s.agent == 0).map(|s| u32::from(s.share)).sum();
    assert!(won > 6 * 60, "it claims more than a random agent does: {won}");
}

#[test]
fn the_example_plays_everything_else() {
    for id in ["europe+depots", "nordic", "first-journey-europe"] {
        let game = BoardGame::new(&maps::find(id).unwrap(), 2).unwrap();
        let games = games(game, &example(), &PATIENT, 1);
        assert!(games.iter().all(|game| game.forfeit.is_none()), "{id}: {games:?}");
    }
    let games = games(CardGame::new(&maps::card_game(), 2).unwrap(), &example(), &PATIENT, 1);
    assert!(games.iter().all(|game| game.forfeit.is_none()), "{games:?}");
}

#[test]
fn the_same_seed_is_the_same_game_on_any_number_of_threads() {
    let play = |threads| games_on(threads, tiny(), &example(), &PATIENT, 20);
    assert_eq!(play(1), play(2));
}

#[test]
fn an_action_can_be_answered_in_notation() {
    let folder = Folder::new("notation");
    let bot = folder.script(
        "last",
        &format!(
            "{EVERY_QUESTION} actions=${{line%%\\\"],\\\"moves*}}; last=${{actions##*[[,]\\\"}}; \
             echo \"{{\\\"action\\\":\\\"$last\\\"}}\" {END}"
        ),
    );
    let games = games(tiny(), &bot, &PATIENT, 2);
    assert!(games.iter().all(|game| game.forfeit.is_none()), "{games:?}");
}

#[test]
fn whatever_goes_wrong_is_a_forfeit() {
    let folder = Folder::new("wrong");
    let answer = |text: &str| format!("{EVERY_QUESTION} printf '%s\\n' '{text}' {END}");
    let cases: &[(&str, String, &str)] = &[
        (
            "crash-at-start",
            "echo 'no such model' >&2; exit 3".into(),
            "it ended with exit status: 3; its last words: \"no such model\"",
        ),
        ("crash-when-asked", format!("{EVERY_QUESTION} exit 7 {END}"), "it ended with exit status: 7"),
        ("ends-well", "read -r line; exit 0".into(), "it ended with exit status: 0"),
        ("killed", "kill -9 $$".into(), "it ended with signal: 9"),
        ("garbage", answer("hello?"), "it answered \"hello?\", which is not a JSON object"),
        ("array", answer("[1]"), "it answered \"[1]\", which is not a JSON object"),
        ("empty-line", answer(""), "it answered \"\", which is not a JSON object"),
        ("empty-object", answer("{}"), "it answered \"{}\"; an answer has either \"index\" or \"action\""),
        ("illegal-index", answer("{\"index\":1000000}"), "it answered the index 1000000, but the "),
        ("negative-index", answer("{\"index\":-1}"), "it answered the index -1, but the "),
        ("no-action", answer("{\"action\":\"fly\"}"), "it answered \"fly\": \"fly\" is not understood"),
        (
            "no-city",
            answer("{\"action\":\"claim Paris-Oz in red\"}"),
            "it answered \"claim Paris-Oz in red\": ",
        ),
        ("illegal-action", answer("{\"action\":\"tickets\"}"), "it answered \"tickets\": not legal: "),
        (
            "invalid-utf8",
            format!("{EVERY_QUESTION} printf '\\377\\376\\n' {END}"),
            "which is not a JSON object",
        ),
        (
            "two-answers",
            format!("{EVERY_QUESTION} printf '{{\"index\":0}}\\n{{\"index\":0}}\\n' {END}"),
            "it answered \"{\"index\":0}\" and wrote more",
        ),
        (
            "half-a-line",
            format!("{EVERY_QUESTION} printf '{{\"index\":0}}'; exit 0 {END}"),
            "it ended with exit status: 0",
        ),
        (
            "huge-line",
            "head -c 3000000 /dev/zero | tr '\\0' x".into(),
            "it wrote a line of more than 1024 KiB",
        ),
        ("endless-line", "tr '\\0' x < /dev/zero".into(), "it wrote a line of more than 1024 KiB"),
        ("closes-stdout", "exec >&-; sleep 60".into(), "it closed its output"),
        ("closes-stdin", "exec <&-; sleep 60".into(), "it closed its input"),
        (
            "escape-sequences",
            answer("{\"action\":\"\\u001b[31mred\\u001b]0;title\\u0007\\u202e\"}"),
            "it answered \"\\u{1b}[31mred\\u{1b}]0;title\\u{7}\\u{202e}\": ",
        ),
        (
            "huge-action",
            format!(
                "{EVERY_QUESTION} echo \"{{\\\"action\\\":\\\"$(head -c 900000 /dev/zero | tr '\\0' x)\\\"}}\" {END}"
            ),
            "it answered \"xxxxxxxxxx",
        ),
        ("escapes-on-stderr", "printf '\\033[2J\\n' >&2; exit 1".into(), "its last words: \"\\u{1b}[2J\""),
        (
            "other-question",
            answer("{\"id\":7,\"index\":0}"),
            "it answered question 7, but this is question 1",
        ),
    ];
    for (name, text, says) in cases {
        let start = Instant::now();
        let why = reason(&folder.script(name, text), &PATIENT);
        assert!(why.contains(says), "{name}: {why}");
        assert!(why.chars().count() <= 403, "{name}: {why}");
        assert!(why.chars().all(is_printable), "{name}: {why:?}");
        assert!(start.elapsed() < Duration::from_secs(50), "{name} took {:?}", start.elapsed());
    }
}

/// The failure that is reported depends on timing.
#[test]
fn a_flood_of_answers_is_a_forfeit() {
    let folder = Folder::new("flood");
    let bot = folder.script("flood", "while :; do echo '{\"index\":0}'; done");
    for game in games(usa(), &bot, &PATIENT, 1) {
        let (_, why) = game.forfeit.expect("it forfeits");
        let early = ["before it was asked", "and wrote more", "before it had read the question"];
        assert!(early.iter().any(|says| why.contains(says)), "{why}");
    }
}

#[test]
fn silence_is_a_forfeit() {
    let folder = Folder::new("silence");
    for (name, text) in [
        ("deaf", "sleep 60"),
        ("mute", "while read -r line; do :; done; sleep 60"),
        // Its child would keep its output open.
        ("grandchild", "sleep 60 & wait"),
    ] {
        let why = reason(&folder.script(name, text), &HASTY);
        assert_eq!(why, "it did not answer within 300ms", "{name}");
    }
}

#[test]
fn an_answer_before_the_question_is_a_forfeit() {
    let folder = Folder::new("early");
    let bot = folder.script(
        "early",
        &format!("{EVERY_QUESTION} echo '{{\"index\":0}}'; sleep 0.2; echo '{{\"index\":0}}' {END}"),
    );
    // The other bot waits long enough for the second answer to arrive.
    let slow = folder.script("slow", &format!("{EVERY_QUESTION} sleep 0.6; echo '{{\"index\":0}}' {END}"));
    let game = usa();
    let entrants = vec![exec(&game, &bot, &PATIENT).unwrap(), exec(&game, &slow, &PATIENT).unwrap()];
    let summary = Arena::round_robin(game, entrants, 1).play_deals(0..1, &Drive::threads(1)).unwrap();
    assert_eq!(summary.forfeits.len(), 2);
    for (_, _, agent, why) in &summary.forfeits {
        assert!(agent.contains("early.sh"), "{agent}: {why}");
        assert_eq!(why, "it wrote \"{\"index\":0}\" before it was asked");
    }
}

/// A second line that arrives slightly late is not the answer to the next question.
#[test]
fn a_late_line_answers_nothing_else() {
    let folder = Folder::new("late");
    let id = r#"rest=${line#*\"id\":}; id=${rest%%,*}"#;
    let answer = r#"echo "{\"id\":$id,\"index\":0}""#;
    let good = folder.script("good", &format!("{EVERY_QUESTION} {id}; {answer} {END}"));
    assert!(games(tiny(), &good, &PATIENT, 2).iter().all(|game| game.forfeit.is_none()));
    let twice =
        folder.script("twice", &format!("{EVERY_QUESTION} {id}; {answer}; sleep 0.05; {answer} {END}"));
    for game in games(usa(), &twice, &PATIENT, 2) {
        let (_, why) = game.forfeit.expect("it forfeits");
        let noticed = ["before it was asked", "and wrote more", "before it had read", "but this is question"];
        assert!(noticed.iter().any(|says| why.contains(says)), "{why}");
    }
}

/// A bot that answers without reading does not play.
#[test]
fn a_bot_that_does_not_read_forfeits() {
    let folder = Folder::new("blind");
    // It reads the messages before the first question, and then answers about as fast as it is asked.
    let blind = "read -r hello; read -r begin; while sleep 0.01; do echo '{\"index\":0}'; done";
    for game in games(usa(), &folder.script("blind", blind), &PATIENT, 2) {
        let (seat, why) = game.forfeit.expect("it forfeits");
        let noticed = why.contains("before it had read the question") || why.contains("before it was asked");
        assert!(noticed, "{why}");
        assert!(game.seats[usize::from(seat)].decisions < 3, "{why}");
    }
}

/// The `random` of a process comes from the secret of the run, and from nothing that the deals depend on.
#[test]
fn random_says_nothing_about_the_deal() {
    let folder = Folder::new("secret");
    let told = |seed: u64, secret: u64| {
        let file = folder.0.join(format!("{seed}-{secret}"));
        let bot = folder.script("tell", &format!("tee -a '{}' | {}", file.display(), example()));
        let game = tiny();
        let options = PATIENT.clone().with_secret(secret);
        let entrants = vec![exec(&game, &bot, &options).unwrap(), random(&game)];
        let arena = Arena::round_robin(game, entrants, seed);
        arena.play_deals(0..3, &Drive::threads(1)).unwrap();
        let text = std::fs::read_to_string(file).unwrap();
        let mut begins: Vec<_> =
            text.lines().filter(|line| line.starts_with("{\"type\":\"begin\"")).map(str::to_owned).collect();
        begins.sort();
        begins
    };
    let one = told(1, 5);
    assert_eq!(one.len(), 6);
    assert_eq!(one, told(2, 5), "the seed of the deals does not show");
    assert_ne!(one, told(1, 6), "the secret does");
    assert_ne!(ExecOptions::default().secret, ExecOptions::default().secret);
}

#[test]
fn a_crash_in_the_middle_costs_one_game() {
    let folder = Folder::new("middle");
    let count = folder.0.join("count");
    // It crashes once, at its fifth question.
    let bot = folder.script(
        "fifth",
        &format!("{EVERY_QUESTION} echo x >> '{0}'; [ $(wc -l < '{0}') -eq 5 ] && exit 9; echo '{{\"index\":0}}' {END}", count.display()),
    );
    let games = games(tiny(), &bot, &PATIENT, 3);
    let forfeits: Vec<_> = games.iter().filter_map(|game| game.forfeit.as_ref()).collect();
    assert_eq!(forfeits.len(), 1, "{games:?}");
    assert_eq!(forfeits[0].1, "it ended with exit status: 9");
    assert!(games.last().unwrap().forfeit.is_none());
}

#[test]
fn a_bot_that_always_crashes_is_not_started_for_ever() {
    let folder = Folder::new("always");
    let starts = folder.0.join("starts");
    let bot = folder.script("always", &format!("echo x >> '{}'; exit 1", starts.display()));
    let games = games(tiny(), &bot, &PATIENT, 100);
    assert_eq!(games.len(), 200);
    assert!(games.iter().all(|game| game.forfeit.is_some()));
    let last = &games.last().unwrap().forfeit.as_ref().unwrap().1;
    assert!(last.starts_with("it is not started again, because it failed 3 times"), "{last}");
    assert!(last.ends_with("the last time it ended with exit status: 1"), "{last}");
    // Once to try it out, and then three times on either seat. The trial is ended early, and may leave no
    // trace.
    let starts = std::fs::read_to_string(starts).unwrap().lines().count();
    assert!((6..=7).contains(&starts), "{starts}");
}

#[test]
fn a_forfeit_stops_the_run_if_it_shall() {
    let folder = Folder::new("stop");
    let game = tiny();
    let entrants = vec![exec(&game, &folder.script("bad", "exit 1"), &PATIENT).unwrap(), random(&game)];
    let mut arena = Arena::round_robin(game, entrants, 1);
    arena.options.stop_on_forfeit = true;
    let error = arena.play_deals(0..10, &Drive::threads(1)).unwrap_err().to_string();
    assert!(
        error.contains("game 0: ") && error.contains("forfeits: it ended with exit status: 1"),
        "{error}"
    );
}

#[test]
fn commands_that_cannot_be_started_are_refused_at_once() {
    let game = tiny();
    for (command, says) in [
        (
            "no-such-program-anywhere --fast",
            "the command \"no-such-program-anywhere --fast\" can't be started: ",
        ),
        ("sh -c 'exit", "the quotation mark ' is not closed"),
        ("/", "can't be started: "),
    ] {
        let error = exec(&game, command, &PATIENT).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains(says), "{error}");
    }
}

#[test]
fn nothing_is_left_running() {
    let folder = Folder::new("orphans");
    let pids = folder.0.join("pids");
    let tells = format!("sleep 300 & echo $! >> '{0}'; echo $$ >> '{0}'", pids.display());
    let good = folder.script("good", &format!("{tells}; {EVERY_QUESTION} echo '{{\"index\":0}}' {END}"));
    assert!(games(tiny(), &good, &PATIENT, 1).iter().all(|game| game.forfeit.is_none()));
    reason(&folder.script("bad", &format!("{tells}; exit 1")), &PATIENT);
    assert_ended(&pids, 8);
}

/// A process that leaves its group and its parent is still killed.
#[cfg(target_os = "linux")]
#[test]
fn daemons_end_too() {
    let folder = Folder::new("daemons");
    let pids = folder.0.join("pids");
    let daemon = folder.script("daemon", "echo $$ >> \"$1\"; exec sleep 300");
    // One keeps the pipes of the bot open, one has lost its parent and its environment, and one has its own
    // children. Each bot has its own file, so that it can wait until all four run.
    let start = format!("{daemon} '{}'.$$", pids.display());
    let starts = format!(
        "setsid {start} & (env -i setsid {start} </dev/null >/dev/null 2>&1 &); \
         setsid sh -c \"{start} & {start} & wait\" & touch '{0}'.$$; \
         while [ \"$(wc -l < '{0}'.$$)\" -lt 4 ]; do sleep 0.01; done",
        pids.display()
    );
    let good = folder.script("good", &format!("{starts}; {EVERY_QUESTION} echo '{{\"index\":0}}' {END}"));
    assert!(games(tiny(), &good, &PATIENT, 1).iter().all(|game| game.forfeit.is_none()));
    reason(&folder.script("bad", &format!("{starts}; exit 1")), &PATIENT);
    let files = std::fs::read_dir(&folder.0).unwrap().map(|entry| entry.unwrap().path());
    let files: Vec<_> = files.filter(|path| path.file_stem().is_some_and(|stem| stem == "pids")).collect();
    // A command is tried out before the first game, and killed before it has started much.
    let lines = |path: &PathBuf| std::fs::read_to_string(path).unwrap().lines().count();
    let complete = files.iter().filter(|path| lines(path) == 4).count();
    assert!(complete >= 4, "two games of each bot: {files:?}");
    files.iter().for_each(|pids| assert_ended(pids, 0));
}

/// Whoever plays with processes may have other children, which are left alone, whatever groups they are in;
/// also one that has ended and whose status nobody has asked for.
#[cfg(target_os = "linux")]
#[test]
fn other_children_are_left_alone() {
    use std::os::unix::process::CommandExt;
    let folder = Folder::new("others");
    let mut running = Command::new("sleep").arg("300").process_group(0).spawn().unwrap();
    let mut ended = Command::new("sh").args(["-c", "exit 7"]).process_group(0).spawn().unwrap();
    while !is_zombie(&ended.id().to_string()) {
        std::thread::sleep(Duration::from_millis(5));
    }
    let daemons = "setsid sleep 300 & setsid true &";
    let bot = folder.script("bot", &format!("{daemons}\n{EVERY_QUESTION} echo '{{\"index\":0}}' {END}"));
    assert!(games(tiny(), &bot, &PATIENT, 2).iter().all(|game| game.forfeit.is_none()));
    assert_eq!(running.try_wait().unwrap(), None, "it still runs");
    assert_eq!(ended.wait().unwrap().code(), Some(7));
    running.kill().unwrap();
    running.wait().unwrap();
}

/// What agents leave does not pile up as zombies either.
#[cfg(target_os = "linux")]
#[test]
fn ended_daemons_are_waited_for() {
    let folder = Folder::new("zombies");
    let pids = folder.0.join("pids");
    // It ends by itself, while the bot still plays.
    let daemon = format!("(env -i setsid sh -c 'echo $$ >> {0}; exit 0' &); sleep 0.2", pids.display());
    let bot = folder.script("bot", &format!("{daemon}\n{EVERY_QUESTION} echo '{{\"index\":0}}' {END}"));
    assert!(games(tiny(), &bot, &PATIENT, 2).iter().all(|game| game.forfeit.is_none()));
    let pids = std::fs::read_to_string(pids).unwrap();
    assert!(!pids.is_empty());
    for pid in pids.lines() {
        assert!(!is_zombie(pid), "{pid}");
    }
}

/// Waits for the processes listed in a file to end; there are at least `least` of them.
fn assert_ended(pids: &Path, least: usize) {
    let pids = std::fs::read_to_string(pids).unwrap();
    assert!(pids.lines().count() >= least, "{pids}");
    let start = Instant::now();
    for pid in pids.lines() {
        // The end of a process that is not our child may take a moment to become visible.
        while Command::new("kill").args(["-0", pid]).output().unwrap().status.success() && !is_zombie(pid) {
            assert!(start.elapsed() < Duration::from_secs(20), "process {pid} is still there");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// Returns `true` if a process has ended, but its parent has not waited for it yet.
fn is_zombie(pid: &str) -> bool {
    let state = Command::new("ps").args(["-o", "stat=", "-p", pid]).output();
    state.is_ok_and(|state| String::from_utf8_lossy(&state.stdout).trim_start().starts_with('Z'))
}

/// Records the actions of a game.
struct Actions<A>(Vec<A>);

impl<G: Playable> Watch<G> for Actions<G::Action> {
    fn decision(&mut self, _: &G, _: &G::State, _: Seat, action: G::Action) {
        self.0.push(action);
    }
}

/// All lines that went to and from the example, which has the first seat of the first deal.
fn exchange<G: Playable>(name: &str, game: G) -> Vec<String> {
    exchange_and_actions(name, game).0
}

/// Like [`exchange`], and returns the actions of the game too.
fn exchange_and_actions<G: Playable>(name: &str, game: G) -> (Vec<String>, Vec<G::Action>) {
    let folder = Folder::new(name);
    let [to, from] = ["to", "from"].map(|name| folder.0.join(name));
    let bot =
        folder.script("tap", &format!("tee '{}' | {} | tee '{}'", to.display(), example(), from.display()));
    let entrants = vec![exec(&game, &bot, &ExecOptions::new(1).without_stderr()).unwrap(), random(&game)];
    let mut arena = Arena::round_robin(game, entrants, 1);
    arena.schedule = Schedule::table(vec![0, 1]);
    let slot = arena.schedule.games(0).next().unwrap();
    let entrant = |seat: Seat| &arena.entrants[slot.agents[seat]];
    let mut dice: Vec<Dice> = Seat::all(2).map(|seat| entrant(seat).dice(1, 0, 0, seat)).collect();
    let mut crew = Crew::new(&arena.game, &arena.entrants);
    let mut actions = Actions(Vec::new());
    let mut agents = crew.take_seats(&slot).unwrap();
    let played = play(&arena.game, deal_seed(1, 0), &mut agents, &mut dice, &mut actions);
    assert_eq!(played.forfeit, None);
    drop(crew);
    let read = |path| std::fs::read_to_string(path).unwrap();
    let (to, from) = (read(to), read(from));
    let mut answers = from.lines();
    let mut lines = Vec::new();
    for line in to.lines() {
        lines.push(format!("> {line}"));
        if line.starts_with("{\"type\":\"decide\"") {
            lines.push(format!("< {}", answers.next().unwrap()));
        }
    }
    assert_eq!(answers.next(), None);
    (lines, actions.0)
}

/// The messages that a process received, by type.
fn messages(lines: &[String], kind: &str) -> Vec<Json> {
    let messages = lines.iter().filter_map(|line| line.strip_prefix("> "));
    let messages = messages.map(|line| serde_json::from_str::<Json>(line).unwrap());
    messages.filter(|message| message["type"] == kind).collect()
}

/// All events of a game, in order, occur exactly once: a process that remembers them has seen everything
/// that its seat may see.
fn assert_events_are_complete<G: Playable + Clone>(name: &str, game: G) {
    let (lines, actions) = exchange_and_actions(name, game.clone());
    let mut chance = Dice::from_seed(deal_seed(1, 0));
    let mut state = game.deal(&mut chance);
    let (mut events, mut since) = (Vec::new(), Vec::new());
    let mut decides = messages(&lines, "decide").into_iter();
    for action in actions {
        if game.turn(&state) == Turn::Of(Seat::new(0)) {
            let message = decides.next().unwrap();
            assert_eq!(message["events"], Json::Array(std::mem::take(&mut since)));
            assert_eq!(
                message["view"],
                serde_json::to_value(game.position(&state, Some(Seat::new(0)))).unwrap()
            );
            let (texts, moves) =
                (message["actions"].as_array().unwrap(), message["moves"].as_array().unwrap());
            assert_eq!((texts.len(), moves.len()), (game.count_actions(&state), game.count_actions(&state)));
        }
        let step = Step::play(&game, &mut state, action, &mut chance);
        let seen = G::events(&step.seen_by(&game, Seat::new(0)));
        events.extend(seen.clone());
        since.extend(seen.into_iter().map(|event| serde_json::to_value(event).unwrap()));
    }
    assert!(decides.next().is_none());
    let [end] = &messages(&lines, "end")[..] else { panic!("the game ends once") };
    assert_eq!(end["events"], Json::Array(since));
    assert!(matches!(events.last(), Some(Event::GameOver { .. })));
    for (seat, result) in game.results(&state).iter().enumerate() {
        let told = &end["seats"][seat];
        assert_eq!((&told["points"], &told["rank"]), (&result.points.into(), &result.rank.into()));
        assert_eq!(told["completed"].as_array().unwrap().len(), result.completed_tickets.len());
    }
}

#[test]
fn a_process_sees_everything_that_its_seat_sees() {
    for id in ["europe", "nordic", "usa+depots", "first-journey-europe"] {
        let game = BoardGame::new(&maps::find(id).unwrap(), 2).unwrap();
        assert_events_are_complete(&format!("events-{id}"), game);
    }
    assert_events_are_complete("events-cards", CardGame::new(&maps::card_game(), 2).unwrap());
}

/// Every key of every message is in the documentation, in code quotes.
#[test]
fn every_key_is_documented() {
    fn collect(json: &Json, keys: &mut BTreeSet<String>) {
        match json {
            Json::Array(items) => items.iter().for_each(|item| collect(item, keys)),
            Json::Object(object) => {
                for (key, value) in object {
                    // Rules are those of the map file; counts are by kind of card.
                    if key != "rules" && CardKind::from_name(key).is_none() {
                        keys.insert(key.clone());
                        collect(value, keys);
                    }
                }
            }
            _ => {}
        }
    }
    let text = std::fs::read_to_string(root().join("docs/PROTOCOL.md")).unwrap();
    let reference = text.split("\n## A complete exchange").next().unwrap();
    let word = |c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '-');
    let quoted: BTreeSet<&str> =
        reference.split('`').skip(1).step_by(2).flat_map(|code| code.split(word)).collect();
    let mut keys = BTreeSet::new();
    let mut add = |lines: Vec<String>| {
        for line in lines.iter().filter_map(|line| line.strip_prefix("> ")) {
            collect(&serde_json::from_str(line).unwrap(), &mut keys);
        }
    };
    for id in ["europe", "nordic", "usa+depots", "first-journey-europe"] {
        add(exchange(&format!("keys-{id}"), BoardGame::new(&maps::find(id).unwrap(), 2).unwrap()));
    }
    add(exchange("keys-cards", CardGame::new(&maps::card_game(), 2).unwrap()));
    assert!(keys.len() > 80, "the test would see nothing: {keys:?}");
    let missing: Vec<_> = keys.iter().filter(|key| !quoted.contains(key.as_str())).collect();
    assert!(missing.is_empty(), "docs/PROTOCOL.md does not explain {missing:?}");
}

/// Keys of protocol 1 that a process may rely on.
#[test]
fn the_keys_of_protocol_1_stay() {
    let common = "seat first to_move phase hand tickets offered offered_count put_back market discard deck_size \
                  ticket_deck_size bottom turns idle_turns seats old_cards";
    let common_seat = "hand_size shown old_in_hand points ticket_count completed opening_kept";
    let cases = [
        (
            exchange("keys-of-boards", tiny()),
            "pending laid revealed final_turns flush_capped closed_routes passes uncertain",
            "old_in_warehouse trains routes stations depots warehouse_size depot_reserve put_back_count bonus_tickets",
        ),
        (
            exchange("keys-of-cards", CardGame::new(&maps::card_game(), 2).unwrap()),
            "round chosen returned kept_first last_turns own_old_cards old_tickets",
            "row_cards row_locomotives track old_track open_track old_ticket_count",
        ),
    ];
    for (lines, more, more_of_seats) in cases {
        for message in messages(&lines, "decide") {
            let has = |object: &Json, keys: &str| {
                let object = object.as_object().unwrap();
                assert!(keys.split(' ').all(|key| object.contains_key(key)), "{keys}: {object:?}");
            };
            has(&message, "id view actions moves events");
            has(&message["view"], common);
            has(&message["view"], more);
            for seat in message["view"]["seats"].as_array().unwrap() {
                has(seat, common_seat);
                has(seat, more_of_seats);
            }
        }
    }
}

/// The lines of an exchange in a section of the documentation.
fn documented(section: &str) -> Vec<String> {
    let text = std::fs::read_to_string(root().join("docs/PROTOCOL.md")).unwrap();
    let section =
        text.split("\n## ").find(|part| part.starts_with(section)).expect("there is such a section");
    let spoken = section.lines().filter(|line| line.starts_with("> ") || line.starts_with("< "));
    spoken.map(str::to_owned).collect()
}

#[test]
fn the_documented_exchange_is_real() {
    let real = exchange("document-board", tiny());
    let documented_board = documented("A complete exchange");
    assert!(documented_board == real, "docs/PROTOCOL.md should say\n{}", real.join("\n"));
}

#[test]
fn the_documented_part_of_a_card_game_is_real() {
    let real = exchange("document-cards", CardGame::new(&maps::card_game(), 2).unwrap());
    let documented_cards = documented("The Card Game");
    assert!(documented_cards.len() >= 3);
    for line in documented_cards {
        assert!(
            real.contains(&line),
            "docs/PROTOCOL.md has\n{line}\nbut the exchange is\n{}",
            real[1..6].join("\n")
        );
    }
}
