//! The options of the search agents as text.

use std::time::Duration;

use crate::search::settings::{Budget, Root, Selection, Settings};
use crate::spec::{AgentInfo, AgentSpec, Param, Plays, Range};

const ITERS: Param = Param {
    name: "iters",
    about: "playouts for a decision, of all threads together",
    default: "1000",
    range: Range::Whole(1, 100_000_000),
};
const MS: Param = Param {
    name: "ms",
    about: "milliseconds for a decision instead; 0 = count playouts",
    default: "0",
    range: Range::Whole(0, 86_400_000),
};
const THREADS: Param = Param {
    name: "threads",
    about: "threads, each with a tree of its own; the same number decides the same",
    default: "1",
    range: Range::Whole(1, 256),
};
const CUTOFF: Param = Param {
    name: "cutoff",
    about: "decisions that the policy plays on before the position is evaluated; 0 = to the end",
    default: "0",
    range: Range::Whole(0, 100_000),
};
const MARGIN: Param = Param {
    name: "margin",
    about: "how much of a result's value is the lead in points instead of the win",
    default: "0.5",
    range: Range::Real(0.0, 1.0),
};
const CANONICAL: Param = Param {
    name: "canonical",
    about: "one way to pay for a route on a board: with fewest locomotives, in the colour of which there is most",
    default: "yes",
    range: YES_OR_NO,
};
const BELIEF: Param = Param {
    name: "belief",
    about: "worlds to choose from by what the others' claims say of their tickets; 1 = take any",
    default: "1",
    range: Range::Whole(1, 1000),
};
const YES_OR_NO: Range = Range::OneOf(&["yes", "no"]);
const POLICIES: Range = Range::OneOf(&["random", "greedy", "light", "planner"]);

pub(crate) const ISMCTS: AgentInfo = AgentInfo {
    name: "ismcts",
    about: "information-set Monte Carlo tree search",
    plays: Plays::Anything,
    tuned: false,
    params: &[
        ITERS,
        MS,
        Param {
            name: "root",
            about: "compare the candidates in the same worlds, halving their number, or leave them to the tree",
            default: "halving",
            range: Range::OneOf(&["halving", "tree"]),
        },
        Param {
            name: "candidates",
            about: "most candidates for the decision; each is tried once at least, so there are never more than playouts",
            default: "12",
            range: Range::Whole(1, 100_000),
        },
        Param {
            name: "exploration",
            about: "how much seldom tried actions attract",
            default: "0.05",
            range: Range::Real(0.0, 1000.0),
        },
        Param {
            name: "faith",
            about: "as how many playouts the value of its parent counts for a node of the tree",
            default: "10",
            range: Range::Real(0.0, 100_000.0),
        },
        Param {
            name: "prior",
            about: "whose choice comes first (PUCT); with none every action is alike (UCB1), and unless they are set \
                    candidates and widening leave none out",
            default: "planner",
            range: Range::OneOf(&["planner", "rollout", "none"]),
        },
        Param {
            name: "widening",
            about: "after n visits 1 + n^widening actions are considered",
            default: "0.3",
            range: Range::Real(0.0, 1.0),
        },
        Param {
            name: "depth",
            about: "most decisions inside the tree",
            default: "50",
            range: Range::Whole(0, 100_000),
        },
        Param {
            name: "rollout",
            about: "who plays on below the tree; in the Card Game yard instead of light and planner",
            default: "planner",
            range: POLICIES,
        },
        CUTOFF,
        MARGIN,
        Param {
            name: "doubt",
            about: "how much worse than the policy's choice an action e times less likely is expected to be",
            default: "0.01",
            range: Range::Real(0.0, 1.0),
        },
        Param {
            name: "reach",
            about: "how far apart the values of actions are expected to be",
            default: "0.03",
            range: Range::Real(0.0001, 1000.0),
        },
        CANONICAL,
        BELIEF,
        THREADS,
    ],
};

pub(crate) const FLAT: AgentInfo = AgentInfo {
    name: "flat",
    about: "flat Monte Carlo: every action equally often, and the best on average",
    plays: Plays::Anything,
    tuned: false,
    params: &[
        ITERS,
        MS,
        Param {
            name: "rollout",
            about: "who plays on; in the Card Game yard instead of light and planner",
            default: "random",
            range: POLICIES,
        },
        CUTOFF,
        MARGIN,
        CANONICAL,
        BELIEF,
        THREADS,
    ],
};

/// The settings of a search agent.
pub(crate) fn settings(spec: &AgentSpec) -> Settings {
    let cutoff = spec.number("cutoff");
    let common = Settings {
        budget: match spec.number("ms") {
            0 => Budget::Playouts(spec.number("iters")),
            ms => Budget::Time(Duration::from_millis(ms)),
        },
        threads: spec.number("threads"),
        root: Root::Even,
        candidates: usize::MAX,
        selection: Selection::Visits,
        exploration: 0.0,
        faith: 0.0,
        widening: 1.0,
        depth: 0,
        cutoff: if cutoff == 0 { u32::MAX } else { cutoff },
        margin: spec.number("margin"),
        guesses: spec.number("belief"),
        doubt: 0.0,
        reach: 1.0,
    };
    if spec.name == FLAT.name {
        return common;
    }
    // Where every action is alike, none is left out for being unlikely.
    let alike = spec.word("prior") == "none";
    let unlimited = |limit: &str| alike && spec.given(limit).is_none();
    Settings {
        root: if spec.word("root") == "tree" { Root::Tree } else { Root::Halving },
        candidates: if unlimited("candidates") { usize::MAX } else { spec.number("candidates") },
        selection: if alike { Selection::Visits } else { Selection::Prior },
        exploration: spec.number("exploration"),
        faith: spec.number("faith"),
        widening: if unlimited("widening") { 1.0 } else { spec.number("widening") },
        depth: spec.number("depth"),
        doubt: spec.number("doubt"),
        reach: spec.number("reach"),
        ..common
    }
}
