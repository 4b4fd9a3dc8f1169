//! Actions as text that a person can read and that parses back.
//!
//! | text | action |
//! |---|---|
//! | `keep Brest-Petrograd, Paris-Wien` | keep these of the offered tickets (`keep none`) |
//! | `take red`, `take locomotive`, `take blind` | take a card |
//! | `claim Paris-Dieppe in purple` | claim a route with cards of a colour |
//! | `claim Madrid-Pamplona/black in black + 2 locomotives` | ... and locomotives, on the black track |
//! | `claim Turku-Helsinki in 1 locomotive + 2 sets` | ... and substitute sets |
//! | `sets blue*3` | put three blue cards into the sets |
//! | `pay`, `pay + 1 locomotive`, `decline` | pay for a tunnel (with locomotives), or not |
//! | `station Roma in red + 1 locomotive` | build a station |
//! | `tickets`, `swap`, `pass` | draw tickets, swap them, do nothing |
//! | `store 2`, `collect 1` | store a card with seat 2, collect the warehouse of seat 1 |
//! | `depot Wien`, `done` | place a depot; collect or place no more |

use crate::board::{Action, BoardGame, Payment, State};
use crate::card::CardKind;
use crate::game::{Game, Seat};
use crate::id::{CityId, RouteId, TicketId};
use crate::spec::RouteColour;

/// A game whose actions have a text form, and that can be recorded.
pub trait Notation: Game {
    /// The id of the map or game.
    fn map_id(&self) -> &str;

    /// A hash of all rules and data of the game.
    fn rules_hash(&self) -> u64;

    /// The text of an action that speaks of things that exist, as legal and parsed ones do; of others it may panic.
    fn write_action(&self, state: &Self::State, action: Self::Action) -> String;

    /// The action of a text. It need not be legal, but it speaks of things that exist.
    fn parse_action(&self, state: &Self::State, text: &str) -> Result<Self::Action, NotationError>;
}

/// Why a text is no action.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct NotationError(pub String);

pub(crate) fn error<T>(why: impl Into<String>) -> Result<T, NotationError> {
    Err(NotationError(why.into()))
}

/// What other seats see of an action: which tickets a seat keeps, or chooses to complete, is its secret.
///
/// ```
/// assert_eq!(ttr_engine::as_others_see("keep Brest-Petrograd".to_owned()), "keep (hidden)");
/// assert_eq!(ttr_engine::as_others_see("take red".to_owned()), "take red");
/// ```
pub fn as_others_see(action: String) -> String {
    match action.split_once(' ') {
        Some((verb @ ("keep" | "complete"), _)) => format!("{verb} (hidden)"),
        _ => action,
    }
}

impl Notation for BoardGame {
    fn map_id(&self) -> &str {
        &self.map().id
    }

    fn rules_hash(&self) -> u64 {
        self.rules_hash()
    }

    fn write_action(&self, state: &State, action: Action) -> String {
        match action {
            Action::Keep(choice) => match self.chosen(state, choice) {
                Some(kept) if !kept.is_empty() => {
                    let names: Vec<_> = kept.into_iter().map(|ticket| self.ticket_name(ticket)).collect();
                    format!("keep {}", names.join(", "))
                }
                _ => "keep none".to_owned(),
            },
            Action::TakeBlind => "take blind".to_owned(),
            Action::TakeFaceUp(kind) => format!("take {kind}"),
            Action::Claim { route, payment } => {
                format!("claim {} in {}", self.route_name(route), write_payment(payment))
            }
            Action::AddToSets { kind, count } => format!("sets {kind}*{count}"),
            Action::PayTunnel { locomotives: 0 } => "pay".to_owned(),
            Action::PayTunnel { locomotives } => format!("pay + {}", counted(locomotives, "locomotive")),
            Action::DeclineTunnel => "decline".to_owned(),
            Action::BuildStation { city, payment } => {
                format!("station {} in {}", self.city_name(city), write_payment(payment))
            }
            Action::DrawTickets => "tickets".to_owned(),
            Action::SwapTickets => "swap".to_owned(),
            Action::Pass => "pass".to_owned(),
            Action::Store(seat) => format!("store {}", seat.0 + 1),
            Action::Collect(seat) => format!("collect {}", seat.0 + 1),
            Action::PlaceDepot(city) => format!("depot {}", self.city_name(city)),
            Action::Done => "done".to_owned(),
        }
    }

