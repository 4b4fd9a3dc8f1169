//! Legal actions: listed, counted and picked.

use std::ops::ControlFlow;

use arrayvec::ArrayVec;

use crate::card_game::action::{Action, Phase};
use crate::card_game::compile::CardGame;
use crate::card_game::state::State;
use crate::chance::Dice;
use crate::pieces::{CardKind, Cards, Draws};

impl CardGame {
    /// Calls `visit` once with every legal action.
    pub(crate) fn legal_actions<B>(
        &self,
        s: &State,
        mut visit: impl FnMut(Action) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        match s.phase {
            Phase::Main => {
                let mut any = false;
                self.visit_main(s, |action| {
                    any = true;
                    visit(action)
                })?;
                if !any {
                    visit(Action::Pass)?; // CG-11
                }
            }
            Phase::SecondCard => {
                self.visit_cards(s, &mut visit)?;
                if self.spec.rules.may_stop_after_one {
                    visit(Action::StopDrawing)?;
                }
            }
            Phase::Opening | Phase::Tickets => {
                self.choices(s).map(Action::Keep).try_for_each(visit)?;
            }
            Phase::Completing(_) => {
                for ticket in self.completable_next(s) {
                    visit(Action::Complete(ticket))?;
                }
                visit(Action::StopCompleting)?;
            }
            Phase::Over(_) => {}
        }
        ControlFlow::Continue(())
    }

    pub(crate) fn visit_main<B>(
        &self,
        s: &State,
        mut visit: impl FnMut(Action) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.visit_cards(s, &mut visit)?;
        if self.may_draw_tickets(s) {
            visit(Action::DrawTickets)?;
        }
        Plays::new(s).visit(visit)
    }

    fn visit_cards<B>(&self, s: &State, visit: impl FnMut(Action) -> ControlFlow<B>) -> ControlFlow<B> {
        self.draws(s).iter().map(draw).try_for_each(visit)
    }

    /// The ways to take a card now.
    #[inline]
    pub(crate) fn draws(&self, s: &State) -> Draws {
        Draws { blind: !s.cards.deck.is_empty(), face_up: self.takeable(s) }
    }

    /// The choices among the offered tickets.
    #[inline]
    fn choices(&self, s: &State) -> impl Iterator<Item = u8> {
        let least = self.least_kept(s).into();
        (0..=u8::MAX >> (8 - s.offered())).filter(move |choice| choice.count_ones() >= least)
    }

    /// The market cards that may be taken now (CG-6, CC-10, A-61).
    #[inline]
    pub(crate) fn takeable(&self, s: &State) -> Cards {
        if s.cards.deck.is_empty() && !self.draw_without_deck {
            return Cards::EMPTY;
        }
        let mut takeable = s.cards.market;
        if s.phase == Phase::SecondCard {
            takeable -= Cards::of(CardKind::Locomotive, takeable.locomotives());
        }
        takeable
    }

    #[inline]
    fn may_draw_tickets(&self, s: &State) -> bool {
        !s.tickets.deck().is_empty() || s.bottom.len() > 0
    }

    pub(crate) fn count_actions(&self, s: &State) -> usize {
        match s.phase {
            Phase::Main => MainActions::new(self, s).len().max(1), // a pass
            Phase::SecondCard => {
                self.draws(s).len() as usize + usize::from(self.spec.rules.may_stop_after_one)
            }
            Phase::Opening | Phase::Tickets => self.choices(s).count(),
            Phase::Completing(_) => self.completable_next(s).len() + 1,
            Phase::Over(_) => 0,
        }
    }

    pub(crate) fn nth_action(&self, s: &State, n: usize) -> Option<Action> {
        if s.phase == Phase::Main {
            let actions = MainActions::new(self, s);
            return (n < actions.len().max(1)).then(|| actions.nth(n));
        }
        let mut skip = n;
        let found = self.legal_actions(s, |action| {
            if skip == 0 {
                return ControlFlow::Break(action);
            }
            skip -= 1;
            ControlFlow::Continue(())
        });
        found.break_value()
    }

