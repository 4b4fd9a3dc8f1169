//! Checks on the rules: numbers in their ranges, and no two rules against each other.

use std::collections::BTreeSet;

use super::Check;
use crate::pieces::{CardKind, Cards, MAX_SEATS};
use crate::spec::problem::{quoted, quoted_list};
use crate::spec::{FirstSeat, JourneySpec, RulesSpec};
use crate::spec::{MAX_DEPOTS, MAX_LENGTH, MAX_STATIONS, REGULAR};

/// Most trains of a seat.
const MAX_TRAINS: u8 = 60;
/// Most face-up cards.
const MAX_MARKET: u8 = 5;
/// Most cards that a tunnel can reveal, or that stand for one space of a ferry.
const MAX_CARDS: u8 = 9;

impl Check<'_> {
    pub(super) fn seats(&mut self) {
        let Some(seats) = self.draft.seats else {
            return;
        };
        let at = self.tree.at(&["seats"]);
        if seats.min > seats.max {
            let message = format!("seats: there can't be {} at least and {} at most", seats.min, seats.max);
            self.problems.add(at, message, "min must be at most max");
        }
        for (key, value) in [("min", seats.min), ("max", seats.max)] {
            if !(2..=MAX_SEATS as u8).contains(&value) {
                let message = format!("seats.{key}: {value} seats are not possible");
                self.problems.add(
                    self.tree.at(&["seats", key]),
                    message,
                    format!("from 2 to {MAX_SEATS} can play"),
                );
            }
        }
    }

    pub(super) fn rules(&mut self) {
        let Some(rules) = &self.draft.rules else {
            return;
        };
        self.numbers(rules);
        self.deck(rules);
        self.draw(rules);
        self.claim(rules);
        if self.draft.relies_on(&["tickets"]) {
            self.ticket_rules(&rules.tickets);
        }
        self.ending(rules);
        if let Some(journey) = &rules.journey {
            self.journey(journey);
        }
    }

    /// Adds a problem with a rule, unless the rule is damaged, and its value not the one in the file.
    fn add(&mut self, path: &[&str], message: String, hint: impl Into<String>) {
        if path.get(1).is_some_and(|key| !self.draft.relies_on(&[key])) {
            return;
        }
        self.problems.add(self.tree.at(path), format!("{}: {message}", path.join(".")), hint);
    }

    fn range(&mut self, path: &[&str], value: u8, [min, max]: [u8; 2]) {
        if !(min..=max).contains(&value) {
            self.add(path, format!("{value} is not possible"), format!("it must be from {min} to {max}"));
        }
    }

    fn numbers(&mut self, rules: &RulesSpec) {
        self.range(&["rules", "trains"], rules.trains, [1, MAX_TRAINS]);
        if let Some(tunnels) = &rules.tunnels {
            self.range(&["rules", "tunnels", "reveal"], tunnels.reveal, [1, MAX_CARDS]);
        }
        if let Some(sets) = &rules.ferry_sets {
            self.range(&["rules", "ferry_sets", "cards"], sets.cards, [1, MAX_CARDS]);
        }
        if let Some(stations) = &rules.stations {
            self.range(&["rules", "stations", "per_seat"], stations.per_seat, [1, MAX_STATIONS as u8]);
        }
        if let Some(depots) = &rules.depots {
            self.range(&["rules", "depots", "per_seat"], depots.per_seat, [1, MAX_DEPOTS as u8]);
            if rules.draw.market == 0 {
                let message = "they need face-up cards to draw from".to_owned();
                self.add(&["rules", "depots"], message, "set rules.draw.market, or depots = false");
            }
            let (cities, seats) = (self.draft.cities.len(), self.draft.seats.map_or(2, |seats| seats.max));
            if cities < seats.into() && !self.draft.damage.cities {
                let message = format!("{cities} cities are too few for the first depots of {seats} seats");
                self.add(&["rules", "depots"], message, "add cities, lower seats.max, or depots = false");
            }
        }
        if let (FirstSeat::Seat(number), Some(seats)) = (rules.first_seat, self.draft.seats)
            && !(1..=seats.max).contains(&number)
        {
            let hint = format!("seats are counted from 1 to {}", seats.max);
            self.add(&["rules", "first_seat"], format!("there is no seat {number}"), hint);
        }
        let ties = &rules.tie_breaks;
        if (1..ties.len()).any(|i| ties[..i].contains(&ties[i])) {
            self.add(&["rules", "tie_breaks"], "one of them is there twice".to_owned(), "name each once");
        }
    }

    fn deck(&mut self, rules: &RulesSpec) {
        let counts = rules.deck.counts();
        for kind in CardKind::ALL {
            let count = counts[kind.index()];
            if count > Cards::MAX_OF_KIND {
                let hint = format!("at most {} of a kind are possible", Cards::MAX_OF_KIND);
                self.add(&["rules", "deck", kind.name()], format!("{count} cards are too many"), hint);
            }
        }
        let total: u16 = counts.iter().copied().map(u16::from).sum();
        if total > Cards::MAX_TOTAL.into() {
            let hint = format!("at most {} are possible", Cards::MAX_TOTAL);
            self.add(&["rules", "deck"], format!("{total} cards are too many"), hint);
        }
        let seats = self.draft.seats.map_or(2, |seats| seats.max);
        let needed = u16::from(rules.opening_hand) * u16::from(seats) + u16::from(rules.draw.market);
        if total < needed && self.draft.relies_on(&["opening_hand", "draw"]) {
            let message = format!("{total} cards are too few for the hands of {seats} seats and the market");
            self.add(&["rules", "deck"], message, format!("at least {needed} are needed"));
        }
    }

    fn draw(&mut self, rules: &RulesSpec) {
        let draw = &rules.draw;
        self.range(&["rules", "draw", "market"], draw.market, [0, MAX_MARKET]);
        if draw.flush_at > draw.market {
            let message = format!("{} of {} face-up cards can't be locomotives", draw.flush_at, draw.market);
            self.add(&["rules", "draw", "flush_at"], message, "it must be at most market; 0 = never flush");
        }
        if draw.flush_at > 0 && draw.max_flushes == 0 {
            let message = "the market can't be flushed 0 times".to_owned();
            self.add(
                &["rules", "draw", "max_flushes"],
                message,
                "give at least 1, or flush_at = 0 for no flushes",
            );
        }
    }

    fn claim(&mut self, rules: &RulesSpec) {
        let never = MAX_SEATS as u8 + 1;
        self.range(&["rules", "claim", "both_tracks_from"], rules.claim.both_tracks_from, [2, never]);
        for length in rules.claim.points.keys() {
            if !(1..=MAX_LENGTH).any(|known| known.to_string() == *length) {
                let message = format!("{} is not a length", quoted(length));
                let hint = format!("lengths go from 1 to {MAX_LENGTH}");
                self.add(&["rules", "claim", "points"], message, hint);
            }
        }
    }

    fn ending(&mut self, rules: &RulesSpec) {
        match (&rules.end, &rules.journey) {
            (None, None) if self.draft.relies_on(&["end", "journey"]) => {
                let hint = "add [rules.end] with trains_at_most = 2, or [rules.journey]";
                self.add(&["rules"], "nothing ends the game".to_owned(), hint);
            }
            (Some(_), Some(_)) => {
                let hint = "leave out one of them; a variant takes away its base's by end = false";
                self.add(&["rules", "journey"], "end is there too".to_owned(), hint);
            }
            (Some(end), None)
                if end.trains_at_most >= rules.trains
                    && rules.trains > 0
                    && self.draft.relies_on(&["trains"]) =>
            {
                let message =
                    format!("a seat starts with {} trains: the first turn would end it", rules.trains);
                self.add(&["rules", "end", "trains_at_most"], message, "give a smaller number");
            }
            _ => {}
        }
    }

    fn journey(&mut self, journey: &JourneySpec) {
        let draft = self.draft;
        let rules = draft.rules.as_ref();
        if rules.is_some_and(|rules| rules.stations.is_some()) {
            let message = "a journey has no final scoring in which they could count".to_owned();
            self.add(&["rules", "stations"], message, "leave out stations; in a variant, stations = false");
        }
        if rules.is_some_and(|rules| rules.depots.is_some()) {
            let message = "a journey has no points for them".to_owned();
            self.add(&["rules", "depots"], message, "leave out depots; in a variant, depots = false");
        }
        if rules.is_some_and(|rules| rules.bonus.longest_path > 0 || rules.bonus.most_tickets > 0) {
            self.add(
                &["rules", "bonus"],
                "a journey has no points".to_owned(),
                "leave out bonus; in a variant, bonus = false",
            );
        }
        if let Some(tickets) = rules.map(|rules| &rules.tickets) {
            let deals: Vec<_> = tickets.opening.iter().flat_map(|step| &step.deal).collect();
            if tickets.opening.len() > 1 || deals.iter().any(|deal| deal.deck != REGULAR) {
                let hint = "give one deal from the deck \"regular\"";
                self.add(&["rules", "tickets", "opening"], "a journey deals once".to_owned(), hint);
            }
            if tickets.draw > 0 {
                let message = "a journey swaps tickets instead of drawing them".to_owned();
                self.add(&["rules", "tickets", "draw"], message, "leave out draw; in a variant, draw = 0");
            }
        }
        let most = draft.tickets.len() + usize::from(journey.bonus_between.is_some());
        let to_win = usize::from(journey.tickets_to_win);
        if to_win == 0 || to_win > most && !draft.damage.tickets {
            let message = format!("nobody can win by {to_win} tickets");
            self.add(
                &["rules", "journey", "tickets_to_win"],
                message,
                format!("it must be from 1 to {most}"),
            );
        }
        let Some(between) = &journey.bonus_between else {
            return;
        };
        let sides = [("one", &between.one), ("other", &between.other)];
        for (side, names) in sides {
            let path = ["rules", "journey", "bonus_between", side];
            if names.is_empty() {
                self.add(&path, "there is no city".to_owned(), "name one at least");
            }
            for name in names.iter().filter(|_| !draft.damage.cities) {
                if self.known_city(name).is_none() {
                    let hint = self.city_hint(name);
                    self.add(&path, format!("there is no city {}", quoted(name)), hint);
                }
            }
        }
        let [one, other] = sides.map(|(_, names)| names.iter().map(String::as_str).collect::<BTreeSet<_>>());
        let both: Vec<_> = one.intersection(&other).copied().collect();
        if !both.is_empty() {
            let message = format!("{} on both sides", quoted_list(both));
            self.add(&["rules", "journey", "bonus_between"], message, "a city can be on one side only");
        }
    }
}