    fn parse_action(&self, state: &State, text: &str) -> Result<Action, NotationError> {
        let text = text.trim();
        let (verb, rest) = text.split_once(' ').unwrap_or((text, ""));
        let rest = rest.trim();
        match (verb, rest) {
            ("tickets", "") => Ok(Action::DrawTickets),
            ("swap", "") => Ok(Action::SwapTickets),
            ("pass", "") => Ok(Action::Pass),
            ("done", "") => Ok(Action::Done),
            ("store", seat) => Ok(Action::Store(self.parse_seat(seat)?)),
            ("collect", seat) => Ok(Action::Collect(self.parse_seat(seat)?)),
            ("depot", city) => Ok(Action::PlaceDepot(self.parse_city(city)?)),
            ("decline", "") => Ok(Action::DeclineTunnel),
            ("pay", "") => Ok(Action::PayTunnel { locomotives: 0 }),
            ("pay", rest) => match rest.strip_prefix('+').map(|part| parse_counted(part.trim())) {
                Some(Some((locomotives, "locomotive"))) => Ok(Action::PayTunnel { locomotives }),
                _ => {
                    error(format!("\"pay {rest}\" is not understood; say \"pay\" or \"pay + 1 locomotive\""))
                }
            },
            ("take", "blind") => Ok(Action::TakeBlind),
            ("take", kind) => Ok(Action::TakeFaceUp(parse_kind(kind)?)),
            ("keep", "none") => Ok(Action::Keep(0)),
            ("keep", names) => self.parse_keep(state, names),
            ("sets", rest) => {
                let Some((kind, count)) = rest.split_once('*') else {
                    return error(format!("\"sets {rest}\" is not understood; say \"sets blue*3\""));
                };
                match count.parse() {
                    Ok(count) => Ok(Action::AddToSets { kind: parse_kind(kind)?, count }),
                    Err(_) => error(format!("\"{count}\" is not a number of cards")),
                }
            }
            ("claim", rest) => {
                let (route, payment) = split_payment(rest)?;
                Ok(Action::Claim { route: self.parse_route(route)?, payment: parse_payment(payment)? })
            }
            ("station", rest) => {
                let (city, payment) = split_payment(rest)?;
                Ok(Action::BuildStation { city: self.parse_city(city)?, payment: parse_payment(payment)? })
            }
            _ => error(format!(
                "\"{text}\" is not understood; an action starts with keep, take, claim, sets, pay, decline, \
                 station, tickets, swap, store, collect, depot, done or pass"
            )),
        }
    }
}

impl BoardGame {
    /// The name of a route: its cities, and for a track of a double route its colour or number.
    pub fn route_name(&self, route: RouteId) -> String {
        let spec = &self.routes()[route.index()];
        let [a, b] = spec.ends.map(|city| self.city_name(city));
        let pair = format!("{a}-{b}");
        let twins = self.between(spec.ends);
        if twins.len() == 1 {
            return pair;
        }
        let colour = |id: RouteId| self.routes()[id.index()].colour;
        if twins.iter().filter(|&&id| colour(id) == spec.colour).count() == 1 {
            let colour = spec.colour.and_then(RouteColour::of).map_or("grey", RouteColour::name);
            return format!("{pair}/{colour}");
        }
        let number = twins.iter().position(|&id| id == route).map_or(0, |place| place + 1);
        format!("{pair}/{number}")
    }

    /// The name of a ticket: its cities, and a number if others join the same two.
    pub fn ticket_name(&self, ticket: TicketId) -> String {
        let ends = self.tickets()[ticket.index()].ends;
        let pair = ends.map(|city| self.city_name(city)).join("-");
        let same: Vec<_> = self.tickets_between(ends).collect();
        if same.len() == 1 {
            return pair;
        }
        let number = same.iter().position(|&id| id == ticket).map_or(0, |place| place + 1);
        format!("{pair}/{number}")
    }

    /// The route of a name, with its cities in either order.
    pub fn parse_route(&self, name: &str) -> Result<RouteId, NotationError> {
        let (pair, track) = name.split_once('/').map_or((name, None), |(pair, track)| (pair, Some(track)));
        let mut ends = self.parse_pair(pair)?;
        ends.sort();
        let routes = self.between(ends);
        let matches = |&&id: &&RouteId| match track {
            None => true,
            Some(track) => {
                let number =
                    routes.iter().position(|&other| other == id).map(|place| (place + 1).to_string());
                let colour = self.routes()[id.index()].colour.map_or("grey", CardKind::name);
                number.as_deref() == Some(track) || colour == track
            }
        };
        let mut found = routes.iter().filter(matches);
        match (found.next(), found.next()) {
            (Some(&route), None) => Ok(route),
            (None, _) if routes.is_empty() => error(format!("no route joins {pair}")),
            _ => {
                let names: Vec<_> = routes.iter().map(|&id| self.route_name(id)).collect();
                error(format!("\"{name}\" is not one route; say {}", names.join(" or ")))
            }
        }
    }

