//! Warehouses and depots of Europa 1912, and the rulings.

mod collecting;
mod emptying;
mod placing;
mod secrets;
mod storing;

use ttr_engine::CardKind::*;
use ttr_engine::board::{Action, BoardGame, Phase};
use ttr_engine::testing::{Table, cards, conform};
use ttr_engine::{Event, Game, Seat, TicketId, maps};

use crate::guards::TINY;
use crate::{MARKET, assert_wrong_moment, forbidden_by, game, pile, starts, variant};

/// A shipped map with depots.
fn with_depots(map: &str, seats: usize) -> BoardGame {
    BoardGame::new(&maps::find(&format!("{map}+depots")).unwrap(), seats).unwrap()
}

/// The board with nothing to do, with depots.
fn tiny_with_depots(seats: usize, rules: &str) -> BoardGame {
    let map = maps::parse("tiny.toml", &format!("{TINY}\n[rules.depots]\n{rules}"));
    BoardGame::new(&map.unwrap_or_else(|why| panic!("{why}")), seats).unwrap()
}

/// Where the first depots of the seats stand in [`europe`], out of the way.
const HOMES: [&str; 5] = ["Edinburgh", "Lisboa", "Stockholm", "Erzurum", "Kharkov"];

/// Europe with one depot of every seat on the board, four in reserve, empty warehouses and hands, and no
/// market.
fn europe(game: &BoardGame) -> Table<'_> {
    let mut table = Table::new(game);
    for (seat, home) in HOMES.into_iter().enumerate().take(game.seats()) {
        table.depots(seat as u8, [home]);
    }
    table
}

fn tickets(ids: impl IntoIterator<Item = usize>) -> Vec<Event> {
    ids.into_iter().map(|id| Event::Ticket(TicketId::new(id))).collect()
}

/// Europe for three seats, seat 1 being first, up to the placement of the first depots.
fn before_first_depots(game: &BoardGame) -> Table<'_> {
    let mut events = vec![starts(1)];
    events.extend(cards([[Red; 4], [Blue; 4], [Green; 4]].concat()));
    events.extend(cards(MARKET));
    events.extend(tickets([0, 6, 7, 8]));
    let mut table = Table::deal(game, events);
    for next in [vec![1, 9, 10, 11], vec![2, 12, 13, 14], vec![]] {
        assert_wrong_moment(table.play("depot Roma", []));
        let keep = Action::Keep(0b0011);
        table.act(keep, tickets(next)).unwrap();
    }
    table
}

/// after the tickets are chosen every seat has an empty warehouse and four depots in
/// reserve, and places the fifth, the last seat first and the first seat last; then the first seat starts.
#[test]
fn x_2_first_depots_in_reverse_order() {
    let game = with_depots("europe", 3);
    assert_eq!(game.spec().rules.depots.as_ref().unwrap().per_seat, 5);
    let mut table = before_first_depots(&game);
    for (placed, (seat, city)) in [(0, "Roma"), (2, "Paris"), (1, "Wien")].into_iter().enumerate() {
        assert_eq!((table.seat(), table.phase()), (seat, Phase::FirstDepot));
        assert_eq!(table.actions_like("depot").len(), 47 - placed);
        assert_eq!(table.actions().len(), 47 - placed, "nothing else, and no way around it");
        table.play(&format!("depot {city}"), []).unwrap();
    }
    assert_eq!((table.seat(), table.phase()), (1, Phase::Main));
    assert_eq!([0, 1, 2].map(|seat| table.depots_of(seat)), [["Roma"], ["Wien"], ["Paris"]]);
    for seat in 0..3 {
        assert_eq!((table.reserve_of(seat), table.warehouse_of(seat).total()), (4, 0), "X-1");
    }
}

/// the first depots, too, stand on different cities.
#[test]
fn x_3_first_depots_on_different_cities() {
    let game = with_depots("europe", 3);
    let mut table = before_first_depots(&game);
    table.play("depot Roma", []).unwrap();
    assert_eq!(forbidden_by(table.play("depot Roma", [])), "X-3, X-9");
    assert!(!table.actions().contains(&"depot Roma".to_owned()));
}

