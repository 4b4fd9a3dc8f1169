//! Results of forced opening choices: effects of tickets, and quality of the agents' own choices.

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::choices::{ChoiceSums, Rule};
use super::effects::{Change, Effects};
use super::fit::{Features, Fits};
use super::{Opening, sizes_of_choices};
use crate::game::Playable;
use crate::stats::Figure;
use crate::tickets::effect::{Effect, Measure};
use crate::tickets::{TicketRow, TicketSummary, Tickets, descending};
use ttr_show::text::{Align, Table, thousands};

/// The figures of a run that plays every legal opening choice. Intervals are 95 %, from the spread among
/// deals: see docs/STATISTICS.md.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ForcedSummary {
    /// Number of games, those without a forced choice included.
    pub games: u64,
    /// Number of opening choices, each of which was made in every legal way.
    pub openings: u64,
    /// One row per ticket, in the order of the map.
    pub tickets: Vec<EffectRow>,
    /// One row per agent and rule.
    pub choices: Vec<ChoiceRow>,
}

/// The effects of keeping a ticket.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct EffectRow {
    /// Its name.
    pub ticket: String,
    /// Number of opening choices in which it was offered.
    pub offered: u64,
    /// A set with the ticket, minus the same set without it.
    pub add: Effect,
    /// A set with the ticket, minus the same set with another offered ticket in its place.
    pub swap: Effect,
}

/// Results of an agent whose opening tickets are chosen by a rule.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ChoiceRow {
    /// The agent.
    pub agent: String,
    /// The rule.
    pub rule: String,
    /// Mean number of tickets kept.
    pub kept: f64,
    /// Share of its choices that are the agent's own.
    pub same: f64,
    /// Share of wins.
    pub win_share: Figure,
    /// Mean points.
    pub points: Figure,
    /// Share of wins, minus that of the agent's own choice; unknown for that choice itself.
    pub regret_wins: Figure,
    /// Mean points, minus those of the agent's own choice.
    pub regret_points: Figure,
}

/// The rule of the rows of agents' own choices.
pub const OWN_CHOICE: &str = "own choice";
/// The rule that starts from the agent's own choice and follows fitted values where they differ.
pub const CORRECTED_CHOICE: &str = "own choice corrected by fixed values";
/// The rule that chooses at random.
pub const RANDOM_CHOICE: &str = "any legal choice at random";

/// Sums over openings. The openings are added twice: first here, then to [`ForcedSums::choices`], whose
/// rules follow from the first pass.
pub(in crate::tickets) struct ForcedSums {
    effects: Effects,
    values: Fits,
    corrected: Fits,
    /// Possible numbers of tickets to keep.
    sizes: BTreeSet<u32>,
    games: u64,
    openings: u64,
    /// Deal and index of the last game.
    last: Option<(u64, u32)>,
}

impl ForcedSums {
    pub(in crate::tickets) fn new<G: Playable>(study: &Tickets<G>) -> Self {
        let tickets = study.game.ticket_names().len();
        let fits = |with_own| Fits::new(Features { tickets, with_own }, study.schedule.cycle());
        Self {
            effects: Effects::new(tickets),
            values: fits(false),
            corrected: fits(true),
            sizes: sizes_of_choices(&study.game).into_iter().flatten().collect(),
            games: 0,
            openings: 0,
            last: None,
        }
    }

    /// Adds an opening.
    pub(in crate::tickets) fn add(&mut self, opening: &Opening) {
        let game = Some((opening.deal, opening.game));
        // The game without a forced choice is an arm of all its openings.
        self.games += opening.arms.len() as u64 - 1 + u64::from(self.last != game);
        self.openings += 1;
        self.last = game;
        self.effects.add(opening);
        self.values.add(opening);
        self.corrected.add(opening);
    }

    /// Sums of the choices by rules, without openings yet.
    pub(in crate::tickets) fn choices<G: Playable>(&self, study: &Tickets<G>) -> ChoiceSums {
        let rules = [Rule::Own, Rule::Corrected, Rule::Values].into_iter();
        let rules = rules.chain(self.sizes.iter().map(|&size| Rule::Keep(size))).chain([Rule::Any]).collect();
        ChoiceSums::new(study.entrants.len(), rules, self.values.cross_fit(), self.corrected.cross_fit())
    }

    /// The figures.
    pub(in crate::tickets) fn summary<G: Playable>(
        &self,
        study: &Tickets<G>,
        choices: &ChoiceSums,
    ) -> ForcedSummary {
        let names = study.game.ticket_names();
        let offered = self.effects.offered();
        let row = |(ticket, (add, swap)): (usize, (Effect, Effect))| EffectRow {
            ticket: names[ticket].clone(),
            offered: offered[ticket],
            add,
            swap,
        };
        let [add, swap] = [Change::Add, Change::Swap].map(|change| self.effects.figures(change, study.seed));
        ForcedSummary {
            games: self.games,
            openings: self.openings,
            tickets: add.into_iter().zip(swap).enumerate().map(row).collect(),
            choices: choice_rows(study, choices, self.sizes.last().copied()),
        }
    }
}

