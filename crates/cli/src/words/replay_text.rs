//! A recorded game for people to read: move by move, position by position, with the score sheet.

use std::fmt::Write;
use std::ops::RangeInclusive;

use serde::Serialize;
use serde_json::{Map, Value as Json};
use ttr_agents::{Agent, Candidate, Forfeit};
use ttr_engine::plain_text::printable;
use ttr_engine::{Dice, Replay, ReplayError, ReplayHeader, Seat, Turn, as_others_see};

use ttr_show::position::Position;
use ttr_show::text::{Align, Table, count};
use ttr_sim::game::{Playable, SOURCES};

/// First line of the text form of a record.
const TEXT_FORM: &[u8] = b"ttr game ";

/// A recorded game that was played again and found right.
///
/// ```
/// use ttr_engine::{board::BoardGame, maps, Game, Replay};
/// use ttr_cli::words::replay_text::Story;
/// let game = BoardGame::new(&maps::load("usa")?, 2)?;
/// let replay = Replay::play(&game, 7, ["random", "random"], |game, state, dice| game.random_action(state, dice))?;
/// let story = Story::of(&game, &replay, None)?;
/// assert_eq!(story.decisions.len(), replay.actions.len());
/// assert!(story.listing(1..=3, false).starts_with("turn   moves  seat "));
/// println!("{}", story.score_sheet());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Story {
    /// Id of the map.
    pub map: String,
    /// The seed, as text: not every reader of JSON keeps 64 bits.
    pub seed: String,
    /// Who played, by seat.
    pub agents: Vec<String>,
    /// Why the game ended.
    pub ending: &'static str,
    /// Turns played.
    pub turns: u16,
    /// What was decided, in order.
    pub decisions: Vec<Decision>,
    /// The position before each decision, and at the end.
    #[serde(skip)]
    pub positions: Vec<Position>,
    /// How each seat ended.
    pub scores: Vec<SeatSheet>,
    /// What `left` of a score sheet counts.
    pub left_over: &'static str,
}

/// A decision.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Decision {
    /// Counted from 1.
    pub number: usize,
    /// Whose it was, counted from 0.
    pub seat: u8,
    /// What it was, in notation; without what may not be known.
    pub action: String,
    /// What came of it.
    pub outcome: Vec<String>,
}

/// The score sheet of a seat.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SeatSheet {
    /// Points by source, in the order of [`SOURCES`]; only what the game has.
    pub sources: Map<String, Json>,
    /// All points.
    pub points: i16,
    /// Place, counted from 1.
    pub place: u8,
    /// Tickets completed.
    pub completed: u8,
    /// Tickets held and not completed.
    pub failed: u8,
    /// What is left, as [`Playable::left_over`] calls it.
    pub left: u8,
}

impl Story {
    /// Plays a record again, and tells it as one seat sees it, or everything.
    ///
    /// # Errors
    /// If the record is not of this game, or something in it is not right.
    pub fn of<G: Playable>(
        game: &G,
        replay: &Replay<G::Action>,
        eyes: Option<Seat>,
    ) -> Result<Self, ReplayError> {
        replay.verify(game)?;
        let (mut positions, mut actions, mut last) = (Vec::new(), Vec::new(), None);
        replay.walk(game, |state, action| {
            positions.push(game.position(state, eyes));
            match (action, game.turn(state)) {
                (Some(action), Turn::Of(seat)) => {
                    let text = game.write_action(state, action);
                    actions.push((
                        seat,
                        if eyes.is_none_or(|eyes| eyes == seat) { text } else { as_others_see(text) },
                    ));
                }
                _ => last = Some(state.clone()),
            }
        })?;
        let last = last.ok_or(ReplayError::WrongEnd("is not over", 0))?;
        let decision = |(i, (seat, action)): (usize, (Seat, String))| {
            let outcome = outcome(seat, &action, &positions[i], &positions[i + 1]);
            Decision { number: i + 1, seat: seat.0, action, outcome }
        };
        let ReplayHeader { map, seed, agents, .. } = &replay.header;
        Ok(Self {
            map: name(map),
            seed: seed.to_string(),
            agents: agents.iter().map(|agent| name(agent)).collect(),
            ending: game.ending(&last),
            turns: game.turns(&last),
            decisions: actions.into_iter().enumerate().map(decision).collect(),
            positions,
            scores: sheets(game, &last),
            left_over: game.left_over(),
        })
    }

