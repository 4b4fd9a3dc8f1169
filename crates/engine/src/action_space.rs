//! Numbered actions: a fixed list of all actions of a game, for tables and networks.

use crate::game::Game;
use crate::pieces::{CardKind, CityId, RouteId, Seat, TicketId};

/// A game whose actions are numbered.
pub trait IndexedActions: Game {
    /// Its numbered actions.
    type Space: ActionSpace<Action = Self::Action>;

    /// Lists all actions of the game. This takes some time: keep the result.
    fn action_space(&self) -> Self::Space;
}

/// All actions that can be legal at some moment of a game, in a fixed order: an action's index is its place
/// in the list.
///
/// The order is a promise. Whatever changes it gives another [`VERSION`](ActionSpace::VERSION), and
/// [`hash`](ActionSpace::hash) identifies the list together with the cities and routes that it refers to.
///
/// ```
/// use ttr_engine::{ActionSpace, Dice, Game, IndexedActions, board::BoardGame, maps};
/// let game = BoardGame::new(&maps::load("usa")?, 2)?;
/// let space = game.action_space();
/// let state = game.deal(&mut Dice::from_seed(1));
/// for action in game.actions(&state) {
///     let index = space.index(action).expect("legal actions have an index");
///     assert_eq!(space.actions()[index], action);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait ActionSpace: Send + Sync {
    /// A decision.
    type Action: Copy + PartialEq;

    /// The version of the order.
    const VERSION: u32;

    /// The actions, by index.
    fn actions(&self) -> &[Self::Action];

    /// The index of an action; none if it is not in the list, and so never legal.
    fn index(&self, action: Self::Action) -> Option<usize>;

    /// Identifies the list: equal hashes mean that every index stands for the same action.
    fn hash(&self) -> u64;

    /// The parts of an action.
    fn fields(action: Self::Action) -> ActionFields;

    /// The action with an index.
    fn action(&self, index: usize) -> Option<Self::Action> {
        self.actions().get(index).copied()
    }
}

/// The parts of an action as numbers, the same for all games: what a network needs to treat similar actions
/// alike.
///
/// ```
/// use ttr_engine::board::{Action, BoardActions, Payment};
/// use ttr_engine::{ActionSpace, CardKind, RouteId};
/// let payment = Payment { colour: Some(CardKind::Red), locomotives: 1, sets: 0 };
/// let fields = BoardActions::fields(Action::Claim { route: RouteId::new(7), payment });
/// assert_eq!((fields.kind, fields.route, fields.locomotives), ("claim", Some(RouteId::new(7)), 1));
/// assert_eq!(fields.cards, 1 << CardKind::Red.index());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ActionFields {
    /// The kind of the action.
    pub kind: &'static str,
    /// The tickets that are kept, as bits: bit `i` stands for the `i`-th of the offered tickets by index.
    pub keep: u8,
    /// The card kinds that are taken or played, as bits by [`CardKind::index`]; locomotives that pay are
    /// counted in `locomotives` only.
    pub cards: u16,
    /// Number of colour cards, where an action names one.
    pub count: u8,
    /// Number of locomotives played.
    pub locomotives: u8,
    /// Number of spaces paid for with substitute sets.
    pub sets: u8,
    /// The route.
    pub route: Option<RouteId>,
    /// The city.
    pub city: Option<CityId>,
    /// The seat that a warehouse belongs to.
    pub seat: Option<Seat>,
    /// The ticket.
    pub ticket: Option<TicketId>,
}

impl ActionFields {
    /// An action of a kind, without parts.
    pub(crate) const fn new(kind: &'static str) -> Self {
        Self {
            kind,
            keep: 0,
            cards: 0,
            count: 0,
            locomotives: 0,
            sets: 0,
            route: None,
            city: None,
            seat: None,
            ticket: None,
        }
    }

    /// The same with card kinds.
    pub(crate) fn with_cards(self, kinds: impl IntoIterator<Item = CardKind>) -> Self {
        let cards = kinds.into_iter().fold(self.cards, |all, kind| all | 1 << kind.index());
        Self { cards, ..self }
    }
}

/// A list that is being numbered.
#[derive(Clone, Debug)]
pub(crate) struct Numbering<A>(pub(crate) Vec<A>);

impl<A> Numbering<A> {
    /// Adds actions. Returns where they start.
    pub(crate) fn add(&mut self, actions: impl IntoIterator<Item = A>) -> Span {
        let start = self.0.len();
        self.0.extend(actions);
        Span { start, len: self.0.len() - start }
    }
}

/// Neighbouring actions of a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Span {
    pub(crate) start: usize,
    pub(crate) len: usize,
}

impl Span {
    /// The index of its `n`-th action, if it has that many.
    pub(crate) fn at(self, n: impl Into<usize>) -> Option<usize> {
        let n = n.into();
        (n < self.len).then_some(self.start + n)
    }
}
