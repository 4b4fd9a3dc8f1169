//! From the text of a map file to a checked map.

use serde::de::DeserializeOwned;

use super::MapSpec;
use super::check::{self, Draft};
use super::form::{Damage, Forms};
use super::problem::{MapError, Problem, Problems, quoted, suggest};
use super::tree::{Node, Pos, Value};

/// Longest map file in bytes that is read.
pub const MAX_FILE_BYTES: usize = 1 << 20;

/// Longest chain of bases.
const MAX_BASES: usize = 8;

/// The text of a map file, and what to call it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MapSource {
    /// The id that the map gets.
    pub id: String,
    /// The name of the file in messages; in a chain of bases it identifies the file.
    pub file: String,
    /// Its text.
    pub text: String,
}

impl MapSource {
    /// A source from the bytes of a file, which must be UTF-8.
    ///
    /// ```
    /// use ttr_engine::spec::MapSource;
    /// let error = MapSource::from_bytes("x", "x.toml", b"format = 1\nname = '\xff'".to_vec()).unwrap_err();
    /// assert_eq!(error.problems[0].line, Some(2));
    /// ```
    pub fn from_bytes(id: &str, file: &str, bytes: Vec<u8>) -> Result<Self, MapError> {
        if bytes.len() > MAX_FILE_BYTES {
            return Err(too_long(file).into());
        }
        let (id, file) = (id.to_owned(), file.to_owned());
        match String::from_utf8(bytes) {
            Ok(text) => Ok(Self { id, file, text }),
            Err(error) => {
                let offset = error.utf8_error().valid_up_to();
                let line = error.as_bytes()[..offset].iter().filter(|&&byte| byte == b'\n').count() + 1;
                let message = format!("the byte at offset {offset} is not UTF-8");
                let hint = "save the file as UTF-8 text".to_owned();
                Err(Problem { file, line: Some(line), message, hint }.into())
            }
        }
    }
}

/// The problem of a file that is too long.
pub(crate) fn too_long(file: &str) -> Problem {
    Problem {
        file: file.to_owned(),
        line: None,
        message: format!("the file is longer than {MAX_FILE_BYTES} bytes"),
        hint: "a map takes about 16 thousand: is this a map file?".to_owned(),
    }
}

/// Reads a map, merges it over its base if it has one, and checks it.
///
/// `resolve` finds the source of a base from its name and the source that names it. Of the problem it
/// returns instead, the message and hint are used.
///
/// # Errors
/// With all problems of the map, each with file, line and a hint.
///
/// ```
/// use ttr_engine::spec::{MapSource, Problem, load};
/// let text = "format = 1\nname = 'Mine'\nbase = 'yours'".to_owned();
/// let source = MapSource { id: "mine".to_owned(), file: "mine.toml".to_owned(), text };
/// let error = load(&source, |base, _| {
///     Err(Problem { file: base.to_owned(), line: None, message: "not here".to_owned(), hint: "look there".to_owned() })
/// });
/// assert_eq!(error.unwrap_err().to_string(), "mine.toml:3: base \"yours\": not here; look there");
/// ```
pub fn load(
    source: &MapSource,
    resolve: impl FnMut(&str, &MapSource) -> Result<MapSource, Problem>,
) -> Result<MapSpec, MapError> {
    let mut loader = Loader { forms: Forms::maps(), problems: Problems::default(), resolve };
    let read = loader.read(source);
    let mut problems = loader.problems;
    if let Some((mut tree, mut damage)) = read {
        if !damage.all_rules {
            damage = damage.or(loader.forms.check_rules(&mut tree, &mut problems));
        }
        let draft = draft(&tree, damage, &mut problems);
        check::check(&draft, &tree, &mut problems);
        let text = |key| tree.get(key).and_then(Node::text).map(str::to_owned);
        if problems.is_empty()
            && let (Some(name), Some(seats), Some(rules)) = (text("name"), draft.seats, draft.rules)
        {
            let (id, note) = (source.id.clone(), text("note"));
            let Draft { cities, routes, tickets, big_cities, .. } = draft;
            return Ok(MapSpec { id, name, note, seats, rules, cities, routes, tickets, big_cities });
        }
    }
    Err(problems.into_error())
}

struct Loader<R> {
    forms: Forms,
    problems: Problems,
    resolve: R,
}

