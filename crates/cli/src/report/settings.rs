//! The settings of agents in full: with them, a run can be repeated after defaults have changed.

use super::page::Section;
use super::table::{Cell, Table};
use ttr_agents::{AgentEntry, AgentSpec, Roster};
use ttr_show::text::{Align, count};
use ttr_sim::game::Playable;

impl Section {
    /// Adds all settings of these agents, those that come first for equal ones, with the defaults of this game and
    /// version. Agents without settings are skipped; so are processes, whose settings are not known here.
    pub(super) fn settings<'s, G: Playable>(
        self,
        agents: impl IntoIterator<Item = (String, &'s AgentSpec)>,
        game: &G,
        roster: &Roster,
    ) -> Self {
        let mut shown: Vec<&AgentSpec> = Vec::new();
        agents.into_iter().fold(self, |section, (label, spec)| {
            if shown.contains(&spec) {
                return section;
            }
            shown.push(spec);
            let inner = roster.heuristic_of(game, spec);
            let inner = inner.map(|inner| (format!("{} inside {label}", inner.name), inner, true));
            let all = [(label, spec.clone(), false)].into_iter().chain(inner);
            all.fold(section, |section, (whose, spec, is_inner)| {
                let params = roster.entry(&spec.name).map_or(&[][..], AgentEntry::params);
                if params.is_empty() {
                    return section;
                }
                let title = format!("{} of {whose}", count(params.len(), "setting", "settings"));
                section.details(title, table(&spec, is_inner, game, roster))
            })
        })
    }
}

/// Agents with their labels.
pub(super) fn labelled(agents: &[AgentSpec]) -> impl Iterator<Item = (String, &AgentSpec)> {
    agents.iter().map(|agent| (agent.label(), agent))
}

/// The settings of an agent; those of one inside another are all defaults.
fn table<G: Playable>(spec: &AgentSpec, is_inner: bool, game: &G, roster: &Roster) -> Table {
    let resolved = roster.resolved(game, spec);
    let mut table = Table::new([
        ("setting", Align::Left),
        ("value", Align::Right),
        ("set by", Align::Left),
        ("meaning", Align::Left),
    ]);
    for param in roster.entry(&spec.name).map_or(&[][..], AgentEntry::params) {
        let given = !is_inner && spec.given(param.name).is_some();
        table.row([
            Cell::code(param.name),
            Cell::text(resolved.given(param.name).unwrap_or(param.default)),
            Cell::text(if given { "the command" } else { "default" }),
            Cell::prose(param.about),
        ]);
    }
    table
}