fn choice_rows<G: Playable>(study: &Tickets<G>, sums: &ChoiceSums, most: Option<u32>) -> Vec<ChoiceRow> {
    let name = |rule: Rule| match rule {
        Rule::Own => OWN_CHOICE.to_owned(),
        Rule::Any => RANDOM_CHOICE.to_owned(),
        Rule::Keep(count) if Some(count) == most => format!("keep all {count}"),
        Rule::Keep(count) => format!("keep {count} at random"),
        Rule::Values => "fixed values".to_owned(),
        Rule::Corrected => CORRECTED_CHOICE.to_owned(),
    };
    let row = |agent: usize, rule: usize| {
        let is_own = sums.rules()[rule] == Rule::Own;
        let regret = |outcome| if is_own { Figure::NONE } else { sums.regret(agent, rule, outcome) };
        let (kept, same) = sums.kept_and_same(agent, rule);
        ChoiceRow {
            agent: study.entrants[agent].label().to_owned(),
            rule: name(sums.rules()[rule]),
            kept,
            same,
            win_share: sums.mean(agent, rule, Measure::Wins),
            points: sums.mean(agent, rule, Measure::Points),
            regret_wins: regret(Measure::Wins),
            regret_points: regret(Measure::Points),
        }
    };
    let agents = 0..study.entrants.len();
    agents
        .flat_map(|agent| (0..sums.rules().len()).map(move |rule| (agent, rule)))
        .map(|(a, r)| row(a, r))
        .collect()
}

impl ForcedSummary {
    /// The tickets, largest effect of adding first: each one's row and its effects.
    pub fn by_effect<'s>(&'s self, of: &'s TicketSummary) -> Vec<(&'s TicketRow, &'s EffectRow)> {
        let mut rows: Vec<_> = of.tickets.iter().zip(&self.tickets).collect();
        rows.sort_by(|(_, a), (_, b)| descending(&a.add.wins, &b.add.wins));
        rows
    }

    /// The tables for the terminal.
    pub(in crate::tickets) fn write(&self, of: &TicketSummary, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use Align::{Left, Right};
        let mut table = Table::new([
            ("ticket", Left),
            ("value", Right),
            ("offered", Right),
            ("kept %", Right),
            ("add: wins", Right),
            ("points", Right),
            ("swap: wins", Right),
            ("points", Right),
            ("offer: wins", Right),
            ("points", Right),
            ("worth: wins", Right),
            ("points", Right),
        ]);
        for (row, effects) in self.by_effect(of) {
            let mut cells = vec![
                row.ticket.clone(),
                row.value.to_string(),
                thousands(effects.offered),
                row.kept_opening.times(100.0).value_text(1),
            ];
            for effect in [effects.add, effects.swap, row.offer, row.worth()] {
                cells.push(effect.wins_of_all.times(100.0).signed_plus_minus(1));
                cells.push(effect.points_of_all.signed_plus_minus(1));
            }
            table.row(cells);
        }
        write!(f, "{table}")?;
        let mut table = Table::new([
            ("opening tickets chosen by", Left),
            ("kept", Right),
            ("as the agent %", Right),
            ("wins %", Right),
            ("points", Right),
            ("regret: wins", Right),
            ("points", Right),
        ]);
        for row in &self.choices {
            let own = row.rule == OWN_CHOICE;
            table.row([
                format!("{}: {}", row.agent, row.rule),
                format!("{:.2}", row.kept),
                if own { "-".to_owned() } else { format!("{:.1}", 100.0 * row.same) },
                // Against itself an agent wins its fair share.
                match row.win_share.has_interval() {
                    true => row.win_share.times(100.0).plus_minus(1),
                    false => row.win_share.times(100.0).value_text(1),
                },
                row.points.plus_minus(1),
                row.regret_wins.times(100.0).signed_plus_minus(1),
                row.regret_points.signed_plus_minus(1),
            ]);
        }
        write!(f, "\n{table}")?;
        writeln!(
            f,
            "\nadd: a set of opening tickets with the ticket, minus the same set without it; swap: minus the same set with another offered \
             ticket\nin its place; offer: offered at the opening, minus not offered. These are effects, as {} at these seats plays. worth: held at the\n\
             end, minus not held: an association. regret: what the rule would gain over the agent's own choice; below 0 the agent chooses better.",
            of.agents.join(" / ")
        )
    }
}
