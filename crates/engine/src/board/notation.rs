//! Text notation for actions of the board games. [`Action`] lists the texts.

use crate::board::{Action, BoardGame, Payment, Phase, Route, State};
use crate::notation::{
    Notation, NotationError, SeenAction, counted, find_name, parse_counted, parse_keep, parse_kind,
    write_keep,
};
use crate::pieces::{CardKind, CityId, RouteId, Seat, TicketId};

impl Notation for BoardGame {
    fn map_id(&self) -> &str {
        &self.spec().id
    }

    fn rules_hash(&self) -> u64 {
        self.rules_hash()
    }

    fn seen_by_others(&self, state: &State, action: Action) -> SeenAction<Action> {
        match action {
            Action::Keep(choice) => {
                let secret = matches!(state.phase, Phase::Opening { .. }); // CC-3
                SeenAction::Keep((!secret).then(|| choice.count_ones() as u8))
            }
            open => SeenAction::Open(open),
        }
    }

    fn write_action(&self, state: &State, action: Action) -> String {
        match action {
            Action::Keep(choice) => write_keep(state.tickets.chosen(choice).unwrap_or_default(), |ticket| {
                self.ticket_name(ticket)
            }),
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
            Action::Store(seat) => format!("store {}", seat.to_u8() + 1),
            Action::Collect(seat) => format!("collect {}", seat.to_u8() + 1),
            Action::PlaceDepot(city) => format!("depot {}", self.city_name(city)),
            Action::Done => "done".to_owned(),
        }
    }

    fn parse_action(&self, state: &State, text: &str) -> Result<Action, NotationError> {
        let text = text.trim();
        let (verb, rest) = text.split_once(' ').unwrap_or((text, ""));
        let rest = rest.trim();
        match (&*verb.to_lowercase(), &*rest.to_lowercase()) {
            ("tickets", "") => Ok(Action::DrawTickets),
            ("swap", "") => Ok(Action::SwapTickets),
            ("pass", "") => Ok(Action::Pass),
            ("done", "") => Ok(Action::Done),
            ("store", _) => Ok(Action::Store(self.parse_seat(rest)?)),
            ("collect", _) => Ok(Action::Collect(self.parse_seat(rest)?)),
            ("depot", _) => Ok(Action::PlaceDepot(self.parse_city(rest)?)),
            ("decline", "") => Ok(Action::DeclineTunnel),
            ("pay", "") => Ok(Action::PayTunnel { locomotives: 0 }),
            ("pay", _) => match rest.strip_prefix('+').and_then(|part| parse_counted(part.trim())) {
                Some((locomotives, what)) if what == "locomotive" => Ok(Action::PayTunnel { locomotives }),
                _ => not_understood(text, "is not understood; say \"pay\" or \"pay + 1 locomotive\""),
            },
            ("take", "blind") => Ok(Action::TakeBlind),
            ("take", _) => Ok(Action::TakeFaceUp(parse_kind(rest)?)),
            ("keep", "none") => Ok(Action::Keep(0)),
            ("keep", _) => {
                let choice = parse_keep(state.tickets.offered(), rest, |ticket| self.ticket_name(ticket))?;
                Ok(Action::Keep(choice))
            }
            ("sets", _) => {
                let Some((kind, count)) = rest.split_once('*') else {
                    return not_understood(text, "is not understood; say \"sets blue*3\"");
                };
                match count.parse() {
                    Ok(count) => Ok(Action::AddToSets { kind: parse_kind(kind)?, count }),
                    Err(_) => not_understood(count, "is not a number of cards"),
                }
            }
            ("claim", _) => {
                let (route, payment) = split_payment(rest)?;
                Ok(Action::Claim { route: self.parse_route(route)?, payment: parse_payment(payment)? })
            }
            ("station", _) => {
                let (city, payment) = split_payment(rest)?;
                Ok(Action::BuildStation { city: self.parse_city(city)?, payment: parse_payment(payment)? })
            }
            _ => not_understood(
                text,
                "is not understood; an action starts with keep, take, claim, sets, pay, decline, station, \
                 tickets, swap, store, collect, depot, done or pass",
            ),
        }
    }
}

impl BoardGame {
    /// The name of a route: its cities, and for a track of a double route its colour or number.
    pub fn route_name(&self, route: RouteId) -> String {
        let &Route { ends, colour, .. } = self.route(route);
        let [a, b] = ends.map(|city| self.city_name(city));
        let pair = format!("{a}-{b}");
        let twins = self.between(ends);
        if twins.len() == 1 {
            return pair;
        }
        if twins.iter().filter(|&&id| self.route(id).colour == colour).count() == 1 {
            return format!("{pair}/{}", colour_name(colour));
        }
        let number = twins.iter().position(|&id| id == route).map_or(0, |place| place + 1);
        format!("{pair}/{number}")
    }

