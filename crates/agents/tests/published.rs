//! The four published agents: their defining decisions, where `coded` and `intended` differ, and legality
//! everywhere.

mod support;

use support::{Kinds, assert_exercises, board, boards, decision, offered_by, play, spec};
use ttr_agents::{Agent, AgentSpec, RosterGame};
use ttr_engine::CardKind::{self, *};
use ttr_engine::board::BoardGame;
use ttr_engine::testing::{Table, cards};
use ttr_engine::{Dice, Game, Notation, Seat};

const MARKET: [CardKind; 5] = [Red, Blue, Blue, White, Green];
const NAMES: [&str; 4] = ["one-step", "long-route", "path", "hungry"];

/// The decision of a variant of an agent.
fn decide(table: &Table<'_>, agent: &str, variant: &str) -> String {
    decision(table.game, table.finish().state(), &format!("{agent}:variant={variant}"))
}

/// Asserts that both variants make the same decision.
fn assert_both(table: &Table<'_>, agent: &str, expected: &str) {
    assert_eq!(decide(table, agent, "coded"), expected, "coded");
    assert_eq!(decide(table, agent, "intended"), expected, "intended");
}

/// An agent at seat 0 that keeps its memory between decisions.
struct Player<'g> {
    game: &'g BoardGame,
    agent: Box<dyn Agent<BoardGame>>,
}

impl<'g> Player<'g> {
    fn new(game: &'g BoardGame, agent: &str) -> Self {
        let mut agent = game.agent(&spec(agent)).unwrap();
        agent.begin(game, Seat::new(0));
        Self { game, agent }
    }

    fn choose(&mut self, table: &Table<'_>) -> String {
        let action = self.agent.choose(&table.finish().seen_by(0), &mut Dice::from_seed(1)).unwrap();
        self.game.write_action(table.state(), action)
    }
}

fn all_variants() -> Vec<AgentSpec> {
    let variants = ["variant=coded", "variant=coded,ties=mixed", "variant=intended"];
    NAMES.iter().flat_map(|name| variants.map(|variant| spec(&format!("{name}:{variant}")))).collect()
}

// --- One-Step ---

#[test]
fn one_step_claims_the_first_route_of_its_most_valuable_ticket() {
    let game = board("usa", 2);
    let mut table = Table::new(&game);
    table.hand(0, [(Yellow, 4)]).market(MARKET).tickets(0, ["Kansas City-Houston", "Calgary-Salt Lake City"]);
    assert_both(&table, "one-step", "claim Calgary-Helena in yellow");
    table.routes(0, ["Calgary-Helena", "Helena-Salt Lake City"]);
    let claim = decide(&table, "one-step", "intended");
    assert!(claim.starts_with("claim Kansas City-Oklahoma City"), "then the other one, not {claim}");
    table.routes(0, ["Kansas City-Oklahoma City/1"]);
    let claim = decide(&table, "one-step", "intended");
    assert!(claim.starts_with("claim Dallas-Oklahoma City"), "{claim}");
}

#[test]
fn one_step_as_coded_pays_in_the_first_colour_of_its_list() {
    let game = board("usa", 2);
    let mut table = Table::new(&game);
    table.hand(0, [(Red, 1), (White, 2), (Locomotive, 1)]).market(MARKET).tickets(0, ["Kansas City-Houston"]);
    let (coded, intended) = (decide(&table, "one-step", "coded"), decide(&table, "one-step", "intended"));
    assert!(coded.ends_with("in red + 1 locomotive"), "{coded}");
    assert!(intended.ends_with("in white"), "{intended}");
}

#[test]
fn one_step_collects_its_colour_then_locomotives_then_blind() {
    let game = board("usa", 2);
    let mut table = Table::new(&game);
    table.tickets(0, ["Calgary-Salt Lake City"]).hand(0, [(White, 1)]);
    let with = |market: [CardKind; 5]| {
        let mut table = table.clone();
        table.market(market);
        table
    };
    assert_both(&with([White, Locomotive, Blue, Green, Green]), "one-step", "take white");
    assert_both(&with([Red, Locomotive, Blue, Green, Green]), "one-step", "take locomotive");
    assert_both(&with([Red, Blue, Blue, Green, Green]), "one-step", "take blind");
}

/// The released program makes a new plan only after a claim, and remembers the colour that it wanted.
#[test]
fn one_step_as_coded_sticks_to_a_colour() {
    let game = board("usa", 2);
    let mut before = Table::new(&game);
    before
        .tickets(0, ["Calgary-Salt Lake City"])
        .hand(0, [(White, 1)])
        .market([Red, Red, Blue, Green, Green]);
    let mut after = Table::new(&game);
    after.tickets(0, ["Calgary-Salt Lake City"]).hand(0, [(White, 1), (Red, 2)]);
    after.market([White, Red, Blue, Green, Green]);
    for (variant, then) in [("coded", "take white"), ("intended", "take red")] {
        let mut agent = Player::new(&game, &format!("one-step:variant={variant}"));
        assert_eq!(agent.choose(&before), "take blind");
        assert_eq!(agent.choose(&after), then, "{variant}");
    }
}

