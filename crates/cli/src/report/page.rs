//! A page: a title, some facts, sections, and a style that works on any screen and on paper.

use std::fmt::{Display, Write};

use super::colour;
use super::html::{Element, Html, element};

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// A self-contained page: no network, no other file, and no script except for sorting tables.
///
/// ```
/// use ttr_cli::report::{Format, DotWhisker, Page, Section};
/// use ttr_sim::stats::Figure;
///
/// let chart = DotWhisker::new("Share of wins", Format::PERCENT)
///     .row("planner", Figure::new(0.63, 0.61, 0.65))
///     .row("random", Figure::new(0.37, 0.35, 0.39))
///     .reference(0.5, "fair share");
/// let page = Page::new("An example", "two agents").section(Section::new("Standings").with(chart));
/// assert!(page.html().contains("63.0"));
/// ```
#[derive(Clone, Debug)]
pub struct Page {
    title: String,
    subtitle: String,
    banner: Option<String>,
    tiles: Vec<Tile>,
    sections: Vec<Section>,
    footer: String,
}

#[derive(Clone, Debug)]
struct Tile {
    name: String,
    value: String,
    note: String,
}

impl Page {
    /// Creates a page without sections.
    pub fn new(title: impl Into<String>, subtitle: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            subtitle: subtitle.into(),
            banner: None,
            tiles: Vec::new(),
            sections: Vec::new(),
            footer: format!("ttr {}", env!("CARGO_PKG_VERSION")),
        }
    }

    /// Adds a warning at the top.
    #[must_use]
    pub fn banner(mut self, text: impl Into<String>) -> Self {
        self.banner = Some(text.into());
        self
    }

    /// Adds a fact in large letters below the title, with a note below it.
    #[must_use]
    pub fn tile(
        mut self,
        name: impl Into<String>,
        value: impl Into<String>,
        note: impl Into<String>,
    ) -> Self {
        self.tiles.push(Tile { name: name.into(), value: value.into(), note: note.into() });
        self
    }

    /// Adds a section.
    #[must_use]
    pub fn section(mut self, section: Section) -> Self {
        self.sections.push(section);
        self
    }

    /// Adds a section, if there is one.
    #[must_use]
    pub fn section_if(self, section: Option<Section>) -> Self {
        match section {
            Some(section) => self.section(section),
            None => self,
        }
    }

    /// Replaces the last line.
    #[must_use]
    pub fn footer(mut self, text: impl Into<String>) -> Self {
        self.footer = text.into();
        self
    }

    /// The page as a file.
    pub fn html(&self) -> String {
        let meta = |name, content| element("meta").attr("name", name).attr("content", content);
        let head =
            element("head")
                .with(element("meta").attr("charset", "utf-8"))
                .with(meta("viewport", "width=device-width, initial-scale=1"))
                .with(meta("color-scheme", "light dark"))
                // Browsers enforce this: nothing is loaded from anywhere.
                .with(element("meta").attr("http-equiv", "Content-Security-Policy").attr(
                    "content",
                    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'",
                ))
                .with(element("title").text(&self.title))
                .with(element("style").with(Html::trusted(style())));
        let tiles = (!self.tiles.is_empty()).then(|| {
            let tile = |tile: &Tile| {
                element("div")
                    .class("tile")
                    .with(element("dt").text(&tile.name))
                    .with(element("dd").class(big(&tile.value)).with(breakable(&tile.value)))
                    .with(element("dd").class("muted").text(&tile.note))
            };
            element("dl").class("tiles").with_all(self.tiles.iter().map(tile))
        });
        let link = |(i, section): (usize, &Section)| {
            element("a").attr("href", format_args!("#section-{}", i + 1)).text(&section.title)
        };
        // The bar stays visible: its first link leads to the top.
        let top =
            element("a").class("top").attr("href", "#top").attr("title", "Back to the top").text("↑ Top");
        let links = std::iter::once(top).chain(self.sections.iter().enumerate().map(link));
        let sections = self.sections.iter().enumerate().map(|(i, section)| section.html(i + 1));
        let body = element("body")
            .with(
                element("header")
                    .attr("id", "top")
                    .with(element("h1").text(&self.title))
                    .with(element("p").class("subtitle").text(&self.subtitle))
                    .with(
                        self.banner
                            .as_ref()
                            .map(|text| element("p").class("banner").attr("role", "alert").text(text)),
                    )
                    .with(tiles),
            )
            .with(
                (self.sections.len() > 2)
                    .then(|| element("nav").attr("aria-label", "Sections").with_all(links)),
            )
            .with(element("main").with_all(sections))
            .with(
                element("footer")
                    .text(&self.footer)
                    .with(element("a").class("back").attr("href", "#top").text("Back to the top")),
            )
            .with(element("script").with(Html::trusted(SCRIPT.to_owned())));
        let html = Html::from(element("html").attr("lang", "en").with(head).with(body));
        format!("<!DOCTYPE html>\n{}\n", html.as_str())
    }
}

