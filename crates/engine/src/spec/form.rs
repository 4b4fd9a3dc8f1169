//! The check of a file against its form: every departure from the schema, with line and hint.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value as Json};

use super::problem::{Problems, nearest, quoted, quoted_list, suggest};
use super::tree::{Node, Pos, Value};

/// The format of map files that is read.
pub(super) const FORMAT: i64 = 1;

/// The form of a file, as its JSON schema. That of map files has two: a whole map, and a variant that says
/// what differs from its base.
pub(super) struct Forms {
    schema: Json,
}

impl Forms {
    /// The form of map files.
    pub(super) fn maps() -> Self {
        Self::published(ttr_maps::SCHEMA)
    }

    /// The form of Card Game files.
    pub(super) fn card_game() -> Self {
        Self::published(ttr_maps::CARD_GAME_SCHEMA)
    }

    /// The form of a published schema.
    fn published(schema: &str) -> Self {
        Self { schema: serde_json::from_str(schema).expect("the published schema is right") }
    }

    /// The form of a schema.
    #[cfg(feature = "schema")]
    pub(super) fn new(schema: Json) -> Self {
        Self { schema }
    }

    /// The least value that fits a schema.
    fn stand_in(&self, schema: &Json, at: Pos) -> Node {
        let schema = self.resolve(schema);
        let text = |value: &Json| value.as_str().unwrap_or_default().to_owned();
        let value = match schema["type"].as_str() {
            Some("integer") => Value::Whole(schema["minimum"].as_i64().unwrap_or_default()),
            Some("number") => Value::Number(0.0),
            Some("boolean") => Value::Flag(false),
            Some("array") => {
                let count = schema["minItems"].as_u64().unwrap_or_default();
                Value::List((0..count).map(|_| self.stand_in(&schema["items"], at)).collect())
            }
            Some("object") => {
                let required = schema["required"].as_array().into_iter().flatten().filter_map(Json::as_str);
                let stand_in = |key: &str| (key.to_owned(), self.stand_in(&schema["properties"][key], at));
                Value::Table(required.map(stand_in).collect())
            }
            _ => match options(schema) {
                Some(options) => Value::Text(text(&options[0]["const"])),
                None => Value::Text(text(&schema["enum"][0])),
            },
        };
        Node { at, value }
    }

    /// Whether a key of `rules` names an optional table, which a variant may take away by `false`.
    pub(super) fn is_removable(&self, key: &str) -> bool {
        self.schema["$defs"]["RulesSpecChanges"]["properties"][key]["anyOf"].is_array()
    }

    fn resolve<'a>(&'a self, schema: &'a Json) -> &'a Json {
        match schema["$ref"].as_str().and_then(|path| path.strip_prefix("#/$defs/")) {
            Some(name) => self.resolve(&self.schema["$defs"][name]),
            None => schema,
        }
    }

    /// The demands of a schema, in words.
    fn expected(&self, schema: &Json) -> String {
        let schema = self.resolve(schema);
        if let Some(value) = schema.get("const") {
            return value.to_string();
        }
        if let Some(values) = schema["enum"].as_array() {
            return format!("one of {}", quoted_list(values.iter().filter_map(Json::as_str)));
        }
        if let Some(options) = options(schema) {
            return options.iter().map(|option| self.expected(option)).collect::<Vec<_>>().join(" or ");
        }
        match schema["type"].as_str() {
            Some("integer") => match (schema["minimum"].as_u64(), schema["maximum"].as_u64()) {
                (Some(min), Some(max)) => format!("a whole number from {min} to {max}"),
                (Some(min), None) => format!("a whole number from {min} up"),
                _ => "a whole number".to_owned(),
            },
            Some("number") => "a number".to_owned(),
            Some("boolean") => "true or false".to_owned(),
            Some("string") => "a string".to_owned(),
            Some("array") => match schema["minItems"].as_u64() {
                Some(n) => format!("a list of {n}, each {}", self.expected(&schema["items"])),
                None => "a list".to_owned(),
            },
            Some("object") => match schema["properties"].as_object() {
                Some(properties) => format!("a table {{ {} }}", keys(properties).join(", ")),
                None => "a table".to_owned(),
            },
            _ => "something else".to_owned(),
        }
    }

