//! Which actions are legal: as a list, as a number, and one by one with the reason why not.

use std::ops::ControlFlow;

use crate::card::{CardKind, Cards};
use crate::card_game::action::{Action, Phase};
use crate::card_game::compile::CardGame;
use crate::card_game::state::{State, TicketPlace};
use crate::chance::Dice;
use crate::game::IllegalAction;

impl CardGame {
    /// Shows every legal action once to `visit`.
    pub(crate) fn visit_actions<B>(
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
                for choice in 0..=u8::MAX >> (8 - s.offered) {
                    if choice.count_ones() >= self.least_kept(s).into() {
                        visit(Action::Keep(choice))?;
                    }
                }
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

    fn visit_main<B>(&self, s: &State, mut visit: impl FnMut(Action) -> ControlFlow<B>) -> ControlFlow<B> {
        self.visit_cards(s, &mut visit)?;
        if self.may_draw_tickets(s) {
            visit(Action::DrawTickets)?;
        }
        let plays = Plays::new(s);
        for (colour, held) in plays.open.colours() {
            for n in 0..plays.count_rows(colour, held) {
                visit(plays.row(colour, held, n))?;
            }
        }
        for n in 0..plays.count_threes() {
            visit(plays.three(n))?;
        }
        ControlFlow::Continue(())
    }

    fn visit_cards<B>(&self, s: &State, mut visit: impl FnMut(Action) -> ControlFlow<B>) -> ControlFlow<B> {
        if !s.deck.is_empty() {
            visit(Action::TakeBlind)?;
        }
        for (kind, _) in self.takeable(s).iter() {
            visit(Action::TakeFaceUp(kind))?;
        }
        ControlFlow::Continue(())
    }

    /// The market cards that may be taken now (CG-6, CC-10, A-61).
    #[inline]
    pub(crate) fn takeable(&self, s: &State) -> Cards {
        if s.deck.is_empty() && !self.draw_without_deck {
            return Cards::EMPTY;
        }
        let mut takeable = s.market;
        if s.phase == Phase::SecondCard {
            takeable -= Cards::of(CardKind::Locomotive, takeable.locomotives());
        }
        takeable
    }

    #[inline]
    fn may_draw_tickets(&self, s: &State) -> bool {
        s.bottom.len() > 0 || !s.tickets_at(TicketPlace::Deck).is_empty()
    }

    /// Actions of the main phase that stand before the plays in the list.
    #[inline]
    fn count_before_plays(&self, s: &State) -> usize {
        usize::from(!s.deck.is_empty()) + self.takeable(s).kinds() + usize::from(self.may_draw_tickets(s))
    }

    pub(crate) fn count(&self, s: &State) -> usize {
        match s.phase {
            Phase::Main => {
                let plays = Plays::new(s);
                let rows = plays.open.colours().map(|(colour, held)| plays.count_rows(colour, held));
                let count = self.count_before_plays(s) + rows.sum::<usize>() + plays.count_threes();
                count.max(1) // a pass
            }
            Phase::SecondCard => {
                usize::from(!s.deck.is_empty())
                    + self.takeable(s).kinds()
                    + usize::from(self.spec.rules.may_stop_after_one)
            }
            Phase::Opening | Phase::Tickets if self.least_kept(s) == 0 => 1 << s.offered,
            _ => {
                let mut count = 0;
                let _ = self.visit_actions(s, |_| {
                    count += 1;
                    ControlFlow::<()>::Continue(())
                });
                count
            }
        }
    }

    pub(crate) fn nth(&self, s: &State, n: usize) -> Option<Action> {
        let before = match s.phase {
            Phase::Main => self.count_before_plays(s),
            Phase::SecondCard => {
                let stop = self.spec.rules.may_stop_after_one && n + 1 == self.count(s);
                return if stop { Some(Action::StopDrawing) } else { self.nth_card(s, n) };
            }
            Phase::Tickets => return (n < 1 << s.offered).then_some(Action::Keep(n as u8)),
            _ => usize::MAX,
        };
        if s.phase == Phase::Main && n < before {
            return self.nth_card(s, n).or(Some(Action::DrawTickets));
        }
        if before == usize::MAX || n == 0 {
            let mut skip = n;
            let found = self.visit_actions(s, |action| {
                if skip == 0 {
                    return ControlFlow::Break(action);
                }
                skip -= 1;
                ControlFlow::Continue(())
            });
            return found.break_value();
        }
        let mut skip = n - before;
        let plays = Plays::new(s);
        for (colour, held) in plays.open.colours() {
            let rows = plays.count_rows(colour, held);
            if skip < rows {
                return Some(plays.row(colour, held, skip));
            }
            skip -= rows;
        }
        (skip < plays.count_threes()).then(|| plays.three(skip))
    }

    /// The n-th way to take a card.
    #[inline]
    fn nth_card(&self, s: &State, n: usize) -> Option<Action> {
        let blind = usize::from(!s.deck.is_empty());
        if n < blind {
            return Some(Action::TakeBlind);
        }
        let kinds = self.takeable(s).one_of_each();
        (n - blind < kinds.total().into()).then(|| Action::TakeFaceUp(kinds.nth((n - blind) as u8)))
    }

    /// A legal action, each equally likely: like the [`CardGame::nth`] of a random number, but in one walk through the
    /// plays.
    pub(crate) fn pick(&self, s: &State, dice: &mut Dice) -> Action {
        if s.phase != Phase::Main {
            let n = dice.below(self.count(s) as u32);
            return self.nth(s, n as usize).expect("n is below the number of actions");
        }
        let before = self.count_before_plays(s);
        let plays = Plays::new(s);
        // Up to and with each colour.
        let mut sums = [(CardKind::Locomotive, 0, 0); 8];
        let (mut colours, mut rows) = (0, 0);
        for (colour, held) in plays.open.colours() {
            rows += plays.count_rows(colour, held);
            sums[colours] = (colour, held, rows);
            colours += 1;
        }
        let all = before + rows + plays.count_threes();
        let n = dice.below(all.max(1) as u32) as usize;
        if n < before || all == 0 {
            return self.nth(s, n).expect("n is below the number of actions");
        }
        let n = n - before;
        let mut skipped = 0;
        for &(colour, held, sum) in &sums[..colours] {
            if n < sum {
                return plays.row(colour, held, n - skipped);
            }
            skipped = sum;
        }
        plays.three(n - rows)
    }

    /// Why an action may not be taken now, if so. Written apart from the list: a test compares the two.
    pub(crate) fn check_action(&self, s: &State, action: Action) -> Result<(), IllegalAction> {
        let forbidden = |rule, reason: String| Err(IllegalAction::Forbidden { rule, reason });
        let now = match s.phase {
            Phase::Opening | Phase::Tickets => "tickets are being chosen",
            Phase::Main => "a turn starts",
            Phase::SecondCard => "the second card is being drawn",
            Phase::Completing(_) => "tickets are being completed",
            Phase::Over(_) => return Err(IllegalAction::GameOver),
        };
        let main = s.phase == Phase::Main;
        let drawing = main || s.phase == Phase::SecondCard;
        match action {
            Action::Keep(choice) if matches!(s.phase, Phase::Opening | Phase::Tickets) => {
                let (least, offered) = (self.least_kept(s), s.offered);
                if u32::from(choice) >> offered == 0 && choice.count_ones() >= least.into() {
                    return Ok(());
                }
                let reason = format!("of the {offered} offered tickets at least {least} are kept");
                forbidden("CG-2, CG-10", reason)
            }
            Action::TakeBlind if drawing => match s.deck.is_empty() {
                false => Ok(()),
                true => forbidden("CG-6", "the deck is empty".into()),
            },
            Action::TakeFaceUp(kind) if drawing => {
                if s.market.count(kind) == 0 {
                    return forbidden("CG-6", format!("no {kind} card lies face up"));
                }
                if s.phase == Phase::SecondCard && kind == CardKind::Locomotive {
                    return forbidden("CC-10", "a face-up locomotive can't be the second card".into());
                }
                if s.deck.is_empty() && !self.draw_without_deck {
                    return forbidden("A-61", "no card is drawn once the deck is empty".into());
                }
                Ok(())
            }
            Action::StopDrawing if s.phase == Phase::SecondCard => match self.spec.rules.may_stop_after_one {
                true => Ok(()),
                false => forbidden("A-39", "the second card must be drawn".into()),
            },
            Action::DrawTickets if main => match self.ticket_deck_len(s) {
                0 => forbidden("CG-10", "there are no tickets to draw".into()),
                _ => Ok(()),
            },
            Action::PlayRow { colour, cards, locomotives } if main => {
                self.check_row(s, colour, cards, locomotives)
            }
            Action::PlayThree(colours) if main => {
                if !colours.is_sorted_by(|a, b| a < b) {
                    return forbidden("CG-7", "three different colours are played, in their order".into());
                }
                for colour in colours {
                    if colour == CardKind::Locomotive {
                        return forbidden("CG-7", "there is no locomotive among three colours".into());
                    }
                    self.check_row_of(s, colour, 1)?;
                    if s.hands[s.seat.index()].count(colour) == 0 {
                        return forbidden("CG-7", format!("there is no {colour} card in the hand"));
                    }
                }
                Ok(())
            }
            Action::Complete(ticket) if matches!(s.phase, Phase::Completing(_)) => {
                if ticket.index() >= self.tickets.len() {
                    return Err(IllegalAction::Unknown("ticket"));
                }
                if !s.tickets_at(TicketPlace::Held(s.seat)).contains(ticket) {
                    return forbidden("CG-13", "this ticket is not held".into());
                }
                let chosen = s.tickets_at(TicketPlace::Chosen(s.seat));
                if chosen.into_iter().any(|other| other > ticket) {
                    return forbidden("A-41", "tickets are named in their order".into());
                }
                let mut all = chosen;
                all.insert(ticket);
                match self.is_completable(s.tracks[s.seat.index()], all) {
                    true => Ok(()),
                    false => forbidden("CG-14", "the track stack has too few cards".into()),
                }
            }
            Action::StopCompleting if matches!(s.phase, Phase::Completing(_)) => Ok(()),
            Action::Pass if main => match self.visit_main(s, ControlFlow::Break) {
                ControlFlow::Break(_) => forbidden("CG-11", "there is something to do".into()),
                ControlFlow::Continue(()) => Ok(()),
            },
            _ => Err(IllegalAction::WrongMoment { action: format!("{action:?}"), now }),
        }
    }

    fn check_row(&self, s: &State, colour: CardKind, cards: u8, locos: u8) -> Result<(), IllegalAction> {
        let forbidden = |rule, reason: String| Err(IllegalAction::Forbidden { rule, reason });
        let hand = s.hands[s.seat.index()];
        if colour == CardKind::Locomotive || cards == 0 {
            return forbidden("CG-7, A-37", "a row has at least one card of its colour".into());
        }
        if cards > hand.count(colour) || locos > hand.locomotives() {
            return forbidden("CG-7", "the hand does not have these cards".into());
        }
        if cards + locos < 2 {
            return forbidden("CG-7", "a row has at least two cards".into());
        }
        self.check_row_of(s, colour, cards + locos)
    }

    /// Whether so many cards of a colour may be played (CG-8).
    fn check_row_of(&self, s: &State, colour: CardKind, cards: u8) -> Result<(), IllegalAction> {
        let forbidden = |reason: String| Err(IllegalAction::Forbidden { rule: "CG-8", reason });
        for (seat, yard) in s.yards.iter().enumerate() {
            let row = yard.rows().count(colour);
            if row == 0 {
                continue;
            }
            if seat == s.seat.index() {
                return forbidden(format!("the yard has a {colour} row already"));
            }
            if cards <= row {
                return forbidden(format!("more than {row} {colour} cards are needed to rob a train"));
            }
        }
        Ok(())
    }
}

/// What a seat can play to its yard (CG-7, CG-8).
struct Plays {
    /// The colour cards in the hand of which a row could be started.
    open: Cards,
    locomotives: usize,
    /// The rows of the others.
    against: Cards,
    /// The colours in the hand that lie in no yard, for three-colour plays.
    three: Cards,
}

impl Plays {
    #[inline]
    fn new(s: &State) -> Self {
        let hand = s.hands[s.seat.index()];
        let own = s.yards[s.seat.index()].rows();
        let against = s.rows_against(s.seat);
        let locomotives = hand.locomotives();
        let colours = hand - Cards::of(CardKind::Locomotive, locomotives);
        let open = colours - colours.only(own.one_of_each());
        let three = open - open.only(against.one_of_each());
        Self { open, locomotives: locomotives.into(), against, three }
    }

