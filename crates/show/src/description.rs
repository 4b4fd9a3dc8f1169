//! Board, tickets and rules as JSON, for agents in other languages.

use serde_json::{Value as Json, json};
use ttr_engine::board::BoardGame;
use ttr_engine::card_game::CardGame;
use ttr_engine::{Game, RouteId, TicketId};

/// Board, tickets and rules of a board game.
pub(crate) fn of_board(game: &BoardGame) -> Json {
    let map = game.spec();
    let cities: Vec<&str> = map.cities.iter().map(|city| city.name.as_str()).collect();
    let routes = game.routes().iter().enumerate().map(|(id, route)| {
        let [from, to] = route.ends.map(|city| game.city_name(city));
        json!({
            "name": game.route_name(RouteId::new(id)),
            "from": from,
            "to": to,
            "length": route.length,
            "colour": route.colour,
            "tunnel": route.tunnel,
            "ferry": route.ferry,
            "any_cards_per_space": route.any_cards_per_space,
            "twin": route.twin.map(|twin| game.route_name(twin)),
            "points": route.points,
        })
    });
    let tickets = game.tickets().iter().enumerate().map(|(id, ticket)| {
        let [from, to] = ticket.ends.map(|city| game.city_name(city));
        let name = game.ticket_name(TicketId::new(id));
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
pub(crate) fn of_card_game(game: &CardGame) -> Json {
    let spec = game.spec();
    let tickets = game.tickets().iter().enumerate().map(|(id, ticket)| {
        let [from, to] = &ticket.ends;
        let name = game.ticket_name(TicketId::new(id));
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
