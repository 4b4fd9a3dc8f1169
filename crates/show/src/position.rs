//! A position as people look at it: everything, or what one seat may know.

use std::fmt::{self, Write};

use serde::Serialize;
use serde_json::Value as Json;
use ttr_engine::board::{self, BoardGame};
use ttr_engine::card_game::{self, CardGame};
use ttr_engine::{Cards, CityId, Game, Seat, TicketId, TicketSet, Turn};

use crate::text::{count, wrap};

/// Longest line.
const WIDTH: usize = 100;
/// Where what is said about a seat begins.
const INDENT: usize = 12;
/// A space at which no line ends.
const NO_BREAK: &str = "\u{a0}";

/// A position. Seats are counted from 0 here, and from 1 in its text form.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Position {
    /// Turns played.
    pub turns: u16,
    /// Who decides; nobody when the game is over.
    pub to_move: Option<u8>,
    /// What is being decided.
    pub phase: Json,
    /// The face-up cards.
    pub market: Cards,
    /// The discard.
    pub discard: Cards,
    /// Cards in the deck.
    pub deck_size: u8,
    /// Tickets that can be drawn.
    pub ticket_deck_size: usize,
    /// The tickets to choose from, if they may be seen.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub offered: Vec<String>,
    /// Cards laid down for a route that is being paid for.
    #[serde(skip_serializing_if = "no_cards")]
    pub laid: Cards,
    /// Cards turned up for a tunnel that is not settled yet.
    #[serde(skip_serializing_if = "no_cards")]
    pub revealed: Cards,
    /// By seat.
    pub seats: Vec<SeatPosition>,
}

/// A seat in a position. What a game does not have is left out.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct SeatPosition {
    /// Points that lie open: for routes, or for completed tickets.
    pub points: i32,
    /// Its cards, if they may be seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hand: Option<Cards>,
    /// How many cards it has.
    pub hand_size: u8,
    /// Those of them that everybody has seen.
    pub shown: Cards,
    /// Its tickets, if they may be seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tickets: Option<Vec<TicketPosition>>,
    /// How many tickets it holds, if that may be known.
    pub ticket_count: Option<u8>,
    /// Tickets that it has completed and shown.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub completed: Vec<String>,
    /// Bonus tickets that it has taken.
    #[serde(skip_serializing_if = "is_zero")]
    pub bonus_tickets: u8,
    /// Trains left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trains: Option<u8>,
    /// Routes that it owns.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub routes: Vec<String>,
    /// Cities of its stations.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stations: Vec<String>,
    /// Cities of its depots.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub depots: Vec<String>,
    /// Depots in reserve, if the game has depots.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depot_reserve: Option<u8>,
    /// Cards in its warehouse, if the game has warehouses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warehouse_size: Option<u8>,
    /// Its rows by colour, in the Card Game: colour cards, and locomotives on top of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows: Option<(Cards, Cards)>,
    /// Its track stack, in the Card Game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub track: Option<Cards>,
}

/// A ticket in a hand.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TicketPosition {
    /// Its name.
    pub name: String,
    /// Its value.
    pub points: u8,
    /// Whether it would count as completed if the game ended now.
    pub completed: bool,
}

fn is_zero(n: &u8) -> bool {
    *n == 0
}

fn no_cards(cards: &Cards) -> bool {
    cards.is_empty()
}

/// A position of a board game; of one seat's view, or of everything.
pub(crate) fn of_board(game: &BoardGame, state: &board::State, eyes: Option<Seat>) -> Position {
    let rules = &game.map().rules;
    let view = game.observe(state, eyes.unwrap_or(Seat(0)));
    let tickets = |tickets: TicketSet| names(tickets, |ticket| game.ticket_name(ticket));
    let cities = |cities: &mut dyn Iterator<Item = CityId>| -> Vec<String> {
        cities.map(|city| game.city_name(city).to_owned()).collect()
    };
    let pending = view.pending();
    let seat_position = |seat: Seat| {
        let own = sees(eyes, seat).then(|| game.observe(state, seat));
        let done = game.completed_tickets(state, seat);
        let held = |ticket: TicketId| TicketPosition {
            name: game.ticket_name(ticket),
            points: game.tickets()[ticket.index()].points,
            completed: done.contains(ticket),
        };
        let completed = tickets(view.completed(seat));
        let bonus_tickets = view.bonus_tickets(seat);
        let points = match rules.journey {
            Some(_) => completed.len() as i32 + i32::from(bonus_tickets),
            None => view.points(seat).into(),
        };
        SeatPosition {
            points,
            hand: own.map(|own| own.hand()),
            hand_size: view.hand_size(seat),
            shown: view.shown(seat),
            tickets: own.map(|own| own.tickets().into_iter().map(held).collect()),
            ticket_count: own.unwrap_or(view).ticket_count(seat),
            completed,
            bonus_tickets,
            trains: Some(view.trains(seat)),
            routes: view.routes(seat).into_iter().map(|route| game.route_name(route)).collect(),
            stations: cities(&mut view.stations(seat)),
            depots: cities(&mut view.depots(seat)),
            depot_reserve: rules.depots.is_some().then(|| view.depot_reserve(seat)),
            warehouse_size: rules.depots.is_some().then(|| view.warehouse_size(seat)),
            ..SeatPosition::default()
        }
    };
    let to_move = seat_to_move(view.turn());
    let offered = to_move.filter(|&seat| sees(eyes, seat)).map(|seat| game.observe(state, seat).offered());
    Position {
        turns: view.turns(),
        to_move: to_move.map(|seat| seat.0),
        phase: phase_json(&view.phase()),
        market: view.market(),
        discard: view.discard(),
        deck_size: view.deck_size(),
        ticket_deck_size: view.ticket_deck_size(),
        offered: tickets(offered.unwrap_or(TicketSet::EMPTY)),
        laid: pending.map_or(Cards::EMPTY, |(_, laid, _)| laid),
        revealed: pending.map_or(Cards::EMPTY, |(_, _, revealed)| revealed),
        seats: Seat::all(game.seats()).map(seat_position).collect(),
    }
}

