//! Value of claims, and answers to their follow-up questions.

use ttr_engine::board::{Action, Observation};
use ttr_engine::{CardKind, RouteId, Seat};

use crate::planner::Planner;
use crate::planner::atlas::PricedRoute;
use crate::planner::cards::GreyPayments;

/// Properties that all claims of a turn share.
pub(super) struct Mood {
    /// There is little time left for the plan.
    hurried: bool,
    /// The value of tickets for each planned route.
    share: f64,
    /// The seat's lead, as far as the view shows it.
    lead: f64,
}

impl Planner {
    /// Value of claiming a route now, relative to drawing cards; `None` if it is no more than `best`, or if
    /// the hand cannot pay.
    pub(super) fn better_claim(
        &self,
        view: &Observation<'_>,
        route: RouteId,
        mood: &Mood,
        best: f64,
        grey: &mut GreyPayments,
    ) -> Option<(f64, Action)> {
        let w = &self.weights;
        let hurried = mood.hurried;
        let track = self.atlas.priced(route);
        let hand = view.hand();
        let planned = |route: RouteId| self.plan.routes.contains(route);
        let is_planned = planned(route) || track.twin.is_some_and(planned);
        if !is_planned && hurried && track.length() + self.plan.trains > view.trains(view.seat()) {
            return None; // the plan needs these trains
        }
        let worth = |harm: f64, rivals: usize, spoils: f64| {
            let mut worth = w.ready - harm;
            if is_planned {
                worth += w.contest * f64::from(track.detour) * (1.0 + w.rivals * rivals as f64);
                if hurried {
                    worth += w.share * mood.share + f64::from(track.points);
                }
            } else if hurried {
                worth += f64::from(track.points) - w.pointless;
            }
            if w.block > 0.0 && self.atlas.seats == 2 {
                worth += w.block * spoils;
            }
            let left = view.trains(view.seat()) - track.length();
            if left <= self.atlas.rules.end_trains && view.final_turns().is_none() {
                worth += w.finish * mood.lead.clamp(0.0, 30.0) / 10.0;
            }
            worth
        };
        // Most routes would not be claimed even if they were free and all other seats wanted them.
        if worth(0.0, self.atlas.seats - 1, f64::from(track.detour)) <= best {
            return None;
        }
        let (rivals, spoils) = (self.rivals(view, track), self.spoils(view, track));
        if worth(0.0, rivals, spoils) <= best {
            return None;
        }
        let (payment, harm) = self.needs.pay(&self.atlas, w, hand, route, grey)?;
        if track.tunnel && !hurried {
            let colour = payment.colour.map_or(0, |colour| hand.count(colour));
            let spare = colour + hand.locomotives() - track.length();
            if f64::from(spare) < w.tunnel_slack {
                return None;
            }
        }
        let worth = worth(harm, rivals, spoils);
        (worth > best).then_some((worth, Action::Claim { route, payment }))
    }

    /// Computes the properties that all claims of a turn share.
    pub(super) fn mood(&self, view: &Observation<'_>, hurried: bool) -> Mood {
        let share = 2.0 * self.points(self.plan.pursued) / self.plan.routes.len() as f64;
        Mood { hurried, share, lead: self.lead(view) }
    }

    /// Number of other seats that build where a route ends.
    fn rivals(&self, view: &Observation<'_>, track: &PricedRoute) -> usize {
        let near =
            self.atlas.at_city[usize::from(track.ends[0])] | self.atlas.at_city[usize::from(track.ends[1])];
        let others = Seat::all(self.atlas.seats).filter(|&seat| seat != view.seat());
        others.filter(|&seat| near.intersects(view.routes(seat))).count()
    }

    /// Harm to the other seat if it loses the route: trains of detour between two cities of its network.
    fn spoils(&self, view: &Observation<'_>, track: &PricedRoute) -> f64 {
        let other = view.routes(view.seat().next(self.atlas.seats));
        let near = |city: u8| self.atlas.at_city[usize::from(city)].intersects(other);
        if near(track.ends[0]) && near(track.ends[1]) { f64::from(track.detour) } else { 0.0 }
    }

    /// This seat's lead, as far as the view shows it.
    fn lead(&self, view: &Observation<'_>) -> f64 {
        let own = f64::from(view.points(view.seat())) + self.points(self.plan.completed)
            - self.points(self.plan.pursued | self.plan.given_up);
        let others = Seat::all(self.atlas.seats).filter(|&seat| seat != view.seat());
        let best = others
            .map(|seat| {
                let tickets = f64::from(view.ticket_count(seat).unwrap_or(2));
                f64::from(view.points(seat)) + self.weights.their_ticket * tickets
            })
            .fold(f64::MIN, f64::max);
        own - best
    }

    /// Pays a tunnel's surcharge unless it costs more than the route is worth.
    pub(super) fn pay_tunnel(&self, view: &Observation<'_>, extra: u8) -> Action {
        let Some((claim, ..)) = view.pending() else { return Self::any(view) };
        let hand = view.hand();
        let held = claim.payment.colour.map_or(0, |colour| hand.count(colour));
        let locomotives = extra.saturating_sub(held);
        if locomotives > hand.locomotives() {
            return Action::DeclineTunnel;
        }
        let points = f64::from(self.atlas.priced(claim.route).points);
        let late = self.turns_left(view) < 5.0;
        if !late && f64::from(extra + locomotives) > self.weights.tunnel_extra + points / 4.0 {
            return Action::DeclineTunnel;
        }
        Action::PayTunnel { locomotives }
    }

    /// Puts the cards that the plan needs least into substitute sets.
    pub(super) fn add_to_sets(&self, view: &Observation<'_>, kind: CardKind, due: u8) -> Action {
        let hand = view.hand();
        let later: u8 = CardKind::ALL[kind.index() + 1..].iter().map(|&kind| hand.count(kind)).sum();
        let (least, most) = (due.saturating_sub(later), due.min(hand.count(kind)));
        let spare = match kind {
            CardKind::Locomotive => 0,
            kind => hand.count(kind).saturating_sub(self.needs.asked[kind.index()]),
        };
        let count = spare.clamp(least, most);
        Action::AddToSets { kind, count }
    }
}
