//! The tables of an arena, row by row. docs/FORMATS.md defines the columns.

use ttr_agents::AgentSpec;
use ttr_engine::plain_text;

use super::record::{DecisionRow, GameRecord, SHARE};
use super::{Arena, ArenaPart, RouteRecord, SeatRecord, TicketRecord};
use crate::game::{Playable, Source};
use crate::run::dir::RunDir;
use crate::run::error::FileError;
use crate::run::rows::{Cell, Column, ColumnType, RowWriter};
use crate::table::entrant::Entrant;
use crate::table::one_game::deal_seed;

/// The tables of a run with one row per game, seat, ticket, route or decision.
pub(super) struct Tables<'a, G> {
    arena: &'a Arena<G>,
    routes: Vec<String>,
    tickets: Vec<String>,
    games: RowWriter,
    seats: RowWriter,
    seat_tickets: Option<RowWriter>,
    seat_routes: Option<RowWriter>,
    decisions: Option<RowWriter>,
    decision_times: Option<RowWriter>,
}

impl<'a, G: Playable> Tables<'a, G> {
    /// Creates the tables, and writes that of the agents.
    pub(super) fn create(dir: &RunDir, arena: &'a Arena<G>) -> Result<Self, FileError> {
        write_agents(dir, &arena.entrants)?;
        let table = |name: &str, columns: Vec<Column>, wanted: bool| {
            wanted.then(|| dir.table(name, &columns)).transpose()
        };
        let has_routes = arena.game.board().is_some();
        Ok(Self {
            arena,
            routes: arena.game.route_names(),
            tickets: arena.game.ticket_names(),
            games: dir.table("games", &game_columns(arena.game.seats()))?,
            seats: dir.table("seats", &seat_columns())?,
            seat_tickets: table("seat_tickets", ticket_columns(), arena.options.seat_tables)?,
            seat_routes: table("seat_routes", route_columns(), arena.options.seat_tables && has_routes)?,
            decisions: table("decisions", decision_columns(), arena.options.decisions)?,
            decision_times: table("decision_times", time_columns(), arena.options.decisions)?,
        })
    }

    /// Adds the rows of a part of the run.
    pub(super) fn add(&mut self, part: &ArenaPart) -> Result<(), FileError> {
        for game in &part.games {
            let game_index = self.game_index(game);
            self.games.row(self.game_row(game))?;
            for (index, seat) in game.seats.iter().enumerate() {
                self.seats.row(self.seat_row(game, index))?;
                let key = || [game_index.into(), number(index)];
                if let Some(rows) = &mut self.seat_tickets {
                    for record in &seat.log.tickets {
                        rows.row(key().into_iter().chain(ticket_row(record, &self.tickets)))?;
                    }
                }
                if let (Some(rows), Some(board)) = (&mut self.seat_routes, self.arena.game.board()) {
                    for record in &seat.log.routes {
                        let route = &board.routes()[record.route.index()];
                        let name = self.routes[record.route.index()].as_str();
                        rows.row(key().into_iter().chain(route_row(record, name, route)))?;
                    }
                }
            }
        }
        self.add_decisions(part)
    }

    fn add_decisions(&mut self, part: &ArenaPart) -> Result<(), FileError> {
        let (Some(rows), Some(times)) = (&mut self.decisions, &mut self.decision_times) else {
            return Ok(());
        };
        let first = part.games.first().map_or(0, |game| game.index(self.arena.schedule.games_per_deal()));
        for row in &part.decisions {
            let game = &part.games[(row.game - first) as usize];
            let agent = self.arena.entrants[game.seats[usize::from(row.seat)].agent].label();
            rows.row(decision_row(row, agent, &self.routes))?;
            times.row([row.game.into(), row.ply.into(), row.nanoseconds.into()])?;
        }
        Ok(())
    }