    /// A random legal action, all equally likely: the [`CardGame::nth_action`] of a random number.
    #[inline]
    pub(crate) fn random_action(&self, s: &State, dice: &mut Dice) -> Action {
        match s.phase {
            Phase::Main => self.random_main_action(s, dice),
            Phase::SecondCard => {
                let draws = self.draws(s);
                let stop = u32::from(self.spec.rules.may_stop_after_one);
                let n = dice.below(draws.len() + stop);
                if n < draws.len() { draw(draws.nth(n)) } else { Action::StopDrawing }
            }
            Phase::Tickets => Action::Keep(dice.below(1 << s.offered()) as u8), // keeping none is allowed
            _ => {
                let n = dice.below(self.count_actions(s) as u32);
                self.nth_action(s, n as usize).expect("n is below the number of actions")
            }
        }
    }

    #[inline(never)]
    fn random_main_action(&self, s: &State, dice: &mut Dice) -> Action {
        let actions = MainActions::new(self, s);
        actions.nth(dice.below(actions.len().max(1) as u32) as usize)
    }
}

/// The actions of the main phase, in list order.
pub(crate) struct MainActions {
    pub(crate) draws: Draws,
    pub(crate) tickets: bool,
    pub(crate) plays: Plays,
    pub(crate) rows: usize,
    pub(crate) threes: usize,
}

impl MainActions {
    #[inline(always)] // keeps the fields in registers where it is used immediately
    pub(crate) fn new(game: &CardGame, s: &State) -> Self {
        let plays = Plays::new(s);
        Self {
            draws: game.draws(s),
            tickets: game.may_draw_tickets(s),
            rows: plays.count_rows(),
            threes: plays.count_threes(),
            plays,
        }
    }

    /// Number of actions, not counting the pass.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.draws.len() as usize + usize::from(self.tickets) + self.rows + self.threes
    }

    #[inline]
    fn nth(&self, n: usize) -> Action {
        let (draws, tickets) = (self.draws.len() as usize, usize::from(self.tickets));
        if n < draws {
            return draw(self.draws.nth(n as u32));
        }
        if n < draws + tickets {
            return Action::DrawTickets;
        }
        if self.rows + self.threes == 0 {
            return Action::Pass; // CG-11
        }
        self.plays.nth(n - draws - tickets)
    }
}

/// The cards that a seat can play to its yard (CG-7, CG-8).
pub(crate) struct Plays {
    /// The colour cards in the hand that could start a row.
    open: Cards,
    locomotives: u8,
    /// The rows of the others by colour, or 1 where there is none. A new row must have more cards.
    beaten: Cards,
    /// The colours in the hand that are in no yard, for three-colour plays.
    three: Cards,
}

impl Plays {
    #[inline]
    fn new(s: &State) -> Self {
        let hand = s.cards.hands[s.seat];
        let own = s.yards[s.seat].rows();
        let against = s.rows_against(s.seat);
        let locomotives = hand.locomotives();
        let colours = hand - Cards::of(CardKind::Locomotive, locomotives);
        let open = colours - colours.only(own.one_of_each());
        let three = open - open.only(against.one_of_each());
        Self { open, locomotives, beaten: against.union(Cards::of_each(1)), three }
    }

    /// Number of different rows.
    ///
    /// For a given number of locomotives, a row is a number of cards of its colour: more than the size
    /// of the row to beat minus the locomotives. All colours are counted at once.
    #[inline]
    fn count_rows(&self) -> usize {
        let (mut count, mut too_few) = (0, self.beaten);
        for _ in 0..=self.locomotives {
            count += usize::from(self.open.saturating_sub(too_few).total());
            too_few = too_few.saturating_sub(Cards::of_each(1));
        }
        count
    }

    /// The `n`-th row in counting order, ascending by locomotives: colour, number of its cards,
    /// locomotives.
    #[inline]
    pub(crate) fn nth_row(&self, mut n: u32) -> (CardKind, u8, u8) {
        let (mut too_few, mut locomotives) = (self.beaten, 0);
        loop {
            let rows = self.open.saturating_sub(too_few);
            let here = u32::from(rows.total());
            if n < here {
                let (colour, place) = rows.nth_with_place(n as u8);
                return (colour, too_few.count(colour) + 1 + place, locomotives);
            }
            n -= here;
            too_few = too_few.saturating_sub(Cards::of_each(1));
            locomotives += 1;
        }
    }

