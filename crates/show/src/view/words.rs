//! Positions in words.

use std::fmt::{self, Write};

use ttr_engine::board::Phase as BoardPhase;
use ttr_engine::card_game::Phase as CardPhase;
use ttr_engine::{Cards, Seat};

use super::{BoardSeat, CardSeat, OwnMore, OwnView, Phase, SeatMore, SeatState, SeatView, TableView, Ticket};
use crate::text::{count, wrap};

/// Maximum width of a line.
const WIDTH: usize = 100;
/// Column in which the text about a seat begins.
const INDENT: usize = 12;
/// A space at which lines are not broken.
const NO_BREAK: &str = "\u{a0}";

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Board(phase) => match phase {
                BoardPhase::Opening { .. } => f.write_str("opening tickets"),
                BoardPhase::Main => f.write_str("the action of the turn"),
                BoardPhase::FirstCard => f.write_str("first card"),
                BoardPhase::SecondCard => f.write_str("second card"),
                BoardPhase::Sets { kind, due } => {
                    write!(f, "substitute sets, {} due, {kind} now", count(due.into(), "card", "cards"))
                }
                BoardPhase::Tunnel { extra } => write!(f, "tunnel, extra cost {extra}"),
                BoardPhase::Tickets => f.write_str("drawn tickets"),
                BoardPhase::FirstDepot => f.write_str("first depot"),
                BoardPhase::Collect { .. } => f.write_str("collecting from warehouses"),
                BoardPhase::AfterAction => f.write_str("depots after the action"),
                BoardPhase::Window { turn_of } => write!(f, "depots before the turn of {turn_of}"),
                BoardPhase::Over(ending) => write!(f, "over, {}", ending.name()),
            },
            Self::CardGame(phase) => match phase {
                CardPhase::Opening => f.write_str("opening tickets"),
                CardPhase::Main => f.write_str("the action of the turn"),
                CardPhase::SecondCard => f.write_str("second card"),
                CardPhase::Tickets => f.write_str("drawn tickets"),
                CardPhase::Completing(ending) => write!(f, "tickets to complete, {}", ending.name()),
                CardPhase::Over(ending) => write!(f, "over, {}", ending.name()),
            },
        }
    }
}

impl fmt::Display for SeatView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let phase = self.phase;
        match self.to_move {
            Some(seat) => writeln!(f, "turn {}, {seat} to decide: {phase}", self.turns + 1)?,
            None => writeln!(f, "after {}: {phase}", count(self.turns.into(), "turn", "turns"))?,
        }
        writeln!(
            f,
            "face up {}; deck {}, discard {}, ticket deck {}",
            self.market,
            self.deck_size,
            self.discard.total(),
            self.ticket_deck_size
        )?;
        list(f, "offered", self.offered.iter().map(|ticket| ticket.name.as_str()))?;
        if let TableView::Board(table) = &self.table {
            cards(f, "laid down", table.laid)?;
            cards(f, "turned up", table.revealed)?;
        }
        for (index, state) in self.seats.iter().enumerate() {
            let seat = Seat::new(index);
            write!(f, "{seat}: {}", count(state.score.into(), "point", "points"))?;
            state.write(f, self.own_of(seat))?;
        }
        Ok(())
    }
}

impl SeatState {
    /// Writes everything after the points.
    fn write(&self, f: &mut fmt::Formatter<'_>, own: Option<&OwnView>) -> fmt::Result {
        if let SeatMore::Board(board) = &self.more {
            board.write_counts(f)?;
        }
        writeln!(f)?;
        let hand_size = count(self.hand_size.into(), "card", "cards");
        match own {
            Some(own) => line(f, "hand", &format!("{} ({hand_size})", own.hand))?,
            None if self.shown.is_empty() => line(f, "hand", &hand_size)?,
            None => line(f, "hand", &format!("{hand_size}, of which {} were seen", self.shown))?,
        }
        match (own, self.ticket_count) {
            (Some(own), _) => own.write_tickets(f)?,
            (None, Some(n)) => line(f, "tickets", &n.to_string())?,
            (None, None) => line(f, "tickets", "not known yet")?,
        }
        if let SeatMore::CardGame(cards) = &self.more {
            cards.write(f)?;
        }
        list(f, "completed", self.completed.iter().map(|ticket| ticket.name.as_str()))?;
        if let SeatMore::Board(board) = &self.more {
            for (label, names) in
                [("routes", &board.routes), ("stations", &board.stations), ("depots", &board.depots)]
            {
                list(f, label, names.iter().map(String::as_str))?;
            }
        }
        Ok(())
    }
}

impl BoardSeat {
    fn write_counts(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, ", {}", count(self.trains.into(), "train", "trains"))?;
        if self.has_depots {
            let stored = count(self.warehouse_size.into(), "card", "cards");
            let reserve = count(self.depot_reserve.into(), "depot", "depots");
            write!(f, ", {stored} in the warehouse, {reserve} in reserve")?;
        }
        if self.bonus_tickets > 0 {
            write!(f, ", {}", count(self.bonus_tickets.into(), "bonus ticket", "bonus tickets"))?;
        }
        Ok(())
    }
}

impl CardSeat {
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rows = self.row_cards.to_string();
        if !self.row_locomotives.is_empty() {
            let _ = write!(rows, ", with locomotives on {}", self.row_locomotives);
        }
        line(f, "rows", &rows)?;
        line(f, "track", &self.track.to_string())
    }
}

impl OwnView {
    /// Writes the tickets with their values; completed ones are marked as done.
    fn write_tickets(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (done, chosen) = match &self.more {
            OwnMore::Board(own) => (&own.connected[..], &[][..]),
            OwnMore::CardGame(own) => (&own.chosen[..], &own.chosen[..]),
        };
        let ticket = |ticket: &Ticket| {
            let done = if done.contains(ticket) { ", done" } else { "" };
            format!("{} ({}{done})", ticket.name, ticket.points)
        };
        let tickets: Vec<String> = self.tickets.iter().chain(chosen).map(ticket).collect();
        list(f, "tickets", tickets.iter().map(String::as_str))
    }
}

/// Writes names without breaks inside them; nothing if there are none.
fn list<'n>(f: &mut fmt::Formatter<'_>, label: &str, names: impl Iterator<Item = &'n str>) -> fmt::Result {
    let names: Vec<String> = names.map(|name| name.replace(' ', NO_BREAK)).collect();
    if names.is_empty() { Ok(()) } else { line(f, label, &names.join(", ")) }
}

/// Writes cards; nothing if there are none.
fn cards(f: &mut fmt::Formatter<'_>, label: &str, cards: Cards) -> fmt::Result {
    if cards.is_empty() { Ok(()) } else { line(f, label, &cards.to_string()) }
}

fn line(f: &mut fmt::Formatter<'_>, label: &str, text: &str) -> fmt::Result {
    let gap = " ".repeat(INDENT.saturating_sub(2 + label.len()));
    let wrapped = wrap(text, WIDTH - INDENT, 0).replace('\n', &format!("\n{}", " ".repeat(INDENT)));
    writeln!(f, "  {label}{gap}{}", wrapped.replace(NO_BREAK, " "))
}
