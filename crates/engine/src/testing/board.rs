//! The invariants of the board games: section 8 of the rules.

use crate::board::network;
use crate::board::{Action, BoardGame, Ending, Payment, Phase, State};
use crate::game::{Game, Turn};
use crate::pieces::{CardKind, Cards, CityId, MAX_SEATS, RouteId, Seat, TicketPlace, TicketSet};
use crate::spec::{EmptyTrigger, Unkept};
use crate::testing::{Census, Inspect};

/// Facts that are followed through one game.
#[derive(Default)]
pub struct Tracker {
    /// The seat that started the final round.
    trigger: Option<Seat>,
    /// Turns since.
    final_turns: u8,
    /// The seat whose turn ended last.
    last_turn: Option<Seat>,
    /// Warehouses collected after the last claim.
    collections: u8,
    /// Tickets in the deck, held or offered when the opening was over.
    circulating: Option<usize>,
}

impl Inspect for BoardGame {
    type Tracker = Tracker;

    fn assert_invariants(&self, s: &State) {
        assert_cards(self, s);
        assert_routes(self, s);
        assert_tickets(self, s);
        assert_stations(self, s);
        assert_depots(self, s);
        if self.rules.journey.is_some() {
            assert_journey(self, s);
        }
    }

    fn assert_step(&self, tracker: &mut Tracker, before: &State, action: Action, after: &State) {
        assert_hands(self, before, action, after);
        for seat in Seat::all(self.seats) {
            let (old, new) = (before.routes_of(seat), after.routes_of(seat));
            assert!(old.is_subset(new), "a route changed its owner (I-12)");
            if seat != before.seat {
                assert_eq!(old, new, "another seat got a route");
            }
            let claimed = !(new - old).is_empty();
            assert_eq!(
                claimed,
                before.points[seat] != after.points[seat] || claimed && self.rules.journey.is_some(),
                "I-14"
            );
            let put_back = TicketPlace::PutBack(seat);
            if self.rules.journey.is_none() {
                let old = before.tickets.at(put_back) - before.bottom.tickets();
                let new = after.tickets.at(put_back);
                assert!(old.is_subset(new), "a boxed ticket came back (I-22)");
            }
        }
        if self.rules.journey.is_some() && !matches!(after.phase, Phase::Over(_)) {
            let held = after.tickets.at(TicketPlace::Held(before.seat)).len();
            let fewer = held < before.tickets.at(TicketPlace::Held(before.seat)).len();
            assert!(!fewer || !self.may_swap(after), "a ticket was not replaced (I-39)");
        }
        if self.rules.depots.is_some() {
            match action {
                Action::Collect(_) => tracker.collections += 1,
                _ => tracker.collections = 0,
            }
            assert!(tracker.collections <= 2, "I-30");
            assert_depot_step(self, before, action, after);
        }
        assert_turns(self, tracker, before, action, after);
    }

    fn assert_end(&self, tracker: &Tracker, s: &State) {
        let Phase::Over(ending) = s.phase else { panic!("the game is not over") };
        match ending {
            Ending::FinalRound => {
                assert!(tracker.trigger.is_some(), "a final round without a trigger (I-15)");
                assert_eq!(tracker.last_turn, tracker.trigger, "the trigger seat is not last (I-15)");
                assert_eq!(usize::from(tracker.final_turns), self.seats, "turns in the final round (I-15)");
            }
            Ending::TicketsDone => {
                let goal = self.rules.journey.as_ref().map(|journey| journey.tickets_to_win);
                assert_eq!(Some(self.journey_completed(s, s.seat)), goal);
                assert_eq!(self.scores(s).winners().collect::<Vec<_>>(), [s.seat], "FJ-9(a)");
            }
            Ending::LastTrain => assert_eq!(s.trains[s.seat], 0),
            Ending::Stalemate | Ending::NoProgress => {}
        }
        assert_scores(self, s);
    }

    fn conceivable_actions(&self, state: &State) -> Vec<Action> {
        conceivable_actions(self, state)
    }