    /// Which game it is, in two lines.
    pub fn heading(&self) -> String {
        format!(
            "{}, {}, seed {}\nverified: {}, {}, ending: {}\n",
            self.map,
            self.agents.join(" against "),
            self.seed,
            count(self.decisions.len(), "decision", "decisions"),
            count(self.turns.into(), "turn", "turns"),
            self.ending
        )
    }

    /// One line per turn of a range of decisions, counted from 1, with the open points after it. With positions there is one
    /// line per decision, and the position after it.
    pub fn listing(&self, range: RangeInclusive<usize>, with_positions: bool) -> String {
        let before = |decision: &Decision| &self.positions[decision.number - 1];
        let same_turn = |one: &Decision, next: &Decision| {
            let (old, new) = (before(one), before(next));
            !with_positions && one.seat == next.seat && old.turns == new.turns && !is_setup(old)
        };
        let points = |position: &Position| {
            position.seats.iter().map(|seat| seat.points.to_string()).collect::<Vec<_>>().join("-")
        };
        let width = points(self.positions.last().unwrap_or(&self.positions[0])).len().max("points".len());
        let mut text = format!("turn   moves  seat    {:>width$}  decisions\n", "points");
        let chosen: Vec<Decision> =
            self.decisions.iter().filter(|decision| range.contains(&decision.number)).cloned().collect();
        for decisions in chosen.chunk_by(same_turn) {
            let (Some(first), Some(last)) = (decisions.first(), decisions.last()) else { continue };
            let turn =
                if is_setup(before(first)) { "-".to_owned() } else { (before(first).turns + 1).to_string() };
            let moves = match decisions.len() {
                1 => first.number.to_string(),
                _ => format!("{}-{}", first.number, last.number),
            };
            let actions: Vec<String> = decisions
                .iter()
                .map(|Decision { action, outcome, .. }| match &outcome[..] {
                    [] => action.clone(),
                    outcome => format!("{action} ({})", outcome.join("; ")),
                })
                .collect();
            let after = &self.positions[last.number];
            let _ = writeln!(
                text,
                "{turn:>4}  {moves:>6}  {}  {:>width$}  {}",
                Seat(first.seat),
                points(after),
                actions.join(", ")
            );
            if with_positions {
                text.extend(after.to_string().lines().map(|line| format!("      {line}\n")));
                text.push('\n');
            }
        }
        text
    }

    /// The points by source.
    pub fn score_sheet(&self) -> String {
        let sources: Vec<&String> = self.scores.iter().flat_map(|sheet| sheet.sources.keys()).collect();
        // Maps of JSON are sorted by name: people want the order of the rules.
        let sources: Vec<&str> =
            SOURCES.into_iter().filter(|source| sources.iter().any(|known| known == source)).collect();
        let mut columns = vec![("seat".to_owned(), Align::Left), ("agent".to_owned(), Align::Left)];
        columns.extend(sources.iter().map(|source| (source.replace('_', " "), Align::Right)));
        let more = ["points", "place", "tickets done", "not done", self.left_over];
        columns.extend(more.map(|name| (name.to_owned(), Align::Right)));
        let mut table = Table::new(columns);
        for (seat, sheet) in self.scores.iter().enumerate() {
            let agent = self.agents.get(seat).map_or("", String::as_str);
            let mut row = vec![Seat(seat as u8).to_string(), agent.to_owned()];
            row.extend(sources.iter().map(|&source| sheet.sources[source].to_string()));
            row.extend([sheet.points.to_string(), sheet.place.to_string(), sheet.completed.to_string()]);
            row.extend([sheet.failed, sheet.left].map(|n| n.to_string()));
            table.row(row);
        }
        table.to_string()
    }
}

/// What an agent thinks of a position of a recorded game.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Explanation {
    /// Who was asked.
    pub agent: String,
    /// What it would do, in notation.
    pub choice: String,
    /// What was done.
    pub played: String,
    /// What it considered, best first; nothing if it does not think in such terms.
    pub candidates: Vec<Considered>,
}

