//! The legend below a board.

use std::fmt::Write;

use ttr_engine::spec::{RouteColour, RouteSpec};

use super::geometry::{Block, Point, Polyline};
use super::labels::{clean, text_width};
use super::layout::{CITY_RADIUS, SPACE_WIDTH, Track};
use super::paint::{N, TEXT_SIZE, Xml, city_dot, put, route_spaces};
use super::{BoardDrawing, Legend, Palette, RoutePaint, Style};

/// The symbol in front of a line of the legend.
enum Sign<'a> {
    Colour(&'a str),
    /// Tracks side by side, as on the board.
    Tracks(Vec<RouteSpec>),
    City,
    BigCity,
}

pub(super) struct Entry<'a> {
    sign: Sign<'a>,
    text: String,
}

impl Entry<'_> {
    fn sign_width(&self) -> f64 {
        match &self.sign {
            Sign::Colour(_) => 22.0,
            Sign::Tracks(tracks) => f64::from(tracks[0].length) * 29.0 + 4.0,
            Sign::City | Sign::BigCity => 2.0 * CITY_RADIUS,
        }
    }

    fn width(&self) -> f64 {
        self.sign_width() + 8.0 + text_width(&self.text, TEXT_SIZE)
    }
}

/// The entries for this board in this style.
pub(super) fn legend<'a>(board: &BoardDrawing<'_>, style: &'a Style<'_>) -> Vec<Entry<'a>> {
    let (own, signs) = match &style.legend {
        Legend::Board => (&[][..], true),
        Legend::Only(own) => (&own[..], false),
        Legend::With(own) => (&own[..], true),
        Legend::None => (&[][..], false),
    };
    let mut entries: Vec<Entry<'a>> =
        own.iter().map(|entry| Entry { sign: Sign::Colour(&entry.fill), text: clean(&entry.text) }).collect();
    if !signs {
        return entries;
    }
    let sample = |length: u8, colour| RouteSpec {
        from: String::new(),
        to: String::new(),
        length,
        colour,
        tunnel: false,
        ferry: 0,
        double: None,
        any_cards_per_space: None,
    };
    let mut add =
        |tracks: Vec<RouteSpec>, text: String| entries.push(Entry { sign: Sign::Tracks(tracks), text });
    let routes = board.routes;
    if routes.iter().any(|route| route.colour != RouteColour::Grey) {
        let colour = routes.iter().map(|route| route.colour).find(|&colour| colour != RouteColour::Grey);
        let colour = colour.unwrap_or(RouteColour::Grey);
        add(vec![sample(2, colour)], format!("Route, 2 spaces ({})", colour.name()));
    }
    if routes.iter().any(|route| route.colour == RouteColour::Grey) {
        add(vec![sample(2, RouteColour::Grey)], "Grey: any one colour".to_owned());
    }
    if routes.iter().any(|route| route.double.is_some()) {
        add(vec![sample(2, RouteColour::Red), sample(2, RouteColour::Yellow)], "Double route".to_owned());
    }
    if routes.iter().any(|route| route.tunnel) {
        add(vec![RouteSpec { tunnel: true, ..sample(2, RouteColour::Grey) }], "Tunnel".to_owned());
    }
    if routes.iter().any(|route| route.ferry > 0) {
        let ferry = RouteSpec { ferry: 1, ..sample(2, RouteColour::Grey) };
        add(vec![ferry], "Ferry: one locomotive per symbol".to_owned());
    }
    let mut specials: Vec<u8> = routes.iter().filter_map(|route| route.any_cards_per_space).collect();
    specials.sort_unstable();
    specials.dedup();
    for cards in specials {
        let special = RouteSpec { any_cards_per_space: Some(cards), ..sample(1, RouteColour::Grey) };
        add(vec![special], format!("Any {cards} cards pay for a space, too"));
    }
    entries.push(Entry { sign: Sign::City, text: "City".to_owned() });
    if !board.big_cities.is_empty() {
        entries.push(Entry { sign: Sign::BigCity, text: "Big city".to_owned() });
    }
    entries
}

/// The entries in rows, each with its x.
pub(super) fn rows<'a, 'b>(entries: &'a [Entry<'b>], width: f64) -> Vec<Vec<(f64, &'a Entry<'b>)>> {
    let mut rows = Vec::new();
    let mut row = Vec::new();
    let mut x = 0.0;
    for entry in entries {
        if x > 0.0 && x + entry.width() > width {
            rows.push(std::mem::take(&mut row));
            x = 0.0;
        }
        row.push((x, entry));
        x += entry.width() + 20.0;
    }
    if !row.is_empty() {
        rows.push(row);
    }
    rows
}

pub(super) fn legend_entry(out: &mut String, at: Point, entry: &Entry<'_>, palette: &Palette<'_>) {
    let ink = Xml(palette.ink);
    match &entry.sign {
        Sign::Colour(fill) => put!(
            out,
            r#"<rect x="{}" y="{}" width="22" height="13" rx="3" fill="{}" stroke="{ink}" stroke-width="0.8"/>"#,
            N(at.x),
            N(at.y - 6.5),
            Xml(fill)
        ),
        Sign::City => city_dot(out, at + Point::new(CITY_RADIUS, 0.0), "", false, palette),
        Sign::BigCity => city_dot(out, at + Point::new(CITY_RADIUS, 0.0), "", true, palette),
        Sign::Tracks(tracks) => {
            let count = tracks.len() as f64;
            let squeeze = if tracks.len() > 1 { 0.75 } else { 1.0 };
            for (i, route) in tracks.iter().enumerate() {
                let y = at.y + (i as f64 - (count - 1.0) / 2.0) * (SPACE_WIDTH * squeeze + 2.0);
                let from = Point::new(at.x + 2.0, y);
                let ends = [from, from + Point::new(f64::from(route.length) * 29.0, 0.0)];
                let path = Polyline::new(ends.to_vec());
                let middle = |k: u8| from + Point::new(f64::from(k) * 29.0 + 14.5, 0.0);
                let spaces =
                    (0..route.length).map(|k| Block::upright(middle(k), 26.0, SPACE_WIDTH)).collect();
                let paint = RoutePaint { width: squeeze, ..RoutePaint::default() };
                route_spaces(out, route, &Track { ends, path, spaces }, &paint, palette);
            }
        }
    }
    put!(
        out,
        r#"<text x="{}" y="{}" font-size="{TEXT_SIZE}" fill="{ink}">{}</text>"#,
        N(at.x + entry.sign_width() + 8.0),
        N(at.y + TEXT_SIZE * 0.36),
        Xml(&entry.text)
    );
}