    /// The `n`-th triple of colours: that of the `n`-th triple of positions among the available colours.
    #[inline]
    pub(crate) fn nth_three(&self, n: usize) -> Cards {
        let places = THREE_PLACES[n];
        places.into_iter().fold(Cards::EMPTY, |all, place| all + self.three.nth_kind_as_one(place.into()))
    }

    /// Visits all plays: the rows by colour, then by number of cards, then by locomotives, all
    /// ascending; then the three-colour plays.
    fn visit<B>(&self, mut visit: impl FnMut(Action) -> ControlFlow<B>) -> ControlFlow<B> {
        for (colour, held) in self.open.colours() {
            let beaten = self.beaten.count(colour);
            for cards in 1..=held {
                for locomotives in (beaten + 1).saturating_sub(cards)..=self.locomotives {
                    visit(Action::PlayRow { colour, cards, locomotives })?;
                }
            }
        }
        let three: ArrayVec<CardKind, 8> = self.three.colours().map(|(colour, _)| colour).collect();
        for (place, &first) in three.iter().enumerate() {
            let later = &three[place + 1..];
            for (place, &second) in later.iter().enumerate() {
                for &third in &later[place + 1..] {
                    visit(Action::PlayThree([first, second, third]))?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// The `n`-th of all plays.
    fn nth(&self, n: usize) -> Action {
        let mut skip = n;
        for (colour, held) in self.open.colours() {
            let beaten = self.beaten.count(colour);
            for cards in 1..=held {
                let fewest = (beaten + 1).saturating_sub(cards);
                let here = usize::from((self.locomotives + 1).saturating_sub(fewest));
                if skip < here {
                    return Action::PlayRow { colour, cards, locomotives: fewest + skip as u8 };
                }
                skip -= here;
            }
        }
        self.three(skip)
    }

    #[inline]
    fn count_threes(&self) -> usize {
        choose(self.three.kinds(), 3)
    }

    /// The `n`-th three-colour play.
    fn three(&self, n: usize) -> Action {
        let mut skip = n;
        let mut colours = [CardKind::Locomotive; 3];
        let (mut chosen, mut left) = (0, self.three.kinds());
        for (colour, _) in self.three.colours() {
            left -= 1;
            // The plays in which this colour comes next.
            let here = choose(left, 2 - chosen);
            if skip >= here {
                skip -= here;
                continue;
            }
            colours[chosen] = colour;
            chosen += 1;
            if chosen == 3 {
                break;
            }
        }
        debug_assert_eq!(chosen, 3, "n is below the number of plays");
        Action::PlayThree(colours)
    }
}

/// The action that draws a card, face up if a kind is given.
#[inline]
fn draw(face_up: Option<CardKind>) -> Action {
    face_up.map_or(Action::TakeBlind, Action::TakeFaceUp)
}

/// Binomial coefficient: number of ways to choose `k`, at most three, of `n` colours.
#[inline]
const fn choose(n: usize, k: usize) -> usize {
    const WAYS: [[u8; 9]; 4] = [
        [1; 9],
        [0, 1, 2, 3, 4, 5, 6, 7, 8],
        [0, 0, 1, 3, 6, 10, 15, 21, 28],
        [0, 0, 0, 1, 4, 10, 20, 35, 56],
    ];
    WAYS[k][n] as usize
}

/// All triples of eight positions, ordered so that the first `choose(n, 3)` are those of the first `n`
/// positions.
static THREE_PLACES: [[u8; 3]; choose(8, 3)] = {
    let mut all = [[0; 3]; choose(8, 3)];
    let (mut count, mut last) = (0, 2);
    while last < 8 {
        let mut middle = 1;
        while middle < last {
            let mut first = 0;
            while first < middle {
                all[count] = [first, middle, last];
                count += 1;
                first += 1;
            }
            middle += 1;
        }
        last += 1;
    }
    all
};