/// EU-7, I-28: one building per city: no depot on anybody's depot or station, no station on a
/// depot.
#[test]
fn x_3_one_building_per_city() {
    let game = with_depots("europe", 3);
    let mut table = europe(&game);
    table.market(MARKET).hand(0, [(Red, 3)]).stations(0, ["Roma"]).stations(1, ["Wien"]);
    for city in ["Roma", "Wien", "Edinburgh", "Lisboa", "Stockholm"] {
        let action = format!("depot {city}");
        assert_eq!(forbidden_by(table.play(&action, [])), "X-3, X-9");
        let station = format!("station {city} in red");
        assert_eq!(forbidden_by(table.play(&station, [])), "EU-7");
        assert_eq!(table.actions_like(&action), [""; 0]);
        assert_eq!(table.actions_like(&format!("station {city} ")), [""; 0]);
    }
    assert_eq!(table.actions_like("depot").len(), 47 - 5);
    // A depot placed this turn blocks a station of this turn, and a station blocks depots after it.
    table.play("depot Paris", []).unwrap();
    assert_eq!(forbidden_by(table.play("station Paris in red", [])), "EU-7");
    table.play("station Berlin in red", []).unwrap();
    assert_eq!(forbidden_by(table.play("depot Berlin", [])), "X-3, X-9");
    assert_eq!(table.actions_like("depot").len(), 47 - 7);
}

/// X-4, I-27: depots on the board stay there, whatever is collected, emptied or placed; what is collected
/// with comes out of the reserve.
#[test]
fn x_4_depots_stay() {
    let game = with_depots("europe", 2);
    let mut table = europe(&game);
    table.market(MARKET).hand(0, [(Purple, 1)]).depots(0, ["Paris"]).depots(1, ["Dieppe"]).reserve(0, 2);
    table.warehouse(0, [(Red, 1)]).warehouse(1, [(Red, 2)]).deck_rest_to(1, [Black, Black]);
    table.play("claim Dieppe-Paris in purple", []).unwrap();
    table.play("collect 1", []).unwrap().play("collect 2", []).unwrap();
    assert_eq!((table.seat(), table.reserve_of(0)), (1, 0), "nothing left to place: the turn is over");
    table.play("store 1", cards([Black])).unwrap().play("take blind", cards([Black])).unwrap();
    table.play("take blind", cards([Purple])).unwrap();
    assert_eq!(table.piles()[0].total(), 1, "emptied: the stored card is the deck");
    assert_eq!(
        (table.depots_of(0), table.depots_of(1)),
        (vec!["Edinburgh", "Paris"], vec!["Lisboa", "Dieppe"])
    );
}

/// I-32: the most depots in reserve score 10, for all that share it, and nobody scores if all
/// have none.
#[test]
fn x_11_reserve_bonus() {
    for (reserves, bonuses) in [
        ([4, 2, 3], [10, 0, 0]),
        ([1, 3, 3], [0, 10, 10]),
        ([2, 2, 2], [10, 10, 10]),
        ([0, 1, 0], [0, 10, 0]),
        ([0, 0, 0], [0, 0, 0]),
    ] {
        let game = with_depots("europe", 3);
        let mut table = europe(&game);
        table.market(MARKET);
        for (seat, reserve) in (0..).zip(reserves) {
            table.reserve(seat, reserve);
        }
        let sheet = game.score_sheet(table.finish().state());
        assert_eq!([0, 1, 2].map(|seat| sheet[seat].depot_bonus), bonuses, "{reserves:?}");
        let points = bonuses.map(|bonus| bonus + 12); // three stations
        assert_eq!(game.scores(table.state()).points.as_slice(), points);
    }
}

/// depots on the board do not count, and neither does a seat's warehouse.
#[test]
fn x_11_only_the_reserve_counts() {
    let game = with_depots("europe", 2);
    let mut table = europe(&game);
    table.market(MARKET).depots(0, ["Roma", "Wien"]).warehouse(0, [(Red, 9)]).reserve(1, 3);
    assert_eq!((table.depots_of(0).len(), table.reserve_of(0)), (3, 2));
    let sheet = game.score_sheet(table.finish().state());
    assert_eq!((sheet[0].depot_bonus, sheet[1].depot_bonus), (0, 10));
    assert_eq!((sheet[0].total, sheet[1].total), (12, 22));
}