    fn crowds_out(&self, state: &State, action: Action) -> bool {
        // Where a depot can be placed at all, it can be placed nearly everywhere.
        matches!(action, Action::PlaceDepot(_)) && self.depot_sites(state).len() > 10
    }

    fn facts(&self, state: &State, seat: Seat) -> String {
        format!("{:#?}", self.observe(state, seat))
    }

    fn census(&self, tracker: &Tracker, before: &State, action: Action, after: &State, census: &mut Census) {
        census.count(match action {
            Action::Keep(_) => "keep",
            Action::TakeBlind => "take blind",
            Action::TakeFaceUp(CardKind::Locomotive) => "take a face-up locomotive",
            Action::TakeFaceUp(_) => "take face up",
            Action::Claim { payment, .. } if payment.sets > 0 => "claim with sets",
            Action::Claim { .. } => "claim",
            Action::AddToSets { .. } => "add to sets",
            Action::PayTunnel { .. } => "pay tunnel",
            Action::DeclineTunnel => "decline tunnel",
            Action::BuildStation { .. } => "build a station",
            Action::DrawTickets => "draw tickets",
            Action::SwapTickets => "swap tickets",
            Action::Pass => "pass",
            Action::Store(_) => "store",
            Action::Collect(_) => "collect",
            Action::PlaceDepot(_) => "place a depot",
            Action::Done => "done",
        });
        let stored = |s: &State| s.warehouses.iter().filter(|cards| !cards.is_empty()).count();
        match action {
            Action::Collect(_) => {
                if tracker.collections == 2 {
                    census.count("double collection");
                }
                if stored(before) > 1 && stored(after) == 0 {
                    census.count("warehouses emptied by a collection");
                }
            }
            _ if stored(before) == 0 || stored(after) > 0 => {}
            Action::PlaceDepot(_) => census.count("warehouses emptied by a placement"),
            _ => census.count("warehouses emptied"),
        }
        if self.rules.depots.is_some() && before.phase == Phase::Main {
            match action {
                Action::TakeFaceUp(_) => census.count("draw without storing"),
                Action::Pass if !self.depot_sites(before).is_empty() => {
                    census.count("pass beside placements");
                }
                _ => {}
            }
        }
        if let (Phase::Window { .. }, Action::PlaceDepot(_)) = (before.phase, action) {
            census.count("depot in another's turn");
        }
        if after.cards.deck.is_empty() {
            census.count("deck empty");
        }
        if before.cards.deck.total() < after.cards.deck.total() {
            census.count("reshuffle");
        }
        if before.tickets.at(TicketPlace::Deck).is_empty() && before.bottom.len() > after.bottom.len() {
            census.count("ticket drawn from the bottom");
        }
        if self.rules.flush_at > 0 && after.cards.market.locomotives() >= self.rules.flush_at {
            census.count("flush guard");
        }
        for seat in Seat::all(self.seats) {
            if before.bonus_tickets[seat] < after.bonus_tickets[seat] {
                census.count("bonus ticket");
            }
        }
        if let Phase::Over(ending) = after.phase {
            census.count(match ending {
                Ending::FinalRound => "end: final round",
                Ending::Stalemate => "end: stalemate",
                Ending::NoProgress => "end: no progress",
                Ending::TicketsDone => "end: tickets done",
                Ending::LastTrain => "end: last train",
            });
        }
    }
}

