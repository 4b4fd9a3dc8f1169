//! Effects of tickets, and quality of the agents' own opening choices: the parts of the tickets report that
//! are about effects.

use super::arena::pretty;
use super::dot_series::DotSeries;
use super::format::Format;
use super::page::{Page, Section, Tabs};
use super::rows_chart::DotWhisker;
use super::table::{Cell, Table};
use ttr_show::text::Align::{Left, Right};
use ttr_show::text::thousands;
use ttr_sim::stats::Figure;
use ttr_sim::tickets::{
    CORRECTED_CHOICE, ChoiceRow, Effect, ForcedSummary, OWN_CHOICE, RANDOM_CHOICE, TicketRow, TicketSummary,
    descending,
};

/// Points with a sign.
const POINTS_MORE: Format = Format::POINTS.signed();

/// Colours of the kinds of figures; that of the association is grey.
const COLOURS: [usize; 4] = [0, 1, 2, 7];

/// The effects of all tickets, largest effect first, and the names of their kinds.
fn effects(summary: &TicketSummary) -> (Vec<&'static str>, Vec<(&TicketRow, Vec<Effect>)>) {
    match &summary.forced {
        Some(forced) => {
            let rows = forced.by_effect(summary).into_iter();
            let rows = rows.map(|(row, kept)| (row, vec![kept.add, kept.swap, row.offer, row.worth()]));
            (vec!["add", "swap", "offer", "association"], rows.collect())
        }
        None => {
            let mut rows: Vec<_> =
                summary.tickets.iter().map(|row| (row, vec![row.offer, row.worth()])).collect();
            rows.sort_by(|(a, _), (b, _)| descending(&a.offer.wins, &b.offer.wins));
            (vec!["offer", "association"], rows)
        }
    }
}

/// The chart of all effects; `None` if no seat is offered tickets at the opening.
pub(super) fn effect_section(summary: &TicketSummary) -> Option<Section> {
    let (names, rows) = effects(summary);
    if rows.iter().all(|(row, _)| row.offer.wins.value.is_nan()) {
        return None;
    }
    let colours = &COLOURS[COLOURS.len() - names.len()..];
    let chart = |title: &str, format: Format, of: fn(&Effect) -> Figure| {
        let chart = names.iter().zip(colours).fold(
            DotSeries::new(title, format)
                .note(format!("The numbers at the right are those of \"{}\".", names[0]))
                .reference(0.0, "no difference"),
            |chart, (&name, &colour)| chart.kind(name, colour, name == "association"),
        );
        rows.iter().fold(chart, |chart, (row, effects)| {
            chart.row(pretty(&row.ticket), effects.iter().map(of).collect())
        })
    };
    let tabs = Tabs::new("effects")
        .tab("wins", chart("Difference in share of wins", Format::PERCENT_MORE, |effect| effect.wins_of_all))
        .tab("points", chart("Difference in points", POINTS_MORE, |effect| effect.points_of_all));
    let mut section = Section::new("What a ticket does");
    if summary.forced.is_some() {
        section = section
            .text(
                "Every opening choice of every seat was made in all legal ways on the same deal; everything else was left to the \
                 agents. Add: a set of opening tickets with the ticket, minus the same set without it. Swap: a set with the ticket, \
                 minus the same set with another offered ticket in its place.",
            )
            .text(
                "Offer: players who were offered the ticket at the opening, minus those who were not, whatever they then kept. \
                 The deal decides that at random, so this is an effect too.",
            );
    } else {
        section = section.text(
            "Offer: players who were offered the ticket at the opening, minus those who were not, whatever they then kept. The \
             deal decides that at random, so this is an effect of the offer. The effect of keeping a ticket takes a run \
             with --forced.",
        );
    }
    Some(
        section
            .text(
                "Association: players who ended the game holding the ticket, minus all others. It mixes the effect of the ticket with the reasons why \
                 it was kept or drawn.",
            )
            .with(tabs)
            .note(format!(
                "Intervals hold for all tickets at once. All values are for the play of {} at {} seats: other agents make more or \
                 less of a ticket.",
                summary.agents.join(", "),
                summary.seats
            )),
    )
}

/// Adds the facts about forced choices.
pub(super) fn tiles(page: Page, summary: &TicketSummary, forced: &ForcedSummary) -> Page {
    let mut page = page;
    let rows = forced.by_effect(summary);
    if let Some((row, kept)) = rows.first() {
        let note = format!("{} wins when it is added", Format::PERCENT_MORE.figure(&kept.add.wins_of_all));
        page = page.tile("Best ticket to add", pretty(&row.ticket), note);
    }
    // Those of one agent; the section has those of all.
    let Some(agent) = forced.choices.first().map(|row| row.agent.as_str()) else { return page };
    for (rule, name, note) in [
        (
            CORRECTED_CHOICE,
            "Regret",
            "wins: what a correction fitted to other deals gains over the choice of",
        ),
        (RANDOM_CHOICE, "Random choice", "wins: what choosing at random gains over the choice of"),
    ] {
        if let Some(row) = forced.choices.iter().find(|row| row.agent == agent && row.rule == rule) {
            page = page.tile(name, Format::PERCENT_MORE.figure(&row.regret_wins), format!("{note} {agent}"));
        }
    }
    page
}