/// A position of the Card Game.
pub(crate) fn of_card_game(game: &CardGame, state: &card_game::State, eyes: Option<Seat>) -> Position {
    let view = game.observe(state, eyes.unwrap_or(Seat(0)));
    let facts = view.facts();
    let tickets = |tickets: TicketSet| names(tickets, |ticket| game.ticket_name(ticket));
    let seat_position = |seat: Seat| {
        let own = sees(eyes, seat).then(|| game.observe(state, seat));
        let held = |own: card_game::Observation<'_>| {
            let position = |ticket: TicketId| TicketPosition {
                name: game.ticket_name(ticket),
                points: game.tickets()[ticket.index()].points,
                completed: own.chosen().contains(ticket),
            };
            (own.tickets() | own.chosen()).into_iter().map(position).collect()
        };
        let row = &facts.seats[seat.index()];
        SeatPosition {
            points: view.points(seat).into(),
            hand: own.map(|own| own.hand()),
            hand_size: view.hand_size(seat),
            shown: view.shown(seat),
            tickets: own.map(held),
            ticket_count: own.unwrap_or(view).ticket_count(seat),
            completed: tickets(view.completed(seat)),
            rows: Some((row.row_cards, row.row_locomotives)),
            track: Some(view.track(seat)),
            ..SeatPosition::default()
        }
    };
    let to_move = seat_to_move(view.turn());
    let offered = to_move.filter(|&seat| sees(eyes, seat)).map(|seat| game.observe(state, seat).offered());
    Position {
        turns: view.turns(),
        to_move: to_move.map(|seat| seat.0),
        phase: phase_json(&view.phase()),
        market: view.market(),
        discard: view.discard(),
        deck_size: view.deck_size(),
        ticket_deck_size: view.ticket_deck_size(),
        offered: tickets(offered.unwrap_or(TicketSet::EMPTY)),
        laid: Cards::EMPTY,
        revealed: Cards::EMPTY,
        seats: Seat::all(game.seats()).map(seat_position).collect(),
    }
}

fn sees(eyes: Option<Seat>, seat: Seat) -> bool {
    eyes.is_none_or(|eyes| eyes == seat)
}

fn seat_to_move(turn: Turn) -> Option<Seat> {
    match turn {
        Turn::Of(seat) => Some(seat),
        Turn::Over => None,
    }
}

fn names(tickets: TicketSet, name: impl Fn(TicketId) -> String) -> Vec<String> {
    tickets.into_iter().map(name).collect()
}

fn phase_json(phase: &impl Serialize) -> Json {
    serde_json::to_value(phase).expect("a phase is plain data")
}

