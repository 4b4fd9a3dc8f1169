//! Numbered actions of the Card Game.

use crate::action_space::{ActionFields, ActionSpace, IndexedActions, Numbering, Span};
use crate::card_game::action::Action;
use crate::card_game::compile::CardGame;
use crate::codec;
use crate::pieces::{CardKind, TicketId};
use crate::spec::Assignment;

/// All actions of the Card Game, numbered.
///
/// The order: choices of tickets, ways to take a card, stop, rows by colour, cards and locomotives, three
/// colours, tickets, tickets to complete, complete no more, pass.
///
/// ```
/// use ttr_engine::{ActionSpace, IndexedActions, card_game::{Action, CardGame}, maps};
/// let space = CardGame::new(&maps::card_game(), 2)?.action_space();
/// let index = space.index(Action::DrawTickets).unwrap();
/// assert_eq!(space.action(index), Some(Action::DrawTickets));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct CardGameActions {
    actions: Vec<Action>,
    hash: u64,
    keep: Span,
    blind: Span,
    face_up: Span,
    stop: Span,
    /// By colour.
    rows: Vec<Span>,
    /// Most locomotives in a row.
    locomotives: u8,
    threes: Span,
    draw_tickets: Span,
    complete: Span,
    stop_completing: Span,
    pass: Span,
}

impl IndexedActions for CardGame {
    type Space = CardGameActions;

    fn action_space(&self) -> CardGameActions {
        CardGameActions::new(self)
    }
}

impl CardGameActions {
    fn new(game: &CardGame) -> Self {
        let rules = &game.spec.rules;
        let mut list = Numbering(Vec::new());
        let offered = rules.opening_tickets.max(rules.ticket_draw);
        let keep = list.add((0..=u8::MAX >> (8 - offered)).map(Action::Keep));
        let blind = list.add([Action::TakeBlind]);
        let face_up =
            list.add(CardKind::ALL.into_iter().filter(|_| rules.market > 0).map(Action::TakeFaceUp));
        let stop = list.add(rules.may_stop_after_one.then_some(Action::StopDrawing));
        let most = game.deck.locomotives();
        let rows = CardKind::COLOURS.into_iter().map(|colour| {
            list.add((1..=game.deck.count(colour)).flat_map(|cards| {
                // A row has two cards or more (CG-7).
                let least = u8::from(cards == 1);
                (least..=most).map(move |locomotives| Action::PlayRow { colour, cards, locomotives })
            }))
        });
        let rows = rows.collect();
        let threes = list.add(threes().map(Action::PlayThree));
        let draw_tickets = list.add([Action::DrawTickets]);
        let tickets = (0..game.tickets.len()).map(TicketId::new);
        let chosen = rules.assignment == Assignment::PlayerChoice;
        let complete = list.add(tickets.filter(|_| chosen).map(Action::Complete));
        let stop_completing = list.add(chosen.then_some(Action::StopCompleting));
        let pass = list.add([Action::Pass]);

        let actions = list.0;
        let names: Vec<_> = game.tickets.iter().map(|ticket| &ticket.ends).collect();
        let hash = codec::checksum(&codec::encode(&(Self::VERSION, names, &actions)));
        Self {
            actions,
            hash,
            keep,
            blind,
            face_up,
            stop,
            rows,
            locomotives: most,
            threes,
            draw_tickets,
            complete,
            stop_completing,
            pass,
        }
    }

    fn row_index(&self, colour: CardKind, cards: u8, locomotives: u8) -> Option<usize> {
        // The row of one card without a locomotive is not in the list.
        let row = usize::from(cards.checked_sub(1)?) * (usize::from(self.locomotives) + 1);
        let place = (row + usize::from(locomotives)).checked_sub(1)?;
        if locomotives > self.locomotives {
            return None;
        }
        self.rows.get(colour.index())?.at(place)
    }

    fn three_index(&self, colours: [CardKind; 3]) -> Option<usize> {
        let place = threes().position(|three| three == colours)?;
        self.threes.at(place)
    }
}

impl Action {
    /// The kind of the action, as [`ActionFields`] names it.
    pub(crate) fn kind(self) -> &'static str {
        CardGameActions::fields(self).kind
    }
}

impl ActionSpace for CardGameActions {
    type Action = Action;

    const VERSION: u32 = 1;

    fn actions(&self) -> &[Action] {
        &self.actions
    }

    #[inline]
    fn index(&self, action: Action) -> Option<usize> {
        match action {
            Action::Keep(choice) => self.keep.at(choice),
            Action::TakeBlind => self.blind.at(0_usize),
            Action::TakeFaceUp(kind) => self.face_up.at(kind.index()),
            Action::StopDrawing => self.stop.at(0_usize),
            Action::PlayRow { colour, cards, locomotives } => self.row_index(colour, cards, locomotives),
            Action::PlayThree(colours) => self.three_index(colours),
            Action::DrawTickets => self.draw_tickets.at(0_usize),
            Action::Complete(ticket) => self.complete.at(ticket.index()),
            Action::StopCompleting => self.stop_completing.at(0_usize),
            Action::Pass => self.pass.at(0_usize),
        }
    }

    fn hash(&self) -> u64 {
        self.hash
    }

    fn fields(action: Action) -> ActionFields {
        match action {
            Action::Keep(keep) => ActionFields { keep, ..ActionFields::new("keep") },
            Action::TakeBlind => ActionFields::new("take-blind"),
            Action::TakeFaceUp(kind) => ActionFields::new("take").with_cards([kind]),
            Action::StopDrawing => ActionFields::new("stop"),
            Action::PlayRow { colour, cards, locomotives } => {
                ActionFields { count: cards, locomotives, ..ActionFields::new("row").with_cards([colour]) }
            }
            Action::PlayThree(colours) => ActionFields::new("three").with_cards(colours),
            Action::DrawTickets => ActionFields::new("tickets"),
            Action::Complete(ticket) => {
                ActionFields { ticket: Some(ticket), ..ActionFields::new("complete") }
            }
            Action::StopCompleting => ActionFields::new("complete-no-more"),
            Action::Pass => ActionFields::new("pass"),
        }
    }
}

/// All sets of three colours, in order.
fn threes() -> impl Iterator<Item = [CardKind; 3]> {
    let colours = CardKind::COLOURS;
    (0..colours.len()).flat_map(move |first| {
        (first + 1..colours.len()).flat_map(move |second| {
            (second + 1..colours.len()).map(move |third| [colours[first], colours[second], colours[third]])
        })
    })
}
