//! The SVG text.

use std::fmt::{Display, Formatter, Result, Write};

use ttr_engine::spec::{RouteColour, RouteSpec};

use super::geometry::{Block, Point, Polyline};
use super::labels::{FONT_SIZE, LINE_HEIGHT, ascent, clean, text_width};
use super::layout::{BAND, CITY_RADIUS, SPACE_WIDTH, Track};
use super::legend::{legend, legend_entry, rows};
use super::{BoardDrawing, Marker, MarkerKind, Palette, RoutePaint, Style};

/// Ink of symbols on white, whatever the palette.
pub(super) const INK: &str = "#2b2622";
const MARGIN: f64 = 26.0;
const TITLE_SIZE: f64 = 28.0;
pub(super) const TEXT_SIZE: f64 = 13.0;
const LINE: f64 = TEXT_SIZE * 1.35;
const LEGEND_ROW: f64 = 27.0;

/// A number with at most one decimal, always valid in SVG.
pub(super) struct N(pub(super) f64);

impl Display for N {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let tenths = if self.0.is_finite() { (self.0 * 10.0).round() as i64 } else { 0 };
        if tenths % 10 == 0 { write!(f, "{}", tenths / 10) } else { write!(f, "{:.1}", tenths as f64 / 10.0) }
    }
}

/// Text with the special characters of XML escaped.
pub(super) struct Xml<'a>(pub(super) &'a str);

impl Display for Xml<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        for c in clean(self.0).chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

/// Adds a line to the picture; writing to a `String` cannot fail.
macro_rules! put {
    ($out:expr, $($arg:tt)*) => {{
        let _ = writeln!($out, $($arg)*);
    }};
}

pub(super) use put;

/// The colour of the spaces and of their outline.
fn colours(colour: RouteColour) -> (&'static str, &'static str) {
    match colour {
        RouteColour::Purple => ("#c66fcb", "#6b2b70"),
        RouteColour::Blue => ("#2f79d0", "#163c6b"),
        RouteColour::Orange => ("#f08a24", "#7d430a"),
        RouteColour::White => ("#ffffff", "#2b2622"),
        RouteColour::Green => ("#4aa548", "#1f5220"),
        RouteColour::Yellow => ("#fbdc3a", "#7a6708"),
        RouteColour::Black => ("#33302e", "#000000"),
        RouteColour::Red => ("#d8352f", "#6d1411"),
        RouteColour::Grey => ("#b1b0ad", "#5b5a57"),
    }
}