#[test]
fn one_step_draws_tickets_while_there_is_time() {
    let game = board("usa", 2);
    let mut table = Table::new(&game);
    table.market(MARKET);
    assert_both(&table, "one-step", "tickets");
    table.trains(1, 7);
    for variant in ["coded", "intended"] {
        let card = decide(&table, "one-step", variant);
        assert!(card.starts_with("take"), "{card}");
    }
}

#[test]
fn one_step_keeps_all_dealt_tickets_and_few_later_ones() {
    let game = board("usa", 2);
    let mut table = Table::new(&game);
    table.market(MARKET);
    let drawn = ["Denver-El Paso", "Los Angeles-Miami", "Kansas City-Houston"].map(|name| table.draws(name));
    table.play("tickets", drawn).unwrap();
    assert_eq!(decide(&table, "one-step", "coded"), "keep Denver-El Paso", "the fewest points");
    assert_eq!(decide(&table, "one-step", "intended"), "keep Los Angeles-Miami", "the most per train");

    let dealt = game.deal(&mut Dice::from_seed(5));
    for variant in ["coded", "intended"] {
        for (name, kept) in [("one-step", 3), ("path", 3), ("long-route", 2)] {
            let keep = decision(&game, &dealt, &format!("{name}:variant={variant}"));
            assert_eq!(keep.matches(',').count() + 1, kept, "{name}: {keep}");
        }
    }
}

// --- Long-Route ---

#[test]
fn long_route_goes_around_short_routes() {
    let game = board("usa", 2);
    let mut table = Table::new(&game);
    table.market(MARKET).tickets(0, ["Denver-El Paso"]).hand(0, [(White, 5)]);
    table.routes(1, ["Denver-Oklahoma City"]);
    // Via Santa Fe it would be two routes of 2.
    assert_both(&table, "long-route", "claim Denver-Phoenix in white");
}

#[test]
fn long_route_never_draws_tickets() {
    let game = board("usa", 2);
    let mut table = Table::new(&game);
    table.market(MARKET).hand(0, [(Green, 6)]);
    for variant in ["coded", "intended"] {
        let claim = decide(&table, "long-route", variant);
        assert!(
            ["claim El Paso-Houston in green", "claim Sault St. Marie-Winnipeg in green"]
                .contains(&claim.as_str()),
            "{claim}"
        );
    }
}

// --- Path ---

#[test]
fn path_claims_what_the_most_valuable_ticket_needs_most() {
    let game = board("usa", 2);
    let mut table = Table::new(&game);
    table.market(MARKET).tickets(0, ["Denver-El Paso", "New York-Atlanta"]);
    table.hand(0, [(White, 2)]);
    // Any route of the path from New York counts 12 and more, any of the other path 8 and more.
    let claim = decide(&table, "path", "intended");
    assert!(
        [
            "claim New York-Pittsburgh",
            "claim Pittsburgh-Raleigh",
            "claim Atlanta-Raleigh",
            "claim Raleigh-Washington"
        ]
        .iter()
        .any(|start| claim.starts_with(start)),
        "{claim}"
    );
}

#[test]
fn path_as_coded_never_takes_a_face_up_card() {
    let game = board("usa", 2);
    let mut table = Table::new(&game);
    table.market(MARKET).tickets(0, ["Kansas City-Houston"]).hand(0, [(Blue, 1)]);
    table.routes(0, ["Dallas-Houston/1"]);
    assert_eq!(decide(&table, "path", "coded"), "take blind");
    assert_eq!(decide(&table, "path", "intended"), "take blue");
}

#[test]
fn path_as_coded_ends_with_the_cheapest_routes() {
    let game = board("usa", 2);
    let mut table = Table::new(&game);
    table.market(MARKET).hand(0, [(Green, 6)]);
    let coded = decide(&table, "path", "coded");
    let length = |claim: &str| {
        let name = claim.strip_prefix("claim ").and_then(|rest| rest.split(" in ").next()).expect("a claim");
        game.routes()[table.route(name).index()].length
    };
    assert_eq!(length(&coded), 1, "{coded}");
    assert_eq!(length(&decide(&table, "path", "intended")), 6);
}

#[test]
fn path_as_coded_keeps_a_train() {
    let game = board("usa", 2);
    let mut table = Table::new(&game);
    table.market(MARKET).hand(0, [(White, 2)]).trains(0, 2);
    table.tickets(0, ["Denver-El Paso"]).routes(0, []);
    let (coded, intended) = (decide(&table, "path", "coded"), decide(&table, "path", "intended"));
    let length = |claim: &str| {
        let name = claim.strip_prefix("claim ").and_then(|rest| rest.split(" in ").next()).expect("a claim");
        game.routes()[table.route(name).index()].length
    };
    assert_eq!((length(&coded), length(&intended)), (1, 2));
}

