//! What a seat sees and what is played, as JSON for agents in other languages: things are called by their names.

use serde_json::{Value as Json, json};
use ttr_engine::board::{self, BoardGame};
use ttr_engine::card_game::{self, CardGame};
use ttr_engine::{CityId, Game, RouteId, TicketId};

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