/// Draws a board.
pub(super) fn svg(board: &BoardDrawing<'_>, style: &Style<'_>) -> String {
    let bounds = board.layout.bounds;
    let Palette { land, ink, .. } = style.palette;
    let (land, ink) = (Xml(land), Xml(ink));
    let title = clean(style.title.unwrap_or(board.name));
    let entries = legend(board, style);
    let points = if style.bare { &[][..] } else { &board.points };
    let top_line = text_width(&title, TITLE_SIZE) + points_width(points);
    let width = bounds.size().x.max(top_line).max(460.0) + 2.0 * MARGIN;
    let subtitle = style.subtitle.map(|text| wrap(text, width - 2.0 * MARGIN)).unwrap_or_default();
    let note =
        board.note.filter(|_| !style.bare).map(|text| wrap(text, width - 2.0 * MARGIN)).unwrap_or_default();
    let rows = rows(&entries, width - 2.0 * MARGIN);

    let heading = if style.bare { 0.0 } else { TITLE_SIZE + 12.0 };
    let head = MARGIN + heading + subtitle.len() as f64 * LINE;
    let board_end = head + bounds.size().y + MARGIN * 0.8;
    let notes_end = board_end + if note.is_empty() { 0.0 } else { note.len() as f64 * LINE + 8.0 };
    let height = notes_end + rows.len() as f64 * LEGEND_ROW + MARGIN * 0.6;

    let mut out = String::new();
    put!(
        out,
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w} {h}" width="{w}" height="{h}" font-family="'DejaVu Sans', Verdana, Helvetica, Arial, sans-serif">"#,
        w = N(width),
        h = N(height)
    );
    put!(out, "<title>{}</title>", Xml(&title));
    put!(out, r#"<rect width="{}" height="{}" fill="{land}"/>"#, N(width), N(height));
    let mut text = |y: f64, size: f64, weight: &str, text: &str| {
        let (x, y, size) = (N(MARGIN), N(y), N(size));
        put!(
            out,
            r#"<text x="{x}" y="{y}" font-size="{size}" font-weight="{weight}" fill="{ink}">{}</text>"#,
            Xml(text)
        );
    };
    if !style.bare {
        text(MARGIN + TITLE_SIZE * 0.8, TITLE_SIZE, "bold", &title);
    }
    for (i, part) in subtitle.iter().enumerate() {
        text(MARGIN + (heading - 4.0).max(0.0) + (i as f64 + 0.6) * LINE, TEXT_SIZE, "normal", part);
    }
    for (i, part) in note.iter().enumerate() {
        text(board_end + (i as f64 + 0.8) * LINE, TEXT_SIZE, "normal", part);
    }
    points_table(&mut out, Point::new(width - MARGIN, MARGIN), points, &style.palette);
    let shift = Point::new((width - bounds.size().x) / 2.0 - bounds.min.x, head - bounds.min.y);
    put!(out, r#"<g transform="translate({} {})">"#, N(shift.x), N(shift.y));
    let paints: Vec<RoutePaint> =
        (0..board.routes.len()).map(|i| style.route.map(|paint| paint(i)).unwrap_or_default()).collect();
    rails(&mut out, &board.layout.tracks, &paints, &style.palette);
    let id = if style.id.is_empty() { "route" } else { style.id };
    for (i, (route, track)) in board.routes.iter().zip(&board.layout.tracks).enumerate() {
        if track.spaces.is_empty() {
            continue;
        }
        let paint = &paints[i];
        put!(out, r#"<g id="{}-{i}" opacity="{:.2}">"#, Xml(id), opacity(paint));
        let tooltip = paint.tooltip.clone().unwrap_or_else(|| describe(route));
        let lines: Vec<String> = tooltip.lines().map(|line| Xml(line).to_string()).collect();
        put!(out, "<title>{}</title>", lines.join("\n"));
        if style.plain {
            spaces(&mut out, route, track, paint, &style.palette);
        } else {
            route_spaces(&mut out, route, track, paint, &style.palette);
        }
        put!(out, "</g>");
    }
    for (city, &at) in board.cities.iter().zip(&board.layout.cities) {
        city_dot(&mut out, at, &city.name, board.big_cities.contains(&city.name), &style.palette);
    }
    markers(&mut out, &style.markers, &board.layout.cities);
    names(&mut out, board, &style.palette);
    put!(out, "</g>");
    for (row, entries) in rows.iter().enumerate() {
        let y = notes_end + (row as f64 + 0.5) * LEGEND_ROW;
        for &(x, entry) in entries {
            legend_entry(&mut out, Point::new(MARGIN + x, y), entry, &style.palette);
        }
    }
    out.push_str("</svg>\n");
    out
}

/// The opacity of a route.
fn opacity(paint: &RoutePaint) -> f64 {
    if paint.opacity.is_finite() { paint.opacity.clamp(0.0, 1.0) } else { 1.0 }
}

/// Thin lines from city to city below the spaces: they show where a route ends.
fn rails(out: &mut String, tracks: &[Track], paints: &[RoutePaint], palette: &Palette<'_>) {
    put!(out, r#"<g fill="none" stroke="{}" stroke-width="1.8">"#, Xml(palette.rail));
    for (track, paint) in tracks.iter().zip(paints).filter(|(track, _)| !track.spaces.is_empty()) {
        let path = track.path.points();
        put!(out, r#"<path d="{}"/>"#, line(&[&track.ends[..1], path, &track.ends[1..]].concat()));
        if opacity(paint) < 1.0 {
            // Nothing shows through the spaces.
            put!(out, r#"<path d="{}" stroke="{}" stroke-width="4"/>"#, line(path), Xml(palette.land));
        }
    }
    put!(out, "</g>");
}

/// A route in words.
fn describe(route: &RouteSpec) -> String {
    let mut text = format!("{} – {}: {} {}", route.from, route.to, route.length, route.colour.name());
    if route.tunnel {
        text += ", tunnel";
    }
    if route.ferry > 0 {
        let _ = write!(
            text,
            ", ferry with {} locomotive{}",
            route.ferry,
            if route.ferry == 1 { "" } else { "s" }
        );
    }
    if let Some(cards) = route.any_cards_per_space {
        let _ = write!(text, ", any {cards} cards pay for a space, too");
    }
    text
}

/// The width of a column of the table of points.
const POINTS_COLUMN: f64 = 26.0;
/// The width of its headings.
const POINTS_HEADING: f64 = 58.0;

/// The width of the table of points, including the gap to its left.
fn points_width(points: &[(u8, u8)]) -> f64 {
    match points.len() {
        0 => 0.0,
        columns => POINTS_HEADING + columns as f64 * POINTS_COLUMN + 2.0 * MARGIN,
    }
}

/// The points of routes by length; `corner` is the table's upper right one.
fn points_table(out: &mut String, corner: Point, points: &[(u8, u8)], palette: &Palette<'_>) {
    if points.is_empty() {
        return;
    }
    let left = corner.x - points.len() as f64 * POINTS_COLUMN;
    let numbers = points.iter().copied().unzip::<u8, u8, Vec<_>, Vec<_>>();
    let rows = [("spaces", numbers.0), ("points", numbers.1)];
    put!(out, r#"<g font-size="{TEXT_SIZE}" text-anchor="end" fill="{}">"#, Xml(palette.ink));
    for (row, (name, numbers)) in rows.into_iter().enumerate() {
        let y = N(corner.y + (row as f64 + 0.7) * LINE);
        put!(out, r#"<text x="{}" y="{y}">{name}</text>"#, N(left));
        for (column, number) in numbers.into_iter().enumerate() {
            let x = N(left + (column + 1) as f64 * POINTS_COLUMN);
            put!(out, r#"<text x="{x}" y="{y}">{number}</text>"#);
        }
    }
    let (y, rail) = (N(corner.y + 1.02 * LINE), Xml(palette.rail));
    let from = N(left - POINTS_HEADING + 8.0);
    put!(out, r#"<path d="M{from} {y}H{}" stroke="{rail}"/>"#, N(corner.x));
    put!(out, "</g>");
}

/// The spaces of a route with its signs.
pub(super) fn route_spaces(
    out: &mut String,
    route: &RouteSpec,
    track: &Track,
    paint: &RoutePaint,
    palette: &Palette<'_>,
) {
    let width = space_width(paint);
    if route.ferry > 0 {
        waves(out, &track.path, width, palette);
    }
    if route.tunnel {
        // Whole teeth from the first to the last.
        let teeth = (track.path.length() / 5.8).round().max(2.0);
        let tooth = track.path.length() / (1.7 * teeth - 0.7);
        put!(
            out,
            r#"<path d="{}" fill="none" stroke="{}" stroke-width="{}" stroke-dasharray="{tooth:.3} {:.3}"/>"#,
            line(track.path.points()),
            Xml(palette.rock),
            N(width + 2.0 * BAND),
            tooth * 0.7
        );
    }
    spaces(out, route, track, paint, palette);
    // The locomotives of a ferry are in the middle of it.
    let ferries = usize::from(route.ferry).min(track.spaces.len());
    let first = (track.spaces.len() - ferries) / 2;
    for space in &track.spaces[first..first + ferries] {
        locomotive(out, space);
    }
    if let Some(cards) = route.any_cards_per_space {
        // Text is readable on printed grey; other colours may be dark.
        let halo = match &paint.fill {
            Some(_) => format!(r#" stroke="{}" stroke-width="2.5" paint-order="stroke""#, Xml(palette.land)),
            None => String::new(),
        };
        for space in &track.spaces {
            put!(
                out,
                r#"<text transform="{}" y="3.4" font-size="9.5" font-weight="bold" text-anchor="middle" fill="{}"{halo}>{cards}:1</text>"#,
                upright(space),
                Xml(palette.ink)
            );
        }
    }
}

fn space_width(paint: &RoutePaint) -> f64 {
    SPACE_WIDTH * if paint.width.is_finite() { paint.width.clamp(0.1, 1.2) } else { 1.0 }
}

/// The spaces of a route alone.
fn spaces(out: &mut String, route: &RouteSpec, track: &Track, paint: &RoutePaint, palette: &Palette<'_>) {
    let width = space_width(paint);
    let (fill, edge) = colours(route.colour);
    let (fill, edge) = match &paint.fill {
        Some(fill) => (fill.as_str(), palette.edge),
        None => (fill, edge),
    };
    let thick = if route.tunnel { 1.7 } else { 1.1 };
    for space in &track.spaces {
        let (l, w) = (2.0 * space.half_length - thick, width - thick);
        put!(
            out,
            r#"<rect x="{}" y="{}" width="{}" height="{}" rx="{}" transform="{}" fill="{}" stroke="{}" stroke-width="{thick}"/>"#,
            N(-l / 2.0),
            N(-w / 2.0),
            N(l),
            N(w),
            N(w.min(l) * 0.22),
            upright(space),
            Xml(fill),
            Xml(edge)
        );
    }
}

/// The transformation to the position of a space, rotated with it but never upside down.
fn upright(space: &Block) -> String {
    let along = if space.along.x < -1e-9 { -space.along } else { space.along };
    let angle = along.y.atan2(along.x).to_degrees();
    format!("translate({} {}) rotate({})", N(space.centre.x), N(space.centre.y), N(angle))
}

/// A path along a line.
fn line(points: &[Point]) -> String {
    let mut d = String::new();
    for (i, point) in points.iter().enumerate() {
        let _ = write!(d, "{}{} {}", if i == 0 { "M" } else { "L" }, N(point.x), N(point.y));
    }
    d
}

/// Water with wavy shores under a ferry.
fn waves(out: &mut String, path: &Polyline, width: f64, palette: &Palette<'_>) {
    let length = path.length();
    let count = ((length / 7.0).round() as usize).clamp(2, 400);
    let mut d = String::new();
    for side in [1.0, -1.0] {
        let at = |k: f64, out: f64| {
            let part = k / count as f64;
            let (point, along) = path.point_at(length * if side > 0.0 { part } else { 1.0 - part });
            point + along.turned() * (side * (width / 2.0 + out))
        };
        for k in 0..=count {
            let end = at(k as f64, BAND * 0.4);
            if k == 0 {
                let _ = write!(d, "{}{} {}", if side > 0.0 { "M" } else { "L" }, N(end.x), N(end.y));
            } else {
                let top = at(k as f64 - 0.5, BAND * 1.6);
                let _ = write!(d, "Q{} {} {} {}", N(top.x), N(top.y), N(end.x), N(end.y));
            }
        }
    }
    let (water, wave) = (Xml(palette.water), Xml(palette.wave));
    put!(out, r#"<path d="{d}Z" fill="{water}" stroke="{wave}" stroke-width="1.1"/>"#);
}

/// A locomotive on a white plate in the middle of a space.
fn locomotive(out: &mut String, space: &Block) {
    let scale = (space.half_length / 11.0).min(1.0);
    put!(out, r#"<g transform="{} scale({scale:.2})">"#, upright(space));
    put!(
        out,
        r##"<rect x="-9" y="-5.2" width="18" height="10.4" rx="2.4" fill="#fff" stroke="{INK}" stroke-width="0.6"/>"##
    );
    put!(
        out,
        r#"<path d="M-6.8 -4.2h4.4v1.2h-.6v1.6h4.6v-2.4h-.8v-1h3v1h-.8v2.4h1.4q1.4 0 1.4 1.4v1.6l1.2 1h-13.4v-5.6h-.4zM-5.5 -2.8v1.4h1.5v-1.4z" fill="{INK}" fill-rule="evenodd"/>"#
    );
    for (x, r) in [(-4.3, 1.9), (0.4, 1.5), (4.2, 1.5)] {
        put!(out, r##"<circle cx="{x}" cy="2.7" r="{r}" fill="{INK}" stroke="#fff" stroke-width="0.5"/>"##);
    }
    put!(out, "</g>");
}

pub(super) fn city_dot(out: &mut String, at: Point, name: &str, big: bool, palette: &Palette<'_>) {
    let (x, y) = (N(at.x), N(at.y));
    let (fill, radius) = if big { (palette.big_city, 0.62) } else { (palette.city, 0.45) };
    put!(
        out,
        r##"<g><title>{}</title><circle cx="{x}" cy="{y}" r="{}" fill="#fff6e0" stroke="{INK}" stroke-width="2"/><circle cx="{x}" cy="{y}" r="{}" fill="{}"{}/></g>"##,
        Xml(name),
        N(CITY_RADIUS - 1.0 + if big { 1.5 } else { 0.0 }),
        N(CITY_RADIUS * radius),
        Xml(fill),
        if big { format!(r#" stroke="{INK}""#) } else { String::new() }
    );
}

fn markers(out: &mut String, markers: &[Marker], cities: &[Point]) {
    for (i, marker) in markers.iter().enumerate() {
        let Some(&city) = cities.get(marker.city) else {
            continue;
        };
        // Several markers of a city are drawn in a row.
        let before = markers[..i]
            .iter()
            .filter(|other| other.city == marker.city && other.kind == marker.kind)
            .count();
        let step = if marker.kind == MarkerKind::Ring { 0.0 } else { 9.0 };
        put!(out, r#"<g transform="translate({} {})">"#, N(city.x + before as f64 * step), N(city.y));
        if let Some(text) = &marker.tooltip {
            put!(out, "<title>{}</title>", Xml(text));
        }
        let fill = Xml(&marker.fill);
        match marker.kind {
            MarkerKind::Station => put!(
                out,
                r##"<path d="M-8 -1L0 -9L8 -1V8H-8Z" fill="{fill}" stroke="#fff" stroke-width="3" paint-order="stroke"/><path d="M-8 -1L0 -9L8 -1V8H-8Z" fill="none" stroke="{INK}" stroke-width="1.2"/>"##
            ),
            MarkerKind::Depot => {
                put!(
                    out,
                    r#"<rect x="-7" y="-7" width="14" height="14" rx="2" fill="{fill}" stroke="{INK}" stroke-width="1.4"/>"#
                );
            }
            MarkerKind::Ring => {
                let r = N(CITY_RADIUS + 2.0 + 3.5 * before as f64);
                put!(out, r#"<circle r="{r}" fill="none" stroke="{fill}" stroke-width="3"/>"#);
            }
        }
        put!(out, "</g>");
    }
}

fn names(out: &mut String, board: &BoardDrawing<'_>, palette: &Palette<'_>) {
    put!(
        out,
        r#"<g class="names" font-size="{FONT_SIZE}" fill="{}" stroke="{}" stroke-width="3.2" stroke-linejoin="round" paint-order="stroke">"#,
        Xml(palette.ink),
        Xml(palette.land)
    );
    for label in &board.layout.labels {
        let block = label.block;
        // A name next to its city begins or ends there; above and below it is centred.
        let away = block.centre.x - board.layout.cities[label.city].x;
        let (x, anchor) = if away > block.half_length * 0.9 {
            (block.centre.x - block.half_length, "start")
        } else if away < -block.half_length * 0.9 {
            (block.centre.x + block.half_length, "end")
        } else {
            (block.centre.x, "middle")
        };
        for (i, line) in label.lines.iter().enumerate() {
            let y = block.centre.y - block.half_width
                + FONT_SIZE * (ascent(&label.lines) + i as f64 * LINE_HEIGHT);
            put!(out, r#"<text x="{}" y="{}" text-anchor="{anchor}">{}</text>"#, N(x), N(y), Xml(line));
        }
    }
    put!(out, "</g>");
}

/// Breaks a text into lines of a maximum width.
fn wrap(text: &str, width: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in clean(text).split(' ').filter(|word| !word.is_empty()) {
        match lines
            .last_mut()
            .filter(|line| text_width(line, TEXT_SIZE) + text_width(word, TEXT_SIZE) + 5.0 < width)
        {
            Some(line) => {
                line.push(' ');
                line.push_str(word);
            }
            None => lines.push(word.to_owned()),
        }
    }
    lines
}
