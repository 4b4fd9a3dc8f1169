//! Sections of the arena report about agents, pairs of them, and seats.

use crate::report::format::Format;
use crate::report::html::Html;
use crate::report::matrix::HeatMatrix;
use crate::report::page::Section;
use crate::report::rows_chart::{DotWhisker, StackedBars};
use crate::report::table::{Cell, Table};
use ttr_show::text::Align::{Left, Right};
use ttr_show::text::thousands;
use ttr_sim::arena::ordinal;
use ttr_sim::arena::{AgentSummary, HeadToHead, Summary};
use ttr_sim::game::Source;
use ttr_sim::stats::{FEWEST_DEALS, Figure};

/// Maximum number of agents for which two matrices fit side by side.
const MOST_BESIDE: usize = 5;

/// Shares of wins and ratings.
pub(super) fn standings(summary: &Summary) -> Section {
    let fair = 1.0 / summary.seats as f64;
    let mut wins = DotWhisker::new("Share of wins", Format::PERCENT).reference(fair, "fair share");
    let mut ratings = DotWhisker::new("Rating by wins (Elo)", Format::ELO)
        .reference(0.0, summary.anchor.as_deref().unwrap_or_default());
    let mut rated = 0;
    for agent in &summary.agents {
        wins = wins.row(&agent.label, agent.win_share);
        ratings = ratings.row(&agent.label, agent.rating);
        let Figure { value, low, high, .. } = agent.rating;
        rated += usize::from([value, low, high].iter().any(|end| end.is_finite()));
    }
    let mut table = Table::new([
        ("agent", Left),
        ("games", Right),
        ("wins", Right),
        ("Elo", Right),
        ("points", Right),
        ("points in wins", Right),
        (&summary.left_over, Right),
        ("turns per game", Right),
        ("decisions per game", Right),
    ])
    .explain([
        ("games", "games played, counted by seat"),
        ("wins", "share of games won, a tie shared among the winners"),
        ("Elo", "rating by wins; that of the anchor is 0"),
        ("points", "mean points"),
        ("points in wins", "mean points of the games it won"),
        (&summary.left_over, "mean number at the end of a game"),
        ("turns per game", "turns of all players together"),
        ("decisions per game", "its own decisions"),
    ]);
    for agent in &summary.agents {
        table.row([
            Cell::text(&agent.label),
            Cell::count(agent.games),
            Cell::figure(&agent.win_share, Format::PERCENT),
            Cell::figure(&agent.rating, Format::ELO),
            Cell::figure(&agent.points, Format::POINTS),
            Cell::figure(&agent.winning_points, Format::POINTS),
            Cell::figure(&agent.left, Format::POINTS),
            Cell::figure(&agent.turns, Format::POINTS),
            Cell::figure(&agent.decisions, Format::POINTS),
        ]);
    }
    let mut section = Section::new("Standings").text(in_words(summary));
    if summary.stopped_early {
        section = section.text(
            "A sequential test stopped the run early. Shares of wins and ratings on this page are not corrected for that and \
             exaggerate the difference; the next section has the corrected estimate.",
        );
    }
    if summary.deals < FEWEST_DEALS as u64 {
        section = section.text(format_args!(
            "With fewer than {FEWEST_DEALS} deals there are no intervals: too few to compare agents."
        ));
    }
    // With a single agent, neither share of wins nor rating means anything.
    let charts: Vec<Html> = match (summary.agents.len(), rated) {
        (1, _) => Vec::new(),
        (_, 0 | 1) => vec![wins.into()],
        _ => vec![wins.into(), ratings.into()],
    };
    section.side_by_side(charts).with(table).note(
        "± is half the width of a 95 % confidence interval; where its halves differ by much, both ends are given in brackets. ≤ and ≥ \
         are bounds on the rating of an agent that lost or won all its games.",
    )
}

/// The standings in one or two sentences.
fn in_words(summary: &Summary) -> String {
    let [best, second, ..] = &summary.agents[..] else {
        return "One agent plays against itself.".to_owned();
    };
    let mut text = format!(
        "{} wins {} of its games (fair share: {})",
        best.label,
        Format::PERCENT.figure(&best.win_share),
        Format::PERCENT.value(1.0 / summary.seats as f64),
    );
    text += &match best.points.value.is_finite() {
        true => format!(" and scores {} points on average.", Format::POINTS.figure(&best.points)),
        false => ".".to_owned(),
    };
    let pair =
        summary.head_to_head.iter().find(|pair| pair.agent == best.index && pair.other == second.index);
    if let Some(pair) = pair {
        let verdict = match pair.all {
            Figure { low, .. } if low > 0.5 => "significantly more than half",
            Figure { high, .. } if high < 0.5 => "significantly less than half",
            Figure { low, .. } if low.is_nan() => "too few deals for an interval",
            _ => "no significant difference from half",
        };
        text += &format!(
            " It finishes ahead of {}, the second best, in {} of their games: {verdict}.",
            second.label,
            Format::PERCENT.figure(&pair.all),
        );
    }
    text
}

