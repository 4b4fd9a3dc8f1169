//! What the games say about tickets, routes and cities.

use std::fmt;

use serde::{Deserialize, Serialize};
use ttr_engine::CardKind;

use super::Tickets;
use super::tally::{KINDS, TicketTally, wins};
use crate::arena::{ENDINGS, SHARE};
use crate::playable::Playable;
use crate::stats::{Figure, Resamples};
use crate::text::{Align, Table, thousands};

/// All figures. Intervals are 95 %, from a bootstrap over deals.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TicketSummary {
    /// Version of this program.
    pub version: String,
    /// The map's id.
    pub map: String,
    /// Hash of the map and its rules.
    pub map_hash: String,
    /// How many seats.
    pub seats: usize,
    /// The master seed.
    pub seed: u64,
    /// Who played.
    pub agents: Vec<String>,
    /// Games played.
    pub games: u64,
    /// Turns of a game, of all seats together.
    pub turns: f64,
    /// Share of wins of all seats.
    pub win_share: f64,
    /// Mean points of all seats.
    pub points: f64,
    /// By ticket, in the order of the map.
    pub tickets: Vec<TicketRow>,
    /// Pairs of tickets that were held together, most often first.
    pub pairs: Vec<PairRow>,
    /// By route, in the order of the map.
    pub routes: Vec<RouteRow>,
    /// By city, in the order of the map.
    pub cities: Vec<CityRow>,
    /// What hardly ever happens.
    pub rare: Rare,
}

/// The figures of a ticket.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TicketRow {
    /// Its name.
    pub ticket: String,
    /// Its value.
    pub value: u8,
    /// How often it was offered, in a thousand games.
    pub dealt: f64,
    /// Share of offers before the first turn that were taken.
    pub kept_opening: f64,
    /// Share of later offers that were taken.
    pub kept_later: f64,
    /// Seats that held it at the end.
    pub held: u64,
    /// Share of holders that completed it.
    pub completed: f64,
    /// Share of wins of its holders.
    pub win_share: Figure,
    /// Mean points of its holders.
    pub points: Figure,
    /// Share of wins of its holders, less that of seats without it.
    pub worth_wins: Figure,
    /// Mean points of its holders, less those of seats without it.
    pub worth_points: Figure,
    /// Trains of the shortest way between its cities over own routes, where there was one.
    pub trains: f64,
    /// Turn in which its cities were joined.
    pub turn: f64,
}

/// The figures of two tickets held together.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PairRow {
    /// One of them.
    pub one: String,
    /// The other.
    pub other: String,
    /// Seats that held both at the end.
    pub held: u64,
    /// Share of them that completed both.
    pub completed: f64,
    /// Their share of wins.
    pub win_share: f64,
}

/// The figures of a route.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RouteRow {
    /// Its name.
    pub route: String,
    /// Claims in a game.
    pub claims: f64,
    /// Share of wins of claimants.
    pub win_share: f64,
    /// Share of winning seats that have it.
    pub in_winning: f64,
    /// Mean turn of the claim.
    pub turn: f64,
    /// Mean number of locomotives laid down.
    pub locomotives: f64,
    /// Share of claims by colour laid down; `none` is without a colour.
    pub colours: Vec<(String, f64)>,
}

/// The figures of a city.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CityRow {
    /// Its name.
    pub city: String,
    /// Share of seats with a route there.
    pub reached: f64,
    /// Share of winning seats with a route there.
    pub in_winning: f64,
}

/// How often what hardly ever happens happened, in a million games.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Rare {
    /// Games that ended because nobody could do anything.
    pub stalemate: f64,
    /// Games that ended because nobody made progress.
    pub no_progress: f64,
    /// Games in which deck and discard were empty.
    pub deck_empty: f64,
    /// Games in which the market was flushed as often as is allowed.
    pub flush_guard: f64,
}

/// A ratio that is 0 where there is nothing.
fn ratio(part: f64, whole: f64) -> f64 {
    if whole == 0.0 { 0.0 } else { part / whole }
}

