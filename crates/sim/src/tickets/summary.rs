//! Results about tickets, routes and cities.

use std::fmt;

use serde::{Deserialize, Serialize};
use ttr_engine::CardKind;

use super::effect::Effect;
use super::tally::{self, KINDS, TicketTally, wins};
use super::{ForcedSummary, Tickets};
use crate::arena::SHARE;
use crate::game::{Ending, Playable, same_tracks};
use crate::stats::{Blocks, Figure};
use ttr_show::text::{Align, Table, small_percent, thousands};

/// All figures. Intervals are 95 %, from the spread among deals: see docs/STATISTICS.md.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TicketSummary {
    /// Version of this program.
    pub version: String,
    /// The map's id.
    pub map: String,
    /// Hash of the map and its rules.
    pub map_hash: String,
    /// Number of seats.
    pub seats: usize,
    /// The master seed.
    pub seed: u64,
    /// The agents.
    pub agents: Vec<String>,
    /// Number of games without a forced choice: the basis of all figures but those of `forced`.
    pub games: u64,
    /// Mean number of turns per game, over all seats.
    pub turns: f64,
    /// Share of wins of all seats.
    pub win_share: f64,
    /// Mean points of all seats.
    pub points: f64,
    /// By ticket, in the order of the map.
    pub tickets: Vec<TicketRow>,
    /// Pairs of tickets that were held together, most often first.
    pub pairs: Vec<PairRow>,
    /// By route, in the order of the map; tracks that do not differ are one.
    pub routes: Vec<RouteRow>,
    /// By city, in the order of the map.
    pub cities: Vec<CityRow>,
    /// States that are rare on most maps.
    pub rare: Rare,
    /// The results of all legal opening choices, if they were played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forced: Option<ForcedSummary>,
}

/// The figures of a ticket.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TicketRow {
    /// Its name.
    pub ticket: String,
    /// Its value.
    pub value: u8,
    /// Number of offers per thousand games.
    pub dealt: f64,
    /// Share of offers before the first turn that were kept.
    pub kept_opening: Figure,
    /// Share of later offers that were kept.
    pub kept_later: f64,
    /// Number of seats that held it at the end.
    pub held: u64,
    /// Share of holders that completed it.
    pub completed: Figure,
    /// Share of wins of its holders.
    pub win_share: Figure,
    /// Mean points of its holders.
    pub points: Figure,
    /// Share of wins of its holders, minus that of seats without it: an association, not an effect of the
    /// ticket.
    pub worth_wins: Figure,
    /// Mean points of its holders, minus those of seats without it.
    pub worth_points: Figure,
    /// `worth_wins` with an interval that holds for all tickets at once.
    pub worth_wins_of_all: Figure,
    /// `worth_points` with an interval that holds for all tickets at once.
    pub worth_points_of_all: Figure,
    /// Seats to which it was offered before the first turn, minus all others. The deal decides that, so
    /// this is an effect: that of the offer, whether accepted or not.
    pub offer: Effect,
    /// Mean number of trains of the shortest path between its cities over the seat's own routes, where
    /// there was one.
    pub trains: f64,
    /// Mean turn in which its cities were joined.
    pub turn: f64,
}

/// The figures of two tickets held together.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PairRow {
    /// One of them.
    pub one: String,
    /// The other.
    pub other: String,
    /// Number of seats that held both at the end.
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
    /// Number of tracks: two if both tracks of a double route ask for the same cards, so that the choice of
    /// track carries no information.
    pub tracks: usize,
    /// Claims per game.
    pub claims: Figure,
    /// Share of wins of claimants.
    pub win_share: Figure,
    /// Share of winning seats that have it.
    pub in_winning: Figure,
    /// Mean turn of the claim.
    pub turn: Figure,
    /// Mean number of locomotives laid down.
    pub locomotives: Figure,
    /// Share of claims by colour laid down; `none` stands for no colour.
    pub colours: Vec<(String, f64)>,
}