/// Points and their sources; `None` if all games were forfeited.
pub(super) fn points(summary: &Summary) -> Option<Section> {
    if summary.agents.iter().all(|agent| agent.points.value.is_nan()) {
        return None;
    }
    let mut scores = DotWhisker::new("Points per game", Format::POINTS).note(
        "Dot: mean, with its interval. Pale band: one standard deviation of single games to either side.",
    );
    for agent in &summary.agents {
        scores = scores.row_with_spread(&agent.label, agent.points, agent.spread.value);
    }
    let mut tickets =
        StackedBars::new("Tickets per game", Format::decimals(2), ["completed", "not completed"]).beside();
    for agent in &summary.agents {
        let parts = vec![agent.tickets_completed, agent.tickets_failed];
        tickets = tickets.row(&agent.label, parts, agent.tickets_kept);
    }
    let mut section = Section::new("Points and tickets").side_by_side([Html::from(scores), tickets.into()]);
    let sources: Vec<String> = sources(summary).map(|(source, _)| source.words()).collect();
    if sources.len() > 1 {
        let negative =
            summary.agents.iter().flat_map(|agent| &agent.sources).any(|(_, figure)| figure.value < 0.0);
        let mut bars = StackedBars::new("Where the points come from", Format::POINTS, sources.clone());
        if negative {
            bars = bars.note("Lost points are to the left of 0; the dot marks the sum.");
        }
        for agent in &summary.agents {
            let parts = agent.sources.iter().map(|(_, figure)| *figure).collect();
            bars = bars.row(&agent.label, parts, agent.points);
        }
        section = section.with(bars);
    }
    Some(section.with(points_table(summary, &sources)))
}

fn sources(summary: &Summary) -> impl Iterator<Item = &(Source, Figure)> {
    summary.agents.first().into_iter().flat_map(|agent| &agent.sources)
}

fn points_table(summary: &Summary, sources: &[String]) -> Table {
    let sources = if sources.len() > 1 { sources } else { &[] };
    let heading = |name: &str, align| (name.to_owned(), align);
    let columns = [heading("agent", Left), heading("points", Right), heading("standard deviation", Right)]
        .into_iter()
        .chain(sources.iter().map(|name| (format!("from {name}"), Right)))
        .chain(["tickets kept", "completed", "not completed"].map(|name| heading(name, Right)));
    let mut table = Table::new(columns)
        .explain([("points", "mean points"), ("standard deviation", "of the points of single games")]);
    if !sources.is_empty() {
        table = table.explain([("from …", "mean points of that source; they add up to the points")]);
    }
    table = table.explain([
        ("tickets kept", "tickets held at the end"),
        ("completed, not completed", "how many of them were, and were not"),
    ]);
    for agent in &summary.agents {
        let figures = [&agent.points, &agent.spread]
            .into_iter()
            .chain(agent.sources.iter().map(|(_, figure)| figure).take(sources.len()))
            .map(|figure| Cell::figure(figure, Format::POINTS));
        let tickets = [&agent.tickets_kept, &agent.tickets_completed, &agent.tickets_failed]
            .map(|figure| Cell::figure(figure, Format::decimals(2)));
        table.row(std::iter::once(Cell::text(&agent.label)).chain(figures).chain(tickets));
    }
    table
}

