//! Checks on tickets: that they can be completed, and that there are enough to deal.

use std::collections::{BTreeMap, BTreeSet};

use super::{Check, good_name, pair};
use crate::spec::problem::{quoted, suggest};
use crate::spec::{MAX_LENGTH, MAX_OPENING_STEPS, MAX_PILES, REGULAR};
use crate::spec::{RulesSpec, TicketSpecRules, Unkept};

/// Most points of all tickets together: with everything else a score then fits its 16 bits, won or lost.
const MAX_POINTS: u32 = 15_900;
/// Most tickets to choose among at once.
const MAX_CHOICE: u32 = 8;
/// The values of `base_tickets` that are not tags.
const NO_TAGS: [&str; 2] = ["all", "none"];

impl Check<'_> {
    pub(super) fn tickets(&mut self) {
        let rules_if = |keys: &[&str]| self.draft.rules.as_ref().filter(|_| self.draft.relies_on(keys));
        let reach = rules_if(&["trains", "stations"]).filter(|rules| rules.trains > 0).map(reach);
        let has_points = rules_if(&["journey"]).is_some_and(|rules| rules.journey.is_none());
        let rules = rules_if(&["tickets", "journey"]);
        let whole = self.is_whole();
        let mut seen = BTreeMap::new();
        for (index, ticket) in self.draft.tickets.iter().enumerate() {
            let at = self.tree.at_item("tickets", index);
            let what = format!("ticket {}", quoted(&format!("{}-{}", ticket.from, ticket.to)));
            let good = self.ends(self.tree.at_item("tickets", index), &what, [&ticket.from, &ticket.to]);
            let trains = self.trains_between(&ticket.from, &ticket.to);
            let mut add =
                |message: &str, hint: String| self.problems.add(at, format!("{what}: {message}"), hint);
            if good && whole {
                match (trains, &reach) {
                    (None, _) => {
                        add(
                            "nobody can complete it: no routes join the cities",
                            "add a route, or remove it".to_owned(),
                        );
                    }
                    (Some(trains), Some((reach, from))) if trains > *reach => {
                        add(&format!("nobody can complete it: it takes {trains} trains"), from.clone());
                    }
                    _ => {}
                }
            }
            if ticket.points == 0 && has_points {
                add(
                    "it has no points",
                    "give points = ...; only journey games have tickets without".to_owned(),
                );
            }
            if let Err(hint) = good_name(&ticket.deck, &[]) {
                add(&format!("the deck {} can't be used", quoted(&ticket.deck)), hint);
            }
            for tag in &ticket.tags {
                if NO_TAGS.contains(&tag.as_str()) {
                    add(
                        &format!("the tag {tag:?} can't be used"),
                        "base_tickets has its own use for it".to_owned(),
                    );
                } else if let Err(hint) = good_name(tag, &[]) {
                    add(&format!("the tag {} can't be used", quoted(tag)), hint);
                }
            }
            let facts = (pair(&ticket.from, &ticket.to), ticket.points, &ticket.deck);
            if let Some(first) = seen.insert(facts, at) {
                let first = if first.file == at.file {
                    format!("line {}", first.line)
                } else {
                    "the base".to_owned()
                };
                add("the same ticket is there twice", format!("the first is in {first}: remove one"));
            }
        }
        let points: u32 = self.draft.tickets.iter().map(|ticket| u32::from(ticket.points)).sum();
        if points > MAX_POINTS {
            let message = format!("tickets: {points} points together are too many");
            self.problems.add(
                self.tree.at(&["tickets"]),
                message,
                format!("at most {MAX_POINTS} are possible"),
            );
        }
        if let Some(rules) = rules
            && !self.draft.damage.tickets
        {
            self.piles(rules);
        }
    }

    /// Whether the opening can be dealt, and every ticket can come into play.
    fn piles(&mut self, rules: &RulesSpec) {
        let mut piles: BTreeMap<&str, u32> = BTreeMap::new();
        for ticket in &self.draft.tickets {
            *piles.entry(&ticket.deck).or_default() += 1;
        }
        if piles.len() > MAX_PILES {
            let message = format!("{} different decks are too many", piles.len());
            self.problems.add(
                self.tree.at(&["tickets"]),
                message,
                format!("at most {MAX_PILES} are possible"),
            );
        } else if piles.len() == MAX_PILES && !piles.contains_key(REGULAR) {
            let message = format!("{MAX_PILES} different decks in addition to {REGULAR:?} are too many");
            let hint = format!("at most {MAX_PILES} are possible, {REGULAR:?} being one of them");
            self.problems.add(self.tree.at(&["tickets"]), message, hint);
        }
        let at = self.tree.at(&["rules", "tickets", "opening"]);
        let steps = &rules.tickets.opening;
        let seats = self.draft.seats.map_or(2, |seats| seats.max);
        for (&pile, &count) in &piles {
            let dealt: u32 = steps
                .iter()
                .flat_map(|step| &step.deal)
                .filter(|deal| deal.deck == pile)
                .map(|deal| u32::from(deal.count))
                .sum();
            let needed = dealt * u32::from(seats);
            if needed > count {
                let message = format!(
                    "rules.tickets.opening: {seats} seats are dealt {needed} tickets of deck {}, and there are {count}",
                    quoted(pile)
                );
                self.problems.add(at, message, "deal fewer, add tickets, or lower seats.max");
            }
        }
        let names: BTreeSet<_> = piles.keys().copied().collect();
        for deal in steps.iter().flat_map(|step| &step.deal) {
            if !names.contains(deal.deck.as_str()) {
                let message = format!("rules.tickets.opening: no ticket has the deck {}", quoted(&deal.deck));
                let hint = suggest(&deal.deck, names.iter().copied(), "decks of the tickets");
                self.problems.add(at, message, hint);
            }
        }
        let drawn = rules.tickets.draw > 0 || rules.journey.is_some();
        let in_play = |pile: &str| {
            pile == REGULAR && drawn || steps.iter().flat_map(|step| &step.deal).any(|deal| deal.deck == pile)
        };
        for (index, ticket) in self.draft.tickets.iter().enumerate() {
            let first = self.draft.tickets.iter().position(|other| other.deck == ticket.deck) == Some(index);
            if first && !in_play(&ticket.deck) {
                let message = format!(
                    "ticket {}: its deck {} is never dealt or drawn",
                    quoted(&format!("{}-{}", ticket.from, ticket.to)),
                    quoted(&ticket.deck)
                );
                let hint = format!("deal from it in rules.tickets.opening, or use deck = {REGULAR:?}");
                self.problems.add(self.tree.at_item("tickets", index), message, hint);
            }
        }
    }

    /// The numbers of the ticket rules.
    pub(super) fn ticket_rules(&mut self, tickets: &TicketSpecRules) {
        let at = self.tree.at(&["rules", "tickets", "opening"]);
        if !(1..=MAX_OPENING_STEPS).contains(&tickets.opening.len()) {
            let message = format!("rules.tickets.opening: {} deals are not possible", tickets.opening.len());
            self.problems.add(at, message, format!("there are 1 to {MAX_OPENING_STEPS}"));
        }
        let decks = tickets.opening.iter().flat_map(|step| &step.deal).map(|deal| deal.deck.as_str());
        if tickets.unkept_opening == Unkept::Bottom
            && decks.collect::<BTreeSet<_>>().iter().any(|&deck| deck != REGULAR)
        {
            // The number put under the deck would reveal from which pile a seat has kept its tickets.
            let message = format!("rules.tickets.unkept_opening: only {REGULAR:?} tickets go under the deck");
            let hint = format!("say \"box\", or deal {REGULAR:?} tickets only");
            self.problems.add(self.tree.at(&["rules", "tickets", "unkept_opening"]), message, hint);
        }
        // Who has kept as little as possible so far, has this many.
        let mut held = 0;
        for (number, step) in tickets.opening.iter().enumerate() {
            let mut add = |message: String, hint: &str| {
                self.problems.add(at, format!("rules.tickets.opening[{number}]: {message}"), hint);
            };
            let dealt: u32 = step.deal.iter().map(|deal| u32::from(deal.count)).sum();
            let keep: u32 = step
                .deal
                .iter()
                .map(|deal| u32::from(deal.keep_max.unwrap_or(deal.count).min(deal.count)))
                .sum();
            let due = u32::from(step.hold).saturating_sub(held);
            let decks: BTreeSet<_> = step.deal.iter().map(|deal| &deal.deck).collect();
            if decks.len() < step.deal.len() {
                add("a deck is named twice".to_owned(), "name each once, with the sum as its count");
            }
            if step.deal.iter().any(|deal| deal.count == 0) || step.deal.is_empty() {
                add("it deals no ticket".to_owned(), "give a count of at least 1, or leave it out");
            }
            if step.deal.iter().any(|deal| deal.keep_max > Some(deal.count)) {
                add("keep_max is more than is dealt".to_owned(), "lower keep_max, or leave it out");
            }
            if dealt > MAX_CHOICE {
                let hint = format!("a seat can choose among at most {MAX_CHOICE}");
                add(format!("it deals {dealt} tickets at once"), &hint);
            }
            if due > dealt {
                let message =
                    format!("a seat with {held} tickets that is dealt {dealt} can't hold {}", step.hold);
                add(message, "lower hold, or deal more");
            } else if due > keep {
                let message =
                    format!("a seat with {held} tickets that may keep {keep} can't hold {}", step.hold);
                add(message, "lower hold, or raise keep_max");
            }
            held = held.max(step.hold.into());
        }
        if tickets.keep > tickets.draw {
            let message =
                format!("rules.tickets: {} of {} drawn tickets can't be kept", tickets.keep, tickets.draw);
            self.problems.add(
                self.tree.at(&["rules", "tickets", "keep"]),
                message,
                "keep must be at most draw",
            );
        }
        if u32::from(tickets.draw) > MAX_CHOICE {
            let message = format!("rules.tickets: drawing {} tickets at once is too much", tickets.draw);
            let hint = format!("a seat can choose among at most {MAX_CHOICE}");
            self.problems.add(self.tree.at(&["rules", "tickets", "draw"]), message, hint);
        }
    }
}

/// The greatest distance that a seat can cover: with its own trains, and with routes that its stations
/// borrow.
fn reach(rules: &RulesSpec) -> (u32, String) {
    let stations = rules.stations.as_ref().map_or(0, |stations| stations.per_seat);
    let borrowed = u32::from(stations) * u32::from(MAX_LENGTH);
    let hint = match stations {
        0 => format!("a seat has {}", rules.trains),
        _ => format!("a seat has {}, and {stations} stations to borrow routes", rules.trains),
    };
    (u32::from(rules.trains) + borrowed, hint)
}
