//! Checks of a map beyond its form: names that exist, a board that hangs together, rules that fit.

mod rules;
mod tickets;

use std::collections::{BTreeMap, BTreeSet};

use petgraph::algo::{connected_components, dijkstra};
use petgraph::graph::{NodeIndex, UnGraph};
use petgraph::visit::Dfs;

use super::form::{Damage, Join};
use super::problem::{Problems, nearest, quoted, quoted_list};
use super::tree::{Node, Pos};
use super::{
    CitySpec, LocomotiveUse, MAX_CITIES, MAX_LENGTH, MAX_ROUTES, MAX_TICKETS, RouteSpec, RulesSpec,
    SeatRange, TicketSpec,
};
use crate::pieces::CardKind;
use crate::plain_text;

/// Longest name of a city, deck or tag, in characters.
const MAX_NAME: usize = 40;
/// Longest name of a map.
const MAX_MAP_NAME: usize = 120;
/// Longest line of a note.
const MAX_NOTE_LINE: usize = 2000;
/// Characters that the notation of actions and the output tables use between names.
pub(super) const FORBIDDEN: [char; 5] = ['/', ',', ':', '#', '*'];

/// A map as far as it could be read. Rules and seats are none if they are damaged or missing.
pub(super) struct Draft {
    pub(super) rules: Option<RulesSpec>,
    pub(super) seats: Option<SeatRange>,
    pub(super) cities: Vec<CitySpec>,
    pub(super) routes: Vec<RouteSpec>,
    pub(super) tickets: Vec<TicketSpec>,
    pub(super) big_cities: Vec<String>,
    pub(super) damage: Damage,
}

impl Draft {
    /// Whether none of these keys of the rules is damaged.
    fn relies_on(&self, keys: &[&str]) -> bool {
        !self.damage.all_rules && keys.iter().all(|key| !self.damage.rules.contains(*key))
    }
}

/// Adds everything that is wrong with a map to `problems`; `tree` has the lines.
pub(super) fn check(draft: &Draft, tree: &Node, problems: &mut Problems) {
    let mut check = Check { draft, tree, problems, graph: graph(draft) };
    check_texts(tree, check.problems);
    check.sizes();
    check.cities();
    check.big_cities();
    check.routes();
    check.tracks();
    check.connection();
    check.tickets();
    check.seats();
    check.rules();
}

type Graph<'a> = UnGraph<&'a str, u32>;

struct Check<'a> {
    draft: &'a Draft,
    tree: &'a Node,
    problems: &'a mut Problems,
    /// The cities by their index, joined by the routes whose ends are known.
    graph: Graph<'a>,
}