    /// The name of a ticket: its cities, and a number if other tickets join the same two.
    pub fn ticket_name(&self, ticket: TicketId) -> String {
        let ends = self.ticket(ticket).ends;
        let pair = ends.map(|city| self.city_name(city)).join("-");
        let same: Vec<_> = self.tickets_between(ends).collect();
        if same.len() == 1 {
            return pair;
        }
        let number = same.iter().position(|&id| id == ticket).map_or(0, |place| place + 1);
        format!("{pair}/{number}")
    }

    /// Parses the name of a route, with its cities in either order.
    ///
    /// # Errors
    /// If no route has this name, or more than one.
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
                number.as_deref() == Some(track)
                    || colour_name(self.route(id).colour).eq_ignore_ascii_case(track)
            }
        };
        let mut found = routes.iter().filter(matches);
        match (found.next(), found.next()) {
            (Some(&route), None) => Ok(route),
            (None, _) if routes.is_empty() => NotationError::unknown("route", pair),
            _ => {
                let options = routes.iter().map(|&id| self.route_name(id)).collect();
                Err(NotationError::Ambiguous { what: "route", name: name.to_owned(), options })
            }
        }
    }

    fn parse_seat(&self, number: &str) -> Result<Seat, NotationError> {
        match number.parse::<u8>() {
            Ok(number) if (1..=self.seats).contains(&number.into()) => Ok(Seat::from_u8(number - 1)),
            _ => Err(NotationError::NoSeat { text: number.to_owned(), seats: self.seats }),
        }
    }

    fn parse_city(&self, name: &str) -> Result<CityId, NotationError> {
        let found = find_name(self.city_ids().map(|city| self.city_name(city)), name);
        found.map_or_else(|| NotationError::unknown("city", name), |index| Ok(CityId::new(index)))
    }

    /// Parses two city names joined by a hyphen; names may contain hyphens themselves.
    fn parse_pair(&self, pair: &str) -> Result<[CityId; 2], NotationError> {
        let splits = pair.match_indices('-').map(|(at, _)| (&pair[..at], &pair[at + 1..]));
        let mut known =
            splits.filter_map(|(a, b)| Some([self.parse_city(a).ok()?, self.parse_city(b).ok()?]));
        known.next().map_or_else(|| not_understood(pair, "does not name two cities of the board"), Ok)
    }

    fn between(&self, ends: [CityId; 2]) -> Vec<RouteId> {
        self.route_ids().filter(|&route| self.route(route).ends == ends).collect()
    }

    fn tickets_between(&self, ends: [CityId; 2]) -> impl Iterator<Item = TicketId> + '_ {
        self.ticket_ids().filter(move |&ticket| self.ticket(ticket).ends == ends)
    }
}

/// The name of a route's colour.
fn colour_name(colour: Option<CardKind>) -> &'static str {
    colour.map_or("grey", CardKind::name)
}

fn not_understood<T>(text: &str, why: &'static str) -> Result<T, NotationError> {
    NotationError::not_understood(text, why)
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
    let twice = |part| not_understood(part, "comes after another of its kind: say it all at once");
    for part in text.split('+').map(str::trim) {
        let counted = parse_counted(part);
        match counted.as_ref().map(|(n, what)| (*n, &**what)) {
            Some((n, "locomotive")) if payment.locomotives == 0 => payment.locomotives = n,
            Some((n, "set")) if payment.sets == 0 => payment.sets = n,
            Some((_, "locomotive" | "set")) => return twice(part),
            _ => match parse_kind(part)? {
                CardKind::Locomotive => {
                    return not_understood(part, "needs a number, as in \"2 locomotives\"");
                }
                colour if payment.colour.is_none() => payment.colour = Some(colour),
                _ => return twice(part),
            },
        }
    }
    if payment == (Payment { colour: None, locomotives: 0, sets: 0 }) {
        return not_understood(text, "is no payment");
    }
    Ok(payment)
}

fn split_payment(text: &str) -> Result<(&str, &str), NotationError> {
    const IN: &str = " in ";
    match text.to_ascii_lowercase().rfind(IN) {
        Some(at) => Ok((text[..at].trim(), text[at + IN.len()..].trim())),
        None => not_understood(text, "does not say what is paid, as in \"... in red + 1 locomotive\""),
    }
}
