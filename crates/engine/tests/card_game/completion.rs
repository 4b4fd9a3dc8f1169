//! Which tickets a track stack completes (CG-13 to CG-15): worked examples, and brute force on random
//! instances.

use std::hint::black_box;
use std::time::Instant;

use ttr_engine::CardKind::{self, *};
use ttr_engine::card_game::{Action, CardGame, Ticket};
use ttr_engine::spec::{Assignment, BigCitySpec, CircleTicketSpec};
use ttr_engine::testing::Table;
use ttr_engine::{Cards, Dice, Game, Seat, TicketId, TicketSet, maps};

use crate::{game, game_with};

fn cards(kinds: &[CardKind]) -> Cards {
    kinds.iter().copied().collect()
}

fn set(ids: impl IntoIterator<Item = usize>) -> TicketSet {
    ids.into_iter().map(TicketId::new).collect()
}

/// A game with just these tickets: value and circles.
fn tickets(all: &[(u8, &[CardKind])], assignment: Assignment) -> CardGame {
    let mut spec = maps::card_game();
    spec.rules.assignment = assignment;
    spec.tickets = all
        .iter()
        .enumerate()
        .map(|(i, (points, circles))| CircleTicketSpec {
            from: "Seattle".to_owned(),
            to: format!("C{i}"),
            points: *points,
            circles: circles.to_vec(),
        })
        .collect();
    CardGame::new(&spec, 2).unwrap()
}

/// W-CG-3: Los Angeles-Pittsburgh (white, blue, blue, purple) with one locomotive.
#[test]
fn worked_example_3() {
    let game = game(2);
    let ticket = game.parse_ticket("Los Angeles-Pittsburgh").unwrap();
    assert_eq!(game.tickets()[ticket.index()].points, 18);
    let only = TicketSet::only(ticket);
    let done = game.best_completion(cards(&[White, Blue, Purple, Locomotive]), only);
    assert_eq!((done.tickets, done.points), (only, 18));
    assert!(game.best_completion(cards(&[White, Blue, Purple, Red]), only).tickets.is_empty());
    // A locomotive may stand for any colour (CG-13).
    assert!(game.is_completable(cards(&[Blue, Blue, Purple, Locomotive]), only));
    assert!(game.is_completable(cards(&[Locomotive; 4]), only));
    assert!(!game.is_completable(cards(&[Locomotive; 3]), only));
}

/// W-CG-4: greedy is wrong.
#[test]
fn worked_example_4() {
    let circles: [(u8, &[CardKind]); 3] =
        [(15, &[Black, Yellow, Yellow]), (10, &[Yellow, Red]), (9, &[Yellow, Green])];
    let game = tickets(&circles, Assignment::AutoValue);
    let done = game.best_completion(cards(&[Black, Yellow, Yellow, Red, Green]), set(0..3));
    assert_eq!((done.tickets, done.points), (set([1, 2]), 19));
}

/// Tickets that ask for more cards of a colour than there can be are still counted card by card.
#[test]
fn more_circles_than_cards() {
    let five: &[CardKind] = &[Red; 5];
    let game = tickets(&[(10, five); 12], Assignment::AutoValue);
    let track = Cards::of(Red, 54) + Cards::of(Locomotive, 5);
    let done = game.best_completion(track, set(0..12)).tickets;
    assert!(game.is_completable(track, done));
    assert_eq!(done.len(), 11, "59 cards");
}

/// CG-13: each card serves one ticket only.
#[test]
fn a_card_serves_once() {
    let game = tickets(&[(5, &[Red]), (4, &[Red])], Assignment::AutoValue);
    assert_eq!(game.best_completion(cards(&[Red]), set(0..2)).tickets, set([0]));
    assert_eq!(game.best_completion(cards(&[Red, Locomotive]), set(0..2)).tickets, set([0, 1]));
}

