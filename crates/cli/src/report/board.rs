//! The board with its routes coloured by a measurement.

use std::fmt::Write;

use ttr_engine::board::BoardGame;
use ttr_engine::spec::RouteColour;

use super::axis::Axis;
use super::colour::Ramp;
use super::format::Format;
use super::html::{Html, element};
use super::page::choice;
use ttr_show::draw::{BoardDrawing, Legend, Palette, RoutePaint, Style, compiled_routes};

/// The meaning of a board's colours.
#[derive(Clone, PartialEq, Debug)]
pub struct HeatScale {
    ramp: Ramp,
    low: f64,
    high: f64,
    format: Format,
    meaning: String,
}

impl HeatScale {
    /// Creates a scale from 0 to a round number above all values.
    pub fn from_zero(
        values: impl IntoIterator<Item = f64>,
        format: Format,
        meaning: impl Into<String>,
    ) -> Self {
        let axis = Axis::rounded(values.into_iter().chain([0.0]), 8);
        Self { ramp: Ramp::Heat, low: 0.0, high: axis.high(), format, meaning: meaning.into() }
    }

    /// Creates a scale that reaches as far below a middle as above it, to a round number beyond all values.
    pub fn around(
        middle: f64,
        values: impl IntoIterator<Item = f64>,
        format: Format,
        meaning: impl Into<String>,
    ) -> Self {
        let reach =
            Axis::rounded(values.into_iter().map(|value| (value - middle).abs()).chain([0.0]), 8).high();
        let (low, high) = (middle - reach, middle + reach);
        Self { ramp: Ramp::Side, low, high, format, meaning: meaning.into() }
    }

    fn colour(&self, value: f64) -> String {
        self.ramp.colour((value - self.low) / (self.high - self.low).max(1e-9))
    }

    fn legend(&self) -> Html {
        let class = match self.ramp {
            Ramp::Heat => "ramp heat",
            Ramp::Side => "ramp side",
        };
        let mut html = Html::text(&self.meaning);
        html.push(
            element("span")
                .class("ends")
                .text(self.format.short(self.low))
                .with(element("i").class(class))
                .text(self.format.short(self.high)),
        );
        html
    }
}

/// A board with several views, one at a time, chosen by a click; needs no script.
#[derive(Clone, Debug)]
pub struct BoardHeat<'g> {
    id: &'static str,
    game: &'g BoardGame,
    groups: Vec<(String, Vec<View>)>,
    tooltips: Vec<String>,
}

#[derive(Clone, Debug)]
struct View {
    label: String,
    values: Vec<Option<f64>>,
    scale: HeatScale,
}

/// A board with one value per route, by [`ttr_engine::RouteId`]; routes without a finite value stay pale.
pub fn board_heat(id: &'static str, game: &BoardGame, values: &[f64], scale: HeatScale) -> Html {
    let values = values.iter().map(|&value| Some(value)).collect();
    BoardHeat::new(id, game).view("", "", values, scale).into()
}

impl<'g> BoardHeat<'g> {
    /// Creates a board without views; no other board or tabs of the page may have the same id.
    pub fn new(id: &'static str, game: &'g BoardGame) -> Self {
        Self { id, game, groups: Vec::new(), tooltips: Vec::new() }
    }

    /// Adds a view: a value for each route, by [`ttr_engine::RouteId`]. The first is shown first.
    #[must_use]
    pub fn view(
        mut self,
        group: impl Into<String>,
        label: impl Into<String>,
        values: Vec<Option<f64>>,
        scale: HeatScale,
    ) -> Self {
        let (group, view) = (group.into(), View { label: label.into(), values, scale });
        match self.groups.iter_mut().find(|(name, _)| *name == group) {
            Some((_, views)) => views.push(view),
            None => self.groups.push((group, vec![view])),
        }
        self
    }

    /// Sets the texts that appear when the mouse is over a route, by [`ttr_engine::RouteId`].
    #[must_use]
    pub fn tooltips(mut self, tooltips: Vec<String>) -> Self {
        self.tooltips = tooltips;
        self
    }