/// An action that was considered.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Considered {
    /// In notation.
    pub action: String,
    /// How often it was tried.
    pub visits: u32,
    /// Its value, from 0 (lost) to 1 (won).
    pub value: f64,
    /// Mean difference in value to the first guess in the same worlds, and its standard error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gain: Option<(f64, f64)>,
    /// How play is expected to go on.
    pub line: Vec<String>,
}

impl Considered {
    /// Whether two actions are of one kind, and the figures say the same of them.
    fn looks_like(&self, other: &Self) -> bool {
        let kind = |candidate: &Self| candidate.action.split(' ').next().map(str::to_owned);
        let figures =
            |candidate: &Self| (candidate.visits, format!("{:.3} {:?}", candidate.value, candidate.gain));
        kind(self) == kind(other) && figures(self) == figures(other)
    }
}

impl Explanation {
    /// Asks an agent at a decision of a record, counted from 1. It sees what the seat saw.
    ///
    /// # Errors
    /// If there is no such decision or the record is not right; the inner error, if the agent gives up.
    pub fn of<G: Playable>(
        game: &G,
        replay: &Replay<G::Action>,
        number: usize,
        label: &str,
        agent: &mut dyn Agent<G>,
    ) -> Result<Result<Self, Forfeit>, ReplayError> {
        let (mut place, mut found) = (0, None);
        replay.walk(game, |state, action| {
            place += 1;
            if let (true, Some(action), Turn::Of(seat)) = (place == number, action, game.turn(state)) {
                found = Some((state.clone(), action, seat));
            }
        })?;
        let Some((state, played, seat)) = found else {
            return Err(ReplayError::WrongEnd("is over", replay.actions.len()));
        };
        let view = game.observe(&state, seat);
        let mut dice = Dice::from_parts(&[replay.header.seed, number as u64]);
        agent.begin(game, seat);
        let choice = match agent.choose(&view, &mut dice) {
            Ok(choice) => choice,
            Err(forfeit) => return Ok(Err(forfeit)),
        };
        let considered = |Candidate { action, visits, value, gain, line }: Candidate<G::Action>| Considered {
            action: game.write_action(&state, action),
            visits,
            value,
            gain,
            line,
        };
        Ok(Ok(Self {
            agent: label.to_owned(),
            choice: game.write_action(&state, choice),
            played: game.write_action(&state, played),
            candidates: agent.explain(&view).into_iter().map(considered).collect(),
        }))
    }
}

impl std::fmt::Display for Explanation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { agent, choice, played, candidates } = self;
        let same = if choice == played { "as was played".to_owned() } else { format!("played: {played}") };
        writeln!(f, "{agent} chooses: {choice} ({same})")?;
        if candidates.is_empty() {
            return writeln!(f, "This agent gives no explanation.");
        }
        writeln!(f, "Best first, by the agent's own estimate.")?;
        let compared = candidates.iter().any(|candidate| candidate.gain.is_some());
        if compared {
            writeln!(
                f,
                "Gain is the mean difference in value to the agent's first guess in the same worlds, ± half of a 95 % interval; \
                 with few visits it counts less."
            )?;
        }
        let columns = [
            (true, "visits", Align::Right),
            (true, "value", Align::Right),
            (compared, "gain", Align::Right),
            (true, "action", Align::Left),
            (true, "expected continuation", Align::Left),
        ];
        let shown = || columns.iter().filter(|column| column.0);
        let mut table = Table::new(shown().map(|&(_, name, align)| (name, align)));
        for same in candidates.chunk_by(Considered::looks_like) {
            let candidate = &same[0];
            // A decision without a choice is not thought about.
            let tried = candidate.visits > 0;
            let cells = [
                candidate.visits.to_string(),
                if tried { format!("{:.3}", candidate.value) } else { "-".to_owned() },
                candidate
                    .gain
                    .map_or("-".to_owned(), |(mean, error)| format!("{mean:+.3} ±{:.3}", 1.96 * error)),
                match same.len() {
                    1 => candidate.action.clone(),
                    n => format!("{} and {} more like it", candidate.action, n - 1),
                },
                // The line begins with the action itself.
                candidate.line.get(1..).unwrap_or_default().join("; "),
            ];
            table.row(cells.into_iter().zip(&columns).filter(|(_, column)| column.0).map(|(cell, _)| cell));
        }
        write!(f, "{table}")
    }
}

