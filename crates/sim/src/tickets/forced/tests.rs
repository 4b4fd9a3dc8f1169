//! Forced choices are played correctly, and estimators give results that can be computed by hand.

use ttr_agents::AgentSpec;
use ttr_engine::board::BoardGame;
use ttr_engine::card_game::CardGame;
use ttr_engine::{Dice, Seat, TicketId, TicketSet, maps};

use super::*;
use crate::arena::SHARE;
use crate::stats::Figure;
use crate::table::entrant::Entrant;
use crate::table::one_game::Watch;
use crate::table::runner::{Drive, Study};

/// Records every decision.
struct Trace<A>(Vec<(Seat, A)>);

impl<G: Playable> Watch<G> for &mut Trace<G::Action> {
    fn decision(&mut self, _: &G, _: &G::State, seat: Seat, action: G::Action) {
        self.0.push((seat, action));
    }
}

fn study<G: Playable>(game: G, agents: &str) -> Tickets<G> {
    let agents = AgentSpec::list(agents).unwrap();
    let entrants = agents.iter().map(|agent| Entrant::from_spec(&game, agent).unwrap()).collect();
    Tickets::new(game, entrants, 5).forced().unwrap()
}

fn board(map: &str, seats: usize) -> BoardGame {
    BoardGame::new(&maps::load(map).unwrap(), seats).unwrap()
}

/// Forcing a seat to make its own choice gives the same game, decision by decision; forcing another choice
/// changes nothing before it, nor the offers and choices of the others at the opening.
fn check_forced_games<G: Playable>(study: &Tickets<G>, deals: std::ops::Range<u64>) {
    let seats = study.game.seats();
    let mut crew = Crew::new(&study.game, &study.entrants);
    let mut parted = 0;
    for (deal, slot) in deals.flat_map(|deal| study.schedule.games(deal).map(move |slot| (deal, slot))) {
        let (mut choices, mut free) = (Choices::new(seats), Trace(Vec::new()));
        let mut agents = crew.take_seats(&slot).unwrap();
        let played = study.play_table(&mut agents, deal, &slot, &mut (&mut choices, &mut free)).unwrap();
        assert!(choices.made.len() >= seats, "every seat chooses");
        for (place, choice) in choices.made.iter().enumerate() {
            for &(_, action) in &choice.legal {
                let (mut others, mut trace) = (Choices::new(seats), Trace(Vec::new()));
                let forced = study
                    .play_forced(&mut crew, deal, &slot, choice, action, &mut (&mut others, &mut trace))
                    .unwrap();
                if action == choice.chosen {
                    assert_eq!(trace.0, free.0, "deal {deal}, choice {place}");
                    assert_eq!(forced.results(&study.game), played.results(&study.game));
                    continue;
                }
                assert_eq!(trace.0[..place], free.0[..place]);
                assert_eq!(trace.0[place], (choice.seat, action));
                parted += usize::from(trace.0 != free.0);
                for (index, (other, free)) in others.made.iter().zip(&choices.made).enumerate() {
                    assert_eq!((other.seat, other.offered), (free.seat, free.offered));
                    // Choices of the same step are made simultaneously.
                    let same_step = index < place + seats - place % seats;
                    assert!(index == place || !same_step || other.chosen == free.chosen);
                }
            }
        }
    }
    assert!(parted > 0, "the test would see nothing");
}

#[test]
fn forcing_the_own_choice_changes_nothing() {
    check_forced_games(&study(board("usa", 2), "planner"), 0..4);
    check_forced_games(&study(board("usa", 3), "ismcts:iters=5,hungry"), 0..1);
    check_forced_games(&study(board("europe", 2), "random,greedy"), 0..2);
    check_forced_games(&study(board("europe-mega", 2), "planner"), 0..2);
    check_forced_games(&study(board("nordic", 3), "greedy"), 0..2);
    let cards = CardGame::new(&maps::card_game(), 4).unwrap();
    check_forced_games(&study(cards, "yard,random"), 0..1);
}

/// No game is played twice, and the number of games is the planned one wherever it does not depend on the
/// play.
#[test]
fn every_legal_choice_is_played_once() {
    for (map, seats, arms) in [("usa", 2, 4), ("europe", 3, 11), ("nordic", 2, 26), ("usa-mega", 2, 16)] {
        let study = study(board(map, seats), "greedy");
        let most = 1 + seats * (arms - 1);
        assert_eq!(study.games_per_deal(), most as u64, "{map}");
        let forced = study.play_deals(0..3, &Drive::threads(1)).unwrap().forced.unwrap();
        assert_eq!((forced.games, forced.openings), (3 * most as u64, 3 * seats as u64), "{map}");
    }
    // One of two long tickets or none, then three tickets in all of five others and that one.
    let mega = study(board("europe-mega", 2), "random");
    assert_eq!(mega.games_per_deal(), 1 + 2 * (2 + 25));
    let forced = mega.play_deals(0..20, &Drive::threads(1)).unwrap().forced.unwrap();
    assert!((20 * 37..20 * 55).contains(&forced.games), "{}", forced.games);
    let cards = study(CardGame::new(&maps::card_game(), 2).unwrap(), "random");
    assert_eq!(cards.games_per_deal(), 1 + 2 * 62);
}