fn assert_cards(game: &BoardGame, s: &State) {
    let hands = s.cards.hands.iter().fold(Cards::EMPTY, |all, &hand| all + hand);
    let stored = s.warehouses.iter().fold(Cards::EMPTY, |all, &cards| all + cards);
    let all = s.cards.deck + s.cards.discard + s.cards.market + s.laid + s.revealed + hands + stored;
    assert_eq!(all, game.rules.deck, "cards were lost or made (I-1, I-2)");
    for seat in Seat::all(game.seats) {
        assert!(s.cards.hands[seat].contains(s.cards.shown[seat]), "{seat} showed cards it does not hold");
    }
    let paying = matches!(s.phase, Phase::Tunnel { .. } | Phase::Sets { .. });
    assert_eq!(s.pending.is_some(), paying);
    if !paying {
        assert!(s.laid.is_empty() && s.revealed.is_empty(), "cards lie on the table (I-3)");
    }
    if s.cards.deck.is_empty() && game.rules.eager_reshuffle {
        // During a tunnel nothing is discarded, so this holds there too.
        assert!(s.cards.discard.is_empty(), "the discard waits (I-4)");
    }
    if s.cards.market.total() < game.rules.market && !matches!(s.phase, Phase::Tunnel { .. }) {
        assert!(s.cards.deck.is_empty() && s.cards.discard.is_empty(), "a market slot waits (I-5)");
    }
    let flushable = game.rules.flush_at > 0 && s.cards.market.locomotives() >= game.rules.flush_at;
    if flushable && !paying {
        assert!(s.flush_capped || !game.flush_helps(s), "the market was not flushed (I-6)");
    }
}

fn assert_routes(game: &BoardGame, s: &State) {
    for seat in Seat::all(game.seats) {
        let routes = s.routes_of(seat);
        let length: u8 = routes.into_iter().map(|route| game.routes[route.index()].length).sum();
        assert_eq!(s.trains[seat] + length, game.rules.trains, "trains of {seat} (I-11)");
        let points: u16 = routes.into_iter().map(|route| u16::from(game.routes[route.index()].points)).sum();
        assert_eq!(s.points[seat], points, "running points of {seat} (I-14)");
        for route in routes {
            let twin = game.routes[route.index()].twin;
            let twin_owner = twin.and_then(|twin| s.owner(twin));
            assert_ne!(twin_owner, Some(seat), "both tracks (I-13)");
            if !game.rules.both_tracks {
                assert_eq!(twin_owner, None, "a closed track was claimed (I-13)");
                assert!(twin.is_none_or(|twin| s.closed_routes().contains(twin)));
            }
        }
    }
    if game.rules.both_tracks {
        assert!(s.closed_routes().is_empty());
    }
}

fn assert_tickets(game: &BoardGame, s: &State) {
    let places = |place: fn(Seat) -> TicketPlace| {
        Seat::all(5).fold(TicketSet::EMPTY, |all, seat| all | s.tickets.at(place(seat)))
    };
    let (held, put_back, done) =
        (places(TicketPlace::Held), places(TicketPlace::PutBack), places(TicketPlace::Done));
    let (deck, offered) = (s.tickets.at(TicketPlace::Deck), s.tickets.at(TicketPlace::Offered));
    let all = TicketSet::first(game.tickets.len());
    let boxed = s.tickets.at(TicketPlace::Box) & all;
    let mixed = s.tickets.at(TicketPlace::Mixed);
    let parts = [held, put_back, done, deck, offered, boxed, mixed];
    assert_eq!(parts.iter().map(|part| part.len()).sum::<usize>(), all.len(), "tickets are lost (I-20)");
    assert!(parts.iter().all(|part| part.is_subset(all)), "tickets that do not exist");
    assert_eq!(s.bottom.tickets().len(), s.bottom.len(), "a ticket lies twice under the deck (I-20)");
    assert!(s.bottom.tickets().is_subset(put_back | mixed), "a ticket under the deck was not put back");
    assert!(mixed.is_subset(s.bottom.tickets()), "a ticket of a batch is not there");
    assert!((deck | s.bottom.tickets()).is_subset(game.piles[0]), "another pile got into the deck (I-22)");
    let choosing = matches!(s.phase, Phase::Opening { .. } | Phase::Tickets);
    assert_eq!(offered.len(), usize::from(s.offered));
    assert_eq!(choosing, !offered.is_empty());
    if !matches!(s.phase, Phase::Opening { .. }) && game.rules.journey.is_none() {
        for seat in Seat::all(game.seats) {
            let kept = s.opening_kept.sum(seat);
            let dealt: u8 = game.opening.iter().map(|step| step.dealt()).sum();
            let hold = game.opening.last().map_or(0, |step| step.hold);
            assert!((hold..=dealt).contains(&kept), "{seat} kept {kept} opening tickets (I-21)");
        }
    }
}