    /// Fewest cards of a row.
    #[inline]
    fn least(&self, colour: CardKind) -> usize {
        usize::from(self.against.count(colour) + 1).max(2)
    }

    /// How many different rows of a colour there are, with so many cards of it in the hand.
    #[inline]
    fn count_rows(&self, colour: CardKind, held: u8) -> usize {
        let (held, least, locomotives) = (usize::from(held), self.least(colour), self.locomotives);
        // With at least `least` cards any number of locomotives will do.
        let plain = (held + 1).saturating_sub(least) * (locomotives + 1);
        // With fewer, some locomotives are needed: one choice more for each card.
        let from = least.saturating_sub(locomotives).max(1);
        let to = held.min(least - 1);
        if from > to {
            return plain;
        }
        let (first, last) = (locomotives + 1 + from - least, locomotives + 1 + to - least);
        plain + (first + last) * (to - from + 1) / 2
    }

    /// The n-th row of a colour: few cards before many, then few locomotives before many.
    fn row(&self, colour: CardKind, held: u8, n: usize) -> Action {
        let least = self.least(colour);
        let mut skip = n;
        for cards in 1..=held {
            let fewest = least.saturating_sub(cards.into());
            let here = (self.locomotives + 1).saturating_sub(fewest);
            if skip < here {
                return Action::PlayRow { colour, cards, locomotives: (fewest + skip) as u8 };
            }
            skip -= here;
        }
        unreachable!("n is below the number of rows")
    }

    #[inline]
    fn count_threes(&self) -> usize {
        let n = self.three.kinds();
        // n choose 3; with fewer than 3 colours one factor is 0.
        n * n.saturating_sub(1) * n.saturating_sub(2) / 6
    }

    /// The n-th play of three colours.
    fn three(&self, n: usize) -> Action {
        let mut skip = n;
        let colours = || self.three.colours().map(|(colour, _)| colour);
        for (i, a) in colours().enumerate() {
            for (j, b) in colours().enumerate().skip(i + 1) {
                if let Some(c) = colours().skip(j + 1).nth(skip) {
                    return Action::PlayThree([a, b, c]);
                }
                skip -= self.three.kinds() - j - 1;
            }
        }
        unreachable!("n is below the number of plays")
    }
}
