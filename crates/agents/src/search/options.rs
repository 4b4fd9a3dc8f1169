//! The search agents of the roster, and their parameters.

use std::time::Duration;

use ttr_engine::board::BoardGame;
use ttr_engine::card_game::CardGame;

use crate::greedy::{GreedyClaims, GreedyRows};
use crate::planner::{self, LightPlanner, Planner};
use crate::random::Random;
use crate::roster::{AgentEntry, Params};
use crate::search::settings::{Budget, Root, Selection, Settings};
use crate::search::{BoardGuide, CardGuide, Prior, Search};
use crate::spec::{Param, Range};
use crate::yard;

const ITERS: Param = Param {
    name: "iters",
    about: "playouts per decision, over all threads",
    default: "1000",
    range: Range::Whole(1, 100_000_000),
};
const MS: Param = Param {
    name: "ms",
    about: "time budget per decision instead, in milliseconds; 0 = count playouts",
    default: "0",
    range: Range::Whole(0, 86_400_000),
};
const THREADS: Param = Param {
    name: "threads",
    about: "number of threads, each with its own tree; results depend on it",
    default: "1",
    range: Range::Whole(1, 256),
};
const CUTOFF: Param = Param {
    name: "cutoff",
    about: "maximum length of a rollout in decisions, after which the position is evaluated; 0 = to the end",
    default: "0",
    range: Range::Whole(0, 100_000),
};
const MARGIN: Param = Param {
    name: "margin",
    about: "weight of the lead in points in the value of a result; the rest is the win",
    default: "0.5",
    range: Range::Real(0.0, 1.0),
};
const CANONICAL: Param = Param {
    name: "canonical",
    about: "action pruning: one payment per route on a board, with fewest locomotives, in the colour of which there is most",
    default: "yes",
    range: YES_OR_NO,
};
const BELIEF: Param = Param {
    name: "belief",
    about: "worlds sampled per playout, one of which is chosen by its likelihood given the others' claims; 1 = take any",
    default: "1",
    range: Range::Whole(1, 1000),
};
const YES_OR_NO: Range = Range::OneOf(&["yes", "no"]);
const POLICIES: Range = Range::OneOf(&["random", "greedy", "light", "planner"]);

/// The two search agents: flat and ismcts.
pub(crate) fn entries() -> [AgentEntry; 2] {
    let entry = |name, about, params, settings: fn(&Params<'_>) -> Settings| {
        AgentEntry::new(name, about)
            .with_params(params)
            .plays(move |game: &BoardGame, params| on_board(game, params, settings(params)))
            .plays(move |game: &CardGame, params| in_card_game(game, params, settings(params)))
            .with_heuristic::<BoardGame>(planner::NAME)
            .with_heuristic::<CardGame>(yard::NAME)
    };
    [
        entry("flat", "flat Monte Carlo: every action equally often, and the best on average", FLAT, flat),
        entry("ismcts", "information-set Monte Carlo tree search", ISMCTS, ismcts),
    ]
}

const ISMCTS: &[Param] = &[
    ITERS,
    MS,
    Param {
        name: "root",
        about: "root allocation: sequential halving, with all candidates in the same worlds, or by the tree",
        default: "halving",
        range: Range::OneOf(&["halving", "tree"]),
    },
    Param {
        name: "candidates",
        about: "maximum number of candidates at the root; each is tried at least once, so there are never more than playouts",
        default: "12",
        range: Range::Whole(1, 100_000),
    },
    Param {
        name: "exploration",
        about: "exploration constant",
        default: "0.05",
        range: Range::Real(0.0, 1000.0),
    },
    Param {
        name: "faith",
        about: "virtual visits: how many playouts the parent's value counts for in a new node",
        default: "10",
        range: Range::Real(0.0, 100_000.0),
    },
    Param {
        name: "prior",
        about: "prior policy of PUCT; with none every action is alike (UCB1), and candidates and widening, unless they are \
                set, exclude no action",
        default: "planner",
        range: Range::OneOf(&["planner", "rollout", "none"]),
    },
    Param {
        name: "widening",
        about: "exponent of progressive widening: after n visits 1 + n^widening actions are considered",
        default: "0.3",
        range: Range::Real(0.0, 1.0),
    },
    Param {
        name: "depth",
        about: "maximum depth of the tree, in decisions",
        default: "50",
        range: Range::Whole(0, 100_000),
    },
    Param {
        name: "rollout",
        about: "rollout policy below the tree; in the Card Game yard instead of light and planner",
        default: "planner",
        range: POLICIES,
    },
    CUTOFF,
    MARGIN,
    Param {
        name: "doubt",
        about: "prior penalty: expected loss in value of an action e times less likely than the policy's choice",
        default: "0.01",
        range: Range::Real(0.0, 1.0),
    },
    Param {
        name: "reach",
        about: "prior standard deviation of the differences in value between actions",
        default: "0.03",
        range: Range::Real(0.0001, 1000.0),
    },
    CANONICAL,
    BELIEF,
    THREADS,
];

