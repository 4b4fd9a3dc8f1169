//! Which tickets a track stack completes (CG-13 to CG-15): worked examples, and brute force on random instances.

use std::time::Instant;

use ttr_engine::CardKind::{self, *};
use ttr_engine::card_game::CardGame;
use ttr_engine::spec::{Assignment, BigCitySpec, CircleTicketSpec};
use ttr_engine::{Cards, Dice, TicketId, TicketSet, maps};

use crate::game;

fn cards(kinds: &[CardKind]) -> Cards {
    kinds.iter().copied().collect()
}

fn set(ids: impl IntoIterator<Item = u8>) -> TicketSet {
    ids.into_iter().map(TicketId).collect()
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

/// CG-15: value, then number of tickets, then city bonuses, then the smallest ids. A-41: number first, as an option.
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
    // Equal in all but the cities: Dallas-Helena and Los Angeles-Vancouver are worth 10 each, their cities 10 and 12.
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

/// All sets, compared by the criteria of CG-15 as they are written.
fn brute_force(game: &CardGame, track: Cards, n: usize) -> Vec<usize> {
    let track = track.counts();
    let circles: Vec<[u8; 9]> = game.tickets().iter().map(|ticket| ticket.circles.counts()).collect();
    let mut best: Option<([u32; 3], Vec<usize>)> = None;
    for mask in 0u32..1 << n {
        let list: Vec<usize> = (0..n).filter(|i| mask >> i & 1 != 0).collect();
        let demand = |c: usize| list.iter().map(|&i| circles[i][c]).sum::<u8>();
        let missing: u32 = (0..8).map(|c| u32::from(demand(c).saturating_sub(track[c]))).sum();
        if missing > track[8].into() {
            continue;
        }
        let sum = |of: fn(&ttr_engine::card_game::Ticket) -> u32| -> u32 {
            list.iter().map(|&i| of(&game.tickets()[i])).sum()
        };
        let (value, count) = (sum(|ticket| ticket.points.into()), list.len() as u32);
        let cities: u32 = list
            .iter()
            .flat_map(|&i| &game.tickets()[i].ends)
            .filter_map(|end| game.big_cities().iter().find(|city| city.name == *end))
            .map(|city| u32::from(city.points))
            .sum();
        let key = match game.spec().rules.assignment {
            Assignment::AutoCount => [count, value, cities],
            _ => [value, count, cities],
        };
        if best.as_ref().is_none_or(|(old, ids)| key > *old || key == *old && list < *ids) {
            best = Some((key, list));
        }
    }
    best.expect("the empty set").1
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
        let expected = brute_force(&game, track, n);
        conflicts += u32::from(expected.len() < n && !expected.is_empty());
        assert_eq!(
            done.tickets,
            expected.iter().map(|&i| TicketId(i as u8)).collect(),
            "{instance}: {track}"
        );
        assert!(game.is_completable(track, done.tickets));
    }
    assert!(conflicts > 3_000, "only {conflicts} instances asked for a choice");
}

/// How long it takes with 20 of the shipped tickets and track stacks of all sizes. The bound is loose, for busy machines
/// and unoptimised builds; the printed numbers are the point.
#[test]
fn twenty_tickets_are_fast() {
    let game = game(2);
    let mut dice = Dice::from_seed(20);
    let instances: Vec<(Cards, TicketSet)> = (0..4_000)
        .map(|_| {
            let mut held = TicketSet::EMPTY;
            while held.len() < 20 {
                held.insert(TicketId(dice.below(46) as u8));
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
    let mut times = Vec::new();
    for &(track, held) in &instances {
        let start = Instant::now();
        std::hint::black_box(game.best_completion(std::hint::black_box(track), held));
        times.push(start.elapsed().as_nanos() as u64);
    }
    let mean = times.iter().sum::<u64>() / times.len() as u64;
    times.sort_unstable();
    let at = |part: usize| times[times.len() * part / 100];
    println!(
        "20 tickets: mean {mean} ns, median {} ns, 99% {} ns, worst {} ns",
        at(50),
        at(99),
        times[times.len() - 1]
    );
    assert!(mean < 200_000, "{mean} ns");
}
