//! The planner of the Card Game: the value of a card in the hand, in the yard and on the track stack, and
//! how every action changes it.

use std::iter::repeat_n;
use std::ops::ControlFlow;

use arrayvec::ArrayVec;
use ttr_engine::card_game::{Action, CardGame, Observation, Phase, Ticket};
use ttr_engine::{CardKind, Cards, Dice, Game, Seat, TicketId, TicketSet, View};

use crate::agent::{Agent, Forfeit};
use crate::card_game::{complete, demand, mask_of, rows_against, with_circles};
use crate::roster::AgentEntry;
use crate::weights::weights;

pub(crate) const NAME: &str = "yard";

pub(crate) fn entry() -> AgentEntry {
    AgentEntry::new(NAME, "plans rows, robberies and tickets by the value of cards")
        .with_params(YardWeights::PARAMS)
        .plays(|game: &CardGame, params| {
            Yard::with_weights(YardWeights::for_game(game).with_settings(params.spec()))
        })
        .with_defaults(|game: &CardGame, name| Some(YardWeights::for_game(game).get(name)?.to_string()))
}

weights! {
    /// The weights of a [`Yard`]. A card on the track stack that a ticket needs is worth 1.
    YardWeights of f32 {
        hold = 0.59 in 0.0..1.0, "value of a card in the hand";
        spare = 0.85 in 0.0..1.0, "value of a card that no ticket needs";
        loco = 0.6 in 0.0..3.0, "value of a locomotive";
        pair = 0.22 in 0.0..1.0, "extra value of a drawn card for each of its colour in the hand";
        rob = 0.67 in 0.0..5.0, "value of a card that another seat loses, shared by the others";
        risk = 6.0 in 0.0..20.0, "fear that a row is robbed";
        pace = 1.15 in 0.1..2.0, "cards that a seat is expected to draw per turn";
        late = 4.4 in 0.1..20.0, "turns before the end at which cards in the hand begin to lose value";
        appetite = 0.18 in 0.0..2.0, "share of the cards to come that tickets may need";
        tickets = 0.9 in 0.0..20.0, "value of a draw of tickets at full appetite";
        city = 0.25 in 0.0..1.0, "value of a point of the bonus cards of a ticket's cities";
    }
}

impl YardWeights {
    /// The default weights of a game, which depend on its number of seats.
    pub fn for_game(game: &CardGame) -> Self {
        Self::of_table(include_str!("yard.csv"), game.seats())
    }
}

/// Plans rows, robberies and tickets by the value of cards.
///
/// ```
/// use ttr_agents::{Yard, YardWeights};
/// use ttr_engine::{card_game::CardGame, maps};
/// let game = CardGame::new(&maps::card_game(), 3)?;
/// let yard = Yard::new(&game);
/// let honest = Yard::with_weights(YardWeights { rob: 0.0, ..YardWeights::for_game(&game) });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Yard {
    weights: YardWeights,
}

impl Yard {
    /// Creates an agent with the default weights of a game.
    pub fn new(game: &CardGame) -> Self {
        Self::with_weights(YardWeights::for_game(game))
    }

    /// Creates an agent with these weights.
    pub fn with_weights(weights: YardWeights) -> Self {
        Self { weights }
    }
}

impl Agent<CardGame> for Yard {
    fn choose(&mut self, view: &Observation<'_>, _: &mut Dice) -> Result<Action, Forfeit> {
        let outlook = || Outlook::new(view, &self.weights);
        Ok(match view.phase() {
            Phase::Opening | Phase::Tickets => outlook().keep(),
            Phase::Main => outlook().turn(),
            Phase::SecondCard => outlook().second_card(),
            Phase::Completing(_) | Phase::Over(_) => complete(view),
        })
    }
}

/// One for each card of a row.
type Figures = ArrayVec<f32, { Cards::MAX_TOTAL as usize }>;

