//! Numbered actions are a promise: networks and tables refer to actions by index. If this test fails, either
//! restore the order or raise `ActionSpace::VERSION` and update the table.

use ttr_engine::board::{Action, BoardGame, Payment};
use ttr_engine::card_game::CardGame;
use ttr_engine::{ActionSpace, CardKind, CityId, IndexedActions, RouteId, maps};

/// Number of actions and hash of every shipped map; with depots, for two and for five seats.
const SPACES: &str = "\
europe 2421 305f5088cb3febd2
europe+depots 2 2473 3de741ad5ad65cc5
europe+depots 5 2479 c9693ddce65848c5
europe-expanded 2421 305f5088cb3febd2
europe-expanded+depots 2 2473 3de741ad5ad65cc5
europe-expanded+depots 5 2479 c9693ddce65848c5
europe-mega 2437 eece71392153eac7
europe-mega+depots 2 2489 96ca5b465b52b8eb
europe-mega+depots 5 2495 9138529cab0cb43b
europe-big-cities 2437 eece71392153eac7
europe-big-cities+depots 2 2489 96ca5b465b52b8eb
europe-big-cities+depots 5 2495 9138529cab0cb43b
nordic 636 e38b5c102e0c9e5b
nordic+depots 2 680 cda8384ac9c4efc8
nordic+depots 3 682 5d42b8810b99dc51
first-journey-europe 203 c237cff9e4bfa47c
first-journey-usa 204 6020a911d8750c0b
usa 1080 39c5a3554fbc230a
usa+depots 2 1121 e11d237cd1c4aebc
usa+depots 5 1127 7de99422788cd006
usa-1910 1080 39c5a3554fbc230a
usa-1910+depots 2 1121 e11d237cd1c4aebc
usa-1910+depots 5 1127 7de99422788cd006
usa-mega 1104 e017c575c55fad5f
usa-mega+depots 2 1145 1eef32d4b563e0d8
usa-mega+depots 5 1151 2343164870c37b5a
usa-big-cities 1088 a1e15c690a1e9eed
usa-big-cities+depots 2 1129 c3a6dad34143f71f
usa-big-cities+depots 5 1135 b781e2fceadbd995
card-game 1484 b036d058a3bbb9d7
";

#[test]
fn spaces_are_as_published() {
    let mut spaces = String::new();
    let mut add = |name: &str, space: &dyn Fn() -> (usize, u64)| {
        let (len, hash) = space();
        spaces += &format!("{name} {len} {hash:016x}\n");
    };
    for id in maps::ids() {
        let map = maps::load(id).unwrap();
        let of = |game: &BoardGame| {
            let space = game.action_space();
            (space.actions().len(), space.hash())
        };
        let fewest = BoardGame::new(&map, map.seats.min.into()).unwrap();
        let most = BoardGame::new(&map, map.seats.max.into()).unwrap();
        assert_eq!(of(&fewest), of(&most), "{id}: seats matter only with depots");
        add(id, &|| of(&fewest));
        if let Ok(depots) = maps::with_depots(map.clone()) {
            let few = BoardGame::new(&depots, map.seats.min.into()).unwrap();
            add(&format!("{id}+depots {}", map.seats.min), &|| of(&few));
            let many = BoardGame::new(&depots, map.seats.max.into()).unwrap();
            add(&format!("{id}+depots {}", map.seats.max), &|| of(&many));
        }
    }
    let game = CardGame::new(&maps::card_game(), 2).unwrap();
    let space = game.action_space();
    add("card-game", &|| (space.actions().len(), space.hash()));
    assert_eq!(spaces, SPACES);
}

#[test]
fn actions_that_are_never_legal_have_no_index() {
    let game = BoardGame::new(&maps::load("usa").unwrap(), 2).unwrap();
    let space = game.action_space();
    let route = game.parse_route("Miami-New Orleans").unwrap(); // six red spaces
    let claim = |colour, locomotives, sets| {
        space.index(Action::Claim { route, payment: Payment { colour, locomotives, sets } })
    };
    assert!(claim(Some(CardKind::Red), 0, 0).is_some() && claim(None, 6, 0).is_some());
    assert_eq!(claim(Some(CardKind::Blue), 0, 0), None);
    assert_eq!(claim(Some(CardKind::Red), 6, 0), None);
    assert_eq!(claim(Some(CardKind::Red), 200, 0), None);
    assert_eq!(claim(Some(CardKind::Red), 0, 255), None);
    let payment = Payment { colour: Some(CardKind::Red), locomotives: 0, sets: 0 };
    let last = RouteId::new(127);
    assert_eq!(space.index(Action::Claim { route: last, payment }), None);
    assert_eq!(space.index(Action::BuildStation { city: CityId::new(0), payment }), None);
    assert_eq!(space.index(Action::Keep(8)), None);
    assert_eq!(space.index(Action::SwapTickets), None);
    assert_eq!(space.index(Action::Done), None);
    assert_eq!(space.action(space.actions().len()), None);
}