/// X-11, EU-11: the bonus is part of the points, so it comes before tie-breaks.
#[test]
fn x_11_bonus_before_tie_breaks() {
    let game = with_depots("europe", 2);
    let mut table = europe(&game);
    // Both have 4 for a route of three, 12 for stations and 10 for the longest path; seat 1 has failed a
    // ticket of 8.
    table.market(MARKET).routes(0, ["Brest-Paris"]).routes(1, ["Berlin-Wien"]);
    table.tickets(1, ["Berlin-Bucuresti"]);
    let equal = game.score_sheet(table.finish().state());
    assert_eq!((equal[0].depot_bonus, equal[1].depot_bonus), (10, 10));
    assert_eq!((equal[0].total, equal[1].total), (36, 36 - 8));
    // Eight points behind, ten points of bonus.
    table.reserve(0, 2);
    let sheet = game.score_sheet(table.finish().state());
    assert_eq!((sheet[0].total, sheet[1].total), (26, 28));
    assert_eq!((sheet[0].rank, sheet[1].rank), (1, 0));
    // Fewer stations built are a tie-break, which does not come up.
    let mut built = europe(&game);
    built.market(MARKET).reserve(0, 2);
    built.stations(1, ["Roma", "Wien"]);
    let sheet = game.score_sheet(built.finish().state());
    assert_eq!((sheet[0].total, sheet[1].total), (12, 4 + 10));
    assert_eq!((sheet[0].rank, sheet[1].rank), (1, 0), "although seat 0 has built fewer stations");
}

/// X-14, NO-9: Nordic Countries with depots, as written; collecting comes after the cards of substitute
/// sets.
#[test]
fn x_14_nordic() {
    let game = with_depots("nordic", 2);
    let mut table = Table::new(&game);
    table.depots(0, ["Oslo"]).depots(1, ["Umeå"]).market(MARKET).warehouse(1, [(Locomotive, 2)]);
    table.hand(0, [(Red, 2), (Blue, 2)]);
    table.play("claim Umeå-Vaasa in 1 set", []).unwrap();
    assert!(matches!(table.phase(), Phase::Sets { .. }));
    assert_wrong_moment(table.play("collect 2", []));
    assert_wrong_moment(table.play("depot Turku", []));
    table.play("sets blue*1", []).unwrap();
    assert_eq!(table.actions(), ["collect 2", "done"]);
    table.play("collect 2", []).unwrap();
    assert_eq!(table.hand_of(0), pile([(Blue, 1), (Locomotive, 2)]));
    assert_eq!((table.phase(), table.actions_like("station").len()), (Phase::AfterAction, 0));
    table.play("depot Turku", []).unwrap().play("done", []).unwrap();
    table.play("store 1", cards([Red])).unwrap();
    table.play("take blind", cards([Red])).unwrap().play("take white", cards([Red])).unwrap();
    assert_eq!(
        (table.seat(), table.phase(), table.warehouse_of(0)),
        (1, Phase::AfterAction, pile([(Red, 1)]))
    );
    let sheet = game.score_sheet(table.state());
    assert_eq!((sheet[0].depot_bonus, sheet[1].depot_bonus), (0, 10));
}

/// any board with points can have depots.
#[test]
fn x_14_other_boards() {
    for map in ["usa", "usa-1910", "usa-mega", "europe-expanded", "europe-mega", "europe-big-cities"] {
        let with = maps::find(&format!("{map}+depots")).unwrap();
        assert_eq!(with.id, format!("{map}+depots"));
        let census = conform(&BoardGame::new(&with, 2).unwrap(), 0..4);
        assert!(census.of("store") > 0 && census.of("place a depot") > 0, "{map}: {census:?}");
    }
}

/// First Journey has no points for depots, and says so.
#[test]
fn x_14_first_journey_is_refused() {
    for map in ["first-journey-europe", "first-journey-usa"] {
        let error = maps::find(&format!("{map}+depots")).unwrap_err().to_string();
        assert!(error.contains("First Journey") && error.contains("choose a board with points"), "{error}");
        let text = format!("format = 1\nname = \"Both\"\nbase = \"{map}\"\nrules.depots = {{}}");
        let error = maps::parse("both.toml", &text).unwrap_err().to_string();
        assert!(error.contains("rules.depots") && error.contains("no points for them"), "{error}");
    }
}