/// The class of large letters: long texts get smaller ones.
fn big(text: &str) -> &'static str {
    if text.chars().count() > 18 { "big long" } else { "big" }
}

/// A text that may be broken after the punctuation of agents and paths.
fn breakable(text: &str) -> Html {
    let mut html = Html::default();
    for piece in text.split_inclusive([':', ',', '@', '/', '=']) {
        html.push_text(piece);
        html.push(element("wbr"));
    }
    html
}

/// The style sheet, with the colours for light and dark.
fn style() -> String {
    let mut css = String::new();
    let (light, dark) = (colour::variables(false), colour::variables(true));
    // Paper is light.
    let _ = write!(css, ":root{{{light}}}@media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}");
    css.push_str(STYLE);
    css
}

/// A part of a page with a heading.
#[derive(Clone, Debug)]
pub struct Section {
    title: String,
    body: Html,
}

impl Section {
    /// Creates a section without contents.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), body: Html::default() }
    }

    /// Adds a paragraph.
    #[must_use]
    pub fn text(self, text: impl Display) -> Self {
        self.with(element("p").text(text))
    }

    /// Adds a paragraph in small letters.
    #[must_use]
    pub fn note(self, text: impl Display) -> Self {
        self.with(element("p").class("note").text(text))
    }

    /// Adds a heading within the section.
    #[must_use]
    pub fn heading(self, text: impl Display) -> Self {
        self.with(element("h3").text(text))
    }

    /// Adds a table, a chart, a board or any markup.
    #[must_use]
    pub fn with(mut self, part: impl Into<Html>) -> Self {
        self.body.push(part);
        self
    }

    /// Adds a part that appears after a click.
    #[must_use]
    pub fn details(self, summary: impl Display, part: impl Into<Html>) -> Self {
        self.with(element("details").with(element("summary").text(summary)).with(part))
    }

    /// Adds parts side by side, or below each other where there is no room.
    #[must_use]
    pub fn side_by_side<T: Into<Html>>(self, parts: impl IntoIterator<Item = T>) -> Self {
        let parts = parts.into_iter().map(|part| element("div").with(part));
        self.with(element("div").class("side-by-side").with_all(parts))
    }

    /// Adds names with their values.
    #[must_use]
    pub fn facts<T: Into<Html>>(self, facts: impl IntoIterator<Item = (&'static str, T)>) -> Self {
        let fact = |(name, value): (&'static str, T)| {
            element("div").with(element("dt").text(name)).with(element("dd").with(value))
        };
        self.with(element("dl").class("facts").with_all(facts.into_iter().map(fact)))
    }

    fn html(&self, number: usize) -> Element {
        element("section")
            .attr("id", format_args!("section-{number}"))
            .with(element("h2").text(&self.title))
            .with(self.body.clone())
    }
}

/// Several parts in one place, one of them visible. Needs no script: every tab is a radio button.
#[derive(Clone, Debug)]
pub struct Tabs {
    id: &'static str,
    tabs: Vec<(String, Html)>,
}

impl Tabs {
    /// Creates tabs; no other tabs or board of the page may have the same id.
    pub fn new(id: &'static str) -> Self {
        Self { id, tabs: Vec::new() }
    }

    /// Adds a tab; the first is shown first.
    #[must_use]
    pub fn tab(mut self, label: impl Into<String>, inside: impl Into<Html>) -> Self {
        self.tabs.push((label.into(), inside.into()));
        self
    }
}

impl From<Tabs> for Html {
    fn from(tabs: Tabs) -> Self {
        if let [(_, only)] = &tabs.tabs[..] {
            return only.clone();
        }
        let mut inside = Self::default();
        for (i, (label, tab)) in tabs.tabs.into_iter().enumerate() {
            inside.push(choice(tabs.id, i, &label));
            inside.push(element("div").class("panel").with(tab));
        }
        element("div").class("tabs").with(inside).into()
    }
}

/// A radio button with its label; the first of a group is selected.
pub(super) fn choice(group: &str, index: usize, label: &str) -> Html {
    let id = format!("{group}-{index}");
    let mut button =
        element("input").attr("type", "radio").attr("name", group).attr("id", &id).class("choice");
    if index == 0 {
        button = button.attr("checked", "checked");
    }
    let mut html = Html::from(button);
    html.push(element("label").attr("for", &id).text(label));
    html
}