    /// Adds every departure of a file from its form to `problems`, and takes what is damaged out of the
    /// tree.
    ///
    /// After a syntax error the tree may lack keys that the file has, so missing ones are not reported
    /// then. Of a file in another format nothing else is said, and nothing is returned.
    pub(super) fn check(&self, file: &mut Node, torn: bool, problems: &mut Problems) -> Option<Damage> {
        if is_other_format(file, problems) {
            return None;
        }
        let mut form = if file.get("base").is_some() { "Variant" } else { "Map" };
        let mut torn = torn;
        if form == "Map"
            && let Some(table) = file.table_mut()
        {
            if let Some(choice) = table.remove("base_tickets") {
                problems.add(choice.at, "base_tickets: there is no base", "name the base, or leave this out");
            }
            // Whoever misspelt `base` does not miss what the base has.
            let keys =
                || self.schema["$defs"]["Variant"]["properties"].as_object().into_iter().flat_map(Map::keys);
            if table.keys().take(100).any(|key| nearest(key, keys().map(String::as_str)) == Some("base")) {
                (form, torn) = ("Variant", true);
            }
        }
        let damaged = self.walk(file, &self.schema["$defs"][form], "", torn, problems);
        let mut damage = self.repair(file, damaged, form == "Map");
        if torn {
            damage = damage.or(Damage::all());
        }
        Some(damage)
    }

    /// Adds every departure of a Card Game file from its form to `problems`. Of a file in another format
    /// nothing else is said, and the answer is false.
    pub(super) fn check_card_game(&self, file: &Node, torn: bool, problems: &mut Problems) -> bool {
        if is_other_format(file, problems) {
            return false;
        }
        self.check_document(file, torn, problems);
        true
    }

    /// Adds every departure of any other file from its form to `problems`.
    pub(super) fn check_document(&self, file: &Node, torn: bool, problems: &mut Problems) {
        self.walk(file, &self.schema, "", torn, problems);
    }

    /// Checks that the rules are complete: a variant may give a part of a table that its base has not.
    pub(super) fn check_rules(&self, map: &mut Node, problems: &mut Problems) -> Damage {
        let Some(rules) = map.get("rules") else {
            return Damage::default();
        };
        let schema = &self.schema["$defs"]["RulesSpec"];
        let damaged = self.walk(rules, schema, "rules", false, problems);
        self.repair(map, damaged, true)
    }

    fn walk(
        &self,
        node: &Node,
        schema: &Json,
        what: &str,
        torn: bool,
        problems: &mut Problems,
    ) -> BTreeSet<FormPart> {
        let place = FormPart::Part(what.to_owned());
        let mut walk = SchemaWalk { forms: self, torn, place, damaged: BTreeSet::new(), problems };
        walk.value(node, schema, what);
        walk.damaged
    }

    /// Takes what is damaged out of a file. What can't be missing gets a value that stands in for the real
    /// one: the rest can then be read and checked, as far as it does not hang upon that value.
    fn repair(&self, file: &mut Node, damaged: BTreeSet<FormPart>, whole: bool) -> Damage {
        let mut damage = Damage::default();
        let Some(table) = file.table_mut() else {
            return Damage::all();
        };
        for place in damaged.into_iter().rev() {
            match &place {
                FormPart::Part(part) => {
                    table.remove(part);
                    damage.add(part);
                }
                FormPart::Rule(key) => {
                    let Some(rules) = table.get_mut("rules") else {
                        continue;
                    };
                    let at = rules.at;
                    let Some(rules) = rules.table_mut() else {
                        continue;
                    };
                    rules.remove(key);
                    let schema = &self.schema["$defs"]["RulesSpec"];
                    if whole && requires(schema, key) {
                        let value = self.stand_in(&schema["properties"][key], at);
                        rules.insert(key.clone(), value);
                    }
                    damage.rules.insert(key.clone());
                }
                FormPart::Item(list, index) => {
                    let Some(Value::List(items)) = table.get_mut(list).map(|node| &mut node.value) else {
                        continue;
                    };
                    let item = &mut items[*index];
                    match item.get("name").filter(|name| list == "cities" && name.text().is_some()) {
                        // Its name is all that others ask for.
                        Some(name) => {
                            let (at, name) = (item.at, name.clone());
                            *item = self.stand_in(&self.schema["$defs"]["CitySpec"], at);
                            item.table_mut().map(|city| city.insert("name".to_owned(), name));
                        }
                        None => {
                            let what = item_name(list, item, *index + 1);
                            let end = |key| item.get(key).and_then(Node::text).map(str::to_owned);
                            if let (Some(from), Some(to)) = (end("from"), end("to")) {
                                damage.joins.push(Join { at: item.at, what, ends: [from, to] });
                            }
                            items.remove(*index);
                            damage.add(list);
                        }
                    }
                }
            }
        }
        damage
    }
}

/// The alternatives of a schema, if it has some.
fn options(schema: &Json) -> Option<&[Json]> {
    schema.get("oneOf").or(schema.get("anyOf"))?.as_array().map(Vec::as_slice)
}

/// Whether a table must have a key.
pub(super) fn requires(schema: &Json, key: &str) -> bool {
    schema["required"].as_array().is_some_and(|keys| keys.iter().any(|required| required == key))
}

fn keys(properties: &Map<String, Json>) -> Vec<&str> {
    properties.keys().map(String::as_str).collect()
}

