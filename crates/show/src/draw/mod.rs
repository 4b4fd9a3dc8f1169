//! Pictures of boards as SVG: every route with its spaces and colours, tunnels, ferries, and every city
//! with its name.
//!
//! [`board_svg`] draws a map. [`BoardDrawing`] keeps the geometry, so that a report can draw many pictures
//! of one board: with other colours, widths and opacities of routes, with stations, with its own legend
//! ([`Style`]).
//!
//! | module | content |
//! |---|---|
//! | `geometry` | points, rotated rectangles, curves |
//! | `layout` | the result: positions of cities, spaces and names, and overlaps |
//! | `anneal` | the search for the layout |
//! | `stored` | its results for the shipped boards |
//! | `bundle` | the curve and spaces of a route, and the cost of coming too close to others |
//! | `labels` | widths of names and positions for them |
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

    /// Lays out a board given its parts.
    pub fn of(name: &'a str, note: Option<&'a str>, cities: &'a [CitySpec], routes: &'a [RouteSpec]) -> Self {
        let layout = Layout::new(cities, routes);
        Self { name, note, cities, routes, big_cities: &[], points: Vec::new(), layout }
    }

    /// The layout.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Draws the board in a style.
    pub fn svg(&self, style: &Style<'_>) -> String {
        paint::svg(self, style)
    }
}

/// Style of a picture of a board. The default shows the board as it is printed.
#[derive(Default)]
pub struct Style<'a> {
    /// The title [default: the name of the map].
    pub title: Option<&'a str>,
    /// A line below the title.
    pub subtitle: Option<&'a str>,
    /// The paint of each route, by its index in the map [default: as printed].
    pub route: Option<&'a dyn Fn(usize) -> RoutePaint>,
    /// Markers on cities.
    pub markers: Vec<Marker>,
    /// The legend below the board.
    pub legend: Legend,
    /// The colours of everything but the routes.
    pub palette: Palette<'a>,
    /// Leaves out the title, the points and the note.
    pub bare: bool,
    /// Leaves out the signs of tunnels, ferries and substitute cards, for pictures that are about other
    /// things.
    pub plain: bool,
    /// Prefix of the ids of the routes, for documents with several boards [default: `route`].
    pub id: &'a str,
}

/// The colours of everything but the routes: any that SVG knows. The default is that of the printed board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Palette<'a> {
    /// The background.
    pub land: &'a str,
    /// Text and symbols.
    pub ink: &'a str,
    /// Outlines of spaces that are not painted as printed.
    pub edge: &'a str,
    /// The thin lines from city to city.
    pub rail: &'a str,
    /// The water below a ferry.
    pub water: &'a str,
    /// Its shore.
    pub wave: &'a str,
    /// The teeth of a tunnel.
    pub rock: &'a str,
    /// The centre of a city.
    pub city: &'a str,
    /// The centre of a big city.
    pub big_city: &'a str,
}

impl Palette<'static> {
    /// Custom properties of a page, so that a board follows its colours: dark on a dark page.
    pub const PAGE: Self = Self {
        land: "var(--land)",
        ink: "var(--ink)",
        edge: "var(--edge)",
        rail: "var(--rail)",
        water: "var(--water)",
        wave: "var(--wave)",
        rock: "var(--rock)",
        city: "var(--city)",
        big_city: "var(--big-city)",
    };
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

/// The paint of one route.
#[derive(Clone, PartialEq, Debug)]
pub struct RoutePaint {
    /// The fill of the spaces, any SVG colour [default: the printed colour].
    pub fill: Option<String>,
    /// The width of the spaces as a fraction of the printed width, from 0.1 to 1.2.
    pub width: f64,
    /// The opacity, from 0 (invisible) to 1.
    pub opacity: f64,
    /// Replaces the text that appears when the mouse is over the route.
    pub tooltip: Option<String>,
}

impl Default for RoutePaint {
    fn default() -> Self {
        Self { fill: None, width: 1.0, opacity: 1.0, tooltip: None }
    }
}

/// A marker on a city.
#[derive(Clone, PartialEq, Debug)]
pub struct Marker {
    /// The index of the city in the map; markers with an invalid index are ignored.
    pub city: usize,
    /// Its shape.
    pub kind: MarkerKind,
    /// Any SVG colour.
    pub fill: String,
    /// The text that appears when the mouse is over the marker.
    pub tooltip: Option<String>,
}

/// The shape of a [`Marker`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MarkerKind {
    /// A house: a station.
    Station,
    /// A square: a depot.
    Depot,
    /// A ring around the city: an end of a ticket.
    Ring,
}

/// The content of the legend below the board.
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

/// A colour and its meaning.
#[derive(Clone, PartialEq, Debug)]
pub struct LegendEntry {
    /// Any SVG colour.
    pub fill: String,
    /// Its meaning.
    pub text: String,
}
