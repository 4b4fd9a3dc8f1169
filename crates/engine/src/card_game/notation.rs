//! Actions of the Card Game as text.
//!
//! | text | action |
//! |---|---|
//! | `keep Chicago-Dallas, Seattle-Denver` | keep these of the offered tickets (`keep none`) |
//! | `take red`, `take locomotive`, `take blind`, `stop` | take a card, or no second one |
//! | `play 3 green`, `play 2 green + 2 locomotives` | play a row |
//! | `play purple, blue, red` | play three colours |
//! | `tickets`, `pass` | draw tickets, do nothing |
//! | `complete Seattle-Denver`, `complete no more` | choose tickets to complete |

use crate::card::CardKind;
use crate::card_game::action::Action;
use crate::card_game::compile::CardGame;
use crate::card_game::state::State;
use crate::id::TicketId;
use crate::notation::{Notation, NotationError, counted, error, parse_counted, parse_kind};

impl Notation for CardGame {
    fn map_id(&self) -> &str {
        &self.spec.id
    }

    fn rules_hash(&self) -> u64 {
        self.rules_hash()
    }

    fn write_action(&self, state: &State, action: Action) -> String {
        match action {
            Action::Keep(choice) => match self.chosen(state, choice) {
                Some(kept) if !kept.is_empty() => {
                    let names: Vec<_> = kept.into_iter().map(|ticket| self.ticket_name(ticket)).collect();
                    format!("keep {}", names.join(", "))
                }
                _ => "keep none".to_owned(),
            },
            Action::TakeBlind => "take blind".to_owned(),
            Action::TakeFaceUp(kind) => format!("take {kind}"),
            Action::StopDrawing => "stop".to_owned(),
            Action::PlayRow { colour, cards, locomotives: 0 } => format!("play {cards} {colour}"),
            Action::PlayRow { colour, cards, locomotives } => {
                format!("play {cards} {colour} + {}", counted(locomotives, "locomotive"))
            }
            Action::PlayThree(colours) => format!("play {}", colours.map(CardKind::name).join(", ")),
            Action::DrawTickets => "tickets".to_owned(),
            Action::Complete(ticket) => format!("complete {}", self.ticket_name(ticket)),
            Action::StopCompleting => "complete no more".to_owned(),
            Action::Pass => "pass".to_owned(),
        }
    }

    fn parse_action(&self, state: &State, text: &str) -> Result<Action, NotationError> {
        let text = text.trim();
        let (verb, rest) = text.split_once(' ').unwrap_or((text, ""));
        match (verb, rest.trim()) {
            ("tickets", "") => Ok(Action::DrawTickets),
            ("pass", "") => Ok(Action::Pass),
            ("stop", "") => Ok(Action::StopDrawing),
            ("take", "blind") => Ok(Action::TakeBlind),
            ("take", kind) => Ok(Action::TakeFaceUp(parse_kind(kind)?)),
            ("keep", "none") => Ok(Action::Keep(0)),
            ("keep", names) => self.parse_keep(state, names),
            ("play", cards) => parse_play(cards),
            ("complete", "no more") => Ok(Action::StopCompleting),
            ("complete", name) => Ok(Action::Complete(self.parse_ticket(name)?)),
            _ => error(format!(
                "\"{text}\" is not understood; an action starts with keep, take, stop, play, tickets, complete or pass"
            )),
        }
    }
}

impl CardGame {
    /// The name of a ticket: its cities, and a number if others join the same two.
    pub fn ticket_name(&self, ticket: TicketId) -> String {
        let ends = &self.tickets[ticket.index()].ends;
        let [from, to] = ends;
        let joins = |other: &[String; 2]| other == ends || other[0] == *to && other[1] == *from;
        let same = self.tickets.iter().filter(|other| joins(&other.ends)).count();
        if same == 1 {
            return format!("{from}-{to}");
        }
        let earlier = self.tickets[..ticket.index()].iter().filter(|other| joins(&other.ends)).count();
        format!("{from}-{to}/{}", earlier + 1)
    }

    /// The ticket of a name.
    ///
    /// # Errors
    /// If there is none.
    pub fn parse_ticket(&self, name: &str) -> Result<TicketId, NotationError> {
        let mut all = (0..self.tickets.len()).map(|index| TicketId(index as u8));
        match all.find(|&ticket| self.ticket_name(ticket) == name) {
            Some(ticket) => Ok(ticket),
            None => error(format!("there is no ticket \"{name}\"")),
        }
    }

    fn parse_keep(&self, state: &State, names: &str) -> Result<Action, NotationError> {
        let mut choice = 0;
        for name in names.split(',').map(str::trim) {
            let offered = (0..8).filter_map(|i| Some((i, self.offered_ticket(state, i)?)));
            match offered.clone().find(|&(_, ticket)| self.ticket_name(ticket) == name) {
                Some((i, _)) => choice |= 1 << i,
                None => {
                    let known: Vec<_> = offered.map(|(_, ticket)| self.ticket_name(ticket)).collect();
                    return error(format!("\"{name}\" is not offered; these are: {}", known.join(", ")));
                }
            }
        }
        Ok(Action::Keep(choice))
    }
}

fn parse_play(text: &str) -> Result<Action, NotationError> {
    if text.contains(',') {
        let mut colours =
            text.split(',').map(|name| parse_kind(name.trim())).collect::<Result<Vec<_>, _>>()?;
        colours.sort();
        return match colours.try_into() {
            Ok(colours) => Ok(Action::PlayThree(colours)),
            Err(_) => error(format!("\"play {text}\" does not name three colours")),
        };
    }
    let (row, locomotives) = match text.split_once('+') {
        None => (text, 0),
        Some((row, rest)) => match parse_counted(rest.trim()) {
            Some((n, "locomotive")) => (row, n),
            _ => return error(format!("\"{}\" is not a number of locomotives", rest.trim())),
        },
    };
    match row.trim().split_once(' ').map(|(n, colour)| (n.parse(), colour.trim())) {
        Some((Ok(cards), colour)) => Ok(Action::PlayRow { colour: parse_kind(colour)?, cards, locomotives }),
        _ => error(format!("\"play {text}\" is not understood; say \"play 3 green + 1 locomotive\"")),
    }
}