/// Whether a file is in a format that is not read; then says so.
fn is_other_format(file: &Node, problems: &mut Problems) -> bool {
    if let Some(format) = file.get("format")
        && let Value::Whole(n) = format.value
        && n != FORMAT
    {
        problems.add(
            format.at,
            format!("format {n} is not known"),
            format!("this program reads format {FORMAT}"),
        );
        return true;
    }
    false
}

/// The parts of a map that are damaged, and so can't be relied upon.
#[derive(Default)]
pub(super) struct Damage {
    /// Keys of `rules`.
    pub(super) rules: BTreeSet<String>,
    pub(super) cities: bool,
    pub(super) routes: bool,
    pub(super) tickets: bool,
    /// All of `rules`.
    pub(super) all_rules: bool,
    /// Routes and tickets that were taken out; their ends can still be checked.
    pub(super) joins: Vec<Join>,
}

/// A route or a ticket by its ends.
pub(super) struct Join {
    pub(super) at: Pos,
    pub(super) what: String,
    pub(super) ends: [String; 2],
}

impl Damage {
    pub(super) fn all() -> Self {
        Self { cities: true, routes: true, tickets: true, all_rules: true, ..Self::default() }
    }

    pub(super) fn or(mut self, other: Self) -> Self {
        self.rules.extend(other.rules);
        self.cities |= other.cities;
        self.routes |= other.routes;
        self.tickets |= other.tickets;
        self.all_rules |= other.all_rules;
        self.joins.extend(other.joins);
        self
    }

    fn add(&mut self, part: &str) {
        match part {
            "cities" => self.cities = true,
            "routes" => self.routes = true,
            "tickets" => self.tickets = true,
            "rules" => self.all_rules = true,
            _ => {}
        }
    }
}

/// The part that a problem makes unusable.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum FormPart {
    /// A top-level key.
    Part(String),
    /// A key of `rules`.
    Rule(String),
    /// An item of a top-level list.
    Item(String, usize),
}

/// One walk through a tree along a schema.
struct SchemaWalk<'a> {
    forms: &'a Forms,
    torn: bool,
    place: FormPart,
    damaged: BTreeSet<FormPart>,
    problems: &'a mut Problems,
}