fn assert_stations(game: &BoardGame, s: &State) {
    let mut cities = 0;
    for seat in Seat::all(5) {
        let built = s.stations_built(seat);
        assert!(built <= game.rules.stations, "too many stations (I-24)");
        cities += usize::from(built);
        assert!(s.stations_of(seat).all(|city| s.buildings.contains(city)));
    }
    let depots: usize = Seat::all(5).map(|seat| s.depots_of(seat).count()).sum();
    assert_eq!(s.buildings.len(), cities + depots, "two buildings in a city (I-24, I-28)");
}

fn assert_depots(game: &BoardGame, s: &State) {
    let Some(depots) = &game.rules.depots else {
        assert!(
            s.warehouses == [Cards::EMPTY; 5]
                && s.reserve == [0; 5]
                && s.depots_of(Seat::new(0)).count() == 0
        );
        return;
    };
    let setting_up = matches!(s.phase, Phase::Opening { .. } | Phase::FirstDepot);
    let mut stored = false;
    for seat in Seat::all(game.seats) {
        let (placed, reserve) = (s.depots_of(seat).count() as u8, s.reserve[seat]);
        assert!(placed + reserve <= depots.per_seat, "{seat} has too many depots (I-27)");
        assert!(reserve < depots.per_seat, "I-27");
        assert!(placed > 0 || setting_up, "{seat} has no depot on the board (I-27)");
        assert!(s.depots_of(seat).all(|city| s.buildings.contains(city)));
        stored |= !s.warehouses[seat].is_empty();
    }
    if s.cards.is_exhausted() && stored && !matches!(s.phase, Phase::Tunnel { .. } | Phase::Sets { .. }) {
        let triggered = match depots.empty_trigger {
            EmptyTrigger::NoDepots => s.reserve[..game.seats].contains(&0),
            EmptyTrigger::EmptyWarehouse => s.warehouses[..game.seats].contains(&Cards::EMPTY),
        };
        assert!(!triggered, "the warehouses were not emptied (I-31)");
    }
}

/// How depots and warehouses change (I-27, I-29, I-30).
fn assert_depot_step(game: &BoardGame, before: &State, action: Action, after: &State) {
    let total = |s: &State| s.warehouses.iter().map(|cards| cards.total()).sum::<u8>();
    let emptied = total(after) == 0;
    for seat in Seat::all(game.seats) {
        let (old, new) = (before.reserve[seat], after.reserve[seat]);
        let spent = match action {
            Action::PlaceDepot(_) if before.phase != Phase::FirstDepot => seat == before.seat,
            Action::Collect(_) => seat == before.seat,
            _ => false,
        };
        if !matches!(before.phase, Phase::Opening { .. }) {
            assert_eq!(old, new + u8::from(spent), "reserve of {seat} (I-27)");
        }
        let (old, new) = (before.depots_of(seat), after.depots_of(seat));
        assert!(old.zip(new).all(|(old, new)| old == new), "a depot moved (X-4)");
    }
    match action {
        Action::Store(_) => assert!(total(after) == total(before) + 1 || emptied, "I-29"),
        Action::Collect(owner) => {
            let collected = before.warehouses[owner];
            assert!(after.warehouses[owner].is_empty(), "I-30");
            let seat = before.seat.index();
            assert_eq!(after.cards.hands[seat], before.cards.hands[seat] + collected, "I-30");
        }
        _ => assert!(total(after) == total(before) || emptied, "a warehouse changed"),
    }
}