/// The figures of a city.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CityRow {
    /// Its name.
    pub city: String,
    /// Share of seats with a route there.
    pub reached: Figure,
    /// Share of winning seats with a route there.
    pub in_winning: Figure,
}

/// Frequency per million games of states that are rare on most maps.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Rare {
    /// Games that ended because no seat could act.
    pub stalemate: f64,
    /// Games that ended because no seat made progress.
    pub no_progress: f64,
    /// Games in which deck and discard were empty.
    pub deck_empty: f64,
    /// Games in which the market was flushed as often as allowed.
    pub flush_guard: f64,
}

impl TicketRow {
    /// The association: its holders, minus seats without it.
    pub fn worth(&self) -> Effect {
        Effect {
            wins: self.worth_wins,
            points: self.worth_points,
            wins_of_all: self.worth_wins_of_all,
            points_of_all: self.worth_points_of_all,
        }
    }
}

/// A ratio, or 0 if the denominator is 0.
pub(super) fn ratio(part: f64, whole: f64) -> f64 {
    if whole == 0.0 { 0.0 } else { part / whole }
}

impl TicketSummary {
    pub(super) fn new<G: Playable>(
        study: &Tickets<G>,
        tally: &TicketTally,
        forced: Option<ForcedSummary>,
    ) -> Self {
        let game = &study.game;
        let games = tally.games as f64;
        let seats = games * game.seats() as f64;
        let totals = tally.blocks.totals();
        let sums = Sums { tally, deals: tally.games / study.schedule.games_per_deal(), seats: game.seats() };
        let per_million = |count: u64| 1e6 * ratio(count as f64, games);
        let ending = |ending: Ending| per_million(tally.endings[ending.index()]);
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
            tickets: ticket_rows(game, &sums, study.seed),
            pairs: pair_rows(game, tally),
            routes: route_rows(game, &sums),
            cities: city_rows(game, &sums),
            rare: Rare {
                stalemate: ending(Ending::Stalemate),
                no_progress: ending(Ending::NoProgress),
                deck_empty: per_million(tally.deck_empty),
                flush_guard: per_million(tally.flush_guard),
            },
            forced,
        }
    }
}

/// Figures of sums.
struct Sums<'a> {
    tally: &'a TicketTally,
    deals: u64,
    seats: usize,
}

impl Sums<'_> {
    fn blocks(&self) -> &Blocks {
        &self.tally.blocks
    }

    /// The mean of a sum per unit of another.
    fn mean(&self, sum: usize, of: usize) -> Figure {
        self.blocks().ratio(|sums| (sums[sum] as f64, sums[of] as f64))
    }

    /// A sum as a share of another.
    fn share(&self, sum: usize, of: usize) -> Figure {
        self.blocks().share(self.deals, |sums| (sums[sum] as f64, sums[of] as f64))
    }

    /// Wins as a share of another sum.
    fn wins(&self, sum: usize, of: usize) -> Figure {
        self.blocks().share(self.deals, |sums| (sums[sum] as f64 / SHARE as f64, sums[of] as f64))
    }

    /// The number of games among the sums of a block.
    fn games(&self, sums: &[i64]) -> f64 {
        sums[TicketTally::holders(None)] as f64 / self.seats as f64
    }
}