/// CG-15: value, then number of tickets, then city bonuses, then the smallest ids. A-41: number first, as
/// an option.
#[test]
fn criteria() {
    // One of 10 or two of 5: two.
    let all: [(u8, &[CardKind]); 3] = [(10, &[Red, Red]), (5, &[Red]), (5, &[Red])];
    let two = cards(&[Red, Red]);
    assert_eq!(tickets(&all, Assignment::AutoValue).best_completion(two, set(0..3)).tickets, set([1, 2]));
    // One of 11 against two of 5.
    let all: [(u8, &[CardKind]); 3] = [(11, &[Red, Red]), (5, &[Red]), (5, &[Red])];
    assert_eq!(tickets(&all, Assignment::AutoValue).best_completion(two, set(0..3)).tickets, set([0]));
    assert_eq!(tickets(&all, Assignment::AutoCount).best_completion(two, set(0..3)).tickets, set([1, 2]));
    // Equal in all but the cities: Dallas-Helena and Los Angeles-Vancouver are worth 10 each, their cities
    // 10 and 12.
    let game = game(2);
    let [la, dallas] =
        ["Los Angeles-Vancouver", "Dallas-Helena"].map(|name| game.parse_ticket(name).unwrap());
    let both = TicketSet::only(la) | TicketSet::only(dallas);
    let track = cards(&[Black, Locomotive]);
    assert_eq!(game.best_completion(track, both).tickets, TicketSet::only(la));
    // Equal in all: the smaller id.
    let all: [(u8, &[CardKind]); 3] = [(5, &[Blue]), (5, &[Red]), (5, &[Red])];
    let game = tickets(&all, Assignment::AutoValue);
    assert_eq!(game.best_completion(cards(&[Red]), set(0..3)).tickets, set([1]));
    assert_eq!(game.best_completion(cards(&[Locomotive]), set(0..3)).tickets, set([0]));
}

/// A random game with `n` tickets, and a track stack. Few values and colours make ties and conflicts.
fn random_instance(n: usize, dice: &mut Dice) -> (CardGame, Cards) {
    let mut spec = maps::card_game();
    let colours = 1 + dice.below(8);
    let values = 1 + dice.below(12);
    spec.rules.assignment = if dice.below(4) == 0 { Assignment::AutoCount } else { Assignment::AutoValue };
    spec.big_cities = (0..3).map(|i| BigCitySpec { name: format!("B{i}"), points: 2 + 3 * i }).collect();
    spec.tickets = (0..n)
        .map(|i| CircleTicketSpec {
            from: format!("B{}", 1 + dice.below(6)),
            to: if dice.below(3) == 0 { "B0".to_owned() } else { format!("C{i}") },
            points: 1 + dice.below(values) as u8,
            circles: (0..=dice.below(5)).map(|_| CardKind::ALL[dice.below(colours) as usize]).collect(),
        })
        .collect();
    let mut track = Cards::EMPTY;
    for _ in 0..dice.below(4 * colours + 1).min(40) {
        let kind = CardKind::ALL[dice.below(colours) as usize];
        if track.count(kind) < 10 {
            track.insert(kind);
        }
    }
    let locomotives = dice.below(6) * dice.below(2);
    (CardGame::new(&spec, 2).unwrap(), track + Cards::of(Locomotive, locomotives as u8))
}

/// The sum of something over tickets.
fn sum(game: &CardGame, list: &[usize], of: impl Fn(&Ticket) -> i32) -> i32 {
    list.iter().map(|&i| of(&game.tickets()[i])).sum()
}

/// How many of these tickets name a city.
fn naming(game: &CardGame, list: &[usize], city: &str) -> usize {
    list.iter().filter(|&&i| game.tickets()[i].ends.iter().any(|end| end == city)).count()
}

/// The criteria of CG-15 as they are written, for the value-best set.
fn value_key(game: &CardGame, assignment: Assignment, list: &[usize]) -> Vec<i32> {
    let (value, count) = (sum(game, list, |ticket| ticket.points.into()), list.len() as i32);
    let cities = game.big_cities();
    let bonus_values =
        cities.iter().map(|city| i32::from(city.points) * naming(game, list, &city.name) as i32);
    match assignment {
        Assignment::AutoCount => vec![count, value, bonus_values.sum()],
        _ => vec![value, count, bonus_values.sum()],
    }
}