fn assert_journey(game: &BoardGame, s: &State) {
    let Some(journey) = &game.rules.journey else { return };
    let over = matches!(s.phase, Phase::Over(_));
    for seat in Seat::all(game.seats) {
        let components = game.components(s, seat);
        let joined = |ticket: &crate::TicketId| {
            let [a, b] = game.tickets[ticket.index()].ends;
            components.joined(a, b)
        };
        assert!(s.tickets.at(TicketPlace::Done(seat)).into_iter().all(|ticket| joined(&ticket)));
        if !over {
            assert!(game.journey_completed(s, seat) < journey.tickets_to_win, "I-39");
            assert!(s.trains[seat] > 0, "I-39");
            let held = s.tickets.at(TicketPlace::Held(seat));
            assert!(!held.into_iter().any(|ticket| joined(&ticket)), "a completed ticket is held (I-40)");
            assert!(
                held.len() <= game.opening[0].dealt().into(),
                "{seat} holds {} tickets (I-39)",
                held.len()
            );
        }
        if s.bonus_tickets[seat] > 0 {
            let [one, other] = journey.bonus.expect("a bonus was taken").between;
            let joins = one.into_iter().any(|a| other.into_iter().any(|b| components.joined(a, b)));
            assert!(joins, "a bonus that was not earned (I-41)");
            assert!(journey.unlimited_bonus || s.bonus_tickets[seat] == 1, "I-41");
        }
    }
}

/// How hands change (I-8 to I-10).
fn assert_hands(game: &BoardGame, before: &State, action: Action, after: &State) {
    let seat = before.seat.index();
    let (old, new) = (before.cards.hands[seat].total(), after.cards.hands[seat].total());
    for other in Seat::all(game.seats).filter(|other| other.index() != seat) {
        assert_eq!(before.cards.hands[other], after.cards.hands[other], "another hand changed");
    }
    let turn_over = turn_owner(after) != turn_owner(before)
        || matches!(after.phase, Phase::Over(_) | Phase::AfterAction | Phase::Collect { .. });
    match action {
        Action::TakeBlind if game.rules.market == 0 => {
            let left = before.cards.deck.total() + before.cards.discard.total();
            assert_eq!(new, old + left.min(2), "I-8");
        }
        Action::TakeBlind | Action::TakeFaceUp(_) => {
            assert_eq!(new, old + 1, "I-8");
            let second = before.phase == Phase::SecondCard;
            let ends =
                action == Action::TakeFaceUp(CardKind::Locomotive) && game.rules.face_up_locomotive_ends_draw;
            assert!(!(second && ends), "a face-up locomotive was the second card (CC-10)");
            if !second && turn_over && !ends {
                let mut choosing = *after;
                choosing.phase = Phase::SecondCard;
                assert_eq!(game.takeable(&choosing), Cards::EMPTY, "a second card was to be had (CC-9)");
                assert!(!game.can_take_blind(after), "a second card was to be had (CC-9)");
            }
        }
        Action::Claim { route, payment } => {
            let length = game.routes[route.index()].length;
            if after.owner(route) == Some(before.seat) {
                let sets = payment.sets * game.tariff.groups.price(route).set_cards;
                assert_eq!(old, new + length - payment.sets + sets, "I-10");
            } else if turn_over {
                assert_eq!(before.cards.hands, after.cards.hands, "a failed tunnel cost cards (I-9)");
                let piles =
                    |s: &State| s.cards.deck.total() + s.cards.discard.total() + s.cards.market.total();
                assert_eq!(piles(before), piles(after), "I-9");
                assert!(
                    after.cards.shown[seat].contains(payment.cards(length)),
                    "laid cards were seen (CC-34)"
                );
            }
        }
        Action::PayTunnel { .. } => {
            let Phase::Tunnel { extra } = before.phase else { panic!("no tunnel") };
            assert_eq!(old, new + extra, "I-10");
            let claim = before.pending.expect("a tunnel");
            assert_eq!(after.owner(claim.route), Some(before.seat));
        }
        Action::DeclineTunnel => {
            assert_eq!(before.cards.hands[seat] + before.laid, after.cards.hands[seat], "I-9");
            assert_eq!(before.trains, after.trains, "I-9");
            assert_eq!(before.points, after.points, "I-9");
        }
        Action::BuildStation { .. } => {
            assert_eq!(old, new + after.stations_built(before.seat), "I-24");
        }
        Action::AddToSets { count, .. } => assert!(new <= old - count),
        Action::Collect(_) => {} // see assert_depot_step
        Action::Keep(_)
        | Action::DrawTickets
        | Action::SwapTickets
        | Action::Pass
        | Action::Store(_)
        | Action::PlaceDepot(_)
        | Action::Done => assert_eq!(before.cards.hands, after.cards.hands),
    }
}

