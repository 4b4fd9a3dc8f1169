//! The board for a page: a picture whose colours follow the page, and the places of everything on it.

use serde_json::{Value as Json, json};
use ttr_engine::board::BoardGame;
use ttr_show::draw::{BoardDrawing, Legend, Palette, Point, RoutePaint, Style, compiled_routes};

/// The picture as SVG; the routes by name, each with the number of its group `route-N` in the picture and
/// its spaces as x, y, angle in degrees, half length; the cities by name with x and y. Coordinates are those
/// inside the group that contains the routes.
pub(crate) fn of_board(game: &BoardGame) -> Json {
    let map = game.spec();
    let drawing = BoardDrawing::new(map);
    // The page makes routes pale: no line may show through them.
    let paint = |_| RoutePaint { opacity: 0.999, ..RoutePaint::default() };
    let style = Style {
        bare: true,
        legend: Legend::None,
        palette: Palette::PAGE,
        route: Some(&paint),
        ..Style::default()
    };
    let layout = drawing.layout();
    let place = |point: Point| json!([tenths(point.x), tenths(point.y)]);
    let routes = compiled_routes(game).into_iter().zip(&layout.tracks).enumerate();
    let routes: Vec<Json> = routes
        .filter_map(|(group, (route, track))| {
            let spaces = track.spaces.iter().map(|space| {
                let angle = space.along.y.atan2(space.along.x).to_degrees();
                let Point { x, y } = space.centre;
                json!([tenths(x), tenths(y), tenths(angle), tenths(space.half_length)])
            });
            Some(json!({
                "name": game.route_name(route?),
                "group": group,
                "spaces": spaces.collect::<Vec<_>>(),
            }))
        })
        .collect();
    let cities = map.cities.iter().zip(&layout.cities);
    json!({
        "svg": drawing.svg(&style),
        "routes": routes,
        "cities": cities.map(|(city, &at)| json!({ "name": city.name, "at": place(at) })).collect::<Vec<_>>(),
    })
}

fn tenths(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}