/// The final points of a seat that completes `list` of what it holds, then the criteria of the value-best
/// set.
fn final_key(
    game: &CardGame,
    held: &[usize],
    list: &[usize],
    done: &[usize],
    others: &[Vec<usize>],
) -> Vec<i32> {
    let completed: Vec<usize> = done.iter().chain(list).copied().collect();
    let left: Vec<usize> = held.iter().filter(|i| !list.contains(i)).copied().collect();
    let mut points = sum(game, &completed, |ticket| ticket.points.into());
    points -= sum(game, &left, |ticket| ticket.points.into());
    for city in game.big_cities() {
        let own = naming(game, &completed, &city.name);
        if own > 0 && others.iter().all(|other| naming(game, other, &city.name) <= own) {
            points += i32::from(city.points);
        }
    }
    let mut key = vec![points];
    key.extend(value_key(game, Assignment::AutoValue, list));
    key
}

/// The best of all completable sets; of equals, the first in lexicographic order.
fn brute_force(
    game: &CardGame,
    track: Cards,
    held: &[usize],
    key: impl Fn(&[usize]) -> Vec<i32>,
) -> Vec<usize> {
    let track = track.counts();
    let circles: Vec<[u8; 9]> = game.tickets().iter().map(|ticket| ticket.circles.counts()).collect();
    let mut best: Option<(Vec<i32>, Vec<usize>)> = None;
    for mask in 0u32..1 << held.len() {
        let list: Vec<usize> = (0..held.len()).filter(|i| mask >> i & 1 != 0).map(|i| held[i]).collect();
        let demand = |c: usize| list.iter().map(|&i| circles[i][c]).sum::<u8>();
        let missing: u32 = (0..8).map(|c| u32::from(demand(c).saturating_sub(track[c]))).sum();
        if missing > track[8].into() {
            continue;
        }
        let key = key(&list);
        if best.as_ref().is_none_or(|(old, ids)| key > *old || key == *old && list < *ids) {
            best = Some((key, list));
        }
    }
    best.expect("the empty set").1
}

fn ids(list: &[usize]) -> TicketSet {
    list.iter().map(|&i| TicketId::new(i)).collect()
}

/// CG-14, CG-15, I-37 against brute force.
#[test]
fn against_brute_force() {
    let mut dice = Dice::from_seed(15);
    let mut conflicts = 0;
    for instance in 0..12_000 {
        // Few large ones: brute force takes 2^n sets.
        let n = if instance % 40 == 0 { 11 + dice.below(4) } else { 1 + dice.below(10) } as usize;
        let (game, track) = random_instance(n, &mut dice);
        let done = game.best_completion(track, TicketSet::first(n));
        let assignment = game.spec().rules.assignment;
        let held: Vec<usize> = (0..n).collect();
        let expected = brute_force(&game, track, &held, |list| value_key(&game, assignment, list));
        conflicts += u32::from(expected.len() < n && !expected.is_empty());
        assert_eq!(done.tickets, ids(&expected), "{instance}: {track}");
        assert!(game.is_completable(track, done.tickets));
    }
    assert!(conflicts > 3_000, "only {conflicts} instances asked for a choice");
}

/// CG-15 in the last round: final points against brute force, with tickets of all seats that name few
/// cities.
#[test]
fn final_points_against_brute_force() {
    let mut dice = Dice::from_seed(41);
    let mut other_sets = 0;
    for instance in 0..6_000 {
        let n = if instance % 40 == 0 { 11 + dice.below(4) } else { 1 + dice.below(10) } as usize;
        let elsewhere = dice.below(8) as usize;
        let (game, track) = random_instance(n + elsewhere, &mut dice);
        let held: Vec<usize> = (0..n).collect();
        // The rest was completed by this seat or one of two others.
        let mut completed = [vec![], vec![], vec![]];
        for i in n..n + elsewhere {
            completed[dice.below(3) as usize].push(i);
        }
        let [done, others @ ..] = completed;
        let others_done: Vec<_> = others.iter().map(|list| ids(list)).collect();
        let best = game.best_final_completion(track, ids(&held), ids(&done), &others_done);
        let expected = brute_force(&game, track, &held, |list| final_key(&game, &held, list, &done, &others));
        assert_eq!(best.tickets, ids(&expected), "{instance}: {track}");
        let value = brute_force(&game, track, &held, |list| value_key(&game, Assignment::AutoValue, list));
        other_sets += u32::from(expected != value);
    }
    assert!(other_sets > 300, "only {other_sets} instances have another set than the value-best one");
}

