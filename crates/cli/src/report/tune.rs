//! The report of tuning.

use super::curve::LineCurve;
use super::dumbbell::Dumbbells;
use super::format::Format;
use super::html::{Html, element};
use super::page::{Page, Section};
use super::provenance::Provenance;
use super::rows_chart::DotWhisker;
use super::settings::labelled;
use ttr_agents::Roster;
use ttr_show::text::thousands;
use ttr_sim::game::Playable;
use ttr_sim::run::RunPlan;
use ttr_sim::stats::Figure;
use ttr_sim::tune::{Confirmation, Generation, Tuned};

/// The report of tuning: the same result gives the same bytes. The roster describes the agents.
pub fn tune<G: Playable>(
    tuned: &Tuned,
    game: &G,
    plan: &RunPlan,
    roster: &Roster,
    provenance: &Provenance,
) -> String {
    let games = tuned.curve.last().map_or(0, |generation| generation.games);
    let stronger = tuned.confirmed.as_ref().and_then(Confirmation::is_stronger);
    let title = match stronger {
        Some(true) => "Stronger weights found",
        Some(false) => "No stronger weights found",
        None => "Tuned weights: no clear difference",
    };
    let subtitle = format!("{} on {}, {} seats", tuned.before.name, game.map_id(), game.seats());
    let mut page = Page::new(title, subtitle).tile("Games", thousands(games), "of the search").tile(
        "Generations",
        tuned.curve.len().to_string(),
        "of candidates",
    );
    if let Some(test) = &tuned.confirmed {
        page = page
            .tile(
                "Wins of the new weights",
                Format::PERCENT.figure(&test.share),
                format!("of {} fresh games; par {}", thousands(test.games), Format::PERCENT.value(tuned.par)),
            )
            .tile("Elo against the old ones", Format::ELO.figure(&test.elo), "95 %, corrected for the stop");
    }
    page.section(weights(tuned))
        .section_if(tuned.confirmed.as_ref().map(|test| fresh_deals(tuned, test)))
        .section(search(tuned))
        .section(played(tuned, plan, provenance).settings(labelled(&plan.agents), game, roster))
        .html()
}

fn weights(tuned: &Tuned) -> Section {
    let mut params: Vec<_> = tuned.params.iter().collect();
    params.sort_by(|a, b| b.moved().total_cmp(&a.moved()));
    let mut chart = Dumbbells::new("Weights before and after")
        .note("Each line is the range of a parameter; those that moved farthest come first.");
    for param in params {
        let (range, values) = ((param.least, param.most), (param.before, param.after));
        chart = chart.row(&param.name, &param.about, range, values);
    }
    Section::new("The weights").with(chart).note(
        "Parameters with little effect drift at random: a long distance is no sign of importance. Use them together, as they are in \
         tuned.toml.",
    )
}

fn fresh_deals(tuned: &Tuned, test: &Confirmation) -> Section {
    let verdict = test.verdict();
    let share = DotWhisker::new("Share of wins per seat, new against old weights", Format::PERCENT)
        .row("new weights", test.share)
        .reference(tuned.par, "par");
    let bounds = (test.lower_bound, test.upper_bound);
    let (least, most) = (bounds.0.min(test.llr), bounds.1.max(test.llr));
    let room = 0.08 * (most - least);
    let two = Format::decimals(2);
    let llr = DotWhisker::new("Log-likelihood ratio (LLR) of the sequential test", two)
        .row("LLR", Figure::alone(test.llr))
        .reference(bounds.0, "H0 at")
        .reference(bounds.1, "H1 at")
        .range(least - room, most + room);
    Section::new("The test on fresh deals")
        .text(format_args!("{}{}.", verdict[..1].to_uppercase(), &verdict[1..]))
        .side_by_side([Html::from(share), Html::from(llr)])
        .facts(
            [
                (
                    "Games",
                    format!(
                        "{} in {} deals, none of them in the search",
                        thousands(test.games),
                        thousands(test.deals)
                    ),
                ),
                (
                    "Wins",
                    format!(
                        "{} per seat, par {}{}",
                        Format::PERCENT.figure(&test.share),
                        Format::PERCENT.value(tuned.par),
                        if test.decision.is_some() { "; exaggerated by the early stop" } else { "" }
                    ),
                ),
                ("Elo", format!("{}, corrected for the stop", Format::ELO.figure(&test.elo))),
                (
                    "SPRT",
                    format!(
                        "H0: at most {} Elo, H1: at least {} Elo; LLR {}, bounds {} and {}",
                        test.elo0,
                        test.elo1,
                        two.value(test.llr),
                        two.value(bounds.0),
                        two.value(bounds.1)
                    ),
                ),
            ]
            .map(|(name, value)| (name, element("span").text(value))),
        )
}

fn search(tuned: &Tuned) -> Section {
    let along = |figure: &dyn Fn(&Generation) -> Figure| {
        tuned.curve.iter().map(|generation| (generation.games as f64, figure(generation))).collect::<Vec<_>>()
    };
    let exactly = |value: f64| Figure::exactly(value);
    let wins = LineCurve::new("Wins against the opponents", "games", Format::PERCENT)
        .curve("all candidates of a generation, with a 95 % band", along(&|generation| generation.share))
        .curve("the candidate with the most wins", along(&|generation| exactly(generation.best)))
        .reference(tuned.par, "par")
        .note("Each generation plays other deals, so the curve varies with their luck; the best of many candidates is partly lucky.");
    let margins = LineCurve::new("Margin over the best opponent", "games", Format::POINTS)
        .curve("mean of all candidates, with a 95 % band", along(&|generation| generation.margin))
        .note("In points, mean of all candidates with a 95 % band.");
    let step = LineCurve::new("Step size", "games", Format::PERCENT)
        .curve("step size", along(&|generation| exactly(generation.step)))
        .note("Standard deviation of candidates, as a fraction of the ranges of the parameters.");
    let deals = LineCurve::new("Deals per candidate", "games", Format::WHOLE)
        .curve("deals", along(&|generation| exactly(generation.deals as f64)))
        .note("The less two halves of the deals agree on the candidates, the more deals the next generation has.");
    Section::new("The search").with(wins).with(margins).side_by_side([step, deals])
}

fn played(tuned: &Tuned, plan: &RunPlan, provenance: &Provenance) -> Section {
    let code = |text: &str| Html::from(element("code").text(text));
    let against = match &plan.agents[1.min(plan.agents.len())..] {
        [] => "the original agent".to_owned(),
        list => list.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
    };
    let text = |text: String| Html::text(text);
    let facts = [
        ("Map", text(format!("{}, {} seats, hash {}", plan.map, plan.seats, plan.map_hash))),
        ("Seed", text(plan.seed.to_string())),
        ("Agent", code(&tuned.before.to_string())),
        ("Opponents", code(&against)),
        ("Version", text(format!("ttr {}", plan.version))),
    ];
    Section::new("What was played").facts(facts.into_iter().chain(provenance.facts()))
}