fn ticket_rows<G: Playable>(game: &G, sums: &Sums<'_>, seed: u64) -> Vec<TicketRow> {
    let all = TicketTally::holders(None);
    let tickets = game.ticket_names().len();
    // The mean over the seats whose sums begin at an index among those of a ticket, minus that over all
    // other seats.
    let compared = |first: usize| {
        Effect::of_tickets(tickets, seed, |ticket, outcome| {
            let (at, sum, unit) =
                (TicketTally::holders(Some(ticket)) + first, outcome.place(), outcome.unit());
            sums.blocks().difference(
                move |sums| (sums[at + sum] as f64 / unit, sums[at] as f64),
                move |sums| ((sums[all + sum] - sums[at + sum]) as f64 / unit, (sums[all] - sums[at]) as f64),
            )
        })
    };
    let (worth, offer) = (compared(0), compared(tally::OFFERED));
    let totals = sums.blocks().totals();
    let row = |(ticket, (name, value)): (usize, (String, u8))| {
        let later = &sums.tally.tickets[ticket];
        let at = TicketTally::holders(Some(ticket));
        let offered = totals[at + tally::OFFERED] as u64 + later.offered_later;
        TicketRow {
            ticket: name,
            value,
            dealt: 1000.0 * ratio(offered as f64, sums.tally.games as f64),
            kept_opening: sums.share(at + tally::KEPT, at + tally::OFFERED),
            kept_later: ratio(later.kept_later as f64, later.offered_later as f64),
            held: totals[at] as u64,
            completed: sums.share(at + tally::COMPLETED, at),
            win_share: sums.wins(at + 1, at),
            points: sums.mean(at + 2, at),
            worth_wins: worth[ticket].wins,
            worth_points: worth[ticket].points,
            worth_wins_of_all: worth[ticket].wins_of_all,
            worth_points_of_all: worth[ticket].points_of_all,
            offer: offer[ticket],
            trains: ratio(later.trains as f64, later.joined as f64),
            turn: ratio(later.turns as f64, later.joined as f64),
        }
    };
    game.ticket_names().into_iter().zip(game.ticket_points()).enumerate().map(row).collect()
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

fn route_rows<G: Playable>(game: &G, sums: &Sums<'_>) -> Vec<RouteRow> {
    let Some(board) = game.board() else { return Vec::new() };
    let names = game.route_names();
    let row = |tracks: Vec<usize>| {
        // No seat has both tracks of a double route: sums over tracks are sums over seats.
        let of = |row: &[i64], sum: usize| {
            tracks.iter().map(|&track| row[sums.tally.route(track) + sum]).sum::<i64>() as f64
        };
        let mean = |sum: usize| sums.blocks().ratio(|row| (of(row, sum), of(row, 0)));
        let wins = |row: &[i64]| of(row, 1) / SHARE as f64;
        let mut colours = [0; KINDS];
        for track in &tracks {
            colours.iter_mut().zip(&sums.tally.colours[*track]).for_each(|(sum, more)| *sum += more);
        }
        let claims: u64 = colours.iter().sum();
        let colour = |index: usize| match CardKind::ALL.get(index) {
            Some(kind) if index < KINDS - 1 => kind.to_string(),
            _ => "none".to_owned(),
        };
        let name = &names[tracks[0]];
        RouteRow {
            route: match tracks.len() {
                1 => name.clone(),
                _ => name.split('/').next().unwrap_or(name).to_owned(),
            },
            tracks: tracks.len(),
            claims: sums.blocks().ratio(|row| (of(row, 0), sums.games(row))),
            win_share: sums.blocks().share(sums.deals, |row| (wins(row), of(row, 0))),
            in_winning: sums.blocks().share(sums.deals, |row| (wins(row), sums.games(row))),
            turn: mean(2),
            locomotives: mean(3),
            colours: colours
                .iter()
                .enumerate()
                .filter(|&(_, &count)| count > 0)
                .map(|(index, &count)| (colour(index), count as f64 / claims as f64))
                .collect(),
        }
    };
    same_tracks(board).into_iter().map(row).collect()
}

fn city_rows<G: Playable>(game: &G, sums: &Sums<'_>) -> Vec<CityRow> {
    let Some(board) = game.board() else { return Vec::new() };
    let row = |(index, city): (usize, &ttr_engine::spec::CitySpec)| {
        let at = sums.tally.city(index);
        CityRow {
            city: city.name.clone(),
            reached: sums.share(at, TicketTally::holders(None)),
            in_winning: sums
                .blocks()
                .share(sums.deals, |row| (row[at + 1] as f64 / SHARE as f64, sums.games(row))),
        }
    };
    board.spec().cities.iter().enumerate().map(row).collect()
}

/// Sorts figures from the largest down, with unmeasured ones last.
pub fn descending(a: &Figure, b: &Figure) -> std::cmp::Ordering {
    let key = |figure: &Figure| if figure.value.is_nan() { f64::NEG_INFINITY } else { figure.value };
    key(b).total_cmp(&key(a))
}

/// The tables for the terminal.
impl fmt::Display for TicketSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let games = match &self.forced {
            Some(forced) => format!(
                "{} games, {} of them without a forced choice",
                thousands(forced.games),
                thousands(self.games)
            ),
            None => format!("{} games", thousands(self.games)),
        };
        writeln!(
            f,
            "{}, {} seats, {}: {games}, seed {}; mean {:.1} points, {:.1} turns; ± is half of a 95 % interval, \
             for differences between tickets of one that holds for all tickets at once\n",
            self.map,
            self.seats,
            self.agents.join(" / "),
            self.seed,
            self.points,
            self.turns
        )?;
        if let Some(forced) = &self.forced {
            return forced.write(self, f);
        }
        self.ticket_table(f)?;
        if !self.routes.is_empty() {
            self.route_table(f)?;
        }
        let Rare { stalemate, no_progress, deck_empty, flush_guard } = self.rare;
        let [stalemate, no_progress, deck_empty, flush_guard] =
            [stalemate, no_progress, deck_empty, flush_guard]
                .map(|per_million| small_percent(per_million / 1e6));
        writeln!(
            f,
            "\nshare of games with: stalemate {stalemate}, no progress {no_progress}, empty deck and discard {deck_empty}, \
             market flushed as often as allowed {flush_guard}"
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
            ("offer: wins", Right),
            ("points", Right),
            ("trains", Right),
            ("turn", Right),
        ]);
        let mut rows: Vec<_> = self.tickets.iter().collect();
        rows.sort_by(|a, b| descending(&a.worth_wins, &b.worth_wins));
        for row in rows {
            table.row([
                row.ticket.clone(),
                row.value.to_string(),
                format!("{:.0}", row.dealt),
                row.kept_opening.times(100.0).value_text(1),
                format!("{:.1}", 100.0 * row.kept_later),
                thousands(row.held),
                row.completed.times(100.0).value_text(1),
                row.win_share.times(100.0).plus_minus(1),
                row.points.plus_minus(1),
                row.worth_wins_of_all.times(100.0).signed_plus_minus(1),
                row.worth_points_of_all.signed_plus_minus(1),
                row.offer.wins_of_all.times(100.0).signed_plus_minus(1),
                row.offer.points_of_all.signed_plus_minus(1),
                format!("{:.1}", row.trains),
                format!("{:.1}", row.turn),
            ]);
        }
        write!(f, "{table}")?;
        writeln!(
            f,
            "\ndealt/1000: offers in 1,000 games. kept, later: share of offers kept, at the opening and later. held: players who ended\n\
             a game with it; done, wins, points: of these players. worth: these players minus all others, an association. offer:\n\
             offered at the opening, minus not offered: an effect, as the deal decides it. trains: shortest path over the player's\n\
             own routes. turn: when it was connected, counting the turns of all players."
        )
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
        rows.sort_by(|a, b| descending(&a.claims, &b.claims));
        for row in rows.iter().take(MOST) {
            table.row([
                row.route.clone(),
                row.claims.plus_minus(3),
                row.win_share.times(100.0).plus_minus(1),
                row.in_winning.times(100.0).plus_minus(1),
                row.turn.plus_minus(1),
                row.locomotives.plus_minus(2),
            ]);
        }
        write!(f, "\n{table}")?;
        writeln!(
            f,
            "\nwins: of players who have the route. in winning: share of winners who have it. turn: mean turn of the claim, counting\n\
             those of all players. locomotives: mean number paid."
        )
    }
}