/// A finished round of the shipped game with random tickets and track stacks: what each seat held, had
/// completed before, and completes now.
fn end_of_round(game: &CardGame, last: bool, dice: &mut Dice) -> [[Vec<usize>; 4]; 3] {
    let seats = game.seats();
    let mut table = Table::new(game);
    let mut deck: Vec<TicketId> = TicketSet::first(46).into_iter().collect();
    let mut held = [const { vec![] }; 4];
    let mut before = held.clone();
    let mut tracks = [Cards::EMPTY; 4];
    for seat in 0..seats {
        for done in [false, true] {
            let most = if done { if last && seats == 4 { 3 } else { 0 } } else { 8 };
            for _ in 0..dice.below(most + 1) {
                let ticket = deck.swap_remove(dice.below(deck.len() as u32) as usize);
                let name = game.ticket_name(ticket);
                if done {
                    table.completed(seat as u8, [name.as_str()]);
                    before[seat].push(ticket.index());
                } else {
                    table.tickets(seat as u8, [name.as_str()]);
                    held[seat].push(ticket.index());
                }
            }
        }
        held[seat].sort_unstable();
        for _ in 0..dice.below(20) {
            let left = table.piles()[0];
            let kind = left.nth(dice.below(left.total().into()) as u8);
            table.track(seat as u8, [(kind, 1)]);
            tracks[seat].insert(kind);
        }
    }
    let kind = table.piles()[0].nth(0);
    table.market([kind]).deck_rest_discarded([]).final_turns(1).turn(seats as u8 - 1);
    if last && seats == 4 {
        table.second_round();
    }
    let mut state = *table.finish().state();
    game.play(&mut state, Action::TakeFaceUp(kind), dice).unwrap();
    let assignment = game.spec().rules.assignment;
    let best: Vec<Vec<usize>> = (0..seats)
        .map(|seat| brute_force(game, tracks[seat], &held[seat], |list| value_key(game, assignment, list)))
        .collect();
    let mut expected = [const { vec![] }; 4];
    for seat in 0..seats {
        let others: Vec<Vec<usize>> = (0..seats)
            .filter(|&other| other != seat)
            .map(|other| before[other].iter().chain(&best[other]).copied().collect())
            .collect();
        expected[seat] = if last && assignment == Assignment::AutoPoints {
            let key = |list: &[usize]| final_key(game, &held[seat], list, &before[seat], &others);
            brute_force(game, tracks[seat], &held[seat], key)
        } else {
            best[seat].clone()
        };
        let view = game.observe(&state, Seat::new(seat));
        assert_eq!(view.completed(view.seat()), ids(&expected[seat]) | ids(&before[seat]), "seat {seat}");
    }
    [held, before, expected]
}

/// CG-15: what seats complete at the end of whole rounds, in their own interest and all at the same time,
/// by the definition.
#[test]
fn all_seats_complete_at_the_same_time() {
    let mut dice = Dice::from_seed(46);
    for assignment in [Assignment::AutoPoints, Assignment::AutoValue, Assignment::AutoCount] {
        for (seats, last) in [(2, true), (3, true), (4, false), (4, true)] {
            let game = game_with(seats, |rules| rules.assignment = assignment);
            for _ in 0..250 {
                end_of_round(&game, last, &mut dice);
            }
        }
    }
}

/// The track stack and tickets of a seat that wins more by a city than by a ticket of higher value.
fn city_beats_value(table: &mut Table<'_, CardGame>) {
    table.track(0, [(Locomotive, 2)]).tickets(0, ["Seattle-Denver", "Seattle-Los Angeles"]);
    table.market([Red]).deck_rest_discarded([]).final_turns(1);
}

