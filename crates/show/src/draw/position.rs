//! The board of a position.

use ttr_engine::board::BoardGame;
use ttr_engine::spec::RouteSpec;
use ttr_engine::{RouteId, Seat};

use super::{BoardDrawing, Legend, LegendEntry, Marker, MarkerKind, RoutePaint, Style};
use crate::text::count;
use crate::view::{BoardSeat, SeatMore, SeatView, TableView};

/// The colours of the seats: those of the trains of the printed games.
pub const SEAT_COLOURS: [&str; 5] = ["#1763c6", "#d3231c", "#ffc400", "#1c8a3a", "#26221f"];

/// Opacity of routes that are free.
const FREE: f64 = 0.38;
/// Opacity of routes that nobody can claim any more.
const CLOSED: f64 = 0.12;

/// Draws the board of a position: routes, stations and depots in the colours of their seats, free routes
/// pale. `names` are those of the players by seat, and may be fewer.
pub fn position_svg(game: &BoardGame, view: &SeatView, names: &[String], subtitle: &str) -> String {
    let map = game.spec();
    let routes = compiled_routes(game);
    let seats: Vec<(Seat, &BoardSeat)> = (view.seats.iter().enumerate())
        .filter_map(|(index, state)| match &state.more {
            SeatMore::Board(seat) => Some((Seat::new(index), seat)),
            SeatMore::CardGame(_) => None,
        })
        .collect();
    let closed: &[String] = match &view.table {
        TableView::Board(table) => &table.closed_routes,
        TableView::CardGame(_) => &[],
    };
    let paint = |index: usize| {
        let Some(route) = routes[index].map(|route| game.route_name(route)) else {
            return RoutePaint { opacity: FREE, ..RoutePaint::default() };
        };
        match seats.iter().find(|(_, state)| state.routes.contains(&route)) {
            Some(&(seat, _)) => RoutePaint {
                fill: Some(colour(seat).to_owned()),
                tooltip: Some(format!("{route}: {seat}")),
                ..RoutePaint::default()
            },
            None if closed.contains(&route) => RoutePaint { opacity: CLOSED, ..RoutePaint::default() },
            None => RoutePaint { opacity: FREE, ..RoutePaint::default() },
        }
    };
    let marker = |seat: Seat, kind: MarkerKind, what: &str, city: &String| {
        Some(Marker {
            city: map.cities.iter().position(|known| known.name == *city)?,
            kind,
            fill: colour(seat).to_owned(),
            tooltip: Some(format!("{what} of {seat}")),
        })
    };
    let markers = seats.iter().flat_map(|&(seat, state)| {
        let stations =
            state.stations.iter().filter_map(move |city| marker(seat, MarkerKind::Station, "station", city));
        let depots =
            state.depots.iter().filter_map(move |city| marker(seat, MarkerKind::Depot, "depot", city));
        stations.chain(depots)
    });
    let entry = |&(seat, state): &(Seat, &BoardSeat)| {
        let name = names.get(seat.index()).map(|name| format!(" ({name})")).unwrap_or_default();
        let points = count(view.seats[seat.index()].score.into(), "point", "points");
        let trains = count(state.trains.into(), "train", "trains");
        let text = format!("{seat}{name}: {points}, {trains}");
        LegendEntry { fill: colour(seat).to_owned(), text }
    };
    let style = Style {
        subtitle: Some(subtitle),
        route: Some(&paint),
        markers: markers.collect(),
        legend: Legend::Only(seats.iter().map(entry).collect()),
        ..Style::default()
    };
    BoardDrawing::new(map).svg(&style)
}

fn colour(seat: Seat) -> &'static str {
    SEAT_COLOURS[seat.index() % SEAT_COLOURS.len()]
}

/// The compiled route of each route of the map: tracks of a double route have been moved together.
pub fn compiled_routes(game: &BoardGame) -> Vec<Option<RouteId>> {
    let mut taken = vec![false; game.routes().len()];
    let compiled = |spec: &RouteSpec| {
        let found = game.routes().iter().enumerate().position(|(i, route)| {
            let [a, b] = route.ends.map(|city| game.city_name(city));
            !taken[i]
                && ((a == spec.from && b == spec.to) || (a == spec.to && b == spec.from))
                && route.length == spec.length
                && route.colour == spec.colour.card()
                && route.tunnel == spec.tunnel
                && route.ferry == spec.ferry
        })?;
        taken[found] = true;
        Some(RouteId::new(found))
    };
    game.spec().routes.iter().map(compiled).collect()
}

#[cfg(test)]
mod tests {
    use ttr_engine::{Dice, Game, maps};

    use super::*;
    use crate::Show;

    #[test]
    fn every_route_of_the_map_has_its_own_compiled_route() {
        for id in ["usa", "europe", "nordic", "first-journey-usa"] {
            let game = BoardGame::new(&maps::load(id).expect("a shipped map"), 2).expect("two seats");
            let mut routes: Vec<RouteId> =
                compiled_routes(&game).into_iter().map(|route| route.expect("a route")).collect();
            routes.sort_unstable();
            assert!(routes.into_iter().eq(game.route_ids()), "{id}");
        }
    }

    /// Every owned route, station and depot is drawn in the colour of its seat.
    #[test]
    fn what_seats_have_is_drawn_in_their_colours() {
        let game = BoardGame::new(&maps::find("europe+depots").unwrap(), 3).unwrap();
        let (mut chance, mut choices) = (Dice::from_seed(4), Dice::from_seed(5));
        let mut state = game.deal(&mut chance);
        game.playout(&mut state, &mut choices, &mut chance);
        let view = game.position(&state, None);
        let names = ["Ann".to_owned(), "<Bob>".to_owned()];
        let svg = position_svg(&game, &view, &names, "at the end");
        assert!(svg.contains("at the end") && svg.contains("seat 2 (&lt;Bob&gt;): "), "{svg}");
        for (seat, state) in view.seats.iter().enumerate() {
            let SeatMore::Board(seat_state) = &state.more else { panic!("a board") };
            let spaces: usize = (seat_state.routes.iter())
                .map(|route| usize::from(game.route(game.parse_route(route).unwrap()).length))
                .sum();
            let buildings = seat_state.stations.len() + seat_state.depots.len();
            assert!(spaces > 10 && buildings > 0, "the test would see nothing");
            // One of each colour is in the legend.
            let painted = svg.matches(&format!("fill=\"{}\"", SEAT_COLOURS[seat])).count();
            assert_eq!(painted, spaces + buildings + 1, "seat {}", seat + 1);
        }
    }
}
