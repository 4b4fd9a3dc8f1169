//! The files of the page, inside the program.

/// A file of the page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct File {
    /// Its name, without a folder.
    pub name: &'static str,
    /// Its media type.
    pub media_type: &'static str,
    /// Its content.
    pub content: &'static str,
}

macro_rules! files {
    ($($name:literal: $media_type:ident,)*) => {
        &[$(File { name: $name, media_type: $media_type, content: include_str!(concat!("../page/", $name)) },)*]
    };
}

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const JS: &str = "text/javascript; charset=utf-8";

/// All files of the page that `ttr play` serves. `index.html` is the page itself.
pub const FILES: &[File] = files! {
    "index.html": HTML,
    "style.css": CSS,
    "main.js": JS,
    "backend.js": JS,
    "board.js": JS,
    "cards.js": JS,
    "decision.js": JS,
    "dom.js": JS,
    "odds.js": JS,
    "panels.js": JS,
    "recorded.js": JS,
    "setup.js": JS,
    "thoughts.js": JS,
    "yard.js": JS,
};