/// Frequency with which agents finish ahead of each other.
pub(super) fn head_to_head(summary: &Summary) -> Option<Section> {
    if summary.agents.len() < 2 {
        return None;
    }
    let labels = || summary.agents.iter().map(|agent| agent.label.as_str());
    let found = |row: &AgentSummary, column: &AgentSummary| {
        summary.head_to_head.iter().find(|pair| pair.agent == row.index && pair.other == column.index)
    };
    let matrix = |title: &str, note: &str, figure: fn(&HeadToHead) -> Option<Figure>| {
        let empty = HeatMatrix::shares(title, "row ahead of column", labels()).note(note);
        summary.agents.iter().fold(empty, |matrix, row| {
            let cells = summary.agents.iter().map(|column| found(row, column).and_then(figure)).collect();
            matrix.row(&row.label, cells)
        })
    };
    let all = matrix("All games", "A tie counts half.", |pair| Some(pair.all));
    let text = "Share of games in which the agent of the row finished ahead of the agent of the column, in per cent: blue is more \
                than half, orange less.";
    if summary.seats > 2 {
        let more = " From three seats on this differs from winning: the second finishes ahead of the third.";
        return Some(Section::new("Head to head").text(format!("{text}{more}")).with(all));
    }
    // At more seats the seats between the two differ as well: the figure would not be an effect of moving
    // first.
    let before = matrix("Games in which the row moves first", "In the others the column does.", |pair| {
        (pair.games_before > 0).then_some(pair.playing_before)
    });
    let section = Section::new("Head to head").text(text);
    Some(match summary.agents.len() {
        ..=MOST_BESIDE => section.side_by_side([all, before]),
        _ => section.with(all).with(before),
    })
}

/// Share of wins by position in the order of play, and endings of games.
pub(super) fn seats_and_endings(summary: &Summary) -> Section {
    let fair = 1.0 / summary.seats as f64;
    let mut seats =
        DotWhisker::new("Share of wins by order of play", Format::PERCENT).reference(fair, "fair share");
    for seat in &summary.seat_advantage {
        seats = seats.row(ordinal(seat.place), seat.win_share);
    }
    let mut endings =
        Table::new([("ending", Left), ("games", Right), ("share", Left)]).caption("Why games ended").fixed();
    for end in &summary.endings {
        let share = Cell::bar(&end.share, 1.0, Format::PERCENT);
        endings.row([Cell::text(end.ending.name().replace('-', " ")), Cell::count(end.games), share]);
    }
    Section::new("Order of play and endings").side_by_side([Html::from(seats), endings.into()])
}

/// Forfeits in a sentence, for the top of the page.
pub(super) fn forfeit_banner(summary: &Summary) -> Option<String> {
    let agents: Vec<String> = summary
        .agents
        .iter()
        .filter(|agent| agent.forfeits > 0)
        .map(|agent| {
            format!(
                "{} forfeited {} of {} games",
                agent.label,
                thousands(agent.forfeits),
                thousands(agent.games)
            )
        })
        .collect();
    if agents.is_empty() {
        return None;
    }
    let first =
        summary.forfeits.first().map(|(.., why)| format!(" First reason: {why}.")).unwrap_or_default();
    let scored = match summary.agents.iter().any(|agent| agent.points.value.is_finite()) {
        true => "A forfeited game counts as lost; its points, routes and tickets are not counted.",
        false => "No game was finished, so there are no points, routes or tickets to show.",
    };
    Some(format!("{}. {scored}{first}", agents.join("; ")))
}

/// Forfeits by agent, with reasons.
pub(super) fn forfeits(summary: &Summary) -> Option<Section> {
    let total: u64 = summary.agents.iter().map(|agent| agent.forfeits).sum();
    if total == 0 && summary.forfeits.is_empty() {
        return None;
    }
    let mut by_agent = Table::new([("agent", Left), ("forfeits", Right), ("share of its games", Left)]);
    for agent in summary.agents.iter().filter(|agent| agent.forfeits > 0) {
        let share = Cell::bar(&agent.forfeit_share, 1.0, Format::PERCENT);
        by_agent.row([Cell::text(&agent.label), Cell::count(agent.forfeits), share]);
    }
    let mut table = Table::new([("agent", Left), ("deal", Right), ("seat", Right), ("why", Left)]);
    for (deal, seat, agent, why) in &summary.forfeits {
        table.row([
            Cell::text(agent),
            Cell::count(*deal),
            Cell::count(u64::from(*seat) + 1),
            Cell::code(why),
        ]);
    }
    let text = format!(
        "An agent that fails or breaks the rules loses the game. That happened in {} of {} games, whose points, routes and \
         tickets are not counted.",
        thousands(total),
        thousands(summary.games)
    );
    let listed = match summary.forfeits.len() as u64 {
        listed if listed < total => format!("The first {listed} forfeits"),
        _ => "All forfeits".to_owned(),
    };
    Some(Section::new("Forfeits").text(text).with(by_agent).details(listed, table))
}
