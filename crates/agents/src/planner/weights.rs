//! The weights of a planner, with defaults by game.

use ttr_engine::Game;
use ttr_engine::board::BoardGame;

use crate::planner::kin;
use crate::weights::weights;

weights! {
    /// The weights of a [`Planner`](crate::Planner), in points unless they say otherwise.
    ///
    /// Plans are compared by the cost of their network and the value of their tickets; turns by the value
    /// of a draw, of each claim, and of more tickets. [`Weights::for_game`] returns the defaults of a
    /// game, tuned by self-play.
    ///
    /// ```
    /// use ttr_agents::{Planner, Weights};
    /// use ttr_engine::{board::BoardGame, maps};
    /// let game = BoardGame::new(&maps::load("usa")?, 2)?;
    /// let patient = Weights { hurry: 4.0, ..Weights::for_game(&game) };
    /// let planner = Planner::with_weights(&game, patient);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    Weights of f64 {
        train = 1.52 in 0.0..4.0, "network: cost of a train";
        claim = 4.50 in 0.0..10.0, "network: cost of the turn of a claim";
        point = 0.66 in 0.0..2.0, "network: value of a point for a route";
        ferry = 1.50 in 0.0..6.0, "network: cost of a locomotive symbol of a ferry";
        tunnel = 1.50 in 0.0..6.0, "network: cost of the risk of a tunnel";
        grey = 0.21 in 0.0..1.0, "network: discount on a grey space";
        held = 0.27 in 0.0..1.5, "network: discount on a space for a fitting card in the hand";
        borrow = 12.00 in 0.0..40.0, "network: cost of a station, its turn and cards included";
        refresh = 40.0 in 1.0..40.0,
            "network: turns after which a new plan is made even if nobody has interfered with it";
        overtime = 1.77 in 0.0..5.0,
            "tickets: cost of each turn that a plan needs beyond the end of the game";
        ticket_cost = 2.31 in 0.2..3.0, "tickets: factor on the cost of the network when tickets are kept";
        lateness = 4.70 in -6.0..12.0,
            "tickets: turns that a plan may need beyond the end of the game before tickets are given up";
        spare_trains = 2.27 in 0.0..15.0, "tickets: trains that a plan must leave unused";
        turn = 1.88 in 0.0..12.0, "tickets: least gain for which a turn is spent on drawing tickets";
        extra_train = 0.83 in 0.0..4.0, "tickets: cost of each train that a drawn ticket needs";
        draw_before = 5.79 in 1.0..25.0, "tickets: fewest turns left at which tickets are drawn";
        unfinished = 12.2 in 0.0..30.0, "tickets: most trains of unfinished plan at which tickets are drawn";
        globetrotter = 0.30 in 0.0..1.0,
            "tickets: share of the bonus for most tickets that each completed ticket is expected to bring";
        fill = 0.46 in 0.0..1.2,
            "cards: value of a card for a route beyond the tickets; one for a ticket is worth 1";
        spare = 0.34 in 0.0..1.0, "cards: value of a card that the plan does not need";
        near = 0.27 in 0.0..2.0, "cards: extra value of the last missing card of a route";
        locomotive = 1.13 in 0.5..4.0, "cards: value of a locomotive";
        draw = 1.25 in 0.1..5.0, "turns: factor on the value of the cards of a draw";
        ready = 0.29 in -2.0..8.0, "turns: value of claiming a planned route by itself";
        contest = 0.06 in 0.0..3.0, "turns: urgency of a route per train of detour around it";
        rivals = 0.57 in 0.0..3.0, "turns: increase of that urgency per other seat that builds nearby";
        wild = 0.48 in 0.0..2.0, "turns: cost of playing a locomotive";
        harm = 0.60 in 0.0..3.0, "turns: cost of playing a card that another route needs";
        fill_length = 2.70 in 1.0..6.0, "fill: shortest route that is claimed for its points alone";
        fill_point = 0.74 in 0.0..3.0, "fill: value of a point";
        fill_train = 1.56 in 0.0..3.0, "fill: cost of a train";
        fill_turn = 2.52 in 0.0..6.0, "fill: cost of a turn";
        fill_join = 1.50 in 0.0..6.0, "fill: value of extending the network, for the longest path";
        longest = 0.50 in 0.0..4.0, "fill: value of each train by which a route extends the longest path";
        missing = 0.39 in 0.3..1.5, "fill: turns that it takes to get a card of a certain colour";
        share = 1.00 in 0.0..3.0,
            "pace: factor on a planned route's share of its tickets' points when time is short";
        pointless = 2.00 in -2.0..10.0,
            "pace: least points for which a route beyond the tickets is claimed when time is short";
        finish = 1.00 in 0.0..5.0, "pace: value of ending the game for each ten points of lead";
        their_ticket = 7.00 in 0.0..15.0,
            "pace: points that each ticket of another seat is expected to bring";
        lack = 0.30 in 0.2..1.5, "pace: turns that it takes to get a card that a plan lacks";
        waste = 1.20 in 1.0..2.0, "pace: cards that seats draw for each train they place";
        stride = 3.63 in 1.5..6.0, "pace: trains that seats place in a claim";
        hurry = 7.85 in -4.0..14.0, "pace: turns of slack below which claims come before all else";
        tunnel_slack = 1.00 in 0.0..3.0, "tunnels: spare cards wanted before a tunnel is tried";
        tunnel_extra = 1.60 in 0.0..5.0,
            "tunnels: most cards of surcharge paid, locomotives counted twice; a route's points add to it";
        collect = 5.00 in 1.0..15.0, "depots: cards in a warehouse that are worth a depot of the reserve";
        reserve = 4.00 in 0.0..15.0,
            "depots: cards required in addition if the bonus for the reserve is lost by it";
        place = 8.00 in 2.0..20.0, "depots: cards in a warehouse that are worth placing another depot";
        bonus_trains = 4.00 in 0.0..15.0, "journeys: most trains that are spent on the bonus ticket alone";
        block = 0.00 in 0.0..4.0,
            "blocking: value of each train of detour that a claim forces on the other of two seats";
    }
}

impl Weights {
    /// The default weights of a game.
    ///
    /// They depend on its rules and number of seats, not on its name: a map that was never tuned has the
    /// weights of the tuned map that is most like it.
    ///
    /// ```
    /// use ttr_agents::Weights;
    /// use ttr_engine::{board::BoardGame, maps};
    /// let usa = maps::load("usa")?;
    /// let mut copy = usa.clone();
    /// copy.id = "my-map".to_owned();
    /// let weights = |map| Ok::<_, Box<dyn std::error::Error>>(Weights::for_game(&BoardGame::new(map, 4)?));
    /// assert_eq!(weights(&copy)?, weights(&usa)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn for_game(game: &BoardGame) -> Self {
        Self::of_table(kin::nearest(game).table, game.seats())
    }
}