/// A position, and the quantities derived from it that all decisions use.
struct Outlook<'v> {
    view: &'v Observation<'v>,
    weights: &'v YardWeights,
    /// Expected number of the seat's own turns after this one.
    turns: f32,
    /// Cards that will lie on the seat's own track stack if nobody robs a row.
    sure: Cards,
    /// Circles of the held tickets.
    asked: Cards,
    /// Those of them for which there is no card there.
    missing: Cards,
    /// The value of a card in the hand, as a fraction of its value on the track stack.
    hold: f32,
    unseen: Cards,
}

impl<'v> Outlook<'v> {
    fn new(view: &'v Observation<'v>, weights: &'v YardWeights) -> Self {
        let seats = view.game().seats() as f32;
        let deck = f32::from(view.deck_size());
        // After the deck is empty, every seat has one more turn (CG-12).
        let turns = if deck > 0.0 { 1.0 + deck / (seats * weights.pace) } else { 0.0 };
        let sure = view.track(view.seat()) + moving(view, turns as u8);
        let asked = demand(view);
        let missing = asked.saturating_sub(sure);
        let rules = &view.game().spec().rules;
        let rounds_left = view.game().seats() >= rules.two_rounds_from.into() && view.round() == 0;
        // A card in the hand has to be played and to move; between rounds it is kept.
        let in_time = ((turns - 1.0) / weights.late).clamp(if rounds_left { 0.8 } else { 0.0 }, 1.0);
        let hold = weights.hold * in_time;
        Self { view, weights, turns, sure, asked, missing, hold, unseen: view.unseen() }
    }

    // --- cards ---

    /// The value of the next card of a kind on the track stack, with this many of them on the way already.
    fn price(&self, kind: CardKind, on_the_way: u8) -> f32 {
        match kind {
            CardKind::Locomotive if self.missing.is_empty() => self.weights.loco * self.weights.spare,
            CardKind::Locomotive => self.weights.loco,
            colour if on_the_way < self.missing.count(colour) => 1.0,
            _ => self.weights.spare,
        }
    }

    /// The value of drawing a card of each kind.
    fn draw_prices(&self) -> [f32; 9] {
        CardKind::ALL.map(|kind| {
            let held = self.view.hand().count(kind);
            self.price(kind, held) + self.weights.pair * f32::from(held)
        })
    }

    /// The mean value of an unseen card.
    fn blind_price(&self, prices: &[f32; 9]) -> f32 {
        let unseen = CardKind::ALL.map(|kind| f32::from(self.unseen.count(kind)));
        let all = unseen.iter().zip(prices).map(|(count, price)| count * price);
        all.sum::<f32>() / f32::from(self.unseen.total().max(1))
    }

    /// The best card to draw now, and its value as one card of two, relative to an unseen card.
    fn card(&self, first: bool, prices: &[f32; 9], blind: f32) -> Option<(f32, Action)> {
        let mut best: Option<(f32, Action)> = None;
        let mut consider = |worth: f32, action: Action| {
            if best.is_none_or(|(most, _)| worth > most) {
                best = Some((worth, action));
            }
        };
        let _ = self.view.legal_actions(|action| {
            match action {
                Action::TakeBlind => consider(blind, action),
                // A face-up locomotive is the whole draw.
                Action::TakeFaceUp(CardKind::Locomotive) if first => {
                    consider(prices[CardKind::Locomotive.index()] - blind, action);
                }
                Action::TakeFaceUp(kind) => consider(prices[kind.index()], action),
                Action::StopDrawing => {}
                _ => return ControlFlow::Break(()), // cards are listed first
            }
            ControlFlow::Continue(())
        });
        best
    }

    fn second_card(&self) -> Action {
        let prices = self.draw_prices();
        self.card(false, &prices, self.blind_price(&prices)).map_or(Action::StopDrawing, |(_, card)| card)
    }

    // --- turns ---