impl<R: FnMut(&str, &MapSource) -> Result<MapSource, Problem>> Loader<R> {
    /// Reads a file and its bases into one tree; none if nothing can be said about the whole.
    fn read(&mut self, source: &MapSource) -> Option<(Node, Damage)> {
        let file = self.problems.add_file(&source.file);
        if source.text.len() > MAX_FILE_BYTES {
            let Problem { message, hint, .. } = too_long(&source.file);
            self.problems.add(Pos { file, line: 0 }, message, hint);
            return None;
        }
        let before = self.problems.len();
        let mut own = Node::parse(&source.text, file, &mut self.problems);
        let torn = self.problems.len() > before;
        let base_at = own.at(&["base"]);
        let damage = self.forms.check(&mut own, torn, &mut self.problems)?;
        let Some(name) = own.get("base").and_then(Node::text).map(str::to_owned) else {
            return Some((own, damage));
        };

        let known = self.problems.files();
        let base = if known.len() > MAX_BASES {
            Err((
                format!("more than {MAX_BASES} maps build upon each other"),
                "shorten the chain of bases".to_owned(),
            ))
        } else {
            match (self.resolve)(&name, source) {
                Ok(base) if known.contains(&base.file) => {
                    let chain = known.iter().chain([&base.file]).map(String::as_str).collect::<Vec<_>>();
                    let hint =
                        format!("{} go round in a circle: one of them must have no base", chain.join(" -> "));
                    Err(("a map can't be its own base".to_owned(), hint))
                }
                Ok(base) => Ok(base),
                Err(problem) => Err((problem.message, problem.hint)),
            }
        };
        let base = match base {
            Ok(base) => base,
            Err((message, hint)) => {
                self.problems.add(base_at, format!("base {}: {message}", quoted(&name)), hint);
                return None;
            }
        };
        let (mut base, base_damage) = self.read(&base)?;
        self.inherit_tickets(&mut base, &own);
        self.merge(&mut base, own);
        Some((base, damage.or(base_damage)))
    }

    /// Leaves those tickets of the base that `base_tickets` asks for.
    fn inherit_tickets(&mut self, base: &mut Node, own: &Node) {
        let Some(Value::List(tickets)) =
            base.table_mut().and_then(|base| Some(&mut base.get_mut("tickets")?.value))
        else {
            return;
        };
        let Some(choice) = own.get("base_tickets") else {
            return;
        };
        let has = |ticket: &Node, tag| {
            let tags = ticket.get("tags").and_then(Node::list).unwrap_or_default();
            tags.iter().any(|known| known.text() == Some(tag))
        };
        match choice.text() {
            None | Some("all") => {}
            Some("none") => tickets.clear(),
            Some(tag) if tickets.iter().any(|ticket| has(ticket, tag)) => {
                tickets.retain(|ticket| has(ticket, tag))
            }
            Some(tag) => {
                let tags = tickets.iter().filter_map(|ticket| ticket.get("tags")?.list()).flatten();
                let mut known: Vec<_> = tags.filter_map(Node::text).chain(["all", "none"]).collect();
                known.sort_unstable();
                known.dedup();
                let message = format!("base_tickets: no ticket of the base has the tag {}", quoted(tag));
                self.problems.add(choice.at, message, suggest(tag, known, "allowed"));
            }
        }
    }

    /// Lays what a variant says over its base.
    fn merge(&self, base: &mut Node, own: Node) {
        let (Some(base), Value::Table(own)) = (base.table_mut(), own.value) else {
            return;
        };
        for (key, node) in own {
            match (key.as_str(), base.get_mut(&key)) {
                ("base" | "base_tickets", _) => {}
                ("rules", Some(rules)) => {
                    rules.overlay(node);
                    if let Some(rules) = rules.table_mut() {
                        rules.retain(|key, node| {
                            !matches!(node.value, Value::Flag(false)) || !self.forms.is_removable(key)
                        });
                    }
                }
                ("tickets", Some(tickets)) => {
                    if let (Value::List(tickets), Value::List(more)) = (&mut tickets.value, node.value) {
                        tickets.extend(more);
                    }
                    tickets.at = node.at;
                }
                _ => drop(base.insert(key, node)),
            }
        }
    }
}

/// Reads the parts of a tree that fits its form. Serde has the last word.
fn draft(tree: &Node, mut damage: Damage, problems: &mut Problems) -> Draft {
    let rules =
        tree.get("rules").filter(|_| !damage.all_rules).and_then(|node| part(node, "rules", problems));
    let seats = tree.get("seats").and_then(|node| part(node, "seats", problems));
    let cities = items(tree, "cities", &mut damage.cities, problems);
    let routes = items(tree, "routes", &mut damage.routes, problems);
    let tickets = items(tree, "tickets", &mut damage.tickets, problems);
    let big_cities = items(tree, "big_cities", &mut false, problems);
    Draft { rules, seats, cities, routes, tickets, big_cities, damage }
}

fn items<T: DeserializeOwned>(
    tree: &Node,
    list: &str,
    damaged: &mut bool,
    problems: &mut Problems,
) -> Vec<T> {
    let nodes = tree.get(list).and_then(Node::list).unwrap_or_default();
    let items: Vec<T> = nodes.iter().filter_map(|node| part(node, list, problems)).collect();
    *damaged |= items.len() < nodes.len();
    items
}

fn part<T: DeserializeOwned>(node: &Node, what: &str, problems: &mut Problems) -> Option<T> {
    serde_json::from_value(node.to_json())
        .map_err(|error| problems.add(node.at, format!("{what}: {error}"), "see maps/schema.json"))
        .ok()
}
