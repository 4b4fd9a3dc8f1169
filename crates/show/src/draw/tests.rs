//! Boards of all kinds can be drawn, and their pictures are valid.

use ttr_engine::spec::RouteColour;

use super::*;

const COLOURS: [RouteColour; 9] = [
    RouteColour::Purple,
    RouteColour::Blue,
    RouteColour::Orange,
    RouteColour::White,
    RouteColour::Green,
    RouteColour::Yellow,
    RouteColour::Black,
    RouteColour::Red,
    RouteColour::Grey,
];

/// Maximum distance of a name from its city on a shipped board.
const NEAR: f64 = 12.0;

fn city(name: &str, x: f32, y: f32) -> CitySpec {
    CitySpec { name: name.to_owned(), at: [x, y] }
}

fn route(from: &str, to: &str, length: u8, colour: usize) -> RouteSpec {
    RouteSpec {
        from: from.to_owned(),
        to: to.to_owned(),
        length,
        colour: COLOURS[colour % COLOURS.len()],
        tunnel: false,
        ferry: 0,
        double: None,
        any_cards_per_space: None,
    }
}

/// A planar board: a grid with some diagonals, double routes, tunnels and ferries.
fn grid(columns: usize, rows: usize) -> (Vec<CitySpec>, Vec<RouteSpec>) {
    let name = |x: usize, y: usize| format!("City {x}{y} of the grid");
    let mut cities = Vec::new();
    let mut routes = Vec::new();
    for y in 0..rows {
        for x in 0..columns {
            // Slightly irregular.
            let (dx, dy) = ((x * 7 + y * 13) % 5, (x * 11 + y * 3) % 7);
            cities.push(city(&name(x, y), (x * 100 + dx * 4) as f32, (y * 90 + dy * 4) as f32));
            let mut add = |to: String, length: usize| {
                let n = routes.len();
                let mut new = route(&name(x, y), &to, length as u8, n);
                new.tunnel = n % 5 == 0;
                new.ferry = u8::from(n % 7 == 3);
                if n % 4 == 0 {
                    new.double = Some(format!("D{n}"));
                    routes.push(RouteSpec { colour: COLOURS[(n + 3) % 8], ..new.clone() });
                }
                routes.push(new);
            };
            if x + 1 < columns {
                add(name(x + 1, y), 1 + (x + y) % 3);
            }
            if y + 1 < rows {
                add(name(x, y + 1), 1 + (x * y) % 3);
            }
        }
    }
    (cities, routes)
}

/// Every tag is closed in order, and every number is valid.
fn assert_sound(svg: &str) {
    assert!(!svg.contains("NaN") && !svg.contains("inf"), "a number is not finite");
    let mut open = Vec::new();
    for tag in svg.split('<').skip(1) {
        let (tag, _) = tag.split_once('>').expect("a tag ends");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(tag.split(' ').next().expect("a tag has a name"));
        }
    }
    assert!(open.is_empty());
}

fn drawn(cities: &[CitySpec], routes: &[RouteSpec]) -> String {
    let board = BoardDrawing::of("Test", None, cities, routes);
    assert_eq!(board.layout().cities.len(), cities.len());
    assert_eq!(board.layout().tracks.len(), routes.len());
    let svg = board.svg(&Style::default());
    assert_sound(&svg);
    svg
}

#[test]
fn the_shipped_boards_can_be_read() {
    for id in ["europe", "nordic", "usa", "first-journey-europe", "first-journey-usa"] {
        let map = ttr_engine::maps::load(id).expect("a shipped map");
        let board = BoardDrawing::new(&map);
        let found = board.layout().overlaps();
        assert_eq!((found.label_label, found.label_city, found.space_city), (0, 0, 0), "{id}: {found:?}");
        assert_eq!((found.label_space, found.space_space, found.crossings), (0, 0, 0), "{id}: {found:?}");
        assert!(board.layout().shortest_space() > 20.0, "{id}: {}", board.layout().shortest_space());
        assert_eq!(board.layout().labels.len(), map.cities.len());
        assert_sound(&board.svg(&Style::default()));
    }
}