impl SchemaWalk<'_> {
    fn add(&mut self, at: Pos, what: &str, message: String, hint: String) {
        self.damaged.insert(self.place.clone());
        self.report(at, what, message, hint);
    }

    fn report(&mut self, at: Pos, what: &str, message: String, hint: String) {
        // Next to a syntax error anything may look wrong.
        if self.torn && self.problems.is_at(at) {
            return;
        }
        let message = if what.is_empty() { message } else { format!("{what}: {message}") };
        self.problems.add(at, message, hint);
    }

    fn value(&mut self, node: &Node, schema: &Json, what: &str) {
        let forms = self.forms;
        let schema = forms.resolve(schema);
        if let Some(options) = options(schema) {
            return self.options(node, schema, options, what);
        }
        match (&node.value, schema["type"].as_str()) {
            (Value::Table(table), Some("object")) => self.table(node, table, schema, what),
            (Value::List(list), Some("array")) => self.list(node, list, schema, what),
            (Value::Text(text), Some("string")) => match schema["enum"].as_array() {
                Some(values) if !values.iter().any(|value| value == text.as_str()) => {
                    let known: Vec<_> = values.iter().filter_map(Json::as_str).collect();
                    self.add(
                        node.at,
                        what,
                        format!("{} is not known", quoted(text)),
                        suggest(text, known, "allowed"),
                    );
                }
                _ => {}
            },
            (Value::Whole(n), Some("integer")) => {
                let within = schema["minimum"].as_i64().is_none_or(|min| *n >= min)
                    && schema["maximum"].as_i64().is_none_or(|max| *n <= max)
                    && schema["const"].as_i64().is_none_or(|value| *n == value);
                if !within {
                    self.wrong(node, schema, what);
                }
            }
            (Value::Number(x), Some("number")) if x.is_finite() => {}
            (Value::Whole(_), Some("number")) | (Value::Flag(_), Some("boolean")) => {}
            _ => self.wrong(node, schema, what),
        }
    }

    fn wrong(&mut self, node: &Node, schema: &Json, what: &str) {
        let found = match &node.value {
            Value::Text(text) => format!("the string {}", quoted(text)),
            Value::Whole(n) => format!("the number {n}"),
            Value::Number(x) => format!("the number {x}"),
            Value::Flag(flag) => flag.to_string(),
            Value::Date => "a date".to_owned(),
            Value::List(list) => format!("a list of {}", list.len()),
            Value::Table(_) => "a table".to_owned(),
        };
        let expected = self.forms.expected(schema);
        self.add(node.at, what, format!("expected {expected}"), format!("found {found}"));
    }

    /// One of several: texts that stand for themselves, and at most one table.
    fn options(&mut self, node: &Node, schema: &Json, options: &[Json], what: &str) {
        let forms = self.forms;
        match &node.value {
            Value::Text(text) => {
                let known: Vec<_> = options
                    .iter()
                    .flat_map(|option| {
                        option["enum"].as_array().into_iter().flatten().chain(option.get("const"))
                    })
                    .filter_map(Json::as_str)
                    .collect();
                if known.is_empty() {
                    self.wrong(node, schema, what);
                } else if !known.contains(&text.as_str()) {
                    let mut hint = suggest(text, known, "allowed");
                    for table in options.iter().filter(|option| option["type"] == "object") {
                        hint.push_str(&format!(" or {}", forms.expected(table)));
                    }
                    self.add(node.at, what, format!("{} is not known", quoted(text)), hint);
                }
            }
            Value::Flag(flag) if options.iter().any(|option| option["const"] == *flag) => {}
            Value::Table(_) => {
                match options
                    .iter()
                    .map(|option| forms.resolve(option))
                    .find(|option| option["type"] == "object")
                {
                    Some(option) => self.value(node, option, what),
                    None => self.wrong(node, schema, what),
                }
            }
            _ => self.wrong(node, schema, what),
        }
    }

    fn table(&mut self, node: &Node, table: &BTreeMap<String, Node>, schema: &Json, what: &str) {
        let none = Map::new();
        let properties = schema["properties"].as_object().unwrap_or(&none);
        let place = |key: &str| match what {
            "" => Some(FormPart::Part(key.to_owned())),
            "rules" => Some(FormPart::Rule(key.to_owned())),
            _ => None,
        };
        for key in schema["required"].as_array().into_iter().flatten().filter_map(Json::as_str) {
            if !table.contains_key(key) && !self.torn {
                self.place = place(key).unwrap_or(self.place.clone());
                let expected = self.forms.expected(&properties[key]);
                self.add(
                    node.at,
                    what,
                    format!("the key {} is missing", quoted(key)),
                    format!("give {expected}"),
                );
            }
        }
        let mut unknown = Vec::new();
        for (key, value) in table {
            self.place = place(key).unwrap_or(self.place.clone());
            let schema = match (properties.get(key), &schema["additionalProperties"]) {
                (Some(schema), _) => schema,
                (None, Json::Object(_)) => &schema["additionalProperties"],
                (None, Json::Bool(true)) => continue,
                (None, _) => {
                    self.damaged.insert(self.place.clone());
                    unknown.push((value.at, key));
                    continue;
                }
            };
            let name = match what {
                "" => key.clone(),
                _ if what.contains(' ') => format!("{what}: {key}"),
                _ => format!("{what}.{key}"),
            };
            self.value(value, schema, &name);
        }
        // A hint takes a comparison with every known key: only those that may be shown get one.
        unknown.sort_unstable();
        let shown = unknown.len().min(Problems::MOST);
        for &(at, key) in &unknown[..shown] {
            let hint = suggest(key, properties.keys().map(String::as_str), "known keys");
            self.report(at, what, format!("unknown key {}", quoted(key)), hint);
        }
        self.problems.count(unknown.len() - shown);
    }

    fn list(&mut self, node: &Node, list: &[Node], schema: &Json, what: &str) {
        let fits = schema["minItems"].as_u64().is_none_or(|n| list.len() as u64 == n);
        if !fits {
            return self.wrong(node, schema, what);
        }
        let top = ["cities", "routes", "tickets", "run", "published"].contains(&what);
        if list.len() > MAX_ITEMS {
            let message = format!("{} are far too many", list.len());
            return self.add(node.at, what, message, "a board holds a hundred or so".to_owned());
        }
        for (index, item) in list.iter().enumerate() {
            let name = if top {
                self.place = FormPart::Item(what.to_owned(), index);
                item_name(what, item, index + 1)
            } else {
                format!("{what}[{index}]")
            };
            self.value(item, &schema["items"], &name);
        }
    }
}

/// Lists longer than this are not looked into.
const MAX_ITEMS: usize = 1000;

/// The name of an item of a list in messages: its names, or if it lacks them its number.
fn item_name(list: &str, item: &Node, number: usize) -> String {
    let text = |key| item.get(key).and_then(Node::text);
    let kind = match list {
        "cities" => "city",
        "routes" => "route",
        "run" => "run",
        "published" => "published figure",
        _ => "ticket",
    };
    match (text("name"), text("from"), text("to")) {
        (Some(name), ..) if ["cities", "run"].contains(&list) => format!("{kind} {}", quoted(name)),
        (_, Some(from), Some(to)) if list != "cities" => {
            format!("{kind} {}", quoted(&format!("{from}-{to}")))
        }
        _ => format!("{kind} number {number}"),
    }
}
