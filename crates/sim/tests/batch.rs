//! Games of a batch are ordinary games: the same on any number of threads, and the same as played one by
//! one.

use std::sync::Arc;

use ttr_agents::AgentSpec;
use ttr_engine::board::BoardGame;
use ttr_engine::card_game::CardGame;
use ttr_engine::{ActionSpace, Dice, Encoder, Game, Turn, View, maps};
use ttr_sim::batch::{Batch, BatchError, BatchOptions, Frame, Learnable, Numbers};
use ttr_sim::table::Entrant;

fn usa() -> BoardGame {
    BoardGame::new(&maps::load("usa").unwrap(), 2).unwrap()
}

fn numbers<G: Learnable + Clone>(game: &G) -> Arc<Numbers<G>> {
    Arc::new(Numbers::new(Arc::new(game.clone()), true))
}

fn opponent<G: Learnable>(game: &G, spec: &str) -> Entrant<G> {
    Entrant::from_spec(game, &AgentSpec::parse(spec).unwrap()).unwrap()
}

/// All output of a batch over some hundred steps.
fn transcript<G: Learnable + Clone>(game: &G, options: BatchOptions<G>) -> Vec<u8> {
    let mut batch = Batch::new(numbers(game), options).unwrap();
    let tables = batch.tables().len();
    let (width, actions) = (batch.numbers().encoder.layout().len(), batch.numbers().space.actions().len());
    let mut bytes = vec![0; tables * width];
    let mut mask = vec![0; tables * actions];
    let mut packed = vec![0; tables * actions.div_ceil(8)];
    let mut floats = vec![0.0; tables * width];
    let mut seats = vec![0; tables];
    let mut seen = Vec::new();
    for _ in 0..300 {
        batch.write(Frame { views: Some(&mut bytes), mask: Some(&mut mask), ..Frame::default() });
        let frame = Frame {
            floats: Some(&mut floats),
            packed_mask: Some(&mut packed),
            seats: Some(&mut seats),
            ..Frame::default()
        };
        batch.write(frame);
        for (row, table) in batch.tables().iter().enumerate() {
            let view = table.view(game);
            let legal = mask[row * actions..][..actions].iter().filter(|&&bit| bit == 1).count();
            assert_eq!((legal, seats[row]), (view.count_actions(), view.seat().index() as i8));
            let ones: u32 = packed[row * actions.div_ceil(8)..][..actions.div_ceil(8)]
                .iter()
                .map(|byte: &u8| byte.count_ones())
                .sum();
            assert_eq!(ones as usize, legal);
        }
        seen.extend_from_slice(&bytes);
        seen.extend(floats.iter().map(|&float| (float * 255.0) as u8));
        let chosen = batch.sample();
        seen.extend(chosen.iter().flat_map(|action| action.to_le_bytes()));
        batch.step(&chosen).unwrap();
        for table in batch.tables() {
            if let Some(ended) = table.ended() {
                assert_eq!(game.turn(&ended.state), Turn::Over);
                assert_eq!(game.scores(&ended.state), ended.scores);
                seen.extend(ended.scores.points.iter().flat_map(|points| points.to_le_bytes()));
            }
        }
    }
    assert!(batch.games_played() > 0);
    seen
}

#[test]
fn threads_do_not_matter() {
    let game = usa();
    let with = |threads| BatchOptions { tables: 7, seed: 3, threads, ..BatchOptions::default() };
    let one = transcript(&game, with(1));
    assert_eq!(one, transcript(&game, with(2)));
    assert_eq!(one, transcript(&game, with(5)));
    assert_ne!(one, transcript(&game, BatchOptions { seed: 4, ..with(1) }));

    let cards = CardGame::new(&maps::card_game(), 3).unwrap();
    let with = |threads| BatchOptions { tables: 5, threads, ..BatchOptions::default() };
    assert_eq!(transcript(&cards, with(1)), transcript(&cards, with(3)));
}

#[test]
fn opponents_play_and_the_learner_changes_seats() {
    let game = BoardGame::new(&maps::load("europe").unwrap(), 3).unwrap();
    let opponents = vec![opponent(&game, "planner"), opponent(&game, "greedy")];
    let options = BatchOptions { tables: 4, opponents, ..BatchOptions::default() };
    let one = transcript(&game, BatchOptions { threads: 1, ..options.clone() });
    assert_eq!(one, transcript(&game, BatchOptions { threads: 3, ..options.clone() }));

    let mut batch = Batch::new(numbers(&game), options).unwrap();
    let mut seats = [0; 3];
    let mut wins = 0.0;
    while batch.games_played() < 60 {
        let chosen = batch.sample();
        batch.step(&chosen).unwrap();
        for ended in batch.tables().iter().filter_map(|table| table.ended()) {
            assert_eq!(ended.forfeit, None);
            seats[ended.seat.index()] += 1;
            if ended.scores.winners().any(|seat| seat == ended.seat) {
                wins += 1.0;
            }
        }
    }
    assert!(seats.iter().all(|&games| games >= 15), "{seats:?}");
    assert!(wins < 5.0, "random play can't win {wins} of 60 games against planner");
}

/// The same seed and actions give the same game when it is played alone.
#[test]
fn a_batch_of_one_is_a_game() {
    let game = usa();
    let mut batch = Batch::new(numbers(&game), BatchOptions { seed: 9, ..BatchOptions::default() }).unwrap();
    let mut chance = Dice::from_parts(&[9, 0x6261_7463_6801, 0]);
    let mut state = game.deal(&mut chance);
    for _ in 0..400 {
        assert_eq!(batch.tables()[0].state(), &state);
        let chosen = batch.sample();
        let action = batch.numbers().space.action(chosen[0] as usize).unwrap();
        batch.step(&chosen).unwrap();
        game.play(&mut state, action, &mut chance).unwrap();
        if game.turn(&state) == Turn::Over {
            assert_eq!(batch.tables()[0].ended().unwrap().state, state);
            state = game.deal(&mut chance);
        } else {
            assert!(batch.tables()[0].ended().is_none());
        }
    }
    assert!(batch.games_played() > 1);
}

#[test]
fn bad_actions_change_nothing() {
    let game = usa();
    let mut batch =
        Batch::new(numbers(&game), BatchOptions { tables: 3, ..BatchOptions::default() }).unwrap();
    let before: Vec<_> = batch.tables().iter().map(|table| *table.state()).collect();
    let mut chosen = batch.sample();
    let legal = chosen[1];
    assert!(matches!(batch.step(&chosen[..2]), Err(BatchError::Length { given: 2, tables: 3 })));
    for bad in [-1, i64::MIN, i64::MAX, batch.numbers().space.actions().len() as i64] {
        chosen[1] = bad;
        assert!(matches!(batch.step(&chosen), Err(BatchError::Unknown { table: 1, .. })));
    }
    let pass = batch.numbers().space.index(ttr_engine::board::Action::Pass).unwrap();
    chosen[1] = pass as i64;
    let error = batch.step(&chosen).unwrap_err().to_string();
    assert!(error.starts_with("table 1: action 1079 is not legal: pass is not possible now"), "{error}");
    let after: Vec<_> = batch.tables().iter().map(|table| *table.state()).collect();
    assert_eq!(before, after);
    chosen[1] = legal;
    batch.step(&chosen).unwrap();
    assert!(batch.tables().iter().zip(&before).all(|(table, before)| table.state() != before));
    assert!(Batch::new(numbers(&game), BatchOptions { tables: 0, ..BatchOptions::default() }).is_err());
}
