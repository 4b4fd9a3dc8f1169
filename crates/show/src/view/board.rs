//! Board games as a seat sees them.

use ttr_engine::board::{BatchFacts, BoardGame, Facts, Observation, SeatFacts, UncertainFacts};
use ttr_engine::{CityId, RouteSet};

use super::{
    Batch, BoardOwn, BoardSeat, BoardTable, OwnMore, OwnView, Phase, PutBackBy, SeatMore, SeatState,
    SeatView, TableView, Uncertain, tickets,
};

// Facts are destructured without `..`, so that none can be forgotten.
impl SeatView {
    pub(crate) fn of_board(view: &Observation<'_>) -> Self {
        let game = view.game();
        let Facts {
            seat,
            first,
            to_move,
            phase,
            hand,
            tickets: held,
            offered,
            put_back,
            market,
            discard,
            laid,
            revealed,
            pending,
            deck_size,
            old_cards,
            ticket_deck_size,
            offered_count,
            bottom,
            uncertain,
            final_turns,
            turns,
            idle_turns,
            passes,
            flush_capped,
            closed_routes,
            seats,
        } = view.facts();
        let batch = |BatchFacts { size, by, own }: BatchFacts| Batch {
            size,
            by: PutBackBy::Counts(by),
            own: tickets(game, own),
        };
        let group = |group: UncertainFacts| {
            let UncertainFacts { tickets: unseen, seats, batches } = group;
            Uncertain { tickets: tickets(game, unseen), seats, batches }
        };
        Self {
            seat: Some(seat),
            first,
            to_move,
            phase: Phase::Board(phase),
            turns,
            idle_turns,
            market,
            discard,
            deck_size,
            old_cards,
            ticket_deck_size,
            offered: tickets(game, offered),
            offered_count,
            bottom: bottom.into_iter().map(batch).collect(),
            table: TableView::Board(BoardTable {
                pending: pending.map(|route| game.route_name(route)),
                laid,
                revealed,
                final_turns,
                passes,
                flush_capped,
                closed_routes: routes(game, closed_routes),
            }),
            own: Some(OwnView {
                hand,
                tickets: tickets(game, held),
                put_back: tickets(game, put_back),
                more: OwnMore::Board(BoardOwn {
                    connected: tickets(game, view.connected()),
                    uncertain: uncertain.into_iter().map(group).collect(),
                }),
            }),
            seats: seats.into_iter().map(|facts| seat_state(game, facts)).collect(),
        }
    }
}

fn seat_state(game: &BoardGame, facts: SeatFacts) -> SeatState {
    let SeatFacts {
        hand_size,
        shown,
        old_in_hand,
        old_in_warehouse,
        trains,
        points,
        routes: owned,
        stations,
        warehouse_size,
        depots,
        depot_reserve,
        ticket_count,
        put_back_count,
        opening_kept,
        completed,
        bonus_tickets,
    } = facts;
    let rules = &game.spec().rules;
    let score = match rules.journey {
        Some(_) => completed.len() as u16 + u16::from(bonus_tickets),
        None => points,
    };
    SeatState {
        points,
        score,
        hand_size,
        shown,
        old_in_hand,
        ticket_count,
        completed: tickets(game, completed),
        more: SeatMore::Board(BoardSeat {
            trains,
            routes: routes(game, owned),
            stations: cities(game, &stations),
            depots: cities(game, &depots),
            depot_reserve,
            warehouse_size,
            old_in_warehouse,
            put_back_count,
            opening_kept,
            bonus_tickets,
            has_depots: rules.depots.is_some(),
        }),
        own: None,
    }
}

fn routes(game: &BoardGame, routes: RouteSet) -> Vec<String> {
    routes.into_iter().map(|route| game.route_name(route)).collect()
}

fn cities(game: &BoardGame, cities: &[CityId]) -> Vec<String> {
    cities.iter().map(|&city| game.city_name(city).to_owned()).collect()
}
