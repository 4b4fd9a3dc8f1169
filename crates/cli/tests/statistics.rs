//! Figures are well-defined: they do not depend on the form of the question.

use ttr_agents::{AgentSpec, Roster};
use ttr_engine::board::BoardGame;
use ttr_engine::maps;
use ttr_sim::arena::{Arena, Summary};
use ttr_sim::table::entrant::Entrant;
use ttr_sim::table::runner::Drive;
use ttr_sim::table::schedule::Schedule;

fn arena(map: &str, seats: usize, agents: &[&str], seed: u64) -> Arena<BoardGame> {
    let game = BoardGame::new(&maps::load(map).unwrap(), seats).unwrap();
    let entrant = |agent: &&str| Entrant::from_spec(&game, &AgentSpec::parse(agent).unwrap()).unwrap();
    let entrants = agents.iter().map(entrant).collect();
    Arena::round_robin(game, entrants, seed)
}

fn play(map: &str, seats: usize, agents: &[&str], deals: u64) -> Summary {
    arena(map, seats, agents, 31).play_deals(0..deals, &Drive::threads(2)).unwrap()
}

/// The order of the list only decides which agent sits behind which in the first deal: at three and four
/// seats, and with fewer agents than seats.
#[test]
fn the_order_of_the_list_does_not_matter() {
    for (map, seats, deals, forth, back) in [
        (
            "usa",
            3,
            1500,
            &["long-route", "hungry", "one-step"][..],
            &["long-route", "one-step", "hungry"][..],
        ),
        (
            "usa",
            4,
            900,
            &["hungry", "long-route", "one-step", "path"],
            &["hungry", "one-step", "long-route", "path"],
        ),
        ("europe", 4, 200, &["long-route", "hungry", "one-step"], &["one-step", "hungry", "long-route"]),
    ] {
        let (forth, back) = (play(map, seats, forth, deals), play(map, seats, back, deals));
        for agent in &forth.agents {
            let other = back.agents.iter().find(|other| other.label == agent.label).unwrap();
            let difference = agent.win_share.value - other.win_share.value;
            let both = (agent.win_share.margin().powi(2) + other.win_share.margin().powi(2)).sqrt();
            let agent = &agent.label;
            assert!(difference.abs() < 1.3 * both, "{map}, {seats} seats, {agent}: {difference} ±{both}");
        }
    }
}

/// Of two agents, one wins what the other does not, however many seats they have: the interval of one
/// mirrors that of the other. Seats of one agent are rivals, which must not widen intervals.
#[test]
fn two_agents_have_one_interval() {
    let mut arena = arena("usa", 4, &["planner", "greedy"], 31);
    for (line_up, seats) in [(vec![0, 0, 1, 1], [2.0, 2.0]), (vec![0, 1, 1, 1], [1.0, 3.0])] {
        arena.schedule = Schedule::table(line_up);
        let summary = arena.play_deals(0..60, &Drive::threads(2)).unwrap();
        let of = |index: usize| {
            let agent = summary.agents.iter().find(|agent| agent.index == index).unwrap();
            // In wins per game.
            agent.win_share.times(seats[index])
        };
        let (planner, greedy) = (of(0), of(1));
        let mirrored = (1.0 - greedy.high - planner.low).abs().max((1.0 - greedy.low - planner.high).abs());
        assert!(planner.value > 0.9 && mirrored < 1e-6, "{planner:?} {greedy:?}");
        assert!(planner.margin() < 0.06, "{planner:?}");
        let last = &summary.convergence.last().unwrap().win_shares[0];
        assert!((last.times(seats[0]).low - planner.low).abs() < 1e-6, "{last:?}");
    }
}

/// Agents that decide alike win equally often in every deal. The interval of that has a width, but a small one.
#[test]
fn equal_agents_are_equal() {
    let mut arena = arena("usa", 4, &["planner", "planner"], 31);
    arena.schedule = Schedule::table(vec![0, 0, 1, 1]);
    let summary = arena.play_deals(0..100, &Drive::threads(2)).unwrap();
    let share = summary.agents[0].win_share;
    assert!(share.value == 0.25 && (0.001..0.01).contains(&share.margin()), "{share:?}");
}

/// A single agent: its strength is not measured.
#[test]
fn an_agent_alone_has_no_share_and_no_rating() {
    let summary = play("usa", 2, &["random"], 6);
    let text = summary.to_string();
    let row = text.lines().find(|line| line.starts_with("random ")).unwrap();
    assert!(row.contains("  -  "), "{text}");
    assert!(summary.agents[0].win_share.value.is_nan() && summary.agents[0].rating.value.is_nan());
    assert!(summary.seat_advantage[0].win_share.has_interval());
}

/// One-sided results and few deals: no ±0, and a bound where only a bound is known.
#[test]
fn a_clean_sheet_is_a_bound() {
    let few = play("usa", 2, &["planner", "random"], 3).to_string();
    assert!(few.contains("100.0 ±-") && !few.contains("±0"), "{few}");
    let summary = play("usa", 2, &["planner", "long-route", "random"], 12);
    let text = summary.to_string();
    assert!(!text.contains("±0.0") && text.contains("Elo of planner is 0"), "{text}");
    let last = summary.agents.last().unwrap();
    assert_eq!(last.label, "random");
    assert!(last.rating.value.is_nan() && last.rating.high < -300.0, "{:?}", last.rating);
    assert!(text.contains("≤-"), "{text}");
}

/// The standings are sorted by wins, and the rating agrees: more wins, more Elo. On USA at four seats
/// one-step finishes ahead of hungry more often, and wins less.
#[test]
fn ratings_are_sorted_like_wins() {
    let agents = ["hungry", "long-route", "one-step", "path"].map(|agent| format!("{agent}:variant=coded"));
    let summary = play("usa", 4, &agents.each_ref().map(String::as_str), 400);
    let pairs = summary.agents.windows(2);
    for pair in pairs {
        assert!(pair[0].win_share.value >= pair[1].win_share.value);
        assert!(pair[0].rating.value >= pair[1].rating.value - 1e-6, "{summary}");
    }
    // All four play in every game: the fitted shares are the observed ones.
    let strengths: Vec<f64> =
        summary.agents.iter().map(|agent| 10f64.powf(agent.rating.value / 400.0)).collect();
    for (agent, strength) in summary.agents.iter().zip(&strengths) {
        let fitted = strength / strengths.iter().sum::<f64>();
        assert!((fitted - agent.win_share.value).abs() < 1e-6, "{summary}");
    }
}

/// Terminal and report print the same digits.
#[test]
fn terminal_and_report_agree() {
    let arena = arena("usa", 2, &["long-route", "one-step", "path"], 5);
    let summary = arena.play_deals(0..40, &Drive::threads(2)).unwrap();
    let (text, html) = (
        summary.to_string(),
        ttr_cli::report::arena(&summary, &arena.game, Roster::built_in(), &Default::default()),
    );
    let html = html.replace("<small>", "").replace('\u{a0}', " ").replace('−', "-");
    for agent in &summary.agents {
        for figure in [agent.win_share.times(100.0).plus_minus(1), agent.points.plus_minus(1)] {
            assert!(text.contains(&figure) && html.contains(&figure), "{figure}\n{text}");
        }
        let elo = agent.rating.signed_plus_minus(0);
        assert!(text.contains(&elo) && html.contains(&elo), "{elo}\n{text}");
    }
}
