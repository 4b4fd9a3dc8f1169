//! An agent's opinion on a position of a recorded game.

use std::fmt;

use serde::Serialize;
use ttr_agents::{Agent, Candidate, Explanation, Forfeit};
use ttr_engine::{Dice, Replay, ReplayError, Turn};
use ttr_show::text::{Align, Table, wrap};
use ttr_sim::game::Playable;

/// Maximum width of a remark.
const WIDTH: usize = 80;

/// An agent's opinion on a position of a recorded game.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Opinion {
    /// The agent.
    pub agent: String,
    /// Its choice, in notation.
    pub choice: String,
    /// The action of the record.
    pub played: String,
    /// Reasons for its choice, such as its plan.
    pub notes: Vec<Remark>,
    /// The actions that it considered, best first.
    pub candidates: Vec<Considered>,
}

/// A reason for an agent's choice.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Remark {
    /// Topic of the remark.
    pub about: String,
    /// Text of the remark.
    pub text: String,
}

/// An action that the agent considered.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Considered {
    /// The action, in notation.
    pub action: String,
    /// Number of playouts that tried it.
    pub visits: u32,
    /// Its value, from 0 (lost) to 1 (won).
    pub value: f64,
    /// Standard error of the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<f64>,
    /// Mean difference in value to the first guess in the same worlds, and its standard error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gain: Option<(f64, f64)>,
    /// The gain that the agent expects and decides by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_gain: Option<f64>,
    /// Expected continuation.
    pub line: Vec<String>,
}

impl Considered {
    /// The figures as printed.
    fn figures(&self) -> [String; 4] {
        // A decision with only one option is not searched.
        let tried = self.visits > 0;
        let half = |error: f64| format!("±{:.3}", 1.96 * error);
        [
            self.visits.to_string(),
            match self.error {
                _ if !tried => "-".to_owned(),
                Some(error) => format!("{:.3} {}", self.value, half(error)),
                None => format!("{:.3}", self.value),
            },
            self.gain.map_or("-".to_owned(), |(mean, error)| format!("{mean:+.3} {}", half(error))),
            self.expected_gain.map_or("-".to_owned(), |gain| format!("{gain:+.3}")),
        ]
    }

    /// Returns whether two actions are of the same kind and have the same printed figures.
    fn looks_like(&self, other: &Self) -> bool {
        let kind = |candidate: &Self| candidate.action.split(' ').next().map(str::to_owned);
        kind(self) == kind(other) && self.figures() == other.figures()
    }
}

impl Opinion {
    /// Asks an agent at a decision of a record, counted from 1. It sees what the seat saw.
    ///
    /// # Errors
    /// If there is no such decision or the record is invalid; the inner error if the agent forfeits.
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
        agent.begin(game, seat);
        if agent.wants_steps() {
            let mut place = 0;
            replay.steps(game, |step| {
                place += 1;
                if place < number {
                    agent.see(&step.seen_by(game, seat));
                }
            })?;
        }
        let view = game.observe(&state, seat);
        let mut dice = Dice::from_parts(&[replay.header.seed, number as u64]);
        let choice = match agent.choose(&view, &mut dice) {
            Ok(choice) => choice,
            Err(forfeit) => return Ok(Err(forfeit)),
        };
        let considered = |candidate: Candidate<G::Action>| {
            let Candidate { action, visits, value, error, gain, expected_gain, line, .. } = candidate;
            let action = game.write_action(&state, action);
            Considered { action, visits, value, error, gain, expected_gain, line }
        };
        let Explanation { notes, candidates, .. } = agent.explain(&view);
        Ok(Ok(Self {
            agent: label.to_owned(),
            choice: game.write_action(&state, choice),
            played: game.write_action(&state, played),
            notes: notes.into_iter().map(|note| Remark { about: note.about, text: note.text }).collect(),
            candidates: candidates.into_iter().map(considered).collect(),
        }))
    }

    /// The candidates, grouped if they look alike; a group is ranked by its best candidate.
    fn groups(&self) -> Vec<Vec<&Considered>> {
        let mut groups: Vec<Vec<&Considered>> = Vec::new();
        for candidate in &self.candidates {
            match groups.iter_mut().find(|group| group[0].looks_like(candidate)) {
                Some(group) => group.push(candidate),
                None => groups.push(vec![candidate]),
            }
        }
        groups
    }
}

impl fmt::Display for Opinion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { agent, choice, played, notes, candidates } = self;
        let same = if choice == played { "as was played".to_owned() } else { format!("played: {played}") };
        writeln!(f, "{agent} chooses: {choice} ({same})")?;
        if notes.is_empty() && candidates.is_empty() {
            return writeln!(f, "This agent gives no explanation.");
        }
        let width = notes.iter().map(|note| note.about.chars().count()).max().unwrap_or(0);
        for Remark { about, text } in notes {
            let text = wrap(text, WIDTH, 0).replace('\n', &format!("\n{}", " ".repeat(width + 4)));
            writeln!(f, "  {about:<width$}  {text}")?;
        }
        if candidates.is_empty() {
            return Ok(());
        }
        let uncertain = candidates.iter().any(|candidate| candidate.error.is_some());
        let compared = candidates.iter().any(|candidate| candidate.gain.is_some());
        let expected = candidates.iter().any(|candidate| candidate.expected_gain.is_some());
        f.write_str("Best first.")?;
        if compared {
            f.write_str(" Gain: mean difference in value to the first guess in the same worlds.")?;
        }
        if expected {
            f.write_str(" Expected: the gain that the agent expects and decides by.")?;
        }
        writeln!(f, "{}", if uncertain || compared { " ± is half of a 95 % interval." } else { "" })?;
        let columns = [
            (true, "visits", Align::Right),
            (true, "value", Align::Right),
            (compared, "gain", Align::Right),
            (expected, "expected", Align::Right),
            (true, "action", Align::Left),
            (true, "expected continuation", Align::Left),
        ];
        let shown = || columns.iter().filter(|column| column.0);
        let mut table = Table::new(shown().map(|&(_, name, align)| (name, align)));
        for group in self.groups() {
            let best = group[0];
            let [visits, value, gain, expected] = best.figures();
            let action = match group.len() {
                1 => best.action.clone(),
                n => format!("{} and {} more like it", best.action, n - 1),
            };
            // The line starts with the action itself.
            let line = best.line.get(1..).unwrap_or_default().join("; ");
            let cells = [visits, value, gain, expected, action, line];
            table.row(cells.into_iter().zip(&columns).filter(|(_, column)| column.0).map(|(cell, _)| cell));
        }
        write!(f, "{table}")
    }
}