/// Whose turn it is, also while another seat places depots.
fn turn_owner(s: &State) -> Seat {
    match s.phase {
        Phase::Window { turn_of } => turn_of,
        _ => s.seat,
    }
}

/// Whose turn it is, and how the game ends (I-15, I-16).
fn assert_turns(game: &BoardGame, tracker: &mut Tracker, before: &State, action: Action, after: &State) {
    let over = matches!(after.phase, Phase::Over(_));
    let setting_up = |s: &State| matches!(s.phase, Phase::Opening { .. } | Phase::FirstDepot);
    if setting_up(before) {
        if !setting_up(after) {
            assert_eq!(turn_owner(after), after.first, "the first seat starts");
            tracker.circulating = Some(circulating(game, after));
        }
        return;
    }
    if let Some(circulating_then) = tracker.circulating
        && game.rules.unkept == Unkept::Bottom
    {
        assert_eq!(circulating(game, after), circulating_then, "tickets left the game (I-22)");
    }
    if action == Action::Pass {
        let placements = game.actions(before).iter().filter(|a| matches!(a, Action::PlaceDepot(_))).count();
        assert_eq!(
            game.count_actions(before),
            1 + placements,
            "a pass although something is possible (I-16)"
        );
    }
    let turn_over = over || turn_owner(after) != turn_owner(before);
    if !turn_over {
        return;
    }
    if !over {
        assert_eq!(turn_owner(after), before.seat.next(game.seats), "turns out of order (I-16)");
    }
    if let Some(last) = tracker.last_turn {
        assert_eq!(before.seat, last.next(game.seats), "a turn was skipped (I-16)");
    }
    tracker.last_turn = Some(before.seat);
    if game.rules.journey.is_some() {
        return;
    }
    let few = after.trains[before.seat] <= game.rules.end_trains;
    match tracker.trigger {
        Some(_) => tracker.final_turns += 1,
        None if few => tracker.trigger = Some(before.seat),
        None => assert_eq!(after.final_turns, 0, "a final round without reason (I-15)"),
    }
    if let (Some(_), Phase::Main | Phase::Window { .. }) = (tracker.trigger, after.phase) {
        assert_eq!(usize::from(after.final_turns + tracker.final_turns), game.seats, "I-15");
    }
}

fn circulating(game: &BoardGame, s: &State) -> usize {
    let held = Seat::all(game.seats).map(|seat| s.tickets.at(TicketPlace::Held(seat)).len());
    held.sum::<usize>() + s.ticket_deck_len() + usize::from(s.offered)
}

