//! Files of the Card Game: reading and checking.
//!
//! A file has `format = 1`, `game = "card-game"`, a `name`, perhaps a `note`, and `seats`, `rules`,
//! `big_cities` and `tickets`. `maps/card-game.schema.json` is its published schema. All problems of a file
//! are reported at once.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;

use super::check::{FORBIDDEN, check_texts, good_name};
use super::form::Forms;
use super::limits::{MAX_CHOICE, MAX_CIRCLES};
use super::load::{MAX_FILE_BYTES, MapSource, too_long};
use super::problem::{MapError, Problem, Problems, quoted};
use super::tree::{Node, Pos};
use super::{
    BigCitySpec, CardGameRules, CardGameSpec, CircleTicketSpec, FirstSeat, MAX_BIG_CITIES,
    MAX_CARD_GAME_SEATS, MAX_CARD_GAME_TICKETS, MAX_OF_COLOUR, SeatRange,
};
use crate::pieces::{CardKind, Cards};

/// The value of the key `game` in a file of the Card Game.
pub(crate) const GAME: &str = "card-game";

/// Whether a text is a file of the Card Game and not a map: it says `game = "card-game"`.
pub(crate) fn is_card_game(text: &str) -> bool {
    let mut problems = Problems::default();
    let file = problems.add_file("");
    text.len() <= MAX_FILE_BYTES && Node::parse(text, file, &mut problems).get("game").is_some()
}

/// Reads the Card Game from a file's text, and checks it.
///
/// # Errors
/// With all problems of the file, each with line and a hint.
///
/// ```
/// use ttr_engine::spec::{MapSource, load_card_game};
/// let text = "format = 1\ngame = 'card-game'\nname = 'Mine'\nsetas = 3".to_owned();
/// let source = MapSource { id: "mine".to_owned(), file: "mine.toml".to_owned(), text };
/// let error = load_card_game(&source).unwrap_err().to_string();
/// assert!(error.contains("mine.toml:4: unknown key \"setas\"; did you mean \"seats\"?"));
/// ```
pub fn load_card_game(source: &MapSource) -> Result<CardGameSpec, MapError> {
    let mut problems = Problems::default();
    let file = problems.add_file(&source.file);
    if source.text.len() > MAX_FILE_BYTES {
        let Problem { message, hint, .. } = too_long(&source.file);
        problems.add(Pos { file, line: 0 }, message, hint);
        return Err(problems.into_error());
    }
    let tree = Node::parse(&source.text, file, &mut problems);
    let torn = !problems.is_empty();
    if !Forms::card_game().check_card_game(&tree, torn, &mut problems) {
        return Err(problems.into_error());
    }
    // What fits its form is read and checked, whatever is wrong elsewhere.
    let draft = Draft {
        rules: tree.get("rules").and_then(read),
        seats: tree.get("seats").and_then(read),
        big_cities: read_list(&tree, "big_cities"),
        tickets: read_list(&tree, "tickets"),
    };
    check_texts(&tree, &mut problems);
    CardGameCheck { draft: &draft, tree: &tree, problems: &mut problems }.all();
    let text = |key| tree.get(key).and_then(Node::text).map(str::to_owned);
    match (text("name"), draft.seats, draft.rules) {
        (Some(name), Some(seats), Some(rules)) if problems.is_empty() => Ok(CardGameSpec {
            id: source.id.clone(),
            name,
            note: text("note"),
            seats,
            rules,
            big_cities: draft.big_cities.into_iter().map(|(_, city)| city).collect(),
            tickets: draft.tickets.into_iter().map(|(_, ticket)| ticket).collect(),
        }),
        _ => {
            if problems.is_empty() {
                problems.add(tree.at, "the file can't be read", "see maps/card-game.schema.json");
            }
            Err(problems.into_error())
        }
    }
}

fn read<T: DeserializeOwned>(node: &Node) -> Option<T> {
    serde_json::from_value(node.to_json()).ok()
}

fn read_list<T: DeserializeOwned>(tree: &Node, list: &str) -> Vec<(Pos, T)> {
    let nodes = tree.get(list).and_then(Node::list).unwrap_or_default();
    nodes.iter().filter_map(|node| Some((node.at, read(node)?))).collect()
}