impl TicketSummary {
    pub(super) fn new<G: Playable>(study: &Tickets<G>, tally: &TicketTally) -> Self {
        let game = &study.game;
        let resamples = tally.blocks.resample(study.seed);
        let games = tally.games as f64;
        let seats = games * game.seats() as f64;
        let totals = resamples.totals();
        let per_million = |count: u64| 1e6 * ratio(count as f64, games);
        let ending = |name: &str| {
            let index = ENDINGS.iter().position(|&known| known == name);
            per_million(index.map_or(0, |index| tally.endings[index]))
        };
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            map: game.map_id().to_owned(),
            map_hash: format!("{:016x}", game.rules_hash()),
            seats: game.seats(),
            seed: study.seed,
            agents: study.entrants.iter().map(|entrant| entrant.identity().to_owned()).collect(),
            games: tally.games,
            turns: ratio(tally.turns as f64, games),
            win_share: 1.0 / game.seats() as f64,
            points: ratio(totals[2] as f64, seats),
            tickets: ticket_rows(game, tally, &resamples),
            pairs: pair_rows(game, tally),
            routes: route_rows(game, tally, games),
            cities: city_rows(game, tally, seats, games),
            rare: Rare {
                stalemate: ending("stalemate"),
                no_progress: ending("no-progress"),
                deck_empty: per_million(tally.deck_empty),
                flush_guard: per_million(tally.flush_guard),
            },
        }
    }
}

fn ticket_rows<G: Playable>(game: &G, tally: &TicketTally, resamples: &Resamples) -> Vec<TicketRow> {
    let names = game.ticket_names().into_iter().zip(game.ticket_points());
    let row = |(ticket, (name, value)): (usize, (String, u8))| {
        let sums = &tally.tickets[ticket];
        let at = TicketTally::holders(Some(ticket));
        let all = TicketTally::holders(None);
        // The mean of `sum` over holders, less that over all other seats.
        let worth = |sum: usize| {
            resamples.figure(|sums| {
                let others = (sums[all + sum] - sums[at + sum]) as f64 / (sums[all] - sums[at]) as f64;
                sums[at + sum] as f64 / sums[at] as f64 - others
            })
        };
        let share = 1.0 / SHARE as f64;
        let held = resamples.totals()[at] as u64;
        let finite = |figure: Figure| if held == 0 { Figure::default() } else { figure };
        TicketRow {
            ticket: name,
            value,
            dealt: 1000.0 * ratio((sums.offered_opening + sums.offered_later) as f64, tally.games as f64),
            kept_opening: ratio(sums.kept_opening as f64, sums.offered_opening as f64),
            kept_later: ratio(sums.kept_later as f64, sums.offered_later as f64),
            held,
            completed: ratio(sums.completed as f64, held as f64),
            win_share: finite(resamples.ratio(at + 1, at).times(share)),
            points: finite(resamples.ratio(at + 2, at)),
            worth_wins: finite(worth(1).times(share)),
            worth_points: finite(worth(2)),
            trains: ratio(sums.trains as f64, sums.joined as f64),
            turn: ratio(sums.turns as f64, sums.joined as f64),
        }
    };
    names.enumerate().map(row).collect()
}

fn pair_rows<G: Playable>(game: &G, tally: &TicketTally) -> Vec<PairRow> {
    let names = game.ticket_names();
    let mut rows = Vec::new();
    for one in 0..names.len() {
        for other in 0..one {
            let [held, completed, share] = tally.pairs[TicketTally::pair(one, other)];
            if held > 0 {
                rows.push(PairRow {
                    one: names[other].clone(),
                    other: names[one].clone(),
                    held,
                    completed: ratio(completed as f64, held as f64),
                    win_share: ratio(wins(share), held as f64),
                });
            }
        }
    }
    rows.sort_by(|a, b| b.held.cmp(&a.held).then_with(|| (&a.one, &a.other).cmp(&(&b.one, &b.other))));
    rows
}

