//! The planner's reasons, in words.

use ttr_engine::board::{Action, Observation, Phase};
use ttr_engine::{CardKind, Cards, RouteSet, TicketSet, View};

use crate::agent::{Explanation, Note};
use crate::board::keeps;
use crate::planner::Planner;
use crate::planner::plan::{Plan, Ways};

impl Planner {
    /// The current plan; for a choice among tickets, the plan for each choice.
    pub(super) fn explain_plan(&self, view: &Observation<'_>) -> Explanation<Action> {
        let notes = match view.phase() {
            Phase::Opening { .. } | Phase::Tickets => self.choices(view),
            _ => self.thoughts(view),
        };
        Explanation { notes, candidates: Vec::new() }
    }

    /// Every choice among the offered tickets with its plan, best first.
    fn choices(&self, view: &Observation<'_>) -> Vec<Note> {
        let roads = self.price_routes(view);
        let mut ways = Ways::new(&roads);
        let means = self.means_for_tickets(view);
        let weigh = |(action, kept)| {
            let tickets = view.tickets() | kept;
            let plan = Plan::make(&self.atlas, &self.weights, &mut ways, tickets, means);
            let value = plan.value(&self.atlas, &self.weights, means);
            let needed = plan.turns(&self.atlas, &self.weights, means.hand);
            let mut text = format!("plan worth {value:.1}: {} trains, about {needed:.0} turns", plan.trains);
            if !plan.given_up.is_empty() {
                text += &format!("; without {}", ticket_names(view, plan.given_up));
            }
            let routes = plan.routes - view.routes(view.seat());
            (value, Note::new(view.write_action(action), text).with_routes(routes))
        };
        let mut choices: Vec<(f64, Note)> = keeps(view).into_iter().map(weigh).collect();
        choices.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        choices.into_iter().map(|(_, note)| note).collect()
    }

    /// The current plan: tickets, routes, cards and turns.
    fn thoughts(&self, view: &Observation<'_>) -> Vec<Note> {
        // In the middle of a turn, the plan may date from before the claim.
        let mut planner = self.clone();
        planner.follow(view);
        planner.choose_fill(view);
        planner.count_needs(view);
        let Self { plan, fill, needs, atlas, weights, .. } = &planner;
        let mut notes = Vec::new();
        let mut note = |about: &str, text: String, routes: RouteSet| {
            if !text.is_empty() {
                notes.push(Note::new(about, text).with_routes(routes));
            }
        };
        let none = RouteSet::EMPTY;
        note("tickets to complete", ticket_names(view, plan.pursued), none);
        note("tickets given up", ticket_names(view, plan.given_up), none);
        let routes = plan.routes - view.routes(view.seat());
        let text = if routes.is_empty() {
            "none left to claim".to_owned()
        } else {
            let (trains, cost) = (plan.trains, plan.cost);
            format!("{}: {trains} trains, cost {cost:.1} when planned", route_names(view, routes))
        };
        note("routes for tickets", text, routes);
        note("to be opened by stations", route_names(view, plan.borrowed), plan.borrowed);
        note("routes for points", route_names(view, *fill), *fill);
        let locomotives = needs.ferries.saturating_sub(view.hand().locomotives());
        note("cards wanted", wanted(needs.missing, locomotives), none);
        note("cards for points", wanted(needs.fill_missing, 0), none);
        let (left, needed) = (planner.turns_left(view), plan.turns(atlas, weights, view.hand()));
        note("turns", format!("about {left:.0} left, about {needed:.0} for the plan"), none);
        notes
    }
}

fn ticket_names(view: &Observation<'_>, tickets: TicketSet) -> String {
    let name = |id| format!("{} ({})", view.game().ticket_name(id), view.game().ticket(id).points);
    tickets.into_iter().map(name).collect::<Vec<_>>().join(", ")
}

fn route_names(view: &Observation<'_>, routes: RouteSet) -> String {
    let name = |id| format!("{} ({})", view.game().route_name(id), view.game().route(id).length);
    routes.into_iter().map(name).collect::<Vec<_>>().join(", ")
}

/// Cards that are missing, by colour, and locomotives.
fn wanted(missing: [u8; 8], locomotives: u8) -> String {
    let colours = CardKind::COLOURS.into_iter().zip(missing).map(|(kind, count)| Cards::of(kind, count));
    let all = colours.fold(Cards::of(CardKind::Locomotive, locomotives), |all, cards| all + cards);
    if all.is_empty() { String::new() } else { all.to_string() }
}