#[test]
fn boards_without_a_choice_are_refused() {
    let game = board("first-journey-europe", 2);
    let entrants = vec![Entrant::from_spec(&game, &AgentSpec::parse("random").unwrap()).unwrap()];
    let error = Tickets::new(game, entrants, 1).forced().err().unwrap().to_string();
    assert!(error.contains("first-journey-europe has no opening choice"), "{error}");
    assert!(error.contains("nordic, usa,") && error.ends_with(", card-game"), "{error}");
    assert!(!error.contains("first-journey-usa"), "{error}");
}

/// An opening in which tickets 0, 1 and 2 are offered and at least two are kept; points by `kept`: 0b011,
/// 0b101, 0b110, 0b111.
fn opening(deal: u64, own: u8, points: [i16; 4]) -> Opening {
    let sets = [0b011, 0b101, 0b110, 0b111];
    let share = |points: i16| if points > 5 { SHARE as u8 } else { 0 };
    let arms = sets.into_iter().zip(points).map(|(kept, points)| Arm { kept, share: share(points), points });
    Opening { deal, game: 0, seat: 0, agent: 0, offered: TicketSet::first(3), arms: arms.collect(), own }
}

fn summed_up(openings: &[Opening]) -> ForcedSummary {
    study(board("usa", 2), "random").forced_summary(openings)
}

fn rule<'s>(summary: &'s ForcedSummary, name: &str) -> &'s ChoiceRow {
    summary.choices.iter().find(|row| row.rule == name).unwrap_or_else(|| panic!("{name}: {summary:?}"))
}

/// Two openings, computed by hand.
#[test]
fn effects_of_a_tiny_data_set() {
    let summary = summed_up(&[opening(0, 0, [10, 4, 7, 1]), opening(1, 3, [2, 9, 3, 8])]);
    // Ticket 0: (0b111 - 0b110) = 1 - 7 and 8 - 3; wins: 0 - 1 and 1 - 0.
    let first = &summary.tickets[0];
    assert_eq!((first.offered, first.add.points.value, first.add.wins.value), (2, -0.5, 0.0));
    // Each of 0b011 and 0b101 minus 0b110: (10 + 4) / 2 - 7 and (2 + 9) / 2 - 3; wins: 1/2 - 1 and 1/2 - 0.
    assert_eq!((first.swap.points.value, first.swap.wins.value), (1.25, 0.0));
    // Ticket 2: 0b111 - 0b011 = -9 and 6; (4 + 7) / 2 - 10 and (9 + 3) / 2 - 2.
    let third = &summary.tickets[2];
    assert_eq!((third.add.points.value, third.swap.points.value), (-1.5, -0.25));
    assert_eq!((third.add.wins.value, third.swap.wins.value), (0.0, 0.0));
    let never = &summary.tickets[3];
    assert!(never.offered == 0 && never.add.wins.value.is_nan() && never.swap.points.value.is_nan());

    assert_eq!((summary.openings, summary.games), (2, 8));
    let own = rule(&summary, OWN_CHOICE);
    assert_eq!((own.points.value, own.win_share.value, own.kept, own.same), (9.0, 1.0, 2.5, 1.0));
    assert!(own.regret_points.value.is_nan());
    let all = rule(&summary, "keep all 3");
    assert_eq!((all.points.value, all.regret_points.value, all.regret_wins.value), (4.5, -4.5, -0.5));
    assert_eq!((all.kept, all.same), (3.0, 0.5));
    let two = rule(&summary, "keep 2 at random");
    assert_eq!((two.points.value, two.regret_points.value), ((21.0 + 14.0) / 6.0, (21.0 + 14.0) / 6.0 - 9.0));
    let any = rule(&summary, RANDOM_CHOICE);
    assert_eq!((any.points.value, any.same, any.regret_wins.value), (44.0 / 8.0, 0.25, 0.5 - 1.0));
}