    fn turn(&self) -> Action {
        let prices = self.draw_prices();
        let blind = self.blind_price(&prices);
        let mut best = match self.card(true, &prices, blind) {
            Some((worth, card)) => (self.hold * (worth + blind), card),
            None => (f32::MIN, Action::Pass),
        };
        let mut consider = |worth: f32, action: Action| {
            if worth > best.0 {
                best = (worth, action);
            }
        };
        if self.view.ticket_deck_size() > 0 {
            consider(self.ticket_draw(), Action::DrawTickets);
        }
        self.rows(&mut consider);
        self.three(&mut consider);
        best.1
    }

    /// Considers a row of every colour: all cards of it, with any number of locomotives.
    fn rows(&self, consider: &mut impl FnMut(f32, Action)) {
        let (view, hand) = (self.view, self.view.hand());
        let (own, against) = (view.rows(view.seat()), rows_against(view));
        let most = hand.locomotives();
        // Filled in place: long lists are slow to move.
        let (mut in_time, mut prices, mut safe) = (Figures::new(), Figures::new(), Figures::new());
        in_time.extend((0..hand.total()).map(|place| self.in_time(place)));
        let top = self.price(CardKind::Locomotive, 0);
        for (colour, cards) in hand.colours().filter(|&(colour, _)| own.count(colour) == 0) {
            let (theirs, threat) = (against.count(colour), self.threat(colour));
            // Locomotives lie on top.
            prices.clear();
            prices.extend(repeat_n(top, most.into()));
            prices.extend((0..cards).map(|before| self.price(colour, before)));
            safe.clear();
            safe.extend((0..cards + most).map(|left| self.safe(threat, left)));
            for locomotives in 0..=most {
                let length = cards + locomotives;
                if length >= 2 && length > theirs {
                    let row = self.row(&prices[usize::from(most - locomotives)..], &in_time, &safe);
                    consider(row + self.robbery(theirs), Action::PlayRow { colour, cards, locomotives });
                }
            }
        }
    }

    /// The gain of a row: its cards count for more in the yard than in the hand, if they move in time and
    /// others do not play more cards against it.
    fn row(&self, prices: &[f32], in_time: &[f32], safe: &[f32]) -> f32 {
        let gain = |place: usize, safe: f32| prices[place] * (in_time[place] * safe - self.hold);
        // The top card moves before anybody can rob it.
        (1..prices.len()).fold(gain(0, 1.0), |worth, place| worth + gain(place, safe[prices.len() - place]))
    }

    /// The probability that the card at an index of a row, from the top, will move before the end.
    fn in_time(&self, place: u8) -> f32 {
        (self.turns - f32::from(place)).clamp(0.0, 1.0)
    }

    /// The probability that a row is not robbed while it has this many cards left.
    fn safe(&self, threat: f32, left: u8) -> f32 {
        1.0 - (0.2 * (threat - f32::from(left))).clamp(0.0, 0.5) * self.weights.risk
    }

    /// Number of cards of a colour that others may soon play against a row.
    fn threat(&self, colour: CardKind) -> f32 {
        let view = self.view;
        let share = f32::from(self.unseen.count(colour)) / f32::from(self.unseen.total().max(1));
        let others = Seat::all(view.game().seats()).filter(|&seat| seat != view.seat());
        let held = others.map(|seat| {
            let shown = view.shown(seat);
            let hidden = f32::from(view.hand_size(seat) - shown.total());
            f32::from(shown.count(colour) + shown.locomotives()) + hidden * share
        });
        held.fold(0.0, f32::max) + 1.0
    }

    /// The value of another seat's loss of a row.
    fn robbery(&self, cards: u8) -> f32 {
        let moving = f32::from(cards).min(self.turns + 1.0);
        self.weights.rob * moving / (self.view.game().seats() - 1) as f32
    }

