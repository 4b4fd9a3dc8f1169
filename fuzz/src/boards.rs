//! Map files made from bytes: mostly valid, so that the later checks are reached too.

use std::collections::BTreeMap;
use std::fmt::Write;

use ttr_engine::maps;

use crate::Input;

/// A small complete map with every feature.
const SMALL: &str = include_str!("../../crates/engine/tests/fixtures/small.toml");

const COLOURS: [&str; 9] = ["red", "blue", "green", "grey", "black", "white", "orange", "yellow", "purple"];

/// A shipped or small map with a few words, numbers and lines changed.
pub fn edited(input: &mut Input<'_>) -> String {
    let ids = maps::ids();
    let mut text = match input.below(ids.len() + 3) {
        n if n < ids.len() => maps::text(ids[n]).unwrap_or_default().to_owned(),
        _ => SMALL.to_owned(),
    };
    for _ in 0..=input.below(8) {
        edit(&mut text, input);
    }
    text
}

fn edit(text: &mut String, input: &mut Input<'_>) {
    match input.below(8) {
        0..3 => {
            let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
            let numbers = words(text, |word| is_number(word));
            if !numbers.is_empty() {
                let (at, len) = *input.pick(&numbers);
                text.replace_range(at..at + len, &number(input).to_string());
            }
        }
        3..5 => {
            let names: Vec<_> = text.match_indices('"').map(|(at, _)| at).collect();
            if names.len() >= 4 {
                let [a, b] = [(); 2].map(|()| 2 * input.below(names.len() / 2));
                let (Some(from), Some(to)) = (names.get(b..b + 2), names.get(a..a + 2)) else { return };
                let other = text[from[0]..=from[1]].to_owned();
                text.replace_range(to[0]..=to[1], &other);
            }
        }
        5 => {
            let keys = words(text, |word| matches!(word, "true" | "false") || word.starts_with('['));
            if !keys.is_empty() {
                let (at, len) = *input.pick(&keys);
                let new = *input.pick(&["true", "false", "[]", "0", "\"\"", "{}", "nan", "1.5"]);
                text.replace_range(at..at + len, new);
            }
        }
        n => {
            let mut lines: Vec<_> = text.lines().collect();
            let (a, b) = (input.below(lines.len().max(1)), input.below(lines.len().max(1)));
            if n == 6 {
                if a < lines.len() {
                    lines.remove(a);
                }
            } else if let Some(&line) = lines.get(a) {
                lines.insert(b, line);
            }
            *text = lines.join("\n");
        }
    }
}

/// Positions of the words of a text that satisfy `is`, with their lengths.
fn words(text: &str, is: impl Fn(&str) -> bool) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut start = 0;
    for (at, byte) in text.bytes().enumerate() {
        if !byte.is_ascii_alphanumeric() && byte != b'[' && byte < 128 {
            if start < at && is(&text[start..at]) {
                found.push((start, at - start));
            }
            start = at + 1;
        }
    }
    found
}

/// A number that is small, or at some limit.
fn number(input: &mut Input<'_>) -> u32 {
    match input.byte() {
        n @ 0..200 => u32::from(n % 13),
        n => [15, 20, 31, 45, 60, 61, 63, 64, 65, 100, 127, 128, 254, 255, 256, 65_536][usize::from(n) % 16],
    }
}

/// A variant of a shipped map with other rules.
pub fn variant(input: &mut Input<'_>) -> String {
    let base = *input.pick(maps::ids());
    let mut text = format!("format = 1\nname = 'Variant'\nbase = '{base}'\n");
    if input.byte() == 7 {
        let _ = writeln!(text, "base_tickets = '{}'", input.pick(&["none", "big-city"]));
    }
    if input.byte().is_multiple_of(4) {
        let (min, max) = (2 + input.below(4), 2 + input.below(4));
        let _ = writeln!(text, "seats = {{ min = {}, max = {} }}", min.min(max), min.max(max));
    }
    let mut rules = BTreeMap::new();
    let (decks, cities): (&[&str], _) = match base {
        "europe" => (&["long", "regular"], ["Paris", "Wien"]),
        "nordic" => (&["regular"], ["Oslo", "Helsinki"]),
        "first-journey-europe" => (&["regular"], ["London", "Moskva"]),
        _ => (&["regular"], ["Seattle", "New York"]),
    };
    let frame = Frame { variant: true, decks, cities };
    for _ in 0..=input.below(6) {
        change_rule(&mut rules, &frame, input);
    }
    write_rules(&mut text, &rules);
    text
}

