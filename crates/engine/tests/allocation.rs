//! No heap after set-up: whole random games, with everything a search does in them, allocate nothing.

use std::hint::black_box;
use std::ops::ControlFlow;

use ttr_engine::board::BoardGame;
use ttr_engine::card_game::CardGame;
use ttr_engine::spec::Assignment;
use ttr_engine::{Dice, Game, Notation, Seat, Turn, maps};

/// How often `run` allocates, and its result.
fn allocations<T>(run: impl FnOnce() -> T) -> (u64, T) {
    let mut result = None;
    let counted = allocation_counter::measure(|| result = Some(run()));
    (counted.count_total, result.expect("it was run"))
}

/// A random game from the deal to the scores, with all that a search asks for on the way. Returns its
/// decisions.
fn play<G: Game>(game: &G, seed: u64) -> usize
where
    G::State: Copy,
{
    let mut chance = Dice::from_seed(seed);
    let mut dice = Dice::from_parts(&[seed, 1]);
    let mut state = game.deal(&mut chance);
    let mut plies = 0;
    while let Turn::Of(mover) = game.turn(&state) {
        let count = game.count_actions(&state);
        let mut listed = 0;
        let _ = game.legal_actions(&state, |action| {
            listed += 1;
            assert!(game.is_legal(&state, action));
            ControlFlow::<()>::Continue(())
        });
        assert_eq!(listed, count);
        for seat in Seat::all(game.seats()) {
            let world = game.determinize(&game.observe(&state, seat), &mut dice);
            assert_eq!(game.turn(&world), Turn::Of(mover));
            black_box(game.scores(&world));
        }
        let n = dice.below(count as u32) as usize;
        let action = game.nth_action(&state, n).expect("n is below the count");
        let mut branch = state;
        game.play_unchecked(&mut branch, action, &mut dice);
        black_box(game.random_action(&state, &mut dice));
        if plies % 16 == 0 {
            black_box(game.playout(&mut branch, &mut dice, &mut chance.clone()));
            assert_eq!(game.turn(&branch), Turn::Over);
        }
        game.play(&mut state, action, &mut chance).expect("listed actions are legal");
        plies += 1;
    }
    assert_eq!(game.scores(&state).winners().count().min(1), 1);
    plies
}

fn assert_no_allocations<G: Notation>(game: &G)
where
    G::State: Copy,
{
    for seed in 0..20 {
        let (count, plies) = allocations(|| play(game, seed));
        let (id, seats) = (game.map_id(), game.seats());
        assert_eq!(count, 0, "{id}, {seats} seats, seed {seed}: allocations in {plies} decisions");
        assert!(plies > 20, "hardly a game");
    }
}

#[test]
fn games_allocate_nothing() {
    let boards = maps::ids().iter().map(|id| maps::find(id).unwrap());
    // First Journey refuses depots.
    let with_depots = maps::ids().iter().filter_map(|id| maps::find(&format!("{id}+depots")).ok());
    let maps: Vec<_> = boards.chain(with_depots).collect();
    assert!(
        ["europe+depots", "usa-mega+depots", "first-journey-usa"]
            .iter()
            .all(|id| maps.iter().any(|map| map.id == *id))
    );
    for map in maps {
        for seats in map.seats.min..=map.seats.max {
            assert_no_allocations(&BoardGame::new(&map, seats.into()).unwrap());
        }
    }
    let mut chosen_by_hand = maps::card_game();
    chosen_by_hand.rules.assignment = Assignment::PlayerChoice;
    for (spec, seats) in
        [maps::card_game(), chosen_by_hand].iter().flat_map(|spec| [2, 3, 4].map(|n| (spec, n)))
    {
        assert_no_allocations(&CardGame::new(spec, seats).unwrap());
    }
}

/// The counter counts.
#[test]
fn what_allocates_is_noticed() {
    assert_eq!(allocations(|| black_box(Box::new(1))).0, 1);
    let (count, list) = allocations(|| black_box((0..100).map(|n| n.to_string()).collect::<Vec<_>>()));
    assert!(count > 100 && list.len() == 100);
    let game = BoardGame::new(&maps::load("usa").unwrap(), 2).unwrap();
    let state = game.deal(&mut Dice::from_seed(1));
    assert!(allocations(|| game.actions(&state)).0 > 0, "a list is on the heap");
}