/// a board must have a city for every seat's first depot, or the game could not start.
#[test]
fn x_2_enough_cities_for_the_first_depots() {
    let ticket = "tickets = [\n  { from = \"Como\", to = \"Brno\", points = 5 },";
    let text = TINY.replace("max = 3", "max = 4").replace("tickets = [", ticket);
    let without = maps::parse("four.toml", &text).unwrap_or_else(|why| panic!("{why}"));
    for error in [
        maps::parse("four.toml", &format!("{text}\n[rules.depots]")).unwrap_err(),
        maps::with_depots(without).unwrap_err(),
    ] {
        assert!(error.to_string().contains("3 cities"), "{error}");
    }
}

/// without depots nothing of all this exists.
#[test]
fn depots_have_no_effect_when_off() {
    let off = variant("europe", 2, "rules.depots = false");
    for game in [game("europe", 2), off] {
        let mut table = Table::new(&game);
        table.market(MARKET).hand(0, [(Purple, 1)]).hand(1, [(Red, 1)]);
        assert_eq!(table.actions_like("depot").len() + table.actions_like("store").len(), 0);
        assert_eq!(forbidden_by(table.play("store 1", [])), "X-5, X-6");
        assert_eq!(forbidden_by(table.play("depot Roma", [])), "X-3, X-9");
        assert_wrong_moment(table.play("done", []));
        table.play("claim Dieppe-Paris in purple", []).unwrap();
        assert_eq!((table.seat(), table.phase()), (1, Phase::Main), "no collecting, no placing");
        table.play("take blind", cards([Red])).unwrap().play("take blind", cards([Red])).unwrap();
        assert_eq!((table.seat(), table.phase()), (0, Phase::Main));
        assert_eq!((0..2).map(|seat| table.warehouse_of(seat).total()).sum::<u8>(), 0);
        assert_eq!(table.seen_by(0).depot_reserve(Seat::new(0)), 0);
        let sheet = game.score_sheet(table.state());
        assert_eq!((sheet[0].depot_bonus, sheet[1].depot_bonus), (0, 0));
    }
}

/// The tiny board with more cities for depots.
fn small_with_depots(seats: usize, rules: &str) -> BoardGame {
    let (mut cities, mut routes) = (String::new(), String::new());
    for (number, pair) in ["Como", "Dole", "Elba", "Fano", "Gent", "Hull"].windows(2).enumerate() {
        cities += &format!(", {{ name = \"{}\", at = [2, {number}] }}", pair[1]);
        routes +=
            &format!("\n{{ from = \"{}\", to = \"{}\", length = 2, colour = \"grey\" }},", pair[0], pair[1]);
    }
    let text = TINY
        .replace("at = [0, 1] }]", &format!("at = [0, 1] }}{cities}]"))
        .replace("routes = [", &format!("routes = [{routes}"));
    let map = maps::parse("small.toml", &format!("{text}\n[rules.depots]\n{rules}"));
    BoardGame::new(&map.unwrap_or_else(|why| panic!("{why}")), seats).unwrap()
}

/// CC-6, A-23, A-27, I-27 to I-32: whole games on boards so small that all of it happens, with
/// both timings and both triggers.
#[test]
fn whole_games_on_small_boards() {
    for timing in ["own-turn", "any-time"] {
        for trigger in ["no-depots", "empty-warehouse"] {
            let rules = format!("timing = \"{timing}\"\nempty_trigger = \"{trigger}\"\nper_seat = 3");
            let mut census = conform(&tiny_with_depots(2, &rules), 0..400);
            census.add(&conform(&tiny_with_depots(3, &rules), 0..100));
            for seats in [2, 3] {
                census.add(&conform(&small_with_depots(seats, &rules), 0..200));
            }
            for what in [
                "store",
                "collect",
                "double collection",
                "warehouses emptied",
                "warehouses emptied by a collection",
                "warehouses emptied by a placement",
                "pass beside placements",
                "draw without storing",
                "end: stalemate",
            ] {
                if timing == "any-time" && what == "pass beside placements" {
                    continue; // with many chances to place, hardly a depot is left when nothing can be done
                }
                let impossible = trigger == "empty-warehouse" && what.ends_with("placement");
                assert_eq!(census.of(what) > 0, !impossible, "{what}, {rules}: {census:?}");
            }
            assert_eq!(census.of("depot in another's turn") > 0, timing == "any-time");
        }
    }
}