impl Check<'_> {
    fn sizes(&mut self) {
        let draft = self.draft;
        for (list, count, most) in [
            ("cities", draft.cities.len(), MAX_CITIES),
            ("routes", draft.routes.len(), MAX_ROUTES),
            ("tickets", draft.tickets.len(), MAX_TICKETS),
        ] {
            if count > most {
                let message = format!("{count} {list} are too many");
                self.problems.add(self.tree.at(&[list]), message, format!("at most {most} are possible"));
            }
        }
    }

    fn cities(&mut self) {
        let mut seen = BTreeMap::new();
        for (index, city) in self.draft.cities.iter().enumerate() {
            let at = self.tree.at_item("cities", index);
            let what = format!("city {}", quoted(&city.name));
            if let Err(hint) = good_name(&city.name, &FORBIDDEN) {
                self.problems.add(at, format!("{what}: the name can't be used"), hint);
            }
            if let Some(first) = seen.insert(&city.name, at) {
                let hint = format!("the first is in line {}: rename or remove one", first.line);
                self.problems.add(at, format!("{what}: there are two cities of this name"), hint);
            }
        }
        self.hyphens();
    }

    fn big_cities(&mut self) {
        if self.draft.damage.cities {
            return;
        }
        for (index, name) in self.draft.big_cities.iter().enumerate() {
            let at = self.tree.at_item("big_cities", index);
            if self.known_city(name).is_none() {
                let hint = self.city_hint(name);
                self.problems.add(at, format!("big_cities: there is no city {}", quoted(name)), hint);
            } else if self.draft.big_cities[..index].contains(name) {
                let message = format!("big_cities: {} is there twice", quoted(name));
                self.problems.add(at, message, "remove one of them");
            }
        }
    }

    /// A route is written as its two ends joined by a hyphen: with hyphens in names two can look the same.
    fn hyphens(&mut self) {
        let cities = &self.draft.cities;
        if cities.len() > MAX_CITIES || cities.iter().all(|city| !city.name.contains('-')) {
            return;
        }
        let mut joined = BTreeMap::new();
        let names: BTreeSet<_> = cities.iter().map(|city| city.name.as_str()).collect();
        for &from in &names {
            for &to in names.iter().filter(|to| **to != from) {
                if let Some((a, b)) = joined.insert(format!("{from}-{to}"), (from, to)) {
                    let index = cities.iter().position(|city| city.name == from).unwrap_or_default();
                    let message = format!(
                        "city {}: \"{from}-{to}\" can mean {from:?} and {to:?}, or {a:?} and {b:?}",
                        quoted(from)
                    );
                    self.problems.add(self.tree.at_item("cities", index), message, "rename one of them");
                }
            }
        }
    }

    fn known_city(&self, name: &str) -> Option<usize> {
        self.draft.cities.iter().position(|city| city.name == name)
    }

    /// Whether both ends exist and differ; otherwise says so.
    fn ends(&mut self, at: Pos, what: &str, [from, to]: [&str; 2]) -> bool {
        let mut good = true;
        let ends = if from == to { &[from][..] } else { &[from, to][..] };
        for end in ends {
            if self.known_city(end).is_none() {
                good = false;
                if !self.draft.damage.cities {
                    let hint = self.city_hint(end);
                    self.problems.add(at, format!("{what}: there is no city {}", quoted(end)), hint);
                }
            }
        }
        if from == to {
            good = false;
            self.problems.add(at, format!("{what}: it ends where it starts"), "name two different cities");
        }
        good
    }

    fn city_hint(&self, wrong: &str) -> String {
        match nearest(wrong, self.draft.cities.iter().map(|city| city.name.as_str())) {
            Some(near) => format!("did you mean {}?", quoted(near)),
            None => "add it to the cities".to_owned(),
        }
    }

    fn routes(&mut self) {
        for Join { at, what, ends: [from, to] } in &self.draft.damage.joins {
            self.ends(*at, what, [from, to]);
        }
        for (index, route) in self.draft.routes.iter().enumerate() {
            let what = format!("route {}", quoted(&format!("{}-{}", route.from, route.to)));
            let at = self.tree.at_item("routes", index);
            self.ends(at, &what, [&route.from, &route.to]);
            let mut add =
                |message: String, hint: String| self.problems.add(at, format!("{what}: {message}"), hint);
            let length = route.length;
            if let Some(Err(hint)) = route.double.as_deref().map(|label| good_name(label, &[])) {
                add("the label of its double track can't be used".to_owned(), hint);
            }
            if !(1..=MAX_LENGTH).contains(&length) {
                add(
                    format!("a length of {length} is impossible"),
                    format!("lengths go from 1 to {MAX_LENGTH}"),
                );
            }
            if route.ferry > length && length > 0 {
                let hint = format!("give at most {length}, one for each space");
                add(format!("ferry = {} is more than its length", route.ferry), hint);
            }
            if route.ferry > 0 && route.tunnel {
                add("it is a ferry and a tunnel".to_owned(), "leave out ferry or tunnel".to_owned());
            }
            if let Some(cards) = route.any_cards_per_space {
                if !(1..=9).contains(&cards) {
                    let message = format!("any_cards_per_space = {cards} is impossible");
                    add(message, "it must be from 1 to 9, or be left out".to_owned());
                }
                if route.ferry > 0 || route.tunnel {
                    let message = "any_cards_per_space is not for ferries and tunnels".to_owned();
                    add(message, "leave it out; for ferries there is rules.ferry_sets".to_owned());
                }
            }
            if let Some(rules) = &self.draft.rules
                && (1..=MAX_LENGTH).contains(&length)
            {
                route_under_rules(route, rules, |keys| self.draft.relies_on(keys), add);
            }
        }
    }

    /// Several routes between the same two cities.
    fn tracks(&mut self) {
        let mut pairs: BTreeMap<[&str; 2], Vec<usize>> = BTreeMap::new();
        let mut labels: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (index, route) in self.draft.routes.iter().enumerate() {
            pairs.entry(pair(&route.from, &route.to)).or_default().push(index);
            if let Some(label) = &route.double {
                labels.entry(label).or_default().push(index);
            }
        }
        for (ends, tracks) in pairs {
            let name = quoted(&ends.join("-"));
            let double = |index: &usize| self.draft.routes[*index].double.as_ref();
            let (message, hint) = match tracks[..] {
                [a, b] if double(&a).is_none() || double(&a) != double(&b) => (
                    format!("route {name}: there are two"),
                    "give both tracks the same label, as double = \"D1\", or remove one",
                ),
                [_, _, _, ..] => (
                    format!("route {name}: there are {}", tracks.len()),
                    "two cities are joined by at most two tracks",
                ),
                _ => continue,
            };
            let last = tracks[tracks.len() - 1];
            self.problems.add(self.tree.at_item("routes", last), message, hint);
        }
        for (label, tracks) in labels {
            let ends: BTreeSet<_> =
                tracks.iter().map(|&index| &self.draft.routes[index]).map(|r| pair(&r.from, &r.to)).collect();
            let at = self.tree.at_item("routes", tracks[tracks.len() - 1]);
            let what = format!("double {}", quoted(label));
            if ends.len() > 1 {
                let names: Vec<_> = ends.iter().map(|ends| ends.join("-")).collect();
                let message = format!("{what}: it labels {}", quoted_list(names.iter().map(String::as_str)));
                self.problems.add(at, message, "the two tracks of a double route join the same two cities");
            } else if tracks.len() == 1 && !self.draft.damage.routes {
                let hint = "exactly two tracks share a label: add the other one, or leave it out";
                self.problems.add(at, format!("{what}: it labels only one track"), hint);
            }
        }
    }

    /// Whether every city and route is there, so that what is not connected will stay so.
    fn is_whole(&self) -> bool {
        let Draft { damage, cities, routes, .. } = self.draft;
        let known =
            |route: &RouteSpec| [&route.from, &route.to].iter().all(|end| self.known_city(end).is_some());
        let names: BTreeSet<_> = cities.iter().map(|city| &city.name).collect();
        !damage.cities && !damage.routes && names.len() == cities.len() && routes.iter().all(known)
    }

    fn connection(&mut self) {
        let count = self.draft.cities.len();
        if count < 2 {
            if !self.draft.damage.cities {
                let message = format!("{count} cities make no board");
                self.problems.add(self.tree.at(&["cities"]), message, "give two at least");
            }
            return;
        }
        if !self.is_whole() || connected_components(&self.graph) == 1 {
            return;
        }
        // What hangs together with most others is the board, the rest is cut off.
        let parts = self.graph.node_indices().map(|city| {
            let mut search = Dfs::new(&self.graph, city);
            std::iter::from_fn(|| search.next(&self.graph)).collect::<BTreeSet<_>>()
        });
        let board = parts
            .max_by_key(|part| (part.len(), std::cmp::Reverse(part.first().copied())))
            .unwrap_or_default();
        let cut_off: Vec<_> = self.graph.node_indices().filter(|city| !board.contains(city)).collect();
        let names = quoted_list(cut_off.iter().map(|&city| self.graph[city]));
        let at = self.tree.at_item("cities", cut_off[0].index());
        self.problems.add(
            at,
            format!("no route leads from the rest of the board to {names}"),
            "add a route, or remove them",
        );
    }

    /// The fewest trains that join two cities.
    fn trains_between(&self, from: &str, to: &str) -> Option<u32> {
        let [from, to] = [self.known_city(from)?, self.known_city(to)?].map(NodeIndex::new);
        dijkstra(&self.graph, from, Some(to), |edge| *edge.weight()).get(&to).copied()
    }
}

