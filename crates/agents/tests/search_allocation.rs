//! No heap inside a search: once it has warmed up, five times as many playouts allocate no more.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use ttr_agents::{Agent, AgentSpec, Roster};
use ttr_engine::board::BoardGame;
use ttr_engine::card_game::CardGame;
use ttr_engine::{Dice, Turn, maps};

/// The system's allocator, counting what each thread asks for.
struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

fn count() {
    // During the end of a thread there is nothing to count with, nor anything to be counted.
    let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + 1));
}

#[allow(
    unsafe_code,
    reason = "a global allocator can't be written without, and every call goes on to the system's"
)]
// SAFETY: every method passes its arguments on unchanged to the system's allocator, which keeps the contract.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: as above.
        unsafe { System.realloc(block, layout, size) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// What an agent allocates for each of some decisions.
fn allocations<G: Roster>(game: &G, agent: &mut dyn Agent<G>, states: &[G::State]) -> Vec<u64> {
    states
        .iter()
        .map(|state| {
            let Turn::Of(seat) = game.turn(state) else { return 0 };
            let before = ALLOCATIONS.get();
            agent.choose(&game.observe(state, seat), &mut Dice::from_seed(1)).unwrap();
            ALLOCATIONS.get() - before
        })
        .collect()
}

fn check<G: Roster>(game: &G, options: &str) {
    let mut dice = Dice::from_seed(1);
    let mut state = game.deal(&mut dice);
    let mut states = Vec::new();
    while game.turn(&state) != Turn::Over {
        states.push(state.clone());
        let action = game.random_action(&state, &mut dice);
        game.play_unchecked(&mut state, action, &mut dice);
    }
    let step = states.len() / 3;
    let states: Vec<_> = states.into_iter().step_by(step).collect();
    let counts: Vec<_> = [20, 100]
        .into_iter()
        .map(|playouts| {
            let spec = AgentSpec::parse(&format!("{options},iters={playouts}")).unwrap();
            let mut agent = game.agent(&spec).unwrap();
            // Warms up: lists grow to what the largest of these searches needs.
            allocations(game, &mut *agent, &states);
            allocations(game, &mut *agent, &states);
            allocations(game, &mut *agent, &states)
        })
        .collect();
    assert_eq!(counts[0], counts[1], "{}, {options}", game.map_id());
    assert!(counts[1].iter().all(|&count| count < 10), "{}, {options}: {:?}", game.map_id(), counts[1]);
}

#[test]
fn playouts_allocate_nothing() {
    for map in ["usa", "europe", "nordic", "first-journey-europe", "europe+depots"] {
        let game = BoardGame::new(&maps::find(map).unwrap(), 2).unwrap();
        check(&game, "ismcts:belief=2");
        check(&game, "ismcts:root=tree,depth=40,prior=rollout");
        check(&game, "ismcts:rollout=light,prior=none");
        check(&game, "ismcts:rollout=greedy,cutoff=20");
        check(&game, "flat:rollout=random");
    }
    let game = CardGame::new(&maps::card_game(), 2).unwrap();
    check(&game, "ismcts:belief=2");
    check(&game, "ismcts:root=tree,depth=40,prior=rollout");
    check(&game, "ismcts:rollout=greedy,prior=none,cutoff=20");
    check(&game, "flat:rollout=random");
}

/// The counter counts.
#[test]
fn what_allocates_is_noticed() {
    let before = ALLOCATIONS.get();
    let list: Vec<String> = (0..10).map(|n| n.to_string()).collect();
    assert!(ALLOCATIONS.get() - before > 9 && list.len() == 10);
}