    /// The style of the routes in a view.
    fn rule(&self, index: usize, view: &View) -> String {
        let mut css = format!("#{}-{index}:checked~.board{{", self.id);
        for (route, value) in view.values.iter().enumerate() {
            if let Some(value) = value.filter(|value| value.is_finite()) {
                // Writing to a string can't fail.
                let _ = write!(css, "--route-{route}:{};", view.scale.colour(value));
            }
        }
        let _ = write!(
            css,
            "}}#{0}-{index}:checked~.legends>:nth-child({1}){{display:flex}}",
            self.id,
            index + 1
        );
        css
    }

    fn picture(&self) -> String {
        let places: Vec<Option<usize>> =
            compiled_routes(self.game).into_iter().map(|route| Some(route?.index())).collect();
        let map = self.game.spec();
        let tooltip = |route: usize| match self.tooltips.get(route) {
            Some(text) => text.clone(),
            None => self.tooltip(route),
        };
        let paint = |index: usize| RoutePaint {
            fill: Some(
                places[index]
                    .map_or("var(--pale)".to_owned(), |route| format!("var(--route-{route},var(--pale))")),
            ),
            tooltip: places[index].map(tooltip),
            ..RoutePaint::default()
        };
        let palette = Palette { land: "var(--surface)", ..Palette::PAGE };
        let id = format!("{}-route", self.id);
        let style = Style {
            bare: true,
            plain: true,
            id: &id,
            palette,
            route: Some(&paint),
            legend: Legend::None,
            ..Style::default()
        };
        BoardDrawing::new(map).svg(&style)
    }

    /// The route and its value in every view.
    fn tooltip(&self, route: usize) -> String {
        let mut text = route_title(self.game, route);
        for (group, view) in
            self.groups.iter().flat_map(|(group, views)| views.iter().map(move |view| (group, view)))
        {
            if let Some(value) = view.values.get(route).copied().flatten() {
                let name = [group.as_str(), &view.label].into_iter().filter(|part| !part.is_empty());
                let name = name.collect::<Vec<_>>().join(", ");
                let gap = if name.is_empty() { "" } else { ": " };
                let _ = write!(text, "\n{name}{gap}{}", view.scale.format.value(value));
            }
        }
        text
    }
}

impl From<BoardHeat<'_>> for Html {
    fn from(board: BoardHeat<'_>) -> Self {
        let mut inside = Self::default();
        let (mut rules, mut legends) = (String::new(), Self::default());
        let several = board.groups.iter().map(|(_, views)| views.len()).sum::<usize>() > 1;
        let views = board.groups.iter().flat_map(|(name, views)| {
            views.iter().enumerate().map(move |(i, view)| ((i == 0).then_some(name), view))
        });
        for (index, (group, view)) in views.enumerate() {
            if several && let Some(group) = group {
                inside.push(element("span").class("group").text(group));
            }
            // A single view is selected as well, by an invisible button.
            inside.push(choice(board.id, index, &view.label));
            rules.push_str(&board.rule(index, view));
            legends.push(element("div").with(view.scale.legend()));
        }
        // A style sheet may occur in a picture, and nowhere else in a body.
        let style = element("svg")
            .class("style")
            .attr("aria-hidden", "true")
            .with(element("style").with(Self::trusted(rules)));
        let picture =
            element("div").class("board scroll").attr("tabindex", 0).with(Self::trusted(board.picture()));
        // On a phone either the whole board fits the screen, without names, or all of it can be scrolled.
        let size = format!("{}-size", board.id);
        let large = [
            element("input").attr("type", "checkbox").attr("id", &size).class("choice size"),
            element("label").attr("for", &size).text("Full size, with names"),
        ];
        element("div")
            .class(if several { "heat" } else { "heat single" })
            .with(inside)
            .with(style)
            .with(element("div").class("legends").with(legends))
            .with_all(large)
            .with(picture)
            .into()
    }
}

/// A route in words: `Paris – Zürich, 3 grey, tunnel`.
pub fn route_title(game: &BoardGame, route: usize) -> String {
    let spec = &game.routes()[route];
    let [from, to] = spec.ends.map(|city| game.city_name(city));
    let colour = spec.colour.and_then(RouteColour::of).map_or("grey", RouteColour::name);
    let mut text = format!("{from} – {to}, {} {colour}", spec.length);
    if spec.tunnel {
        text += ", tunnel";
    }
    if spec.ferry > 0 {
        text += ", ferry";
    }
    text
}
