//! A recorded game as text: move by move, position by position, with the score sheet.

use std::fmt::Write;
use std::ops::RangeInclusive;

use serde::Serialize;
use serde_json::{Map, Value as Json};
use ttr_engine::plain_text::printable;
use ttr_engine::{CardKind, Cards, Replay, ReplayError, ReplayHeader, Seat};

use ttr_show::text::{Align, Table, count};
use ttr_show::{Event, SeatView};
use ttr_sim::game::{Ending, Playable, Source};

/// One letter per kind of card, in the order of [`ttr_engine::CardKind::ALL`].
const LETTERS: [char; 9] = ['P', 'B', 'O', 'W', 'G', 'Y', 'K', 'R', 'L'];

/// A recorded game that was played again and verified.
///
/// ```
/// use ttr_engine::{board::BoardGame, maps, Game, Replay};
/// use ttr_cli::words::replay_text::Story;
/// let game = BoardGame::new(&maps::load("usa")?, 2)?;
/// let replay = Replay::play(&game, 7, ["random", "random"], |game, state, dice| game.random_action(state, dice))?;
/// let story = Story::of(&game, &replay, None)?;
/// assert_eq!(story.decisions.len(), replay.actions.len());
/// assert!(story.listing(1..=3, false).starts_with("turn  moves  seat "));
/// println!("{}", story.score_sheet());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Story {
    /// Id of the map.
    pub map: String,
    /// The seed, as text: not every JSON reader keeps 64 bits.
    pub seed: String,
    /// Agents, by seat.
    pub agents: Vec<String>,
    /// Reason why the game ended.
    pub ending: Ending,
    /// Turns played.
    pub turns: u16,
    /// Decisions, in order.
    pub decisions: Vec<Decision>,
    /// The position before each decision, and at the end.
    #[serde(skip)]
    pub positions: Vec<SeatView>,
    /// Final result of each seat.
    pub scores: Vec<SeatSheet>,
    /// The unit of `left` in a score sheet.
    pub left_over: &'static str,
}

/// A decision.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Decision {
    /// Number of the decision, counted from 1.
    pub number: usize,
    /// The turn, counted from 1; 0 before the first.
    pub turn: u16,
    /// The seat that decided, counted from 0.
    pub seat: Seat,
    /// The action in notation; hidden details are omitted.
    pub action: String,
    /// The outcome, in words.
    pub outcome: Vec<String>,
    /// The decision and its outcome, as data.
    pub events: Vec<Event>,
}

/// The score sheet of a seat.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SeatSheet {
    /// Points by source, in the order of [`Source::ALL`]; only sources that the game has.
    pub sources: Map<String, Json>,
    /// Total points.
    pub points: i16,
    /// Rank, counted from 1.
    pub place: u8,
    /// Tickets completed.
    pub completed: u8,
    /// Tickets held and not completed.
    pub failed: u8,
    /// Number of leftovers, in the unit of [`Playable::left_over`].
    pub left: u8,
}

impl Story {
    /// Plays a record again and describes it as one seat sees it, or with all information open.
    ///
    /// # Errors
    /// If the record is of another game or invalid.
    pub fn of<G: Playable>(
        game: &G,
        replay: &Replay<G::Action>,
        eyes: Option<Seat>,
    ) -> Result<Self, ReplayError> {
        replay.verify(game)?;
        let (mut positions, mut decisions) = (Vec::new(), Vec::new());
        let last = replay.steps(game, |step| {
            let position = game.position(&step.before, eyes);
            // Nobody sees more of a decision than the seat that makes it.
            let seen = step.seen_by(game, eyes.unwrap_or(step.by));
            let events = G::events(&seen);
            decisions.push(Decision {
                number: decisions.len() + 1,
                turn: if position.is_setup() { 0 } else { position.turns + 1 },
                seat: step.by,
                action: seen.write_action(),
                outcome: events.iter().filter_map(|event| event.outcome(step.by)).collect(),
                events,
            });
            positions.push(position);
        })?;
        let ending = game.ending(&last).ok_or(ReplayError::WrongEnd("is not over", 0))?;
        positions.push(game.position(&last, eyes));
        let ReplayHeader { map, seed, agents, .. } = &replay.header;
        Ok(Self {
            map: name(map),
            seed: seed.to_string(),
            agents: agents.iter().map(|agent| name(agent)).collect(),
            ending,
            turns: game.turns(&last),
            decisions,
            positions,
            scores: sheets(game, &last),
            left_over: game.left_over(),
        })
    }

    /// The game and its verification, in two lines.
    pub fn heading(&self) -> String {
        format!(
            "{}, {}, seed {}\nverified: {}, {}, ending: {}\n",
            self.map,
            self.agents.join(" against "),
            self.seed,
            count(self.decisions.len(), "decision", "decisions"),
            count(self.turns.into(), "turn", "turns"),
            self.ending.name()
        )
    }

