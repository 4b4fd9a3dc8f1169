//! Markup that no content can break: all text goes through [`Element::text`] or [`Element::attr`], and both
//! escape.
//!
//! The result is also well-formed XML, so that a simple test can check whether every tag is closed.

use std::fmt::{self, Display, Write};

/// Finished markup.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Html(String);

impl Html {
    /// Plain text.
    pub fn text(text: impl Display) -> Self {
        let mut html = Self::default();
        html.push_text(text);
        html
    }

    /// Trusted markup from elsewhere: a picture, a style sheet.
    pub(super) fn trusted(markup: String) -> Self {
        Self(markup)
    }

    /// Adds markup.
    pub fn push(&mut self, more: impl Into<Self>) {
        self.0.push_str(&more.into().0);
    }

    /// Adds plain text.
    pub fn push_text(&mut self, text: impl Display) {
        // Writing to a string can't fail.
        let _ = write!(Escaped(&mut self.0), "{text}");
    }

    /// Returns `true` if it is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The markup as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<T: Into<Html>> FromIterator<T> for Html {
    fn from_iter<I: IntoIterator<Item = T>>(parts: I) -> Self {
        let mut html = Self::default();
        parts.into_iter().for_each(|part| html.push(part));
        html
    }
}

impl<T: Into<Html>> From<Option<T>> for Html {
    fn from(part: Option<T>) -> Self {
        part.map(Into::into).unwrap_or_default()
    }
}

/// An element that is being written.
///
/// ```
/// use ttr_cli::report::{Html, element};
/// let cell = element("td").attr("title", "a \"b\"").text("1 < 2").with(element("br"));
/// assert_eq!(Html::from(cell).as_str(), "<td title=\"a &quot;b&quot;\">1 &lt; 2<br/></td>");
/// ```
#[derive(Clone, Debug)]
pub struct Element {
    name: &'static str,
    open: String,
    inside: Html,
}

/// Starts an element.
pub fn element(name: &'static str) -> Element {
    Element { name, open: format!("<{name}"), inside: Html::default() }
}

impl Element {
    /// Adds an attribute.
    #[must_use]
    pub fn attr(mut self, name: &'static str, value: impl Display) -> Self {
        let _ = write!(self.open, " {name}=\"");
        let _ = write!(Escaped(&mut self.open), "{value}");
        self.open.push('"');
        self
    }

    /// Sets the class.
    #[must_use]
    pub fn class(self, class: impl Display) -> Self {
        self.attr("class", class)
    }

    /// Adds plain text inside.
    #[must_use]
    pub fn text(mut self, text: impl Display) -> Self {
        self.inside.push_text(text);
        self
    }

    /// Adds markup inside.
    #[must_use]
    pub fn with(mut self, inside: impl Into<Html>) -> Self {
        self.inside.push(inside);
        self
    }

    /// Adds several items inside.
    #[must_use]
    pub fn with_all<T: Into<Html>>(mut self, inside: impl IntoIterator<Item = T>) -> Self {
        inside.into_iter().for_each(|part| self.inside.push(part));
        self
    }
}

/// Elements of HTML and SVG that are always empty.
const EMPTY: [&str; 9] = ["meta", "input", "br", "wbr", "line", "circle", "rect", "path", "use"];

impl From<Element> for Html {
    fn from(element: Element) -> Self {
        let Element { name, mut open, inside } = element;
        if inside.is_empty() && EMPTY.contains(&name) {
            open.push_str("/>");
        } else {
            let _ = write!(open, ">{}</{name}>", inside.as_str());
        }
        Self(open)
    }
}

/// Escapes its input, and drops characters that no document may contain.
struct Escaped<'a>(&'a mut String);

impl fmt::Write for Escaped<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for c in text.chars() {
            match c {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                '\'' => self.0.push_str("&#39;"),
                '\n' => self.0.push('\n'),
                '\u{FFFE}' | '\u{FFFF}' => self.0.push('\u{FFFD}'),
                c if c.is_control() => self.0.push(' '),
                c => self.0.push(c),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_gets_out_of_text_or_attributes() {
        let hostile = "</p><script>alert('\"&\u{0}\u{FFFE}')</script>";
        let html = Html::from(element("p").attr("title", hostile).text(hostile));
        assert_eq!(html.as_str().matches('<').count(), 2);
        assert_eq!(html.as_str().matches('"').count(), 2);
        assert!(!html.as_str().contains(['\u{0}', '\u{FFFE}', '\'']));
    }

    #[test]
    fn only_elements_without_contents_close_themselves() {
        assert_eq!(Html::from(element("div")).as_str(), "<div></div>");
        assert_eq!(Html::from(element("circle").attr("r", 3)).as_str(), "<circle r=\"3\"/>");
        assert_eq!(
            Html::from(element("circle").with(element("title"))).as_str(),
            "<circle><title></title></circle>"
        );
    }
}