/// A file as far as it could be read.
struct Draft {
    rules: Option<CardGameRules>,
    seats: Option<SeatRange>,
    big_cities: Vec<(Pos, BigCitySpec)>,
    tickets: Vec<(Pos, CircleTicketSpec)>,
}

struct CardGameCheck<'a> {
    draft: &'a Draft,
    tree: &'a Node,
    problems: &'a mut Problems,
}

impl CardGameCheck<'_> {
    fn all(&mut self) {
        self.seats();
        self.big_cities();
        self.tickets();
        if let Some(rules) = &self.draft.rules {
            self.rules(rules);
            self.deck(rules);
        }
    }

    fn add(&mut self, path: &[&str], message: String, hint: impl Into<String>) {
        self.problems.add(self.tree.at(path), format!("{}: {message}", path.join(".")), hint);
    }

    fn seats(&mut self) {
        let Some(seats) = self.draft.seats else { return };
        if seats.min > seats.max {
            let message = format!("there can't be {} at least and {} at most", seats.min, seats.max);
            self.add(&["seats"], message, "min must be at most max");
        }
        for (key, value) in [("min", seats.min), ("max", seats.max)] {
            if !(2..=MAX_CARD_GAME_SEATS as u8).contains(&value) {
                let hint = format!("from 2 to {MAX_CARD_GAME_SEATS} can play");
                self.add(&["seats", key], format!("{value} seats are not possible"), hint);
            }
        }
    }

    fn big_cities(&mut self) {
        let cities = &self.draft.big_cities;
        if cities.len() > MAX_BIG_CITIES {
            let message = format!("{} are too many", cities.len());
            self.add(&["big_cities"], message, format!("at most {MAX_BIG_CITIES} are possible"));
        }
        let mut seen = BTreeMap::new();
        for (at, city) in cities {
            let what = format!("big city {}", quoted(&city.name));
            if let Some(first) = seen.insert(&city.name, at.line) {
                let hint = format!("the first is in line {first}: remove one");
                self.problems.add(*at, format!("{what}: it is there twice"), hint);
            }
            let named = |(_, t): &(Pos, CircleTicketSpec)| t.from == city.name || t.to == city.name;
            if !self.draft.tickets.is_empty() && !self.draft.tickets.iter().any(named) {
                self.problems.add(*at, format!("{what}: no ticket names it"), "add one, or remove the city");
            }
        }
    }

    fn tickets(&mut self) {
        let tickets = &self.draft.tickets;
        if tickets.len() > MAX_CARD_GAME_TICKETS {
            let message = format!("{} are too many", tickets.len());
            self.add(&["tickets"], message, format!("at most {MAX_CARD_GAME_TICKETS} are possible"));
        }
        let deck = self.draft.rules.as_ref().map(|rules| rules.deck.counts());
        let mut seen = BTreeMap::new();
        for (at, ticket) in tickets {
            let what = format!("ticket {}", quoted(&format!("{}-{}", ticket.from, ticket.to)));
            let mut add = |message: String, hint: String| {
                self.problems.add(*at, format!("{what}: {message}"), hint);
            };
            for name in [&ticket.from, &ticket.to] {
                if let Err(hint) = good_name(name, &FORBIDDEN) {
                    add(format!("the name {} can't be used", quoted(name)), hint);
                }
            }
            if ticket.from == ticket.to {
                add("both ends are the same city".to_owned(), "name two cities".to_owned());
            }
            if ticket.points == 0 {
                add("it has no points".to_owned(), "give at least 1".to_owned());
            }
            if !(1..=MAX_CIRCLES).contains(&ticket.circles.len()) {
                let message = format!("{} circles are not possible", ticket.circles.len());
                add(message, format!("a ticket has 1 to {MAX_CIRCLES}"));
            }
            if ticket.circles.contains(&CardKind::Locomotive) {
                add("a circle has a colour".to_owned(), "a locomotive may always stand for it".to_owned());
            } else if ticket.circles.len() <= MAX_CIRCLES
                && let Some(deck) = deck
            {
                let need = ticket.circles.iter().copied().collect::<Cards>().counts();
                let missing: u8 = need.iter().zip(deck).map(|(need, have)| need.saturating_sub(have)).sum();
                if missing > deck[CardKind::Locomotive.index()] {
                    let message = "nobody can complete it: the deck has too few cards".to_owned();
                    add(message, "put more into [rules.deck], or change the circles".to_owned());
                }
            }
            let facts = (&ticket.from, &ticket.to, ticket.points, &ticket.circles);
            if let Some(first) = seen.insert(facts, at.line) {
                let hint = format!("the first is in line {first}: remove one");
                add("the same ticket is there twice".to_owned(), hint);
            }
        }
    }

    fn rules(&mut self, rules: &CardGameRules) {
        for (key, value, [min, max]) in [
            ("market", rules.market, [1, 5]),
            ("opening_tickets", rules.opening_tickets, [1, MAX_CHOICE]),
            ("opening_keep", rules.opening_keep, [0, rules.opening_tickets]),
            ("ticket_draw", rules.ticket_draw, [1, MAX_CHOICE]),
            ("two_rounds_from", rules.two_rounds_from, [2, u8::MAX]),
        ] {
            if !(min..=max).contains(&value) {
                let hint = format!("it must be from {min} to {max}");
                self.add(&["rules", key], format!("{value} is not possible"), hint);
            }
        }
        if let FirstSeat::Seat(0) = rules.first_seat {
            self.add(&["rules", "first_seat"], "seats are counted from 1".to_owned(), "give seat = 1");
        }
        let seats = self.draft.seats.map_or(2, |seats| seats.max);
        let needed = usize::from(seats) * usize::from(rules.opening_tickets);
        let tickets = self.tree.get("tickets").and_then(Node::list).map(<[Node]>::len);
        if let Some(tickets) = tickets
            && tickets < needed
        {
            let message = format!("{seats} seats are dealt {needed} tickets, and there are {tickets}");
            self.add(&["rules", "opening_tickets"], message, "deal fewer, or add tickets");
        }
    }

    fn deck(&mut self, rules: &CardGameRules) {
        let counts = rules.deck.counts();
        for kind in CardKind::ALL {
            let count = counts[kind.index()];
            if count > MAX_OF_COLOUR {
                let hint = format!("at most {MAX_OF_COLOUR} of a kind are possible");
                self.add(&["rules", "deck", kind.name()], format!("{count} cards are too many"), hint);
            }
        }
        let locomotives = counts[CardKind::Locomotive.index()];
        for kind in CardKind::COLOURS {
            // A row is counted like one kind of card.
            let row = u16::from(counts[kind.index()]) + u16::from(locomotives);
            if row > Cards::MAX_OF_KIND.into() && counts[kind.index()] <= MAX_OF_COLOUR {
                let message = format!("{row} cards of one colour and locomotives are too many for a row");
                let hint = format!("at most {} are possible", Cards::MAX_OF_KIND);
                self.add(&["rules", "deck", kind.name()], message, hint);
            }
        }
        let total: u16 = counts.iter().copied().map(u16::from).sum();
        if total > Cards::MAX_TOTAL.into() {
            let hint = format!("at most {} are possible", Cards::MAX_TOTAL);
            self.add(&["rules", "deck"], format!("{total} cards are too many"), hint);
        }
        let seats = u16::from(self.draft.seats.map_or(2, |seats| seats.max));
        if u16::from(locomotives) < seats * u16::from(rules.opening_locomotives) {
            let message = format!("{locomotives} are too few for {seats} seats");
            self.add(&["rules", "deck", "locomotive"], message, "lower opening_locomotives, or add some");
        }
        let hand = u16::from(rules.opening_locomotives) + u16::from(rules.opening_hand);
        let needed = hand * seats + u16::from(rules.market) + 1;
        if total < needed {
            let message = format!("{total} cards are too few for {seats} hands, the market and a deck");
            self.add(&["rules", "deck"], message, format!("at least {needed} are needed"));
        }
    }
}
