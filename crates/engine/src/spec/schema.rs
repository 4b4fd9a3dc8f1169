//! The JSON schema of map files, and the check of a file against it.
//!
//! The schema is made from the types that are read, so it is the one list of keys, types and values:
//! editors read it from `maps/schema.json`, and `form.rs` finds every place where a file departs from it.

use schemars::{JsonSchema, Schema, generate::SchemaSettings};
use serde_json::{Map, Value as Json, json};

use super::card_game::CardGameFile;
use super::problem::quoted_list;
use super::tree::{Node, Pos, Value};
use super::{CitySpec, RouteSpec, RulesSpec, SeatRange, TicketSpec};

/// The JSON schema of map files.
///
/// ```
/// let schema = ttr_engine::spec::schema();
/// assert!(schema.pointer("/$defs/RulesSpec/properties/trains").is_some());
/// ```
pub fn schema() -> Schema {
    Forms::new().schema
}

/// The format of map files that is read.
pub(super) const FORMAT: i64 = 1;

/// A map without a base, as a file. Only its schema is used as a whole: the parts are read one by one.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "for the schema")]
struct MapFile {
    /// The format of the file.
    #[schemars(extend("const" = FORMAT))]
    format: u8,
    /// Name for people.
    name: String,
    /// What a reader must know about the data, if anything.
    note: Option<String>,
    /// Fewest and most seats.
    seats: SeatRange,
    /// The rules.
    rules: RulesSpec,
    /// The cities.
    cities: Vec<CitySpec>,
    /// The routes; the two tracks of a double route are two entries.
    routes: Vec<RouteSpec>,
    /// The tickets.
    tickets: Vec<TicketSpec>,
}

/// The two forms of a map file: a whole map, and a variant that says what differs from its base.
pub(super) struct Forms {
    pub(super) schema: Schema,
}

impl Forms {
    pub(super) fn new() -> Self {
        let mut whole =
            SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<MapFile>().to_value();
        without_null(&mut whole);
        let mut defs = whole["$defs"].take();
        let whole = json!({
            "description": "A whole map.",
            "type": "object",
            "properties": whole["properties"],
            "required": whole["required"],
            "additionalProperties": false,
        });

        let mut variant = whole.clone();
        variant["description"] = "A map that differs from its base.".into();
        variant["required"] = json!(["format", "name", "base"]);
        let properties = &mut variant["properties"];
        properties["rules"]["$ref"] = changes("RulesSpec", &mut defs).into();
        properties["base"] = json!({
            "description": "The id of a shipped map, or the path of a map file, seen from this one. Tables under \
                `rules` are merged key by key over those of the base, and `false` takes an optional table away; \
                `cities`, `routes`, `seats` and `note` replace those of the base; `tickets` are added.",
            "type": "string",
        });
        properties["base_tickets"] = json!({
            "description": "Which tickets of the base are inherited: \"all\", \"none\", or those with a tag.",
            "type": "string",
            "default": "all",
        });

        defs["Map"] = whole;
        defs["Variant"] = variant;
        let schema = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "A map file of ttr",
            "if": { "required": ["base"] },
            "then": { "$ref": "#/$defs/Variant" },
            "else": { "$ref": "#/$defs/Map" },
            "$defs": defs,
        });
        Self { schema: Schema::try_from(schema).expect("an object is a schema") }
    }

    /// The form of a type.
    pub(super) fn of<T: JsonSchema>() -> Self {
        let mut schema =
            SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<T>().to_value();
        without_null(&mut schema);
        Self { schema: Schema::try_from(schema).expect("an object is a schema") }
    }

    /// The form of a file of the Card Game.
    pub(super) fn of_card_game() -> Self {
        let mut schema = Self::of::<CardGameFile>().schema.to_value();
        schema["title"] = "A Card Game file of ttr".into();
        schema["additionalProperties"] = false.into();
        Self { schema: Schema::try_from(schema).expect("an object is a schema") }
    }

    /// The least value that fits a schema.
    pub(super) fn stand_in(&self, schema: &Json, at: Pos) -> Node {
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
        self.schema.as_value()["$defs"]["RulesSpecChanges"]["properties"][key]["anyOf"].is_array()
    }

    pub(super) fn resolve<'a>(&'a self, schema: &'a Json) -> &'a Json {
        match schema["$ref"].as_str().and_then(|path| path.strip_prefix("#/$defs/")) {
            Some(name) => self.resolve(&self.schema.as_value()["$defs"][name]),
            None => schema,
        }
    }

    /// What a schema asks for, in words.
    pub(super) fn expected(&self, schema: &Json) -> String {
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
            Some("string") => "a text in quotes".to_owned(),
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
}

/// The alternatives of a schema, if it has some.
pub(super) fn options(schema: &Json) -> Option<&[Json]> {
    schema.get("oneOf").or(schema.get("anyOf"))?.as_array().map(Vec::as_slice)
}

/// Whether a table must have a key.
pub(super) fn requires(schema: &Json, key: &str) -> bool {
    schema["required"].as_array().is_some_and(|keys| keys.iter().any(|required| required == key))
}

fn keys(properties: &Map<String, Json>) -> Vec<&str> {
    properties.keys().map(String::as_str).collect()
}

/// Takes `null` out of a schema: TOML has no such thing.
fn without_null(schema: &mut Json) {
    match schema {
        Json::Object(object) => {
            if let Some(options) = object.get_mut("anyOf").and_then(Json::as_array_mut) {
                options.retain(|option| option["type"] != "null");
                if let [Json::Object(only)] = &mut options[..] {
                    let only = std::mem::take(only);
                    object.remove("anyOf");
                    object.extend(only);
                }
            }
            if let Some(kinds) = object.get_mut("type").and_then(Json::as_array_mut) {
                kinds.retain(|kind| kind != "null");
                if let [only] = &kinds[..] {
                    object["type"] = only.clone();
                }
            }
            if object.get("default") == Some(&Json::Null) {
                object.remove("default");
            }
            object.values_mut().for_each(without_null);
        }
        Json::Array(list) => list.iter_mut().for_each(without_null),
        _ => {}
    }
}

/// Adds the form in which a variant gives a table: no key is required, optional tables may be `false`.
/// Returns a reference to it.
fn changes(name: &str, defs: &mut Json) -> String {
    let changed = format!("{name}Changes");
    let mut table = defs[name].clone();
    let whole = table.clone();
    table.as_object_mut().map(|table| table.remove("required"));
    if let Some(properties) = table["properties"].as_object_mut() {
        for (key, schema) in properties {
            let reference = schema["$ref"].as_str().and_then(|path| path.strip_prefix("#/$defs/"));
            let Some(inner) = reference.filter(|inner| defs[inner]["type"] == "object") else {
                continue;
            };
            let inner = changes(inner, defs);
            let schema = schema.as_object_mut().expect("it has a reference");
            schema.remove("default");
            if requires(&whole, key) || name != "RulesSpec" {
                schema.insert("$ref".to_owned(), inner.into());
            } else {
                schema.remove("$ref");
                schema.insert("anyOf".to_owned(), json!([{ "$ref": inner }, { "const": false }]));
            }
        }
    }
    defs[&changed] = table;
    format!("#/$defs/{changed}")
}