/// The score from the board, tickets and stations alone (I-18, I-23, I-25).
fn assert_scores(game: &BoardGame, s: &State) {
    let sheet = game.score_sheet(s);
    if game.rules.journey.is_some() {
        return;
    }
    let longest: Vec<u16> =
        Seat::all(game.seats).map(|seat| network::longest_trail(&game.edges_of(s, seat))).collect();
    let most_completed = sheet.iter().map(|seat| seat.completed).max().unwrap_or(0);
    for (seat, score) in Seat::all(game.seats).zip(&sheet) {
        let held = s.tickets.at(TicketPlace::Held(seat));
        let values = held.into_iter().map(|ticket| i16::from(game.tickets[ticket.index()].points));
        let sum: i16 = values.sum();
        assert!(score.tickets.abs() <= sum && (score.tickets - sum) % 2 == 0, "I-23");
        assert_eq!(usize::from(score.completed + score.failed), held.len());
        let unbuilt = i16::from(game.rules.stations - s.stations_built(seat));
        let mut total = s.points[seat] as i16 + score.tickets;
        total += unbuilt * i16::from(game.rules.unbuilt_station_points);
        let longest_here = longest[seat];
        let total_length: u16 = game.edges_of(s, seat).iter().map(|edge| u16::from(edge.length)).sum();
        assert!(longest_here <= total_length, "I-17");
        if longest_here > 0 && Some(&longest_here) == longest.iter().max() {
            total += i16::from(game.rules.longest_path_bonus);
        }
        if most_completed > 0 && score.completed == most_completed {
            total += i16::from(game.rules.most_tickets_bonus);
        }
        let reserve = s.reserve[seat];
        if let Some(depots) = &game.rules.depots
            && reserve > 0
            && s.reserve.iter().all(|&other| other <= reserve)
        {
            total += i16::from(depots.bonus); // I-32
        }
        assert_eq!(score.total, total, "I-18");

        // I-25: between no station and every route next to a station.
        let edges = game.edges_of(s, seat);
        let mut all_borrowed = edges.clone();
        for city in s.stations_of(seat) {
            let others = s.claimed_routes() & game.at_city[city.index()];
            all_borrowed
                .extend((others - s.routes_of(seat)).into_iter().map(|route| game.edges[route.index()]));
        }
        let naive = |edges: &[network::Edge]| -> i16 {
            let components = network::Components::new(edges);
            let value = |ticket: crate::TicketId| {
                let ticket = &game.tickets[ticket.index()];
                let points = i16::from(ticket.points);
                if components.joined(ticket.ends[0], ticket.ends[1]) { points } else { -points }
            };
            held.into_iter().map(value).sum()
        };
        assert!((naive(&edges)..=naive(&all_borrowed)).contains(&score.tickets), "I-25");
    }
    assert_eq!(game.turn(s), Turn::Over);
}

/// All actions that could be meant at a position, and some that could not.
pub fn conceivable_actions(game: &BoardGame, s: &State) -> Vec<Action> {
    let mut space = vec![
        Action::TakeBlind,
        Action::DeclineTunnel,
        Action::DrawTickets,
        Action::SwapTickets,
        Action::Pass,
        Action::Done,
    ];
    space.extend(Seat::all(MAX_SEATS).map(Action::Store));
    space.extend(Seat::all(MAX_SEATS).map(Action::Collect));
    space.extend((0..64).map(|city| Action::PlaceDepot(CityId::from_u8(city))));
    space.extend((0..=u8::MAX).map(Action::Keep));
    space.extend(CardKind::ALL.map(Action::TakeFaceUp));
    space.extend((0..12).map(|locomotives| Action::PayTunnel { locomotives }));
    for kind in CardKind::ALL {
        space.extend((0..40).map(|count| Action::AddToSets { kind, count }));
    }
    let colours = || CardKind::ALL.into_iter().map(Some).chain([None]);
    for route in 0..game.routes.len() as u8 + 1 {
        let route = RouteId::from_u8(route);
        let most = game.routes.get(route.index()).map_or(0, |route| route.length) + 1;
        let sets = if !game.tariff.groups.has_sets() { 1 } else { most };
        for colour in colours() {
            for locomotives in (0..=most).chain([u8::MAX]) {
                for sets in 0..=sets {
                    let payment = Payment { colour, locomotives, sets };
                    space.push(Action::Claim { route, payment });
                }
            }
        }
    }
    // One city beyond the board, and only a few cities where they are alike.
    let cities = game.all_cities.len() as u8;
    let built = s.buildings.into_iter().map(|city| city.to_u8());
    for city in (0..cities + 1).step_by(5).chain([cities, cities - 1]).chain(built) {
        for colour in colours() {
            for (locomotives, sets) in [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (0, 1), (255, 255)] {
                let payment = Payment { colour, locomotives, sets };
                space.push(Action::BuildStation { city: CityId::from_u8(city), payment });
            }
        }
    }
    space.sort();
    space.dedup();
    space
}