fn graph(draft: &Draft) -> Graph<'_> {
    let mut graph = Graph::new_undirected();
    let mut index = BTreeMap::new();
    for city in &draft.cities {
        let node = graph.add_node(city.name.as_str());
        index.entry(city.name.as_str()).or_insert(node);
    }
    for route in &draft.routes {
        if let (Some(&from), Some(&to)) = (index.get(route.from.as_str()), index.get(route.to.as_str())) {
            graph.add_edge(from, to, route.length.into());
        }
    }
    graph
}

/// What the rules have to say about a route; only what those rules say that can be relied upon.
fn route_under_rules(
    route: &RouteSpec,
    rules: &RulesSpec,
    sound: impl Fn(&[&str]) -> bool,
    mut add: impl FnMut(String, String),
) {
    let RouteSpec { length, ferry, .. } = *route;
    if route.tunnel && rules.tunnels.is_none() && sound(&["tunnels"]) {
        let hint = "add [rules.tunnels] with reveal = 3, or leave out tunnel";
        add("it is a tunnel, but the rules know none".to_owned(), hint.to_owned());
    }
    if (1..length).contains(&rules.trains) && sound(&["trains"]) {
        add(format!("it takes {length} trains"), format!("a seat has {}", rules.trains));
    }
    let has_points = rules.journey.is_some() || rules.claim.points.contains_key(&length.to_string());
    if !has_points && sound(&["journey", "claim"]) {
        let hint = format!("add {length} to points in [rules.claim]");
        add(format!("the rules give no points for a length of {length}"), hint);
    }
    let substitutes = route.any_cards_per_space.is_some() || rules.ferry_sets.is_some() && ferry > 0;
    if substitutes || !sound(&["deck", "claim", "ferry_sets"]) {
        return;
    }
    let deck = rules.deck.counts();
    let locomotives = deck[CardKind::Locomotive.index()];
    let usable = match rules.claim.locomotives {
        LocomotiveUse::TunnelsAndFerries if ferry == 0 && !route.tunnel => 0,
        _ => locomotives,
    };
    let colour = match route.colour.card() {
        Some(kind) => deck[kind.index()],
        None => CardKind::COLOURS.iter().map(|kind| deck[kind.index()]).max().unwrap_or_default(),
    };
    if ferry > locomotives {
        let hint = "put more into [rules.deck], or allow substitutes by [rules.ferry_sets]";
        add(format!("ferry = {ferry}, and locomotives in the deck = {locomotives}"), hint.to_owned());
    } else if colour == 0 && route.colour.card().is_some() {
        let hint = format!("put {} cards into [rules.deck], or change the colour", route.colour.name());
        add(format!("the deck has no {} card", route.colour.name()), hint);
    } else if u16::from(colour) + u16::from(usable) < length.into() {
        let hint = "put more into [rules.deck]";
        add(format!("the deck has fewer than the {length} cards it takes"), hint.to_owned());
    }
}