/// A new board: any graph, any rules.
pub fn board(input: &mut Input<'_>) -> String {
    let cities = 2 + input.below(12);
    let journey = input.byte().is_multiple_of(4);
    let max = 2 + input.below(4);
    let mut text = format!("format = 1\nname = 'Board'\nseats = {{ min = 2, max = {max} }}\ncities = [\n");
    for city in 0..cities {
        let _ = writeln!(text, "  {{ name = 'C{city}', at = [{city}, 0] }},");
    }
    text += "]\nroutes = [\n";
    let mut pairs = BTreeMap::new();
    // Occasionally the maximum: long searches for the longest path must end too.
    let more = if input.byte().is_multiple_of(8) { 64 } else { input.below(24) };
    let short = more == 64;
    for n in 0..cities - 1 + more {
        // First a tree, so that the board is connected.
        let a = if n < cities - 1 { n + 1 } else { input.below(cities) };
        let b = if n < cities - 1 { input.below(a) } else { input.below(cities) };
        if a != b {
            pairs.entry((a.min(b), a.max(b))).or_insert((input.byte(), input.byte(), input.byte()));
        }
    }
    for (&(a, b), &(length, kind, colour)) in &pairs {
        let length = if short { 1 } else { 1 + length % 4 };
        let colour = COLOURS[usize::from(colour) % 5];
        let extra = match kind % 8 {
            0 => ", tunnel = true".to_owned(),
            1 => format!(", ferry = {}", 1 + kind / 8 % length),
            2 => format!(", any_cards_per_space = {}", 1 + kind / 8 % 5),
            3 | 4 => format!(", double = 'D{a}-{b}'"),
            _ => String::new(),
        };
        let route = format!("from = 'C{a}', to = 'C{b}', length = {length}, colour = '{colour}'{extra}");
        let _ = writeln!(text, "  {{ {route} }},");
        if extra.contains("double") {
            let _ = writeln!(text, "  {{ {route} }},");
        }
    }
    text += "]\ntickets = [\n";
    let decks = &["regular", "long", "short"][..1 + input.below(3)];
    let count = 1 + input.below(60);
    for n in 0..count {
        let a = n % cities;
        let b = (a + 1 + n / cities % (cities - 1).max(1)) % cities;
        let deck = decks[(n + n / 8) % decks.len()];
        let points = 1 + n;
        if a != b {
            let _ = writeln!(text, "  {{ from = 'C{a}', to = 'C{b}', points = {points}, deck = '{deck}' }},");
        }
    }
    text += "]\n";
    let mut rules: BTreeMap<String, String> = [
        ("trains", "20"),
        ("opening_hand", "2"),
        ("draw.market", "4"),
        ("draw.face_up_locomotive", "'ends-draw'"),
        ("claim.locomotives", "'anywhere'"),
        ("claim.both_tracks_from", "3"),
        ("claim.points", "{ 1 = 1, 2 = 2, 3 = 4, 4 = 7 }"),
        ("tunnels.reveal", "3"),
    ]
    .map(|(key, value)| (key.to_owned(), value.to_owned()))
    .into();
    let deals: Vec<_> = decks.iter().map(|deck| format!("{{ deck = '{deck}', count = 1 }}")).collect();
    rules.insert("tickets.opening".to_owned(), format!("[{{ deal = [{}], hold = 1 }}]", deals.join(", ")));
    for colour in ["red", "blue", "green", "black", "locomotive"] {
        rules.insert(format!("deck.{colour}"), (4 + input.below(12)).to_string());
    }
    let (key, value) = if journey { ("journey.tickets_to_win", "3") } else { ("end.trains_at_most", "2") };
    rules.insert(key.to_owned(), value.to_owned());
    let frame = Frame { variant: false, decks, cities: ["C0", "C1"] };
    for _ in 0..input.below(8) {
        change_rule(&mut rules, &frame, input);
    }
    write_rules(&mut text, &rules);
    text
}

fn write_rules(text: &mut String, rules: &BTreeMap<String, String>) {
    for (key, value) in rules {
        // A table can't be removed and changed at the same time.
        let table = key.split_once('.').map(|(table, _)| table);
        if table.is_none_or(|table| !rules.contains_key(table)) {
            let _ = writeln!(text, "rules.{key} = {value}");
        }
    }
}

/// The parts from which the rules of a map may be made.
struct Frame<'a> {
    /// It is a variant, whose base has rules to remove.
    variant: bool,
    /// The decks of the tickets.
    decks: &'a [&'a str],
    /// Two cities.
    cities: [&'a str; 2],
}