    fn parse_keep(&self, state: &State, names: &str) -> Result<Action, NotationError> {
        let mut choice = 0;
        for name in names.split(',').map(str::trim) {
            let offered = (0..8).filter_map(|i| Some((i, self.offered_ticket(state, i)?)));
            let place = offered.clone().find(|&(_, ticket)| self.ticket_name(ticket) == name);
            match place {
                Some((i, _)) => choice |= 1 << i,
                None => {
                    let known: Vec<_> = offered.map(|(_, ticket)| self.ticket_name(ticket)).collect();
                    return error(format!("\"{name}\" is not offered; these are: {}", known.join(", ")));
                }
            }
        }
        Ok(Action::Keep(choice))
    }

    fn parse_seat(&self, number: &str) -> Result<Seat, NotationError> {
        match number.parse::<u8>() {
            Ok(number) if (1..=self.seats()).contains(&number.into()) => Ok(Seat(number - 1)),
            _ => error(format!("\"{number}\" is no seat; seats are 1 to {}", self.seats())),
        }
    }

    fn parse_city(&self, name: &str) -> Result<CityId, NotationError> {
        let found = self.map().cities.iter().position(|city| city.name == name);
        match found {
            Some(index) => Ok(CityId(index as u8)),
            None => error(format!("there is no city \"{name}\"")),
        }
    }

    /// Two city names joined by a hyphen; names may have hyphens of their own.
    fn parse_pair(&self, pair: &str) -> Result<[CityId; 2], NotationError> {
        let splits = pair.match_indices('-').map(|(at, _)| (&pair[..at], &pair[at + 1..]));
        let mut known =
            splits.filter_map(|(a, b)| Some([self.parse_city(a).ok()?, self.parse_city(b).ok()?]));
        known.next().map_or_else(|| error(format!("\"{pair}\" does not name two cities of the board")), Ok)
    }

    fn between(&self, ends: [CityId; 2]) -> Vec<RouteId> {
        let routes = self.routes().iter().enumerate().filter(|(_, route)| route.ends == ends);
        routes.map(|(index, _)| RouteId(index as u8)).collect()
    }

    fn tickets_between(&self, ends: [CityId; 2]) -> impl Iterator<Item = TicketId> + '_ {
        let tickets = self.tickets().iter().enumerate().filter(move |(_, ticket)| ticket.ends == ends);
        tickets.map(|(index, _)| TicketId(index as u8))
    }
}

pub(crate) fn counted(n: u8, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// "2 locomotives" as (2, "locomotive").
pub(crate) fn parse_counted(text: &str) -> Option<(u8, &str)> {
    let (n, what) = text.split_once(' ')?;
    let what = what.trim();
    Some((n.parse().ok()?, what.strip_suffix('s').unwrap_or(what)))
}

fn write_payment(payment: Payment) -> String {
    let mut parts = Vec::new();
    parts.extend(payment.colour.map(|colour| colour.name().to_owned()));
    for (n, what) in [(payment.locomotives, "locomotive"), (payment.sets, "set")] {
        if n > 0 {
            parts.push(counted(n, what));
        }
    }
    parts.join(" + ")
}

fn parse_payment(text: &str) -> Result<Payment, NotationError> {
    let mut payment = Payment { colour: None, locomotives: 0, sets: 0 };
    let twice = |part: &str| error(format!("\"{part}\" comes after another of its kind: say it all at once"));
    for part in text.split('+').map(str::trim) {
        match parse_counted(part) {
            Some((n, "locomotive")) if payment.locomotives == 0 => payment.locomotives = n,
            Some((n, "set")) if payment.sets == 0 => payment.sets = n,
            Some((_, "locomotive" | "set")) => return twice(part),
            _ => match parse_kind(part)? {
                CardKind::Locomotive => return error("say how many: \"2 locomotives\""),
                colour if payment.colour.is_none() => payment.colour = Some(colour),
                _ => return twice(part),
            },
        }
    }
    if payment == (Payment { colour: None, locomotives: 0, sets: 0 }) {
        return error(format!("\"{text}\" is no payment"));
    }
    Ok(payment)
}

fn split_payment(text: &str) -> Result<(&str, &str), NotationError> {
    match text.rsplit_once(" in ") {
        Some((what, payment)) => Ok((what.trim(), payment.trim())),
        None => error(format!("\"{text}\" does not say what is paid, as in \"... in red + 1 locomotive\"")),
    }
}

pub(crate) fn parse_kind(name: &str) -> Result<CardKind, NotationError> {
    CardKind::from_name(name).map_or_else(|| error(format!("\"{name}\" is no kind of card")), Ok)
}