/// Names are next to their own cities.
#[test]
fn names_are_near_their_cities() {
    for id in ["europe", "nordic", "usa", "first-journey-europe", "first-journey-usa"] {
        let map = ttr_engine::maps::load(id).expect("a shipped map");
        let board = BoardDrawing::new(&map);
        for label in &board.layout().labels {
            let gap = label.block.gap_to(board.layout().cities[label.city]) - CITY_RADIUS;
            assert!(gap < NEAR, "{id}: {} is {gap:.1} away", label.lines.join(" "));
        }
    }
}

#[test]
fn boards_show_points_and_big_cities() {
    let svg = |id: &str| board_svg(&ttr_engine::maps::load(id).expect("a shipped map"));
    let big = Palette::default().big_city;
    let (plain, usa) = (svg("usa"), svg("usa-big-cities"));
    assert!(!plain.contains(big) && !plain.contains("Big city"));
    // One dot per big city, and one in the legend.
    assert_eq!(usa.matches(big).count(), 7 + 1);
    assert_eq!(svg("europe-big-cities").matches(big).count(), 9 + 1);
    assert!(usa.contains(">Big city</text>"));
    for text in [">spaces</text>", ">points</text>", ">15</text>"] {
        assert!(plain.contains(text), "{text}");
    }
    assert!(!svg("first-journey-usa").contains(">points</text>"), "its routes have none");
    // The note mentions nothing that the picture does not show.
    assert!(!svg("first-journey-europe").contains("marked"));
}

#[test]
fn a_plain_board_has_no_signs() {
    let map = ttr_engine::maps::load("nordic").expect("a shipped map");
    let board = BoardDrawing::new(&map);
    let Palette { water, wave, rock, .. } = Palette::default();
    let svg = board.svg(&Style { bare: true, plain: true, legend: Legend::None, ..Style::default() });
    assert_sound(&svg);
    for sign in [water, wave, rock, ">4:1<"] {
        assert!(!svg.contains(sign), "{sign}");
        assert!(board.svg(&Style::default()).contains(sign), "{sign}");
    }
}

#[test]
fn nothing_covers_anything_on_a_planar_board() {
    let (cities, routes) = grid(6, 5);
    let board = BoardDrawing::of("Grid", None, &cities, &routes);
    assert_eq!(board.layout().overlaps(), Overlaps::default());
    assert!(board.layout().shortest_space() > 15.0);
    for (route, track) in routes.iter().zip(&board.layout().tracks) {
        assert_eq!(track.spaces.len(), usize::from(route.length));
    }
    assert_sound(&board.svg(&Style::default()));
}

#[test]
fn a_route_runs_from_its_first_city_to_its_second() {
    let cities = [city("A", 0.0, 0.0), city("B", 300.0, 0.0)];
    let routes = [route("A", "B", 3, 0), route("B", "A", 3, 1)];
    let board = BoardDrawing::of("Two", None, &cities, &routes);
    let starts: Vec<f64> = board.layout().tracks.iter().map(|track| track.spaces[0].centre.x).collect();
    let ends: Vec<f64> = board.layout().tracks.iter().map(|track| track.spaces[2].centre.x).collect();
    assert!(starts[0] < ends[0] && starts[1] > ends[1]);
    assert!(board.layout().tracks.iter().all(|track| track.path.points()[0] != track.ends[1]));
}

#[test]
fn the_same_map_gives_the_same_picture() {
    let (cities, routes) = grid(4, 3);
    assert_eq!(drawn(&cities, &routes), drawn(&cities, &routes));
}

#[test]
fn strange_maps_can_be_drawn() {
    drawn(&[], &[]);
    drawn(&[city("", f32::NAN, f32::INFINITY)], &[]);
    drawn(&[city("Alone", 5.0, 5.0)], &[route("Alone", "Alone", 3, 0), route("Alone", "Nowhere", 2, 1)]);
    let far = [city("A", -3e38, 0.0), city("B", 3e38, 1e-30), city("C", f32::NEG_INFINITY, 7.0)];
    drawn(&far, &[route("A", "B", 255, 2), route("A", "C", 0, 8)]);
    let many: Vec<RouteSpec> = (0..9).map(|n| route("A", "B", 9, n)).collect();
    drawn(&far, &many);
}

