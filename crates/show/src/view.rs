//! What a seat sees and what is played, as JSON for agents in other languages: things are called by their names.

use serde_json::{Value as Json, json};
use ttr_engine::board::{self, BoardGame};
use ttr_engine::card_game::{self, CardGame};
use ttr_engine::{CityId, Game, RouteId, TicketId, TicketSet};

/// What a seat sees of a board game.
pub(crate) fn board_view(view: &board::Observation<'_>) -> Json {
    let game = view.game();
    named(serde_json::to_value(view.facts()).expect("facts are plain data"), &|key, id| {
        Some(match key {
            "routes" | "closed_routes" | "pending" => game.route_name(RouteId(id)),
            "stations" | "depots" => game.city_name(CityId(id)).to_owned(),
            key if is_tickets(key) => game.ticket_name(TicketId(id)),
            _ => return None,
        })
    })
}

/// What a seat sees of the Card Game.
pub(crate) fn card_game_view(view: &card_game::Observation<'_>) -> Json {
    let game = view.game();
    named(serde_json::to_value(view.facts()).expect("facts are plain data"), &|key, id| {
        is_tickets(key).then(|| game.ticket_name(TicketId(id)))
    })
}

/// An action of a board game. Its type is the name of the variant.
pub(crate) fn board_action(view: &board::Observation<'_>, action: board::Action) -> Json {
    use board::Action;
    let game = view.game();
    match action {
        Action::Keep(kept) => {
            json!({ "type": "keep", "tickets": kept_names(view.offered(), kept, |id| game.ticket_name(id)) })
        }
        Action::TakeBlind => json!({ "type": "take-blind" }),
        Action::TakeFaceUp(card) => json!({ "type": "take-face-up", "card": card }),
        Action::Claim { route, payment: board::Payment { colour, locomotives, sets } } => json!({
            "type": "claim",
            "route": game.route_name(route),
            "colour": colour,
            "locomotives": locomotives,
            "sets": sets,
        }),
        Action::AddToSets { kind, count } => json!({ "type": "add-to-sets", "card": kind, "count": count }),
        Action::PayTunnel { locomotives } => json!({ "type": "pay-tunnel", "locomotives": locomotives }),
        Action::DeclineTunnel => json!({ "type": "decline-tunnel" }),
        Action::BuildStation { city, payment: board::Payment { colour, locomotives, .. } } => json!({
            "type": "build-station",
            "city": game.city_name(city),
            "colour": colour,
            "locomotives": locomotives,
        }),
        Action::DrawTickets => json!({ "type": "draw-tickets" }),
        Action::SwapTickets => json!({ "type": "swap-tickets" }),
        Action::Pass => json!({ "type": "pass" }),
        Action::Store(seat) => json!({ "type": "store", "seat": seat }),
        Action::Collect(seat) => json!({ "type": "collect", "seat": seat }),
        Action::PlaceDepot(city) => json!({ "type": "place-depot", "city": game.city_name(city) }),
        Action::Done => json!({ "type": "done" }),
    }
}

/// An action of the Card Game. Its type is the name of the variant.
pub(crate) fn card_game_action(view: &card_game::Observation<'_>, action: card_game::Action) -> Json {
    use card_game::Action;
    let game = view.game();
    match action {
        Action::Keep(kept) => {
            json!({ "type": "keep", "tickets": kept_names(view.offered(), kept, |id| game.ticket_name(id)) })
        }
        Action::TakeBlind => json!({ "type": "take-blind" }),
        Action::TakeFaceUp(card) => json!({ "type": "take-face-up", "card": card }),
        Action::StopDrawing => json!({ "type": "stop-drawing" }),
        Action::PlayRow { colour, cards, locomotives } => {
            json!({ "type": "play-row", "colour": colour, "cards": cards, "locomotives": locomotives })
        }
        Action::PlayThree(colours) => json!({ "type": "play-three", "colours": colours }),
        Action::DrawTickets => json!({ "type": "draw-tickets" }),
        Action::Complete(ticket) => json!({ "type": "complete", "ticket": game.ticket_name(ticket) }),
        Action::StopCompleting => json!({ "type": "stop-completing" }),
        Action::Pass => json!({ "type": "pass" }),
    }
}

/// The names of the offered tickets that a choice keeps: bit `i` stands for the `i`-th by index.
fn kept_names(offered: TicketSet, kept: u8, name: impl Fn(TicketId) -> String) -> Vec<String> {
    let chosen = offered.iter().enumerate().filter(|(index, _)| kept >> index & 1 == 1);
    chosen.map(|(_, ticket)| name(ticket)).collect()
}

/// Board, tickets and rules of a board game.
pub(crate) fn board_description(game: &BoardGame) -> Json {
    let map = game.map();
    let cities: Vec<&str> = map.cities.iter().map(|city| city.name.as_str()).collect();
    let routes = game.routes().iter().enumerate().map(|(id, route)| {
        let [from, to] = route.ends.map(|city| game.city_name(city));
        json!({
            "name": game.route_name(RouteId(id as u8)),
            "from": from,
            "to": to,
            "length": route.length,
            "colour": route.colour,
            "tunnel": route.tunnel,
            "ferry": route.ferry,
            "twin": route.twin.map(|twin| game.route_name(twin)),
            "points": route.points,
        })
    });
    let tickets = game.tickets().iter().enumerate().map(|(id, ticket)| {
        let [from, to] = ticket.ends.map(|city| game.city_name(city));
        let name = game.ticket_name(TicketId(id as u8));
        json!({ "name": name, "from": from, "to": to, "points": ticket.points })
    });
    json!({
        "kind": "board",
        "map": map.id,
        "name": map.name,
        "seats": game.seats(),
        "cities": cities,
        "routes": routes.collect::<Vec<_>>(),
        "tickets": tickets.collect::<Vec<_>>(),
        "rules": map.rules,
    })
}

/// Tickets and rules of the Card Game.
pub(crate) fn card_game_description(game: &CardGame) -> Json {
    let spec = game.spec();
    let tickets = game.tickets().iter().enumerate().map(|(id, ticket)| {
        let [from, to] = &ticket.ends;
        let name = game.ticket_name(TicketId(id as u8));
        json!({ "name": name, "from": from, "to": to, "points": ticket.points, "circles": ticket.circles })
    });
    json!({
        "kind": "card-game",
        "map": spec.id,
        "name": spec.name,
        "seats": game.seats(),
        "tickets": tickets.collect::<Vec<_>>(),
        "big_cities": spec.big_cities,
        "rules": spec.rules,
    })
}

/// The keys of facts that hold tickets.
fn is_tickets(key: &str) -> bool {
    matches!(
        key,
        "tickets" | "chosen" | "offered" | "put_back" | "returned" | "kept_first" | "completed" | "own"
    )
}

/// Facts with names in place of the indices whose key has some.
fn named(facts: Json, name: &impl Fn(&str, u8) -> Option<String>) -> Json {
    let Json::Object(facts) = facts else { return facts };
    let facts = facts.into_iter().map(|(key, value)| {
        let id = |value: &Json| name(&key, u8::try_from(value.as_u64()?).ok()?).map(Json::String);
        let value = match value {
            Json::Array(values) => {
                values.into_iter().map(|value| id(&value).unwrap_or_else(|| named(value, name))).collect()
            }
            Json::Object(_) => named(value, name),
            value => id(&value).unwrap_or(value),
        };
        (key, value)
    });
    Json::Object(facts.collect())
}