    /// One line per turn of a range of decisions, counted from 1, with the open points and the face-up cards
    /// after it. With positions, one line per decision and the position after it.
    pub fn listing(&self, range: RangeInclusive<usize>, with_positions: bool) -> String {
        let same_turn = |one: &Decision, next: &Decision| {
            !with_positions && one.turn > 0 && (one.turn, one.seat) == (next.turn, next.seat)
        };
        let points = |position: &SeatView| {
            position.seats.iter().map(|seat| seat.score.to_string()).collect::<Vec<_>>().join("-")
        };
        let has_market = self.positions.iter().any(|position| !position.market.is_empty());
        let columns = [
            (true, "turn", Align::Right),
            (true, "moves", Align::Right),
            (true, "seat", Align::Left),
            (true, "points", Align::Right),
            (has_market, "market", Align::Left),
            (true, "decisions", Align::Left),
        ];
        let shown = || columns.iter().filter(|column| column.0);
        let mut table = Table::new(shown().map(|&(_, name, align)| (name, align)));
        let end = (*range.end()).min(self.decisions.len());
        let chosen = self.decisions.get(range.start().saturating_sub(1)..end).unwrap_or_default();
        let mut positions = Vec::new();
        for decisions in chosen.chunk_by(same_turn) {
            let (Some(first), Some(last)) = (decisions.first(), decisions.last()) else { continue };
            let after = &self.positions[last.number];
            let cells = [
                if first.turn == 0 { "-".to_owned() } else { first.turn.to_string() },
                match decisions.len() {
                    1 => first.number.to_string(),
                    _ => format!("{}-{}", first.number, last.number),
                },
                first.seat.to_string(),
                points(after),
                letters(after.market),
                decisions.iter().map(Decision::to_string).collect::<Vec<_>>().join(", "),
            ];
            table.row(cells.into_iter().zip(&columns).filter(|(_, column)| column.0).map(|(cell, _)| cell));
            positions.push(after);
        }
        let mut text = String::new();
        for (line, position) in
            table.lines().iter().zip(std::iter::once(None).chain(positions.into_iter().map(Some)))
        {
            let _ = writeln!(text, "{line}");
            if let Some(position) = position.filter(|_| with_positions) {
                text.extend(position.to_string().lines().map(|line| format!("      {line}\n")));
                text.push('\n');
            }
        }
        text
    }

    /// The letters of the column `market` of [`Story::listing`], if there is one.
    pub fn legend(&self) -> Option<String> {
        let has_market = self.positions.iter().any(|position| !position.market.is_empty());
        let kinds = CardKind::ALL.into_iter().zip(LETTERS).map(|(kind, letter)| format!("{letter} {kind}"));
        has_market.then(|| format!("market after the turn: {}\n", kinds.collect::<Vec<_>>().join(", ")))
    }

    /// The table of points by source.
    pub fn score_sheet(&self) -> String {
        // JSON maps are sorted by name; readers expect the order of the rules.
        let known =
            |source: &Source| self.scores.iter().any(|sheet| sheet.sources.contains_key(source.name()));
        let sources: Vec<Source> = Source::ALL.into_iter().filter(known).collect();
        let mut columns = vec![("seat".to_owned(), Align::Left), ("agent".to_owned(), Align::Left)];
        columns.extend(sources.iter().map(|source| (source.words(), Align::Right)));
        let more = ["points", "place", "tickets done", "not done", self.left_over];
        columns.extend(more.map(|name| (name.to_owned(), Align::Right)));
        let mut table = Table::new(columns);
        for (seat, sheet) in self.scores.iter().enumerate() {
            let agent = self.agents.get(seat).map_or("", String::as_str);
            let mut row = vec![Seat::new(seat).to_string(), agent.to_owned()];
            row.extend(sources.iter().map(|source| sheet.sources[source.name()].to_string()));
            row.extend([sheet.points.to_string(), sheet.place.to_string(), sheet.completed.to_string()]);
            row.extend([sheet.failed, sheet.left].map(|n| n.to_string()));
            table.row(row);
        }
        table.to_string()
    }
}

/// A name from a record, made safe to print: it may contain anything.
fn name(text: &str) -> String {
    /// Longest name, in characters.
    const MOST: usize = 200;
    printable(text, MOST)
}

/// A decision in notation, with its outcome.
impl std::fmt::Display for Decision {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.outcome[..] {
            [] => f.write_str(&self.action),
            outcome => write!(f, "{} ({})", self.action, outcome.join("; ")),
        }
    }
}

/// Cards as letters, such as `BBRWL`.
fn letters(cards: Cards) -> String {
    cards.iter().flat_map(|(kind, count)| std::iter::repeat_n(LETTERS[kind.index()], count.into())).collect()
}

fn sheets<G: Playable>(game: &G, state: &G::State) -> Vec<SeatSheet> {
    game.results(state)
        .into_iter()
        .map(|result| SeatSheet {
            sources: (Source::ALL.into_iter())
                .filter(|&source| game.has_source(source))
                .map(|source| (source.name().to_owned(), result.sources[source].into()))
                .collect(),
            points: result.points,
            place: result.rank + 1,
            completed: result.completed,
            failed: result.failed,
            left: result.left,
        })
        .collect()
}
