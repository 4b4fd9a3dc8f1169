//! The file form of the Card Game: cards, tickets with colour circles, big cities, rules (section 5).
//!
//! A file has `format = 1`, `game = "card-game"`, a `name`, perhaps a `note`, and `seats`, `rules`, `big_cities` and
//! `tickets`. `maps/card-game.schema.json` is its published schema. All problems of a file are reported at once.

use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::check::{FORBIDDEN, MAX_CARD_GAME_TICKETS, check_texts, good_name};
use super::load::{MAX_FILE_BYTES, MapSource, too_long};
use super::problem::{MapError, Problem, Problems, quoted};
use super::schema::{FORMAT, Forms};
use super::tree::{Node, Pos};
use super::{DeckSpec, FirstSeat, SeatRange};
use crate::card::{CardKind, Cards};
use crate::codec;

/// Most seats of the Card Game.
pub const MAX_CARD_GAME_SEATS: usize = 4;
/// Most big cities.
pub const MAX_BIG_CITIES: usize = 16;
/// Most circles of a ticket (CG-1).
const MAX_CIRCLES: usize = 5;
/// Most cards of a colour: a counter has room for these and the circles of a ticket.
pub const MAX_OF_COLOUR: u8 = Cards::MAX_OF_KIND - MAX_CIRCLES as u8;
/// Most tickets to choose among at once.
const MAX_CHOICE: u8 = 8;

/// What the key `game` says in a file of the Card Game.
pub(crate) const GAME: &str = "card-game";

/// The Card Game as data: everything that makes one edition different from another.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct CardGameSpec {
    /// Short name, as given on the command line: the file's stem.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// What a reader must know about the data, if anything.
    pub note: Option<String>,
    /// Fewest and most seats.
    pub seats: SeatRange,
    /// The rules.
    pub rules: CardGameRules,
    /// The bonus cards (CG-20).
    pub big_cities: Vec<BigCitySpec>,
    /// The tickets.
    pub tickets: Vec<CircleTicketSpec>,
}

impl CardGameSpec {
    /// A hash of everything that a game depends on, but not of names for people.
    pub fn hash(&self) -> u64 {
        codec::checksum(&codec::encode(&(self.seats, &self.rules, &self.big_cities, &self.tickets)))
    }
}

/// Numbers and options of the Card Game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CardGameRules {
    /// Locomotives given to each seat before the deal (CG-2).
    pub opening_locomotives: u8,
    /// Cards dealt to each seat at the start (CG-2).
    pub opening_hand: u8,
    /// Cards dealt to each seat before the second round (CG-17).
    pub second_round_hand: u8,
    /// With this many seats or more two rounds are played (CG-17).
    pub two_rounds_from: u8,
    /// Face-up cards (CG-2).
    pub market: u8,
    /// Tickets dealt to each seat at the start (CG-2).
    pub opening_tickets: u8,
    /// Fewest of them that must be kept (CG-2).
    pub opening_keep: u8,
    /// Tickets drawn by the ticket action, of which any number may be kept (CG-10).
    pub ticket_draw: u8,
    /// Rounds without progress after which a round of the game ends (A-60); 0 = never.
    pub no_progress_rounds: u8,
    /// Who starts (CG-2).
    #[serde(default)]
    pub first_seat: FirstSeat,
    /// Whether a seat may stop after one drawn card (A-39).
    #[serde(default)]
    pub may_stop_after_one: bool,
    /// What can be drawn once the deck is empty (A-61).
    #[serde(default)]
    pub last_turn_draw: LastTurnDraw,
    /// Who says which tickets are completed (A-41).
    #[serde(default)]
    pub assignment: Assignment,
    /// Who may look at track stacks (A-43).
    #[serde(default)]
    pub track_visible: TrackVisible,
    /// The train cards (CG-1).
    pub deck: DeckSpec,
}

/// What can be drawn once the deck is empty (A-61).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LastTurnDraw {
    /// What is left of the market.
    #[default]
    Market,
    /// Nothing.
    None,
}

/// Which tickets are completed at the end of a round (CG-15, A-41).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Assignment {
    /// The set of the highest value, then of the most tickets.
    AutoValue,
    /// The set of the most tickets, then of the highest value.
    AutoCount,
    /// Any completable set, as the seat likes; choices are secret until all have chosen.
    PlayerChoice,
    /// In the last round the set with the most final points, city bonuses included, if all others complete their sets of the
    /// highest value; in an earlier round as `auto-value`.
    // The last, because hashes of rules count from the first.
    #[default]
    AutoPoints,
}

/// Who may look at track stacks during a round (CG-22, A-43).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TrackVisible {
    /// Nobody.
    #[default]
    None,
    /// The owner.
    Owner,
    /// Everybody.
    All,
}

/// A bonus card (CG-20).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BigCitySpec {
    /// The city.
    pub name: String,
    /// Points for the most completed tickets that name it.
    pub points: u8,
}

/// A ticket of the Card Game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CircleTicketSpec {
    /// One city.
    pub from: String,
    /// The other city.
    pub to: String,
    /// Its value.
    pub points: u8,
    /// The colours of its circles: one card each.
    pub circles: Vec<CardKind>,
}

/// A file of the Card Game. Only its schema is used as a whole: the parts are read one by one.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "for the schema")]
pub(super) struct CardGameFile {
    /// The format of the file.
    #[schemars(extend("const" = FORMAT))]
    format: u8,
    /// Which game it is.
    #[schemars(extend("enum" = [GAME]))]
    game: String,
    /// Name for people.
    name: String,
    /// What a reader must know about the data, if anything.
    note: Option<String>,
    /// Fewest and most seats.
    seats: SeatRange,
    /// The rules.
    rules: CardGameRules,
    /// The bonus cards.
    big_cities: Vec<BigCitySpec>,
    /// The tickets.
    tickets: Vec<CircleTicketSpec>,
}

/// The JSON schema of Card Game files.
///
/// ```
/// let schema = ttr_engine::spec::card_game_schema();
/// assert!(schema.pointer("/$defs/CardGameRules/properties/market").is_some());
/// ```
pub fn card_game_schema() -> Schema {
    Forms::of_card_game().schema
}

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
    if !Forms::of_card_game().check_card_game(&tree, torn, &mut problems) {
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
    Check { draft: &draft, tree: &tree, problems: &mut problems }.all();
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

struct Check<'a> {
    draft: &'a Draft,
    tree: &'a Node,
    problems: &'a mut Problems,
}

impl Check<'_> {
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