/// Four tickets of which at least two are kept: all pairs of legal sets that differ by a ticket have the
/// same weight.
#[test]
fn larger_offers_average_over_all_pairs() {
    let points =
        |kept: u8| [1, 10, 100, 1000].iter().enumerate().map(|(i, v)| v * i16::from(kept >> i & 1)).sum();
    let sets = (0u8..16).filter(|kept| kept.count_ones() >= 2);
    let arms: Vec<_> = sets.map(|kept| Arm { kept, share: 0, points: points(kept) }).collect();
    assert_eq!(arms.len(), 11);
    let offered = [3, 5, 8, 13].map(TicketId::new).into_iter().collect();
    let opening = Opening { deal: 0, game: 0, seat: 1, agent: 0, offered, arms, own: 10 };
    let summary = summed_up(&[opening]);
    for (ticket, value) in [(3, 1.0), (5, 10.0), (8, 100.0), (13, 1000.0)] {
        let row = &summary.tickets[ticket];
        assert_eq!(row.add.points.value, value);
        let others = (1111.0 - value) / 3.0;
        assert!((row.swap.points.value - (value - others)).abs() < 1e-9, "{row:?}");
    }
}

/// Openings with random wins: a win has the probability that `chance` gives to a set.
fn random_openings(deals: u64, chance: impl Fn(u8) -> f64) -> Vec<Opening> {
    let game = |deal: u64| {
        let mut dice = Dice::from_parts(&[99, deal]);
        let own = dice.below(4) as u8;
        let mut opening = opening(deal, own, [0; 4]);
        for arm in &mut opening.arms {
            let win = f64::from(dice.below(10_000)) < 10_000.0 * chance(arm.kept);
            arm.share = if win { SHARE as u8 } else { 0 };
        }
        opening
    };
    (0..deals).map(game).collect()
}

fn covers(figure: &Figure, value: f64) -> bool {
    figure.low <= value && value <= figure.high
}

/// Where no choice is better than another, the best one of the same games appears to be, but no rule that
/// is evaluated on other deals does.
#[test]
fn regret_has_no_winners_curse() {
    let openings = random_openings(4000, |_| 0.5);
    let best = openings.iter().map(|opening| opening.arms.iter().map(|arm| arm.share).max().unwrap());
    let best = best.map(f64::from).sum::<f64>() / SHARE as f64 / 4000.0;
    assert!(best > 0.9, "the best of four is not what a choice is worth: {best}");
    let summary = summed_up(&openings);
    for row in summary.choices.iter().filter(|row| row.rule != OWN_CHOICE) {
        assert!(row.regret_wins.value.abs() < 3.0 / 1.96 * row.regret_wins.margin(), "{row:?}");
        assert!(row.regret_wins.margin() < 0.03, "{row:?}");
    }
}

/// Ticket 0 wins 20 % more and ticket 1 20 % less: fitted values find the set with 0 and 2, and the gain
/// has the right size.
#[test]
fn fitted_values_find_what_there_is() {
    let chance = |kept: u8| 0.5 + 0.2 * f64::from(kept & 1) - 0.2 * f64::from(kept >> 1 & 1);
    let summary = summed_up(&random_openings(4000, chance));
    // Own choices are any of the four: 0.5, 0.7, 0.3, 0.5.
    for name in ["fixed values", CORRECTED_CHOICE] {
        let row = rule(&summary, name);
        assert!(covers(&row.win_share, 0.7) && covers(&row.regret_wins, 0.2), "{row:?}");
        assert!(row.kept == 2.0 && row.regret_wins.margin() < 0.03, "{row:?}");
    }
    let [zero, one, two] = [0, 1, 2].map(|ticket| &summary.tickets[ticket]);
    assert!(covers(&zero.add.wins_of_all, 0.2) && covers(&one.add.wins_of_all, -0.2));
    assert!(covers(&two.add.wins_of_all, 0.0) && covers(&two.swap.wins_of_all, 0.0));
    assert!(covers(&zero.swap.wins_of_all, 0.3) && covers(&one.swap.wins_of_all, -0.3));
}

#[test]
fn parts_with_other_openings_are_refused() {
    let study = study(board("usa", 2), "greedy");
    let mut crew = Crew::new(&study.game, &study.entrants);
    let mut part = study.empty();
    (3..5).for_each(|deal| study.play(&mut crew, deal, &mut part).unwrap());
    let good = part.openings.clone();
    assert_eq!(study.check_openings(&good, &(3..5)), Ok(()));
    assert!(study.check_openings(&good, &(3..4)).is_err());
    assert!(study.check_openings(&good[..3], &(3..5)).is_err());
    let changes: [fn(&mut Opening); 9] = [
        |opening| opening.deal += 1,
        |opening| opening.game += 1,
        |opening| opening.seat = 7,
        |opening| opening.agent = 1,
        |opening| opening.own = 4,
        |opening| opening.offered.insert(TicketId::new(120)),
        |opening| opening.offered = TicketSet::first(9),
        |opening| opening.arms.swap(0, 1),
        |opening| opening.arms[3].kept = 15,
    ];
    for (number, change) in changes.iter().enumerate() {
        let mut changed = good.clone();
        change(&mut changed[2]);
        assert!(study.check_openings(&changed, &(3..5)).is_err(), "change {number}");
    }
}