fn route_rows<G: Playable>(game: &G, tally: &TicketTally, games: f64) -> Vec<RouteRow> {
    let row = |(name, sums): (String, &super::RouteSums)| {
        let claims = sums.claims as f64;
        let colour = |index: usize| match CardKind::ALL.get(index) {
            Some(kind) if index < KINDS - 1 => kind.to_string(),
            _ => "none".to_owned(),
        };
        RouteRow {
            route: name,
            claims: ratio(claims, games),
            win_share: ratio(wins(sums.wins), claims),
            in_winning: ratio(wins(sums.wins), games),
            turn: ratio(sums.turns as f64, claims),
            locomotives: ratio(sums.locomotives as f64, claims),
            colours: sums
                .colours
                .iter()
                .enumerate()
                .filter(|&(_, &count)| count > 0)
                .map(|(index, &count)| (colour(index), count as f64 / claims))
                .collect(),
        }
    };
    game.route_names().into_iter().zip(&tally.routes).map(row).collect()
}

fn city_rows<G: Playable>(game: &G, tally: &TicketTally, seats: f64, games: f64) -> Vec<CityRow> {
    let Some(board) = game.board() else { return Vec::new() };
    let row = |(city, sums): (&ttr_engine::spec::CitySpec, &[u64; 2])| CityRow {
        city: city.name.clone(),
        reached: ratio(sums[0] as f64, seats),
        in_winning: ratio(wins(sums[1]), games),
    };
    board.map().cities.iter().zip(&tally.cities).map(row).collect()
}

/// The tables for the terminal.
impl fmt::Display for TicketSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{}, {} seats, {}: {} games, seed {}; mean {:.1} points, {:.1} turns; ± is half of a 95 % interval\n",
            self.map,
            self.seats,
            self.agents.join(" / "),
            thousands(self.games),
            self.seed,
            self.points,
            self.turns
        )?;
        self.ticket_table(f)?;
        if !self.routes.is_empty() {
            self.route_table(f)?;
        }
        let Rare { stalemate, no_progress, deck_empty, flush_guard } = self.rare;
        writeln!(
            f,
            "\nin a million games: stalemate {stalemate:.0}, no progress {no_progress:.0}, deck empty {deck_empty:.0}, \
             flush guard {flush_guard:.0}"
        )
    }
}

impl TicketSummary {
    fn ticket_table(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use Align::{Left, Right};
        let mut table = Table::new([
            ("ticket", Left),
            ("value", Right),
            ("dealt/1000", Right),
            ("kept %", Right),
            ("later %", Right),
            ("held", Right),
            ("done %", Right),
            ("wins %", Right),
            ("points", Right),
            ("worth: wins", Right),
            ("points", Right),
            ("trains", Right),
            ("turn", Right),
        ]);
        let mut rows: Vec<_> = self.tickets.iter().collect();
        rows.sort_by(|a, b| b.worth_wins.value.total_cmp(&a.worth_wins.value));
        for row in rows {
            let held = |figure: String| if row.held > 0 { figure } else { "-".to_owned() };
            table.row([
                row.ticket.clone(),
                row.value.to_string(),
                format!("{:.0}", row.dealt),
                format!("{:.1}", 100.0 * row.kept_opening),
                format!("{:.1}", 100.0 * row.kept_later),
                thousands(row.held),
                format!("{:.1}", 100.0 * row.completed),
                held(row.win_share.times(100.0).plus_minus(1)),
                held(row.points.plus_minus(1)),
                held(row.worth_wins.times(100.0).signed_plus_minus(1)),
                held(row.worth_points.signed_plus_minus(1)),
                format!("{:.1}", row.trains),
                format!("{:.1}", row.turn),
            ]);
        }
        write!(f, "{table}")
    }

    fn route_table(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MOST: usize = 15;
        use Align::{Left, Right};
        let mut table = Table::new([
            ("most wanted routes", Left),
            ("claims/game", Right),
            ("wins %", Right),
            ("in winning %", Right),
            ("turn", Right),
            ("locomotives", Right),
        ]);
        let mut rows: Vec<_> = self.routes.iter().collect();
        rows.sort_by(|a, b| b.claims.total_cmp(&a.claims));
        for row in rows.iter().take(MOST) {
            table.row([
                row.route.clone(),
                format!("{:.3}", row.claims),
                format!("{:.1}", 100.0 * row.win_share),
                format!("{:.1}", 100.0 * row.in_winning),
                format!("{:.1}", row.turn),
                format!("{:.2}", row.locomotives),
            ]);
        }
        write!(f, "\n{table}")
    }
}