/// The quality of the agents' own choices.
pub(super) fn choice_section(forced: &ForcedSummary) -> Section {
    let chart = |title: &str, format: Format, of: fn(&ChoiceRow) -> Figure| {
        let chart = DotWhisker::new(title, format).reference(0.0, "own choice");
        let rows = forced.choices.iter().filter(|row| row.rule != OWN_CHOICE);
        rows.fold(chart, |chart, row| chart.row(label(forced, row), of(row)))
    };
    Section::new("The agent's own choice")
        .text(
            "Regret is what another rule for the opening choice would gain over the agent's own choice, on the same deals and with \
             the same play afterwards: above 0 the rule is better, below 0 the agent is.",
        )
        .with(
            Tabs::new("regret")
                .tab("wins", chart("Regret in wins", Format::PERCENT_MORE, |row| row.regret_wins))
                .tab("points", chart("Regret in points", POINTS_MORE, |row| row.regret_points)),
        )
        .with(choice_table(forced))
        .note(
            "Fixed values are one number per ticket and one per number of tickets kept, fitted to wins; the rule keeps the set with \
             the largest sum. The corrected choice adds a value for staying near the agent's own choice. Both are fitted to four \
             fifths of the deals and evaluated on the rest, so that no deal chooses its own best set. Intervals hold for one \
             figure at a time.",
        )
}

/// A rule, with the agent if there are several.
fn label(forced: &ForcedSummary, row: &ChoiceRow) -> String {
    match forced.choices.iter().all(|other| other.agent == row.agent) {
        true => row.rule.clone(),
        false => format!("{}: {}", row.agent, row.rule),
    }
}

/// The mean outcome of each rule.
pub(super) fn choice_table(forced: &ForcedSummary) -> Table {
    let mut table = Table::new([
        ("opening tickets chosen by", Left),
        ("tickets kept", Right),
        ("same choice as the agent", Right),
        ("wins", Right),
        ("points", Right),
        ("regret in wins", Right),
        ("regret in points", Right),
    ])
    .explain([
        ("tickets kept", "mean number at the opening"),
        ("same choice as the agent", "share of openings"),
        (
            "wins, points",
            "share of wins and mean points of players who choose by this rule, against the agents",
        ),
        ("regret", "what the rule gains over the agent's own choice"),
    ])
    .fixed();
    for row in &forced.choices {
        let own = row.rule == OWN_CHOICE;
        table.row([
            Cell::text(label(forced, row)),
            Cell::number(row.kept, Format::decimals(2)),
            if own { Cell::missing() } else { Cell::number(row.same, Format::PERCENT) },
            // Against itself an agent wins its fair share.
            match row.win_share.has_interval() {
                true => Cell::figure(&row.win_share, Format::PERCENT),
                false => Cell::number(row.win_share.value, Format::PERCENT),
            },
            Cell::figure(&row.points, Format::POINTS),
            Cell::figure(&row.regret_wins, Format::PERCENT_MORE),
            Cell::figure(&row.regret_points, POINTS_MORE),
        ]);
    }
    table
}

/// All effects in numbers.
pub(super) fn effect_table(summary: &TicketSummary, forced: &ForcedSummary) -> Table {
    let mut table = Table::new([
        ("ticket", Left),
        ("value", Right),
        ("offered", Right),
        ("kept", Right),
        ("add: wins", Right),
        ("add: points", Right),
        ("swap: wins", Right),
        ("swap: points", Right),
        ("offer: wins", Right),
        ("association: wins", Right),
    ])
    .explain([
        ("value", "points printed on the ticket"),
        ("offered", "openings in which it was among the offered tickets"),
        ("kept", "share of those in which the agent kept it"),
        ("add", "a set of opening tickets with it, minus the same set without it"),
        ("swap", "a set with it, minus the same set with another offered ticket in its place"),
        ("offer", "players who were offered it, minus those who were not"),
        ("association", "players who ended the game holding it, minus all others"),
    ]);
    for (row, kept) in forced.by_effect(summary) {
        let wins = |effect: &Effect| Cell::figure(&effect.wins_of_all, Format::PERCENT_MORE);
        let points = |effect: &Effect| Cell::figure(&effect.points_of_all, POINTS_MORE);
        table.row([
            Cell::text(pretty(&row.ticket)),
            Cell::count(row.value.into()),
            Cell::count(kept.offered),
            Cell::number(row.kept_opening.value, Format::PERCENT),
            wins(&kept.add),
            points(&kept.add),
            wins(&kept.swap),
            points(&kept.swap),
            wins(&row.offer),
            wins(&row.worth()),
        ]);
    }
    table
}

/// The table of all effects, with an introduction.
pub(super) fn table_section(summary: &TicketSummary, forced: &ForcedSummary) -> Section {
    Section::new("Effects in numbers")
        .text(format!(
            "{} opening choices in {} games. The sections below are about the {} games without a forced choice.",
            thousands(forced.openings),
            thousands(forced.games),
            thousands(summary.games)
        ))
        .with(effect_table(summary, forced))
}