fn change_rule(rules: &mut BTreeMap<String, String>, frame: &Frame<'_>, input: &mut Input<'_>) {
    /// Rules that are numbers, with the smallest valid value and the number of further ones.
    const NUMBERS: [(&str, usize, usize); 19] = [
        ("trains", 6, 55),
        ("opening_hand", 0, 8),
        ("no_progress_rounds", 0, 30),
        ("draw.market", 0, 6),
        ("draw.flush_at", 0, 5),
        ("draw.max_flushes", 1, 5),
        ("claim.both_tracks_from", 2, 5),
        ("tickets.draw", 0, 9),
        ("tickets.keep", 0, 3),
        ("tunnels.reveal", 1, 9),
        ("end.trains_at_most", 0, 10),
        ("bonus.longest_path", 0, 255),
        ("bonus.most_tickets", 0, 255),
        ("deck.red", 0, 30),
        ("deck.blue", 0, 30),
        ("deck.green", 0, 30),
        ("deck.locomotive", 0, 40),
        ("first_seat.seat", 1, 5),
        ("deck.white", 0, 30),
    ];
    const CHOICES: [(&str, [&str; 2]); 8] = [
        ("draw.face_up_locomotive", ["'ends-draw'", "'ordinary'"]),
        ("draw.reshuffle", ["'eager'", "'lazy'"]),
        ("claim.locomotives", ["'anywhere'", "'tunnels-and-ferries'"]),
        ("claim.twins_require_equal_length", ["true", "false"]),
        ("tickets.unkept_opening", ["'box'", "'bottom'"]),
        ("tickets.unkept", ["'box'", "'bottom'"]),
        (
            "tie_breaks",
            [
                "['longest-path', 'longest-ticket', 'fewest-stations', 'completed-tickets', 'longest-path-bonus']",
                "[]",
            ],
        ),
        ("first_seat", ["'random'", "{ seat = 1 }"]),
    ];
    let mut set = |key: &str, value: String| drop(rules.insert(key.to_owned(), value));
    match input.below(12) {
        0..5 => {
            let &(key, least, count) = input.pick(&NUMBERS);
            let wild = input.byte() == 7;
            let value = if wild { number(input) as usize } else { least + input.below(count) };
            set(key, value.to_string());
        }
        5..7 => {
            let (key, values) = input.pick(&CHOICES);
            set(key, (*input.pick(values)).to_owned());
        }
        7 => {
            let spaces = input.pick(&["any-space", "locomotive-space-only"]);
            set("ferry_sets", format!("{{ cards = {}, spaces = '{spaces}' }}", 1 + input.below(5)));
        }
        8 => set(
            "stations",
            format!("{{ per_seat = {}, unbuilt_points = {} }}", 1 + input.below(3), input.below(9)),
        ),
        9 => {
            // The rules of First Journey exclude much of the rest.
            let [one, other] = frame.cities;
            let limit = input.pick(&["once", "unlimited"]);
            set(
                "journey",
                format!(
                    "{{ tickets_to_win = {}, bonus_limit = '{limit}', \
                     bonus_between = {{ one = ['{one}'], other = ['{other}'] }} }}",
                    1 + input.below(8)
                ),
            );
            let deal = format!("{{ deck = 'regular', count = {} }}", 1 + input.below(4));
            set("tickets.opening", format!("[{{ deal = [{deal}], hold = 1 }}]"));
            set("tickets.draw", "0".to_owned());
            set("tickets.keep", "0".to_owned());
            for gone in ["end", "stations", "bonus"] {
                rules.retain(|key, _| key.split('.').next() != Some(gone));
                if frame.variant {
                    rules.insert(gone.to_owned(), "false".to_owned());
                }
            }
        }
        10 if frame.variant => {
            let table = *input.pick(&["ferry_sets", "stations", "bonus"]);
            set(table, "false".to_owned());
        }
        _ => {
            let mut steps = Vec::new();
            for step in 0..1 + input.below(2) + usize::from(input.byte() == 7) {
                let mut deals = Vec::new();
                for &deck in frame.decks {
                    if step == 0 || input.byte().is_multiple_of(2) {
                        let count = 1 + input.below(3);
                        let keep = match input.byte() % 4 {
                            0 => format!(", keep_max = {}", input.below(count + 1)),
                            _ => String::new(),
                        };
                        deals.push(format!("{{ deck = '{deck}', count = {count}{keep} }}"));
                    }
                }
                if !deals.is_empty() {
                    steps.push(format!("{{ deal = [{}], hold = {} }}", deals.join(", "), input.below(3)));
                }
            }
            set("tickets.opening", format!("[{}]", steps.join(", ")));
        }
    }
}
