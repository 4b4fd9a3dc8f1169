//! A recorded game as a page in one file.

use std::fmt::Write;

use serde_json::{Map, Value as Json, json};
use ttr_engine::{Replay, ReplayError};

use crate::command::Look;
use crate::files::FILES;
use crate::host::{BuiltIn, SessionGame};
use crate::table::{Table, Tabled};

/// A page to step through a recorded game: the page of [`Session`](crate::Session) in one file, with all
/// positions and decisions of the game in it. It needs no server and no network. With `odds`, everybody's odds
/// at every position are in it too, from this many games each.
///
/// ```
/// use ttr_engine::{Game, Replay, card_game::CardGame, maps};
/// let game = CardGame::new(&maps::card_game(), 2)?;
/// let replay = Replay::play(&game, 7, ["a", "b"], |game, state, dice| game.random_action(state, dice))?;
/// let page = ttr_web::record_page(game, &replay, 0)?;
/// assert!(page.starts_with("<!doctype html>") && page.contains("The Card Game"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the record is of another game, or wrong.
pub fn record_page<G: SessionGame>(
    game: G,
    replay: &Replay<G::Action>,
    odds: u32,
) -> Result<String, ReplayError> {
    let table = Table::of_replay(game, replay)?;
    let mut info = table.describe();
    if odds > 0 {
        let at = |at: usize| table.odds(&BuiltIn, G::USUAL, at, odds).unwrap_or_default();
        let odds: Vec<Json> = (0..=replay.actions.len()).map(at).collect();
        let wins: Vec<&Json> = odds.iter().map(|odds| &odds["wins"]).collect();
        info["odds"] = json!({ "games": odds[0]["games"], "wins": wins });
    }
    let look = |at: usize| table.look(&Look { at: Some(at), since: replay.actions.len(), eyes: None });
    let mut positions = Vec::new();
    let mut last = Json::Null;
    for at in 0..=replay.actions.len() {
        let mut here = look(at).unwrap_or_default();
        let here = json!({ "view": here["view"].take(), "to_move": here["to_move"].take() });
        positions.push(patch(&last, &here).unwrap_or_else(|| json!({})));
        last = here;
    }
    let record = json!({
        "info": info,
        "end": table.look(&Look::default()).unwrap_or_default(),
        "positions": positions,
    });
    Ok(one_file(&record))
}

/// The page with its style and modules inside, and the record as data.
fn one_file(record: &Json) -> String {
    let mut imports = Map::new();
    let mut page = String::new();
    for file in FILES {
        if let Some(name) = file.name.strip_suffix(".js") {
            // A module inside a page has no folder, so modules find each other by name alone.
            let code = file.content.replace("from \"./", "from \"ttr/");
            let address = format!("data:text/javascript;charset=utf-8,{}", percent(&code));
            imports.insert(format!("ttr/{name}.js"), address.into());
        } else if file.name == "index.html" {
            page = file.content.to_owned();
        }
    }
    let style = FILES.iter().find(|file| file.name == "style.css").map_or("", |file| file.content);
    // So that nothing in it ends the script.
    let inert = |json: &Json| json.to_string().replace('<', "\\u003c");
    let script = format!(
        "<script type=\"application/json\" id=\"record\">{}</script>\n\
         <script type=\"importmap\">{}</script>\n<script type=\"module\">import \"ttr/main.js\";</script>",
        inert(record),
        inert(&json!({ "imports": imports })),
    );
    page = page.replace(STYLE_LINK, &format!("<style>\n{style}</style>"));
    page.replace(SCRIPT_LINK, &script)
}

const STYLE_LINK: &str = r#"<link rel="stylesheet" href="style.css">"#;
const SCRIPT_LINK: &str = r#"<script type="module" src="main.js"></script>"#;

/// Text in an address.
fn percent(text: &str) -> String {
    let mut coded = String::with_capacity(text.len() * 2);
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.!~*();/?:@&=+$, {}".contains(&byte) {
            coded.push(byte.into());
        } else {
            let _ = write!(coded, "%{byte:02X}");
        }
    }
    coded
}

/// What changed between two values, so that a game of 200 positions stays small: an object with the new
/// values of its keys, null for those that are gone; for a list of objects of the same length, an object by
/// index; otherwise the new value. `None` if nothing changed. `recorded.js` applies it.
fn patch(before: &Json, after: &Json) -> Option<Json> {
    if before == after {
        return None;
    }
    Some(match (before, after) {
        (Json::Object(before), Json::Object(after)) => {
            let gone =
                before.keys().filter(|key| !after.contains_key(*key)).map(|key| (key.clone(), Json::Null));
            let changed = after.iter().filter_map(|(key, value)| match before.get(key) {
                Some(known) => Some((key.clone(), patch(known, value)?)),
                None => Some((key.clone(), value.clone())),
            });
            Json::Object(gone.chain(changed).collect())
        }
        (Json::Array(before), Json::Array(after))
            if before.len() == after.len() && after.iter().all(Json::is_object) =>
        {
            let pairs = before.iter().zip(after).enumerate();
            let changed =
                pairs.filter_map(|(index, (before, after))| Some((index.to_string(), patch(before, after)?)));
            Json::Object(changed.collect())
        }
        _ => after.clone(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_small() {
        let before =
            json!({ "a": 1, "b": { "x": 1, "y": 2 }, "c": [{ "n": 1 }, { "n": 2 }], "d": ["p", "q"] });
        let after =
            json!({ "a": 1, "b": { "y": 3, "z": 4 }, "c": [{ "n": 1 }, { "n": 5 }], "d": ["p", "r"] });
        let change = json!({ "b": { "x": null, "y": 3, "z": 4 }, "c": { "1": { "n": 5 } }, "d": ["p", "r"] });
        assert_eq!(patch(&before, &after), Some(change));
        assert_eq!(patch(&before, &before), None);
        assert_eq!(patch(&json!(null), &after), Some(after));
    }

    #[test]
    fn the_page_has_places_for_what_is_put_into_it() {
        let index = FILES.iter().find(|file| file.name == "index.html").expect("the page").content;
        assert!(index.contains(STYLE_LINK) && index.contains(SCRIPT_LINK));
        for file in FILES.iter().filter(|file| file.name.ends_with(".js")) {
            let relative = file.content.matches("from \"./").count();
            assert_eq!(
                relative,
                file.content.matches("\nimport ").count() + usize::from(file.content.starts_with("import ")),
                "{}",
                file.name
            );
        }
    }
}