/// The two names in order.
fn pair<'a>(a: &'a str, b: &'a str) -> [&'a str; 2] {
    if a <= b { [a, b] } else { [b, a] }
}

/// Adds what is wrong with the name of a map and its note to `problems`: both are shown to people.
pub(super) fn check_texts(tree: &Node, problems: &mut Problems) {
    let text = |key| tree.get(key).and_then(|node| Some((node.at, node.text()?)));
    if let Some((at, name)) = text("name")
        && let Err(hint) = plain_text::check_name(name, MAX_MAP_NAME)
    {
        problems.add(at, format!("name: {} can't be used", quoted(name)), hint.to_string());
    }
    if let Some((at, note)) = text("note")
        && let Some(hint) = note.lines().find_map(|line| plain_text::check_text(line, MAX_NOTE_LINE).err())
    {
        problems.add(at, format!("note: {} can't be used", quoted(note)), hint.to_string());
    }
}

/// Checks that a name can be shown, and used in the notation.
///
/// # Errors
/// What to change about it.
pub(super) fn good_name(name: &str, forbidden: &[char]) -> Result<(), String> {
    plain_text::check_name(name, MAX_NAME).map_err(|hint| hint.to_string())?;
    match name.chars().find(|letter| forbidden.contains(letter)) {
        Some(wrong) => Err(format!("remove the {wrong:?}")),
        None => Ok(()),
    }
}
