//! Text notation for actions of the Card Game. [`Action`] lists the texts.

use crate::card_game::action::{Action, Phase};
use crate::card_game::compile::CardGame;
use crate::card_game::state::State;
use crate::notation::{
    Notation, NotationError, SeenAction, counted, find_name, parse_counted, parse_keep, parse_kind,
    write_keep,
};
use crate::pieces::{CardKind, TicketId};

impl Notation for CardGame {
    fn map_id(&self) -> &str {
        &self.spec.id
    }

    fn rules_hash(&self) -> u64 {
        self.rules_hash()
    }

    fn seen_by_others(&self, state: &State, action: Action) -> SeenAction<Action> {
        match action {
            Action::Keep(choice) => {
                let secret = state.phase == Phase::Opening; // CG-2
                SeenAction::Keep((!secret).then(|| choice.count_ones() as u8))
            }
            Action::Complete(_) | Action::StopCompleting => SeenAction::Complete,
            open => SeenAction::Open(open),
        }
    }

    fn write_action(&self, state: &State, action: Action) -> String {
        match action {
            Action::Keep(choice) => write_keep(state.tickets.chosen(choice).unwrap_or_default(), |ticket| {
                self.ticket_name(ticket)
            }),
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
        let rest = rest.trim();
        match (&*verb.to_lowercase(), &*rest.to_lowercase()) {
            ("tickets", "") => Ok(Action::DrawTickets),
            ("pass", "") => Ok(Action::Pass),
            ("stop", "") => Ok(Action::StopDrawing),
            ("take", "blind") => Ok(Action::TakeBlind),
            ("take", _) => Ok(Action::TakeFaceUp(parse_kind(rest)?)),
            ("keep", "none") => Ok(Action::Keep(0)),
            ("keep", _) => {
                let choice = parse_keep(state.tickets.offered(), rest, |ticket| self.ticket_name(ticket))?;
                Ok(Action::Keep(choice))
            }
            ("play", _) => parse_play(rest),
            ("complete", "no more") => Ok(Action::StopCompleting),
            ("complete", _) => Ok(Action::Complete(self.parse_ticket(rest)?)),
            _ => NotationError::not_understood(
                text,
                "is not understood; an action starts with keep, take, stop, play, tickets, complete or pass",
            ),
        }
    }
}

impl CardGame {
    /// The name of a ticket: its cities, and a number if other tickets join the same two.
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

    /// Parses the name of a ticket.
    ///
    /// # Errors
    /// If no ticket has this name.
    pub fn parse_ticket(&self, name: &str) -> Result<TicketId, NotationError> {
        let names: Vec<_> = self.ticket_ids().map(|ticket| self.ticket_name(ticket)).collect();
        let found = find_name(names.iter().map(String::as_str), name);
        found.map_or_else(|| NotationError::unknown("ticket", name), |index| Ok(TicketId::new(index)))
    }
}

fn parse_play(text: &str) -> Result<Action, NotationError> {
    if text.contains(',') {
        let mut colours =
            text.split(',').map(|name| parse_kind(name.trim())).collect::<Result<Vec<_>, _>>()?;
        colours.sort();
        return match colours.try_into() {
            Ok(colours) => Ok(Action::PlayThree(colours)),
            Err(_) => NotationError::not_understood(text, "does not name three colours"),
        };
    }
    let (row, locomotives) = match text.split_once('+') {
        None => (text, 0),
        Some((row, rest)) => match parse_counted(rest.trim()) {
            Some((n, what)) if what == "locomotive" => (row, n),
            _ => return NotationError::not_understood(rest.trim(), "is not a number of locomotives"),
        },
    };
    match row.trim().split_once(' ').map(|(n, colour)| (n.parse(), colour.trim())) {
        Some((Ok(cards), colour)) => Ok(Action::PlayRow { colour: parse_kind(colour)?, cards, locomotives }),
        _ => NotationError::not_understood(text, "is not understood; say \"play 3 green + 1 locomotive\""),
    }
}