/// CG-15, A-41: Seattle-Denver is worth 10, Seattle-Los Angeles 9 and another city of 12. In the last round
/// that is 2 points less for tickets and 12 more for a city.
#[test]
fn city_bonuses_count_in_the_last_round() {
    for (assignment, expected, points) in [
        (Assignment::AutoPoints, "Seattle-Los Angeles", 9 - 10 + 8 + 12),
        (Assignment::AutoValue, "Seattle-Denver", 10 - 9 + 8),
        (Assignment::AutoCount, "Seattle-Denver", 10 - 9 + 8),
    ] {
        let game = game_with(2, |rules| rules.assignment = assignment);
        let mut table = Table::new(&game);
        city_beats_value(&mut table);
        let now = game.scores(table.state()).points;
        table.turn(1).play("take red", []).unwrap();
        assert_eq!(table.completed_by(0), [expected]);
        let scores = game.scores(table.state());
        assert_eq!(scores.points[0], points);
        assert_eq!(scores.points, now, "a position is scored as if the game ended now");
    }
}

/// CG-15: a city that another seat wins anyway is no reason, and one that the seat has won already neither.
#[test]
fn cities_that_are_lost_or_won_do_not_count() {
    let game = game(4);
    for (seat, tickets, expected) in [
        (1, ["Los Angeles-Vancouver", "Los Angeles-Pittsburgh"], "Seattle-Denver"),
        (0, ["Los Angeles-Vancouver", "Chicago-Dallas"], "Seattle-Denver"),
        (1, ["Los Angeles-Vancouver", "Chicago-Dallas"], "Seattle-Los Angeles"),
    ] {
        let mut table = Table::new(&game);
        city_beats_value(&mut table);
        table.second_round().completed(seat, tickets).turn(3).play("take red", []).unwrap();
        assert!(table.completed_by(0).iter().any(|name| name == expected), "{:?}", table.completed_by(0));
    }
}

/// CG-15: in round 1 of two the value-best set is completed, because cities are counted at the end.
#[test]
fn value_counts_in_a_round_that_is_not_the_last() {
    let game = game(4);
    let mut table = Table::new(&game);
    city_beats_value(&mut table);
    table.turn(3);
    let mut state = *table.finish().state();
    game.play(&mut state, Action::TakeFaceUp(Red), &mut Dice::from_seed(1)).unwrap();
    let view = game.observe(&state, Seat::new(0));
    assert_eq!(view.round(), 1);
    let only = |name| TicketSet::only(game.parse_ticket(name).unwrap());
    assert_eq!(view.completed(Seat::new(0)), only("Seattle-Denver"));
    assert_eq!(view.tickets(), only("Seattle-Los Angeles"));
}

/// How long it takes with 20 of the shipped tickets and track stacks of all sizes. The bound is loose, for
/// busy machines and unoptimised builds; the printed numbers are the point.
#[test]
fn twenty_tickets_are_fast() {
    let game = game(2);
    let mut dice = Dice::from_seed(20);
    let instances: Vec<(Cards, TicketSet)> = (0..4_000)
        .map(|_| {
            let mut held = TicketSet::EMPTY;
            while held.len() < 20 {
                held.insert(TicketId::new(dice.below(46) as usize));
            }
            let mut track = Cards::EMPTY;
            for _ in 0..5 + dice.below(36) {
                let kind = CardKind::ALL[dice.below(9) as usize];
                if track.count(kind) < 10 {
                    track.insert(kind);
                }
            }
            (track, held)
        })
        .collect();
    for final_points in [false, true] {
        let mut times = Vec::new();
        for &(track, held) in &instances {
            let others: TicketSet =
                (TicketSet::first(46) - held).into_iter().filter(|_| dice.below(3) == 0).collect();
            let start = Instant::now();
            if final_points {
                let best = game.best_final_completion(black_box(track), held, TicketSet::EMPTY, &[others]);
                black_box(best);
            } else {
                black_box(game.best_completion(black_box(track), held));
            }
            times.push(start.elapsed().as_nanos() as u64);
        }
        let mean = times.iter().sum::<u64>() / times.len() as u64;
        times.sort_unstable();
        let at = |part: usize| times[times.len() * part / 100];
        println!(
            "20 tickets, final points {final_points}: mean {mean} ns, median {} ns, 99% {} ns, worst {} ns",
            at(50),
            at(99),
            times[times.len() - 1]
        );
        assert!(mean < 200_000, "{mean} ns");
    }
}
