//! Pictures of boards as SVG: every route with its spaces, colours, Tunnels, Ferries and every City with its name.
//!
//! [`board_svg`] draws a map. [`BoardDrawing`] keeps the geometry, so that a report can draw many pictures of one
//! board: with other colours, widths and opacities of routes, with Stations, with a legend of its own ([`Style`]).
//!
//! | module | what it does |
//! |---|---|
//! | `geometry` | points, turned rectangles, curves |
//! | `layout` | the result: where cities, spaces and names are, and what overlaps |
//! | `anneal` | the search that gets there |
//! | `stored` | what it found for the shipped boards |
//! | `bundle` | the curve and spaces of a route, and what it costs to be too near |
//! | `labels` | widths of names and places for them |
//! | `paint`, `legend` | the SVG text |

mod anneal;
mod bundle;
mod geometry;
mod labels;
mod layout;
mod legend;
mod paint;
mod position;
mod stored;
#[cfg(test)]
mod tests;

use ttr_engine::spec::{CitySpec, MapSpec, RouteSpec};

pub use geometry::{Block, Bounds, Point, Polyline};
pub use labels::{FONT_SIZE, Label, text_width};
pub use layout::{CITY_RADIUS, Layout, Overlaps, SPACE_WIDTH, Track, shipped as shipped_layouts};
pub use position::{SEAT_COLOURS, compiled_routes, position_svg};

/// Draws the board of a map.
pub fn board_svg(map: &MapSpec) -> String {
    BoardDrawing::new(map).svg(&Style::default())
}

/// A board that has been laid out and can be drawn, in any number of styles.
///
/// ```
/// use ttr_show::draw::{BoardDrawing, Style};
/// let map = ttr_engine::maps::load("nordic")?;
/// let board = BoardDrawing::new(&map);
/// assert_eq!(board.layout().tracks.len(), map.routes.len());
/// let titled = board.svg(&Style { title: Some("Winter"), ..Style::default() });
/// let bare = board.svg(&Style { bare: true, ..Style::default() });
/// assert!(titled.contains("Winter") && bare.len() < titled.len());
/// # Ok::<(), ttr_engine::spec::MapError>(())
/// ```
#[derive(Clone, Debug)]
pub struct BoardDrawing<'a> {
    name: &'a str,
    note: Option<&'a str>,
    cities: &'a [CitySpec],
    routes: &'a [RouteSpec],
    big_cities: &'a [String],
    /// The lengths of routes with their points.
    points: Vec<(u8, u8)>,
    layout: Layout,
}

impl<'a> BoardDrawing<'a> {
    /// Lays out the board of a map.
    pub fn new(map: &'a MapSpec) -> Self {
        let mut lengths: Vec<u8> = map.routes.iter().map(|route| route.length).collect();
        lengths.sort_unstable();
        lengths.dedup();
        let points = |length: u8| Some((length, *map.rules.claim.points.get(&length.to_string())?));
        Self {
            big_cities: &map.big_cities,
            points: lengths.into_iter().filter_map(points).collect(),
            ..Self::of(&map.name, map.note.as_deref(), &map.cities, &map.routes)
        }
    }

    /// Lays out a board from its parts.
    pub fn of(name: &'a str, note: Option<&'a str>, cities: &'a [CitySpec], routes: &'a [RouteSpec]) -> Self {
        let layout = Layout::new(cities, routes);
        Self { name, note, cities, routes, big_cities: &[], points: Vec::new(), layout }
    }

    /// Where everything is.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The picture.
    pub fn svg(&self, style: &Style<'_>) -> String {
        paint::svg(self, style)
    }
}

/// What a picture of a board shows beyond the board itself. The default shows the board as it is printed.
#[derive(Default)]
pub struct Style<'a> {
    /// The title; the name of the map if none is given.
    pub title: Option<&'a str>,
    /// A line below the title.
    pub subtitle: Option<&'a str>,
    /// How to paint each route, by its index in the map; as printed if none is given.
    pub route: Option<&'a dyn Fn(usize) -> RoutePaint>,
    /// What stands on cities.
    pub markers: Vec<Marker>,
    /// What is explained below the board.
    pub legend: Legend,
    /// The colours of everything but the routes.
    pub palette: Palette<'a>,
    /// Leaves out the title, the points and the note.
    pub bare: bool,
    /// Leaves out the signs of tunnels, ferries and substitute cards, for pictures that are about other things.
    pub plain: bool,
    /// Begins the ids of the routes, for documents with several boards; `route` if empty.
    pub id: &'a str,
}

/// The colours of everything but the routes: any that SVG knows. The default is that of the printed board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Palette<'a> {
    /// The ground.
    pub land: &'a str,
    /// Letters and signs.
    pub ink: &'a str,
    /// Outlines of spaces that are not painted as printed.
    pub edge: &'a str,
    /// The thin lines from city to city.
    pub rail: &'a str,
    /// The water below a Ferry.
    pub water: &'a str,
    /// Its shore.
    pub wave: &'a str,
    /// The teeth of a Tunnel.
    pub rock: &'a str,
    /// The middle of a city.
    pub city: &'a str,
    /// The middle of a big city.
    pub big_city: &'a str,
}

impl Default for Palette<'_> {
    fn default() -> Self {
        Self {
            land: "#f4eedd",
            ink: paint::INK,
            edge: paint::INK,
            rail: "#a2957b",
            water: "#d3e9f7",
            wave: "#2f7fb5",
            rock: "#54402c",
            city: "#c8452c",
            big_city: "#f2b100",
        }
    }
}

/// How to paint one route.
#[derive(Clone, PartialEq, Debug)]
pub struct RoutePaint {
    /// Any SVG colour for the spaces; the printed colour if none is given.
    pub fill: Option<String>,
    /// The width of the spaces as a share of the printed width; from 0.1 to 1.2.
    pub width: f64,
    /// From 0, invisible, to 1.
    pub opacity: f64,
    /// Replaces the text that appears when the mouse is over the route.
    pub tooltip: Option<String>,
}

impl Default for RoutePaint {
    fn default() -> Self {
        Self { fill: None, width: 1.0, opacity: 1.0, tooltip: None }
    }
}

/// Something that stands on a city.
#[derive(Clone, PartialEq, Debug)]
pub struct Marker {
    /// The index of the city in the map; markers of other cities are left out.
    pub city: usize,
    /// Its form.
    pub kind: MarkerKind,
    /// Any SVG colour.
    pub fill: String,
    /// Appears when the mouse is over the marker.
    pub tooltip: Option<String>,
}

/// The form of a [`Marker`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MarkerKind {
    /// A house: a Station.
    Station,
    /// A square: a depot.
    Depot,
    /// A ring around the city: an end of a ticket.
    Ring,
}

/// What is explained below the board.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Legend {
    /// The signs that the board uses.
    #[default]
    Board,
    /// Only these colours.
    Only(Vec<LegendEntry>),
    /// These colours, then the signs that the board uses.
    With(Vec<LegendEntry>),
    /// Nothing.
    None,
}

/// A colour and what it stands for.
#[derive(Clone, PartialEq, Debug)]
pub struct LegendEntry {
    /// Any SVG colour.
    pub fill: String,
    /// What it stands for.
    pub text: String,
}