    /// Renames all files to their final names.
    pub(super) fn finish(self) -> Result<(), FileError> {
        let Self { games, seats, seat_tickets, seat_routes, decisions, decision_times, .. } = self;
        let optional = [seat_tickets, seat_routes, decisions, decision_times].into_iter().flatten();
        [games, seats].into_iter().chain(optional).try_for_each(RowWriter::finish)
    }

    fn game_index(&self, game: &GameRecord) -> u64 {
        game.index(self.arena.schedule.games_per_deal())
    }

    fn label(&self, seat: &SeatRecord) -> Cell {
        self.arena.entrants[seat.agent].label().into()
    }

    fn game_row(&self, game: &GameRecord) -> Vec<Cell> {
        let forfeit = game.forfeit.as_ref();
        let mut row: Vec<Cell> = vec![
            self.game_index(game).into(),
            game.deal.into(),
            deal_seed(self.arena.seed, game.deal).into(),
            game.line_up.into(),
            game.rotation.into(),
            number(game.first.into()),
        ];
        row.extend(game.seats.iter().map(|seat| self.label(seat)));
        row.extend([
            game.plies.into(),
            game.turns.into(),
            game.ending.name().into(),
            forfeit.map(|&(seat, _)| seat + 1).into(),
            forfeit.map(|(_, why)| why.as_str()).into(),
        ]);
        row
    }

    fn seat_row(&self, game: &GameRecord, index: usize) -> Vec<Cell> {
        let seat = &game.seats[index];
        let result = &seat.result;
        let mut row: Vec<Cell> = vec![
            self.game_index(game).into(),
            number(index),
            game.deal.into(),
            game.line_up.into(),
            number(game.first.into()),
            number(game.place(index)),
            (seat.agent as u64).into(),
            self.label(seat),
            number(result.rank.into()),
            (f64::from(seat.share) / SHARE as f64).into(),
            result.points.into(),
        ];
        row.extend(result.sources.iter().map(|(_, &points)| points.into()));
        row.extend([result.completed, result.failed, result.left].map(Cell::from));
        row.push(seat.decisions.into());
        row
    }
}

/// Converts an index from 0 into a number from 1.
fn number(index: usize) -> Cell {
    (index as u64 + 1).into()
}

fn ticket_row(record: &TicketRecord, tickets: &[String]) -> [Cell; 7] {
    [
        record.offer.into(),
        tickets[record.ticket.index()].as_str().into(),
        record.offered_turn.into(),
        record.kept.into(),
        record.discarded_turn.into(),
        record.kept.then_some(record.completed).into(),
        record.completed_turn.into(),
    ]
}

fn route_row(record: &RouteRecord, name: &str, route: &ttr_engine::board::Route) -> [Cell; 9] {
    let cards = route.length.saturating_add(record.surcharge).saturating_sub(record.locomotives);
    [
        name.into(),
        record.turn.into(),
        route.length.into(),
        route.points.into(),
        record.colour.map(|colour| colour.name()).into(),
        cards.saturating_sub(record.sets).into(),
        record.locomotives.into(),
        record.sets.into(),
        route.tunnel.then_some(record.surcharge).into(),
    ]
}

fn decision_row(row: &DecisionRow, agent: &str, routes: &[String]) -> [Cell; 11] {
    let kind = row.action.split(' ').next().unwrap_or_default();
    [
        row.game.into(),
        row.ply.into(),
        row.turn.into(),
        number(row.seat.into()),
        agent.into(),
        kind.into(),
        row.route.map(|route| routes[route.index()].as_str()).into(),
        row.action.as_str().into(),
        row.choices.into(),
        row.visits.into(),
        row.value.into(),
    ]
}

/// Writes the table of the agents.
fn write_agents<G: Playable>(dir: &RunDir, entrants: &[Entrant<G>]) -> Result<(), FileError> {
    use ColumnType::{Text, U32};
    let columns = [
        Column::new("agent_index", U32),
        Column::new("agent", Text),
        Column::new("given", Text),
        Column::new("specification", Text),
        Column::new("heuristic", Text).or_null(),
    ];
    let mut rows = dir.table("agents", &columns)?;
    for (index, (agent, entrant)) in dir.plan().agents.iter().zip(entrants).enumerate() {
        rows.row([
            (index as u64).into(),
            agent.label().into(),
            specification(agent).into(),
            specification(entrant.resolved().unwrap_or(agent)).into(),
            entrant.heuristic().map(specification).into(),
        ])?;
    }
    rows.finish()
}