    /// Considers the three single cards with the greatest value.
    fn three(&self, consider: &mut impl FnMut(f32, Action)) {
        let view = self.view;
        let taken = view.rows(view.seat()) + rows_against(view);
        // Best first; of equal ones the earlier colour.
        let mut best: ArrayVec<(f32, CardKind), 3> = ArrayVec::new();
        for (colour, _) in view.hand().colours().filter(|&(colour, _)| taken.count(colour) == 0) {
            let worth = self.single(colour);
            let place = best.iter().position(|&(other, _)| worth > other).unwrap_or(best.len());
            if place < best.capacity() {
                best.truncate(2);
                best.insert(place, (worth, colour));
            }
        }
        if let [(a, one), (b, two), (c, three)] = best[..] {
            let mut colours = [one, two, three];
            colours.sort_unstable();
            consider(a + b + c, Action::PlayThree(colours));
        }
    }

    /// The gain of a card by itself, minus the loss of the rest of its colour, which becomes a smaller row.
    fn single(&self, colour: CardKind) -> f32 {
        let others = self.view.hand().count(colour) - 1;
        self.price(colour, 0) * (self.turns.min(1.0) - self.hold)
            - self.weights.pair * f32::from(others) * self.hold
    }

    // --- tickets ---

    /// Number of circles that future cards may fill.
    fn to_come(&self) -> f32 {
        let deck = f32::from(self.view.deck_size());
        let in_time = ((self.turns - 2.0) / self.weights.late).clamp(0.0, 1.0);
        self.weights.appetite * in_time * deck / self.view.game().seats() as f32
    }

    /// Cards that tickets can count on: those on the track stack or on their way, and those of the hand if
    /// there is time.
    fn supply(&self) -> Cards {
        if self.turns >= 2.0 { self.sure + self.view.hand() } else { self.sure }
    }

    /// The value of drawing tickets: high if there are cards for them.
    fn ticket_draw(&self) -> f32 {
        let supply = self.supply();
        let missing = self.asked.saturating_sub(supply).total();
        let spare = supply.saturating_sub(self.asked).total();
        // Half the spare cards have a colour that a new ticket asks for.
        let slack = self.to_come() + 0.5 * f32::from(spare) - f32::from(missing);
        self.weights.tickets * (slack / 8.0).min(1.0)
    }

    /// Keeps tickets one by one, the best value per missing card first, as long as there may be cards for
    /// them.
    fn keep(&self) -> Action {
        let view = self.view;
        let tickets = view.game().tickets();
        let supply = self.supply();
        let room = f32::from(supply.locomotives()) + self.to_come();
        let short = |asked: Cards| f32::from(asked.saturating_sub(supply).total());
        let mut asked = self.asked;
        let mut kept = TicketSet::EMPTY;
        loop {
            let fits = |ticket: &Ticket| short(with_circles(asked, ticket.circles)) <= room;
            let value = |ticket: &Ticket| {
                let more = short(with_circles(asked, ticket.circles)) - short(asked);
                let points = f32::from(ticket.points) + self.weights.city * f32::from(ticket.city_points);
                // A card that is there anyway could serve another ticket.
                points / (more + 0.5 * (f32::from(ticket.circles.total()) - more) + 0.5)
            };
            let rest = (view.offered() - kept).into_iter();
            let must = kept.is_empty() && view.phase() == Phase::Opening;
            let open = rest.filter(|id: &TicketId| must || fits(&tickets[id.index()]));
            let best = open.max_by(|a, b| value(&tickets[a.index()]).total_cmp(&value(&tickets[b.index()])));
            let Some(ticket) = best else { break };
            kept.insert(ticket);
            asked = with_circles(asked, tickets[ticket.index()].circles);
        }
        mask_of(view, kept)
    }
}

/// The cards of the seat's own yard that reach the track stack within this many turns.
fn moving(view: &Observation<'_>, turns: u8) -> Cards {
    let seat = view.seat();
    view.rows(seat).colours().fold(Cards::EMPTY, |all, (colour, _)| {
        let (cards, locomotives) = view.row(seat, colour);
        let first = locomotives.min(turns);
        all + Cards::of(CardKind::Locomotive, first) + Cards::of(colour, cards.min(turns - first))
    })
}