/// `tunnel, extra 2` of `{"tunnel":{"extra":2}}`.
fn phase_words(phase: &Json) -> String {
    match phase {
        Json::String(word) => word.replace('-', " "),
        Json::Object(object) => {
            let words = object.iter().map(|(key, value)| match value {
                Json::Object(_) => format!("{key}, {}", phase_words(value)),
                value => format!("{key} {}", phase_words(value)),
            });
            words.collect::<Vec<_>>().join(" ").replace('-', " ")
        }
        other => other.to_string(),
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let phase = phase_words(&self.phase);
        match self.to_move {
            Some(seat) => writeln!(f, "turn {}, {} to decide: {phase}", self.turns + 1, Seat(seat))?,
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
        if !self.offered.is_empty() {
            list(f, "offered", &self.offered)?;
        }
        if !self.laid.is_empty() {
            line(f, "laid down", &self.laid.to_string())?;
        }
        if !self.revealed.is_empty() {
            line(f, "turned up", &self.revealed.to_string())?;
        }
        for (seat, position) in self.seats.iter().enumerate() {
            write!(f, "{}: {}", Seat(seat as u8), count(position.points as usize, "point", "points"))?;
            position.fmt(f)?;
        }
        Ok(())
    }
}

/// From behind the points on.
impl fmt::Display for SeatPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut first = String::new();
        for (n, one, many) in [
            (self.trains, "train", "trains"),
            (self.warehouse_size, "card in the warehouse", "cards in the warehouse"),
            (self.depot_reserve, "depot in reserve", "depots in reserve"),
            (Some(self.bonus_tickets).filter(|&n| n > 0), "bonus ticket", "bonus tickets"),
        ] {
            if let Some(n) = n {
                write!(first, ", {}", count(n.into(), one, many))?;
            }
        }
        writeln!(f, "{first}")?;
        let cards = count(self.hand_size.into(), "card", "cards");
        match self.hand {
            Some(hand) => line(f, "hand", &format!("{hand} ({cards})"))?,
            None if self.shown.is_empty() => line(f, "hand", &cards)?,
            None => line(f, "hand", &format!("{cards}, of which {} were seen", self.shown))?,
        }
        match (&self.tickets, self.ticket_count) {
            (Some(tickets), _) if tickets.is_empty() => {}
            (Some(tickets), _) => {
                let ticket = |ticket: &TicketPosition| {
                    let done = if ticket.completed { ", done" } else { "" };
                    format!("{} ({}{done})", ticket.name, ticket.points)
                };
                list(f, "tickets", &tickets.iter().map(ticket).collect::<Vec<_>>())?;
            }
            (None, Some(n)) => line(f, "tickets", &n.to_string())?,
            (None, None) => line(f, "tickets", "not known yet")?,
        }
        if let Some((cards, locomotives)) = self.rows {
            let locomotives = if locomotives.is_empty() {
                String::new()
            } else {
                format!(", with locomotives on {locomotives}")
            };
            line(f, "rows", &format!("{cards}{locomotives}"))?;
        }
        if let Some(track) = self.track {
            line(f, "track", &track.to_string())?;
        }
        for (label, things) in [
            ("completed", &self.completed),
            ("routes", &self.routes),
            ("stations", &self.stations),
            ("depots", &self.depots),
        ] {
            if !things.is_empty() {
                list(f, label, things)?;
            }
        }
        Ok(())
    }
}

/// Names that are not broken.
fn list(f: &mut fmt::Formatter<'_>, label: &str, names: &[String]) -> fmt::Result {
    let names: Vec<String> = names.iter().map(|name| name.replace(' ', NO_BREAK)).collect();
    line(f, label, &names.join(", "))
}

fn line(f: &mut fmt::Formatter<'_>, label: &str, text: &str) -> fmt::Result {
    let gap = " ".repeat(INDENT.saturating_sub(2 + label.len()));
    let wrapped = wrap(text, WIDTH - INDENT, 0).replace('\n', &format!("\n{}", " ".repeat(INDENT)));
    writeln!(f, "  {label}{gap}{}", wrapped.replace(NO_BREAK, " "))
}

#[cfg(test)]
mod tests {
    use ttr_engine::{Dice, maps};

    use super::*;
    use crate::Show;

    /// Worlds that look the same to a seat give the same position.
    fn assert_nothing_leaks<G: Show>(game: &G) {
        let (mut chance, mut dice) = (Dice::from_seed(1), Dice::from_seed(2));
        let mut state = game.deal(&mut chance);
        loop {
            for seat in Seat::all(game.seats()) {
                let world = game.determinize(&game.observe(&state, seat), &mut dice);
                let told = [&state, &world].map(|state| game.position(state, Some(seat)));
                assert_eq!(told[0], told[1]);
            }
            if game.turn(&state) == Turn::Over {
                return;
            }
            let action = game.random_action(&state, &mut dice);
            game.play_unchecked(&mut state, action, &mut chance);
        }
    }

    #[test]
    fn a_seat_is_told_what_it_may_know() {
        for map in ["europe", "nordic", "usa+depots", "first-journey-usa"] {
            assert_nothing_leaks(&BoardGame::new(&maps::find(map).unwrap(), 3).unwrap());
        }
        assert_nothing_leaks(&CardGame::new(&maps::card_game(), 3).unwrap());
    }

    #[test]
    fn phases_in_words() {
        let words = |text: &str| phase_words(&serde_json::from_str(text).unwrap());
        assert_eq!(words("\"second-card\""), "second card");
        assert_eq!(words("{\"tunnel\":{\"extra\":2}}"), "tunnel, extra 2");
        assert_eq!(words("{\"over\":\"final-round\"}"), "over final round");
    }
}