const FLAT: &[Param] = &[
    ITERS,
    MS,
    Param {
        name: "rollout",
        about: "rollout policy; in the Card Game yard instead of light and planner",
        default: "random",
        range: POLICIES,
    },
    CUTOFF,
    MARGIN,
    CANONICAL,
    BELIEF,
    THREADS,
];

fn on_board(game: &BoardGame, params: &Params<'_>, settings: Settings) -> Search<BoardGame, BoardGuide> {
    let (light, planner) = (LightPlanner::new(game), Planner::new(game));
    let (rollout, prior) = (params.word("rollout"), prior(params));
    let all_payments = params.word("canonical") == "no";
    Search::new(settings, || {
        let guide = BoardGuide::with_planner(game, &planner)
            .with_prior(prior)
            .with_all_payments(all_payments)
            .with_belief(settings.guesses > 1);
        match rollout.as_str() {
            "random" => guide.with_rollout(|| Random),
            "greedy" => guide.with_rollout(|| GreedyClaims::new(game)),
            "light" => guide.with_rollout(|| light.clone()),
            _ => guide,
        }
    })
}

fn in_card_game(game: &CardGame, params: &Params<'_>, settings: Settings) -> Search<CardGame, CardGuide> {
    let (rollout, prior) = (params.word("rollout"), prior(params));
    Search::new(settings, || {
        let guide = CardGuide::new(game).with_prior(prior).with_belief(settings.guesses > 1);
        match rollout.as_str() {
            "random" => guide.with_rollout(|| Random),
            "greedy" => guide.with_rollout(|| GreedyRows),
            _ => guide,
        }
    })
}

/// Flat Monte Carlo has no such parameter.
fn prior(params: &Params<'_>) -> Prior {
    match params.param("prior").as_deref() {
        Some("planner") => Prior::Heuristic,
        Some("rollout") => Prior::Rollout,
        _ => Prior::Uniform,
    }
}

fn flat(params: &Params<'_>) -> Settings {
    let cutoff = params.number("cutoff");
    Settings {
        budget: match params.number("ms") {
            0 => Budget::Playouts(params.number("iters")),
            ms => Budget::Time(Duration::from_millis(ms)),
        },
        threads: params.number("threads"),
        root: Root::Even,
        candidates: usize::MAX,
        selection: Selection::Visits,
        exploration: 0.0,
        faith: 0.0,
        widening: 1.0,
        depth: 0,
        cutoff: if cutoff == 0 { u32::MAX } else { cutoff },
        margin: params.number("margin"),
        guesses: params.number("belief"),
        doubt: 0.0,
        reach: 1.0,
    }
}

fn ismcts(params: &Params<'_>) -> Settings {
    // Where all actions have the same prior, none is left out for being unlikely.
    let alike = params.word("prior") == "none";
    let unlimited = |limit: &str| alike && params.given(limit).is_none();
    Settings {
        root: if params.word("root") == "tree" { Root::Tree } else { Root::Halving },
        candidates: if unlimited("candidates") { usize::MAX } else { params.number("candidates") },
        selection: if alike { Selection::Visits } else { Selection::Prior },
        exploration: params.number("exploration"),
        faith: params.number("faith"),
        widening: if unlimited("widening") { 1.0 } else { params.number("widening") },
        depth: params.number("depth"),
        doubt: params.number("doubt"),
        reach: params.number("reach"),
        ..flat(params)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::roster::Roster;
    use crate::spec::AgentSpec;

    /// The defaults in code and text are the same.
    #[test]
    fn defaults_are_those_of_ismcts() {
        let entry = Roster::built_in().entry("ismcts").unwrap();
        let spec = AgentSpec::new("ismcts");
        let params = Params::new(entry, &spec, &|param| param.default.to_owned());
        assert_eq!(ismcts(&params), Settings::default());
    }
}