// --- Hungry ---

#[test]
fn hungry_draws_tickets_until_the_plan_needs_its_trains() {
    let game = board("usa", 2);
    let mut table = Table::new(&game);
    table.market(MARKET);
    let drawn = ["Denver-El Paso", "Kansas City-Houston", "New York-Atlanta"].map(|name| table.draws(name));
    table.play("tickets", drawn).unwrap();
    let mut agent = Player::new(&game, "hungry");
    let kept = agent.choose(&table);
    assert!(kept.starts_with("keep "), "{kept}");
    table.play(&kept, []).unwrap();
    table.turn(0);
    assert_eq!(agent.choose(&table), "tickets", "few trains are spoken for");
}

#[test]
fn hungry_keeps_a_ticket_that_is_completed_already() {
    let game = board("usa", 2);
    let mut table = Table::new(&game);
    table.market(MARKET).tickets(0, ["Denver-El Paso"]);
    table.routes(
        0,
        ["Denver-Santa Fe", "El Paso-Santa Fe", "Denver-Kansas City/1", "Dallas-El Paso", "Dallas-Houston/1"],
    );
    let drawn = ["Kansas City-Houston", "Seattle-New York", "New York-Atlanta"].map(|name| table.draws(name));
    table.play("tickets", drawn).unwrap();
    assert_eq!(decide(&table, "hungry", "intended"), "keep Kansas City-Houston");
    assert_ne!(decide(&table, "hungry", "coded"), "keep Kansas City-Houston");
}

#[test]
fn hungry_spares_the_colours_that_it_needs() {
    let game = board("usa", 2);
    let mut table = Table::new(&game);
    // The path is purple, orange and grey. A claim of the other seat makes `coded` plan.
    table.market(MARKET).ticket_deck([]).tickets(0, ["Helena-Los Angeles"]).hand(0, [(Purple, 2)]);
    table.routes(1, ["Montréal-Toronto"]);
    assert_both(&table, "hungry", "take blind");
    table.hand(0, [(White, 2)]);
    assert_both(&table, "hungry", "claim Las Vegas-Los Angeles in white");
}

#[test]
fn hungry_ends_with_the_longest_route_it_can_pay_for() {
    let game = board("usa", 2);
    let mut table = Table::new(&game);
    table.market(MARKET).trains(0, 10).ticket_deck([]).hand(0, [(Yellow, 5)]);
    assert_both(&table, "hungry", "claim El Paso-Oklahoma City in yellow");
}

// --- all of them ---

#[test]
fn stations_are_built_as_intended_only() {
    let game = board("europe", 2);
    let mut table = Table::new(&game);
    table.routes(0, ["Budapest-Sarajevo"]).routes(1, ["Sarajevo-Sofia"]).tickets(0, ["Budapest-Sofia"]);
    table.trains(0, 1).hand(0, [(Blue, 1)]).market(MARKET).ticket_deck([]);
    for name in NAMES {
        assert!(!decide(&table, name, "coded").starts_with("station"), "{name}");
    }
    assert!(decide(&table, "long-route", "intended").starts_with("station S"), "Sarajevo or Sofia");
}

#[test]
fn tunnels_are_paid_for_if_possible() {
    let game = board("europe", 2);
    let mut table = Table::new(&game);
    table.hand(0, [(Purple, 4), (Locomotive, 1)]).market(MARKET);
    table.play("claim Marseille-Zurich in purple", cards([Purple, Purple, Locomotive])).unwrap();
    for name in NAMES {
        assert_both(&table, name, "pay + 1 locomotive");
    }
}

#[test]
fn legal_and_fair_everywhere() {
    let agents = all_variants();
    for game in boards() {
        play(&game, &agents, 0..agents.len() as u64, &mut Kinds::default());
    }
}

/// The actions that an agent never takes by design.
fn never(agent: &AgentSpec) -> &'static [&'static str] {
    match (agent.name.as_str(), agent.given("variant").unwrap_or("intended")) {
        ("one-step" | "hungry", "intended") => &["decline"],
        ("one-step" | "hungry", _) => &["decline", "station"],
        ("path", "coded") => &["decline", "station", "tickets", "take face up"],
        ("path" | "long-route", "intended") => &["decline", "tickets"],
        _ => &["decline", "station", "tickets"],
    }
}

#[test]
fn they_do_all_that_they_know() {
    for game in boards().filter(|game| game.seats() == 3) {
        for agent in all_variants() {
            let mut wanted = offered_by(&game);
            never(&agent).iter().for_each(|kind| {
                wanted.remove(kind);
            });
            assert_exercises(&game, &agent, &wanted, 300);
        }
    }
}
