//! The Card Game as a seat sees it.

use ttr_engine::card_game::{BatchFacts, CardGame, Facts, Observation, SeatFacts};

use super::{
    Batch, CardOwn, CardSeat, CardTable, OwnMore, OwnView, Phase, PutBackBy, SeatMore, SeatState, SeatView,
    TableView, tickets,
};

// Facts are destructured without `..`, so that none can be forgotten.
impl SeatView {
    pub(crate) fn of_card_game(view: &Observation<'_>) -> Self {
        let game = view.game();
        let Facts {
            seat,
            first,
            to_move,
            phase,
            round,
            hand,
            tickets: held,
            old_tickets,
            chosen,
            offered,
            put_back,
            returned,
            kept_first,
            market,
            discard,
            deck_size,
            old_cards,
            own_old_cards,
            ticket_deck_size,
            offered_count,
            bottom,
            final_turns,
            turns,
            idle_turns,
            seats,
        } = view.facts();
        let batch = |BatchFacts { size, by, own }: BatchFacts| Batch {
            size,
            by: PutBackBy::Seat(by),
            own: tickets(game, own),
        };
        Self {
            seat: Some(seat),
            first,
            to_move,
            phase: Phase::CardGame(phase),
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
            table: TableView::CardGame(CardTable { round, last_turns: final_turns }),
            own: Some(OwnView {
                hand,
                tickets: tickets(game, held),
                put_back: tickets(game, put_back),
                more: OwnMore::CardGame(CardOwn {
                    chosen: tickets(game, chosen),
                    returned: tickets(game, returned),
                    kept_first: tickets(game, kept_first),
                    own_old_cards,
                    old_tickets: tickets(game, old_tickets),
                }),
            }),
            seats: seats.into_iter().map(|facts| seat_state(game, facts)).collect(),
        }
    }
}

fn seat_state(game: &CardGame, facts: SeatFacts) -> SeatState {
    let SeatFacts {
        hand_size,
        shown,
        old_in_hand,
        row_cards,
        row_locomotives,
        track,
        old_track,
        open_track,
        ticket_count,
        old_ticket_count,
        opening_kept,
        completed,
        points,
    } = facts;
    SeatState {
        points,
        score: points,
        hand_size,
        shown,
        old_in_hand,
        ticket_count,
        completed: tickets(game, completed),
        more: SeatMore::CardGame(CardSeat {
            row_cards,
            row_locomotives,
            track,
            old_track,
            open_track,
            old_ticket_count,
            opening_kept,
        }),
        own: None,
    }
}
