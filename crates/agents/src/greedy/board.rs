//! Most points now, on boards.

use std::cmp::Reverse;

use ttr_engine::board::network::Components;
use ttr_engine::board::{Action, BoardGame, Observation, Phase};
use ttr_engine::{CardKind, CityId, Dice, RouteId, TicketId, View};

use crate::agent::{Agent, Forfeit};
use crate::board::{
    Options, Roads, any_open_ticket, best_claim, best_keep, best_station, habit, own_network, pay_tunnel,
    thrift, trains_needed,
};

/// Fewest trains with which new tickets are worth drawing.
const TRAINS_FOR_TICKETS: u8 = 10;

/// Claims the route that scores most points now.
#[derive(Clone, Debug)]
pub struct GreedyClaims {
    roads: Roads,
}

impl GreedyClaims {
    /// Creates an agent for a game.
    pub fn new(game: &BoardGame) -> Self {
        Self { roads: Roads::new(game) }
    }

    fn turn(&self, view: &Observation<'_>) -> Action {
        let network = own_network(view);
        let claim = best_claim(view, |claim| Some((worth(view, &network, claim.route), thrift(view, claim))));
        let claim_worth = claim.map_or(0, |claim| worth(view, &network, claim.route));
        if let Some((station_worth, station)) = best_station(view)
            && u32::from(station_worth) > claim_worth
        {
            return station;
        }
        if let Some(claim) = claim {
            return claim.action();
        }
        let options = Options::of(view);
        let time_for_tickets = view.trains(view.seat()) >= TRAINS_FOR_TICKETS && view.final_turns().is_none();
        if (options.swap || options.tickets && time_for_tickets) && !any_open_ticket(view, &self.roads) {
            return if options.swap { Action::SwapTickets } else { Action::DrawTickets };
        }
        let last_resort = || match options.tickets {
            true => Action::DrawTickets,
            false => view.nth_action(0).expect("a seat to move can do something"),
        };
        options.take(wanted_card(view, &options)).unwrap_or_else(last_resort)
    }
}

impl Agent<BoardGame> for GreedyClaims {
    fn choose(&mut self, view: &Observation<'_>, _: &mut Dice) -> Result<Action, Forfeit> {
        Ok(match view.phase() {
            Phase::Main => self.turn(view),
            Phase::FirstCard | Phase::SecondCard => {
                let options = Options::of(view);
                options.take(wanted_card(view, &options)).expect("a card can be taken")
            }
            Phase::Opening { .. } | Phase::Tickets => self.keep(view),
            Phase::Tunnel { .. } => {
                let (claim, ..) = view.pending().expect("a tunnel is being claimed");
                let length = view.game().routes()[claim.route.index()].length;
                // A surcharge above a third of the price is better spent elsewhere.
                pay_tunnel(view, |extra, _| 3 * extra <= length)
            }
            _ => habit(view).expect("habit decides the rest"),
        })
    }
}

impl GreedyClaims {
    /// Keeps the tickets that are worth most now: completed ones, then as few and as cheap others as
    /// possible, those with a path before those without.
    fn keep(&self, view: &Observation<'_>) -> Action {
        let network = own_network(view);
        let open = view.open_routes(view.seat());
        best_keep(view, |kept| {
            let points = |ticket: TicketId| {
                let ticket = view.game().ticket(ticket);
                let [a, b] = ticket.ends;
                let points = i32::from(ticket.points);
                if network.joined(a, b) { points } else { -points }
            };
            let hopeless =
                kept.into_iter().filter(|&ticket| trains_needed(view, &self.roads, ticket, open).is_none());
            (kept.into_iter().map(points).sum::<i32>(), Reverse(hopeless.count()))
        })
    }
}

/// The immediate value of a claim: the points of the route, and the value of tickets that it turns from
/// lost into won. In games without points, spaces count, and a ticket outweighs them all.
fn worth(view: &Observation<'_>, network: &Components, route: RouteId) -> u32 {
    let game = view.game();
    let [u, v] = game.route(route).ends;
    let completes = |[a, b]: [CityId; 2]| {
        !network.joined(a, b)
            && (network.joined(a, u) && network.joined(b, v) || network.joined(a, v) && network.joined(b, u))
    };
    let completed = view.tickets().into_iter().map(|ticket| &game.tickets()[ticket.index()]);
    let completed = completed.filter(|ticket| completes(ticket.ends));
    let route = &game.routes()[route.index()];
    if game.spec().rules.journey.is_some() {
        100 * completed.count() as u32 + u32::from(route.length)
    } else {
        completed.map(|ticket| 2 * u32::from(ticket.points)).sum::<u32>() + u32::from(route.points)
    }
}

/// The card of the market that the hand has most of.
fn wanted_card(view: &Observation<'_>, options: &Options) -> Option<CardKind> {
    let (hand, market) = (view.hand(), view.market());
    let colours = options.face_up.colours().map(|(colour, _)| colour);
    let best = colours.max_by_key(|&colour| (hand.count(colour), market.count(colour)))?;
    (hand.count(best) > 0 || market.count(best) > 1).then_some(best)
}