#[test]
fn cities_in_one_place_are_drawn_apart() {
    let names: Vec<String> = (0..64).map(|n| format!("Town {n}")).collect();
    let cities: Vec<CitySpec> = names.iter().map(|name| city(name, 3.0, 4.0)).collect();
    let routes: Vec<RouteSpec> = (0..128)
        .map(|n| route(&names[n % 64], &names[(n * 5 + 1 + n / 64) % 64], 1 + (n % 6) as u8, n))
        .collect();
    let board = BoardDrawing::of("Heap", None, &cities, &routes);
    let places = &board.layout().cities;
    for (i, &a) in places.iter().enumerate() {
        assert!(places[..i].iter().all(|&b| (a - b).length() > CITY_RADIUS * 2.0));
    }
    assert_sound(&board.svg(&Style::default()));
}

#[test]
fn names_are_escaped_and_cleaned() {
    let name = "<b>&\"A\u{0}\u{1}' \u{FFFE}\u{1F682}";
    let svg = drawn(&[city(name, 0.0, 0.0), city("B]]>", 9.0, 0.0)], &[route(name, "B]]>", 2, 7)]);
    assert!(svg.contains("&lt;b&gt;&amp;&quot;A &#39;"));
    assert!(!svg.contains("<b>") && !svg.contains('\u{0}') && !svg.contains('\u{FFFE}'));
    let long = "x".repeat(500);
    let svg = drawn(&[city(&long, 0.0, 0.0)], &[]);
    assert!(svg.contains("xxx…"));
}

#[test]
fn signs_appear_where_the_map_has_them() {
    let cities = [city("A", 0.0, 0.0), city("B", 300.0, 0.0), city("C", 100.0, 300.0)];
    let plain = drawn(&cities, &[route("A", "B", 3, 0)]);
    assert!(!plain.contains("unnel") && !plain.contains("erry") && !plain.contains("ouble"));
    let ferry = RouteSpec { ferry: 2, ..route("A", "C", 4, 8) };
    let tunnel = RouteSpec { tunnel: true, any_cards_per_space: Some(4), ..route("C", "B", 3, 8) };
    let svg = drawn(&cities, &[ferry, tunnel]);
    assert!(svg.contains("A – C: 4 grey, ferry with 2 locomotives"));
    assert!(svg.contains("C – B: 3 grey, tunnel, any 4 cards pay for a space, too"));
    assert_eq!(svg.matches(">4:1<").count(), 3 + 1);
}

#[test]
fn a_style_repaints_routes_and_adds_markers_and_colours() {
    let (cities, routes) = grid(3, 2);
    let board = BoardDrawing::of("Grid", Some("A note."), &cities, &routes);
    let heat = |i: usize| RoutePaint {
        fill: Some(format!("rgb({i} 0 0)")),
        width: f64::NAN,
        opacity: 0.5,
        tooltip: Some(format!("route {i} & more")),
    };
    let marker =
        |kind, city| Marker { city, kind, fill: "blue".to_owned(), tooltip: Some("Station".to_owned()) };
    let style = Style {
        title: Some("Heat"),
        subtitle: Some("claims in 100 games"),
        route: Some(&heat),
        markers: vec![
            marker(MarkerKind::Station, 0),
            marker(MarkerKind::Depot, 0),
            marker(MarkerKind::Ring, 1),
            marker(MarkerKind::Station, 99),
        ],
        legend: Legend::Only(vec![LegendEntry { fill: "red".to_owned(), text: "often <".to_owned() }]),
        ..Style::default()
    };
    let svg = board.svg(&style);
    assert_sound(&svg);
    assert!(svg.contains("rgb(1 0 0)") && svg.contains("route 1 &amp; more") && svg.contains("often &lt;"));
    assert!(svg.contains("A note.") && svg.contains("claims in 100 games"));
    assert_eq!(svg.matches("<title>Station</title>").count(), 3);
}

#[test]
fn a_board_can_be_part_of_a_page() {
    let (cities, routes) = grid(3, 2);
    let board = BoardDrawing::of("Grid", Some("A note."), &cities, &routes);
    let palette = Palette { land: "var(--land)", ink: "\"<ink>", ..Palette::default() };
    let svg = board.svg(&Style { bare: true, id: "heat", palette, ..Style::default() });
    assert_sound(&svg);
    assert!(svg.contains("<title>Grid</title>") && !svg.contains(">Grid</text>") && !svg.contains("A note."));
    assert!(svg.contains(r#"id="heat-0""#) && !svg.contains(r#"id="route-0""#));
    assert!(svg.contains(r#"fill="var(--land)""#) && svg.contains("&quot;&lt;ink&gt;"));
    assert!(!svg.contains(Palette::default().land));
}