/// Which game a record in the form of bytes or of text is of: the map, and the number of seats.
///
/// # Errors
/// If it is neither.
pub fn game_of(record: &[u8]) -> Result<(String, usize), ReplayError> {
    if !record.starts_with(TEXT_FORM) {
        return ttr_engine::replay_header(record).map(|header| (header.map, header.seats.into()));
    }
    let text = text_of(record)?;
    let field = |name: &str| {
        let lines = text.lines().enumerate().take(10);
        let mut values = lines.filter_map(|(i, line)| Some((i + 1, line.strip_prefix(name)?.trim())));
        let missing = || ReplayError::Line { line: 1, why: format!("the line \"{name} ...\" is missing") };
        values.next().ok_or_else(missing)
    };
    let (line, seats) = field("seats:")?;
    let seats =
        seats.parse().map_err(|_| ReplayError::Line { line, why: format!("\"{seats}\" is no number") })?;
    Ok((field("map:")?.1.to_owned(), seats))
}

/// Reads a record of a game, in the form of bytes or of text.
///
/// # Errors
/// If it is neither, damaged, or not of this game.
pub fn read<G: Playable>(game: &G, record: &[u8]) -> Result<Replay<G::Action>, ReplayError> {
    if record.starts_with(TEXT_FORM) {
        Replay::from_text(game, text_of(record)?)
    } else {
        Replay::from_bytes(record)
    }
}

fn text_of(record: &[u8]) -> Result<&str, ReplayError> {
    std::str::from_utf8(record).map_err(|error| ReplayError::Content(error.to_string()))
}

/// A name from a record, which may hold anything.
fn name(text: &str) -> String {
    /// Longest name, in characters.
    const MOST: usize = 200;
    printable(text, MOST)
}

/// Whether the first turn has not begun: tickets are chosen, or the first depots are placed.
fn is_setup(position: &Position) -> bool {
    match &position.phase {
        Json::String(phase) => phase == "opening" || phase == "first-depot",
        phase => phase.get("opening").is_some(),
    }
}

/// What came of a decision, as far as both positions tell.
fn outcome(seat: Seat, action: &str, before: &Position, after: &Position) -> Vec<String> {
    let (old, new) = (&before.seats[seat.index()], &after.seats[seat.index()]);
    let mut outcome = Vec::new();
    let draws = action == "take blind" || action.starts_with("collect");
    if let (true, Some(old), Some(new)) = (draws, old.hand, new.hand) {
        outcome.push(new.saturating_sub(old).to_string());
    }
    if after.to_move == Some(seat.0) && !after.offered.is_empty() && before.offered.is_empty() {
        outcome.push(format!("offered: {}", after.offered.join(", ")));
    }
    if let (None, Some(extra)) = (extra_cost(before), extra_cost(after)) {
        outcome.push(format!("turned up: {}, extra cost {extra}", after.revealed));
    }
    if action == "decline" {
        outcome.push("given up".to_owned());
    }
    if new.points > old.points {
        outcome.push(format!("+{}", count((new.points - old.points) as usize, "point", "points")));
    }
    if let (Some(old), Some(new)) = (old.trains, new.trains)
        && new < old
    {
        outcome.push(format!("{} left", count(new.into(), "train", "trains")));
    }
    outcome
}

/// The extra cost of the tunnel that is being claimed.
fn extra_cost(position: &Position) -> Option<u64> {
    position.phase.get("tunnel")?.get("extra")?.as_u64()
}

fn sheets<G: Playable>(game: &G, state: &G::State) -> Vec<SeatSheet> {
    let has = |&(source, _): &(usize, &str)| game.has_source(source);
    game.results(state)
        .into_iter()
        .map(|result| SeatSheet {
            sources: (SOURCES.into_iter().enumerate())
                .filter(has)
                .map(|(source, name)| (name.to_owned(), result.sources[source].into()))
                .collect(),
            points: result.points,
            place: result.rank + 1,
            completed: result.completed,
            failed: result.failed,
            left: result.left,
        })
        .collect()
}