/// The text form of an agent, in one printable line.
fn specification(agent: &AgentSpec) -> String {
    let text = agent.to_string();
    // Only a command line can contain arbitrary characters.
    if agent.command().is_some() { plain_text::printable(&text, usize::MAX) } else { text }
}

fn game_columns(seats: usize) -> Vec<Column> {
    use ColumnType::{Text, U8, U16, U32, U64, Whole};
    let mut columns = vec![
        Column::new("game", Whole),
        Column::new("deal", Whole),
        Column::new("deal_seed", U64),
        Column::new("line_up", U32),
        Column::new("rotation", U8),
        Column::new("first_seat", U8),
    ];
    columns.extend((1..=seats).map(|seat| Column::new(format!("agent_{seat}"), Text)));
    columns.extend([
        Column::new("plies", U32),
        Column::new("turns", U16),
        Column::new("ending", Text),
        Column::new("forfeited_seat", U8).or_null(),
        Column::new("forfeit_reason", Text).or_null(),
    ]);
    columns
}

fn seat_columns() -> Vec<Column> {
    use ColumnType::{I16, Real, Text, U8, U32, Whole};
    let mut columns = vec![
        Column::new("game", Whole),
        Column::new("seat", U8),
        Column::new("deal", Whole),
        Column::new("line_up", U32),
        Column::new("first_seat", U8),
        Column::new("turn_order", U8),
        Column::new("agent_index", U32),
        Column::new("agent", Text),
        Column::new("rank", U8),
        Column::new("win_share", Real),
        Column::new("points", I16),
    ];
    columns.extend(Source::ALL.map(|source| Column::new(format!("points_{}", source.name()), I16)));
    columns.extend(["tickets_completed", "tickets_failed", "left"].map(|name| Column::new(name, U8)));
    columns.push(Column::new("decisions", U32));
    columns
}

fn ticket_columns() -> Vec<Column> {
    use ColumnType::{Bool, Text, U8, U16, Whole};
    vec![
        Column::new("game", Whole),
        Column::new("seat", U8),
        Column::new("offer", U16),
        Column::new("ticket", Text),
        Column::new("offered_turn", U16),
        Column::new("kept", Bool),
        Column::new("discarded_turn", U16).or_null(),
        Column::new("completed", Bool).or_null(),
        Column::new("completed_turn", U16).or_null(),
    ]
}

fn route_columns() -> Vec<Column> {
    use ColumnType::{Text, U8, U16, Whole};
    vec![
        Column::new("game", Whole),
        Column::new("seat", U8),
        Column::new("route", Text),
        Column::new("turn", U16),
        Column::new("trains", U8),
        Column::new("points", U8),
        Column::new("colour", Text).or_null(),
        Column::new("colour_cards", U8),
        Column::new("locomotives", U8),
        Column::new("sets", U8),
        Column::new("surcharge", U8).or_null(),
    ]
}

fn decision_columns() -> Vec<Column> {
    use ColumnType::{Real, Text, U8, U16, U32, Whole};
    vec![
        Column::new("game", Whole),
        Column::new("ply", U32),
        Column::new("turn", U16),
        Column::new("seat", U8),
        Column::new("agent", Text),
        Column::new("kind", Text),
        Column::new("route", Text).or_null(),
        Column::new("action", Text),
        Column::new("choices", U32),
        Column::new("visits", U32).or_null(),
        Column::new("value", Real).or_null(),
    ]
}

fn time_columns() -> Vec<Column> {
    vec![
        Column::new("game", ColumnType::Whole),
        Column::new("ply", ColumnType::U32),
        Column::new("nanoseconds", ColumnType::U64),
    ]
}
