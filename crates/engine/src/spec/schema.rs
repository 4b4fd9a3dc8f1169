//! The JSON schemas of files, made from the types that are read.
//!
//! `maps/schema.json` and `maps/card-game.schema.json` are published for editors, and `form.rs` finds every
//! place where a file departs from them; tests compare them with what is made here.

use schemars::{JsonSchema, Schema, generate::SchemaSettings};
use serde_json::{Value as Json, json};

use super::card_game_file::GAME;
use super::form::{FORMAT, requires};
use super::{
    BigCitySpec, CardGameRules, CircleTicketSpec, CitySpec, RouteSpec, RulesSpec, SeatRange, TicketSpec,
};

/// The JSON schema of map files.
///
/// ```
/// let schema = ttr_engine::spec::schema();
/// assert!(schema.pointer("/$defs/RulesSpec/properties/trains").is_some());
/// ```
pub fn schema() -> Schema {
    let mut whole = schema_of::<MapFile>();
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
            `cities`, `routes`, `big_cities`, `seats` and `note` replace those of the base; `tickets` are added.",
        "type": "string",
    });
    properties["base_tickets"] = json!({
        "description": "Which tickets of the base are inherited: \"all\", \"none\", or those with a tag.",
        "type": "string",
        "default": "all",
    });

    defs["Map"] = whole;
    defs["Variant"] = variant;
    ordered(json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A map file of ttr",
        "if": { "required": ["base"] },
        "then": { "$ref": "#/$defs/Variant" },
        "else": { "$ref": "#/$defs/Map" },
        "$defs": defs,
    }))
}

/// The JSON schema of Card Game files.
///
/// ```
/// let schema = ttr_engine::spec::card_game_schema();
/// assert!(schema.pointer("/$defs/CardGameRules/properties/market").is_some());
/// ```
pub fn card_game_schema() -> Schema {
    let mut schema = schema_of::<CardGameFile>();
    schema["title"] = "A Card Game file of ttr".into();
    schema["additionalProperties"] = false.into();
    ordered(schema)
}

/// A schema that is written with its keys in the usual order.
fn ordered(schema: Json) -> Schema {
    Schema::try_from(schema).expect("an object is a schema")
}

/// The JSON schema of a type, for files: without `null`, and without the Rust examples of doc comments.
pub(super) fn schema_of<T: JsonSchema>() -> Json {
    let mut schema = SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<T>().to_value();
    without_null(&mut schema);
    without_examples(&mut schema);
    schema
}

/// A map without a base, as a file. Only its schema is used as a whole: the parts are read one by one.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "for the schema")]
struct MapFile {
    /// The format of the file.
    #[schemars(extend("const" = FORMAT))]
    format: u8,
    /// Name for people.
    name: String,
    /// A note on the data for readers.
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
    /// The cities that pictures mark, where tickets are about some of them.
    big_cities: Option<Vec<String>>,
}

/// A file of the Card Game. Only its schema is used as a whole: the parts are read one by one.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "for the schema")]
struct CardGameFile {
    /// The format of the file.
    #[schemars(extend("const" = FORMAT))]
    format: u8,
    /// The game.
    #[schemars(extend("enum" = [GAME]))]
    game: String,
    /// Name for people.
    name: String,
    /// A note on the data for readers.
    note: Option<String>,
    /// Fewest and most seats.
    seats: SeatRange,
    /// The rules.
    rules: CardGameRules,
    /// The bonus cards.
    big_cities: Vec<BigCitySpec>,
    /// The tickets.
    tickets: Vec<CircleTicketSpec>,
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

/// Ends every description before its Rust example, which is of no use to the author of a file.
fn without_examples(schema: &mut Json) {
    match schema {
        Json::Object(object) => {
            if let Some(Json::String(text)) = object.get_mut("description")
                && let Some(example) = text.find("\n\n```")
            {
                text.truncate(example);
            }
            object.values_mut().for_each(without_examples);
        }
        Json::Array(list) => list.iter_mut().for_each(without_examples),
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
