//! Reports are well-formed and self-contained, and show the measured figures.

use std::collections::HashSet;
use std::ops::ControlFlow;

use ttr_agents::{Agent, AgentSpec, Forfeit, Random, Roster};
use ttr_engine::board::{Action, BoardGame, Observation};
use ttr_engine::card_game::CardGame;
use ttr_engine::maps::{self, AnySpec};
use ttr_engine::spec::MapSpec;
use ttr_engine::{Dice, View};

use super::*;
use ttr_show::text::Align;
use ttr_sim::arena::{Arena, SprtSummary, Summary};
use ttr_sim::game::{Playable, same_tracks};
use ttr_sim::stats::{Decision, Figure};
use ttr_sim::table::entrant::Entrant;
use ttr_sim::table::runner::Drive;

const HOSTILE: &str = "</title></style><script>alert('1')</script>\"><img src=x onerror=alert(2)>&amp;\u{0}";

/// The report of an arena of built-in agents.
fn arena<G: Playable>(summary: &Summary, game: &G) -> String {
    super::arena(summary, game, Roster::built_in(), &Provenance::default())
}

/// Claims whenever possible.
struct Claimer;

impl Agent<BoardGame> for Claimer {
    fn choose(&mut self, view: &Observation<'_>, dice: &mut Dice) -> Result<Action, Forfeit> {
        let claim = view.legal_actions(|action| match action {
            Action::Claim { .. } => ControlFlow::Break(action),
            _ => ControlFlow::Continue(()),
        });
        Ok(claim.break_value().unwrap_or_else(|| view.random_action(dice)))
    }
}

/// Resigns immediately.
struct Quitter;

impl Agent<BoardGame> for Quitter {
    fn choose(&mut self, _: &Observation<'_>, _: &mut Dice) -> Result<Action, Forfeit> {
        Err(Forfeit::new(HOSTILE))
    }
}

/// Every tag is closed in order, every attribute is quoted, ids are unique, and all references resolve;
/// nothing is loaded from elsewhere and no script runs but our own.
fn assert_sound(html: &str) {
    let (mut ids, mut wanted) = (HashSet::new(), HashSet::new());
    let mut open: Vec<&str> = Vec::new();
    let mut rest = html.strip_prefix("<!DOCTYPE html>\n").expect("a document type");
    while let Some((text, tail)) = rest.split_once('<') {
        assert_text(text);
        let (tag, tail) = tail.split_once('>').expect("a tag ends");
        rest = tail;
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "before {}", &tail[..tail.len().min(80)]);
            continue;
        }
        let closed = tag.ends_with('/');
        let tag = tag.strip_suffix('/').unwrap_or(tag);
        let (name, mut attributes) = tag.split_once([' ', '\n']).unwrap_or((tag, ""));
        assert!(name.chars().all(|c| c.is_ascii_alphanumeric()), "{name}");
        while let Some((key, value)) = attributes.trim_start().split_once("=\"") {
            let (value, tail) = value.split_once('"').expect("a quoted attribute");
            attributes = tail;
            assert_text(value);
            assert!(!key.starts_with("on") && key != "src", "{key} in {tag}");
            match key {
                "id" => assert!(ids.insert(value), "{value} is there twice"),
                "for" => drop(wanted.insert(value)),
                "href" => match value.strip_prefix('#') {
                    Some(place) => drop(wanted.insert(place)),
                    None => assert!(is_beside(value), "{value} is not a file beside the page"),
                },
                _ => {}
            }
        }
        assert_eq!(attributes.trim(), "", "{tag}");
        if name == "style" || name == "script" {
            let (_, tail) = rest.split_once(&format!("</{name}>")).expect("an end");
            rest = tail;
        } else if !closed {
            open.push(name);
        }
    }
    assert_eq!((open, rest.trim()), (vec![], ""));
    assert!(wanted.is_subset(&ids), "{:?}", wanted.difference(&ids));
    assert_eq!(html.matches("<script>").count(), 1);
    let without_names = html.replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
    assert!(!without_names.contains("://") && !html.contains("url(") && !html.contains("@import"));
    assert!(!html.contains("NaN") && !html.contains("inf%") && !html.contains("\"inf"));
}

/// Returns `true` if a link leads to a file in the directory of the page, or below it.
fn is_beside(link: &str) -> bool {
    let is_name = |part: &str| !part.is_empty() && !part.starts_with('.') && !part.contains([':', '?', '#']);
    link.split('/').all(is_name)
}

fn assert_text(text: &str) {
    assert!(!text.contains('>'), "{text}");
    for entity in text.split('&').skip(1) {
        let known = ["amp;", "lt;", "gt;", "quot;", "#39;"];
        assert!(known.iter().any(|known| entity.starts_with(known)), "{entity}");
    }
    assert!(!text.contains(|c: char| c.is_control() && c != '\n'));
}

fn board(id: &str, seats: usize) -> BoardGame {
    BoardGame::new(&maps::load(id).expect("a shipped map"), seats).expect("seats in range")
}

fn random<G: Playable>(game: &G) -> Entrant<G> {
    Entrant::from_spec(game, &AgentSpec::parse("random").expect("a known agent"))
        .expect("it plays everything")
}

fn played<G: Playable>(game: G, entrants: Vec<Entrant<G>>, deals: u64) -> (Summary, G) {
    let arena = Arena::round_robin(game, entrants, 7);
    let summary = arena.play_deals(0..deals, &Drive::threads(2)).expect("games");
    (summary, arena.game)
}

fn claimer_and_random(game: BoardGame, deals: u64) -> (Summary, BoardGame) {
    let entrants = vec![Entrant::new("claimer", |_: &BoardGame| Claimer), random(&game)];
    played(game, entrants, deals)
}

#[test]
fn reports_of_all_games_are_sound_and_small() {
    for (id, seats) in [("usa", 2), ("europe", 3), ("nordic", 2), ("first-journey-usa", 4)] {
        let (summary, game) = claimer_and_random(board(id, seats), 12);
        let html = arena(&summary, &game);
        assert_sound(&html);
        assert!(html.len() < 1_000_000, "{id}: {} bytes", html.len());
        assert!(html.contains("id=\"board-0\"") && html.contains("Tickets"));
    }
    let Ok(AnySpec::CardGame(spec)) = maps::find_any("card-game") else { panic!("the Card Game is shipped") };
    let game = CardGame::new(&spec, 3).expect("three seats");
    let entrants = vec![random(&game), Entrant::new("again", |_: &CardGame| Random)];
    let (summary, game) = played(game, entrants, 12);
    let html = arena(&summary, &game);
    assert_sound(&html);
    assert!(!html.contains("class=\"board") && html.contains("big cities"));
}

#[test]
fn the_figures_are_those_of_the_summary() {
    let (summary, game) = claimer_and_random(board("usa", 2), 40);
    let html = arena(&summary, &game);
    for agent in &summary.agents {
        assert!(html.contains(&Format::PERCENT.figure(&agent.win_share)));
        assert!(html.contains(&Format::PERCENT.interval(&agent.win_share)));
        assert!(html.contains(&Format::ELO.figure(&agent.rating)));
        assert!(html.contains(&Format::POINTS.figure(&agent.points)));
        assert!(agent.sources.iter().all(|(_, figure)| html.contains(&Format::POINTS.figure(figure))));
    }
    for pair in &summary.head_to_head {
        assert!(html.contains(&Format::PERCENT.figure(&pair.all)));
        assert!(html.contains(&Format::PERCENT.figure(&pair.playing_before)));
    }
    let claims: u64 = summary.agents.iter().map(|agent| agent.sets.routes[0].games).sum();
    let claimed = &summary.everybody.routes[0].claimed;
    assert!((claimed.value - claims as f64 / summary.games as f64).abs() < 1e-12);
    let per_game = Format::decimals(2).figure(claimed).replace('\u{a0}', " ");
    assert!(html.contains(&format!("\neverybody: {per_game} claims per game")));
    assert_eq!(html, arena(&summary, &game), "the same data, the same bytes");
    assert!(html.contains(&summary.map_hash) && html.contains("80 games of 40 deals"));
}

/// A map on which everything has a hostile name.
fn hostile_map() -> MapSpec {
    let mut map = maps::load("usa").expect("a shipped map");
    map.name = HOSTILE.to_owned();
    map.note = Some(HOSTILE.to_owned());
    let name = |city: &mut String| {
        if city == "Dallas" {
            *city = HOSTILE.to_owned();
        }
    };
    map.cities.iter_mut().for_each(|city| name(&mut city.name));
    map.routes.iter_mut().for_each(|route| [&mut route.from, &mut route.to].into_iter().for_each(name));
    map.tickets.iter_mut().for_each(|ticket| [&mut ticket.from, &mut ticket.to].into_iter().for_each(name));
    map
}

#[test]
fn names_cannot_break_out() {
    let game = BoardGame::new(&hostile_map(), 2).expect("two seats");
    let entrants = vec![random(&game), Entrant::new(HOSTILE, |_: &BoardGame| Quitter)];
    let (mut summary, game) = played(game, entrants, 5);
    assert!(!summary.forfeits.is_empty());
    summary.sprt = Some(SprtSummary {
        agent: HOSTILE.to_owned(),
        other: "random".to_owned(),
        elo0: 0.0,
        elo1: 10.0,
        alpha: 0.05,
        beta: 0.05,
        llr: 3.1,
        bounds: (-2.94, 2.94),
        deals: 64,
        decision: Some(Decision::Stronger),
        elo: Figure::new(9.0, 2.0, 15.0),
        path: vec![(32, 1.0), (64, 3.1)],
    });
    let html = arena(&summary, &game);
    assert_sound(&html);
    assert!(!html.contains("<img") && !html.contains("<script>alert"));
    assert!(
        html.contains("&lt;script&gt;alert") && html.contains("Sequential test") && html.contains("Forfeits")
    );
}

#[test]
fn every_part_takes_strange_data() {
    let none = Figure::NONE;
    let some = Figure::new(-3.0, -4.0, 9.0);
    let mut table = Table::new([("a", Align::Left), (HOSTILE, Align::Right), ("c", Align::Left)]);
    table.row([Cell::text(HOSTILE), Cell::figure(&none, Format::ELO), Cell::bar(&some, 0.0, Format::POINTS)]);
    table.row([Cell::code(HOSTILE), Cell::missing(), Cell::beside(&none, 0.5, 0.0, Format::PERCENT)]);
    let game = board("first-journey-europe", 2);
    let values = vec![f64::INFINITY; 3];
    let scale = HeatScale::around(0.0, values.clone(), Format::PERCENT, HOSTILE);
    let page = Page::new(HOSTILE, HOSTILE)
        .tile(HOSTILE, HOSTILE, HOSTILE)
        .section(Section::new(HOSTILE).text(HOSTILE).note(HOSTILE).heading(HOSTILE).with(table))
        .section(Section::new("nothing").with(DotWhisker::new("", Format::POINTS)))
        .section(
            Section::new("dots")
                .with(DotWhisker::new(HOSTILE, Format::ELO).row(HOSTILE, none).row("b", some)),
        )
        .section(Section::new("bars").with(StackedBars::new(HOSTILE, Format::POINTS, [HOSTILE, "b"]).row(
            HOSTILE,
            vec![some, none],
            none,
        )))
        .section(
            Section::new("matrix").with(
                HeatMatrix::shares(HOSTILE, HOSTILE, [HOSTILE])
                    .row(HOSTILE, vec![Some(none)])
                    .row("b", vec![None]),
            ),
        )
        .section(Section::new("curve").with(LineCurve::new(HOSTILE, HOSTILE, Format::PERCENT)))
        .section(
            Section::new("curves").with(
                LineCurve::new(HOSTILE, "x", Format::PERCENT)
                    .curve(HOSTILE, vec![(0.0, none), (1.0, some)])
                    .curve("b", vec![(f64::NAN, some)]),
            ),
        )
        .section(Section::new("histogram").with(Histogram::new(HOSTILE, HOSTILE, 0.0, 0.0, vec![])))
        .section(
            Section::new("tabs")
                .with(Tabs::new("tabs").tab(HOSTILE, Html::text("a")).tab("b", Html::text("c"))),
        )
        .section(Section::new("board").with(board_heat("board", &game, &values, scale)))
        .section_if(None)
        .footer(HOSTILE);
    assert_sound(&page.html());
    assert!(!page.html().contains("<img"));
}

#[test]
fn a_board_shows_the_values_of_its_routes() {
    let game = board("usa", 2);
    let mut values = vec![0.0; game.routes().len()];
    values[17] = 1.0;
    let scale = HeatScale::from_zero(values.clone(), Format::PERCENT, "share of games");
    let html = board_heat("heat", &game, &values, scale);
    assert!(html.as_str().contains("--route-17:var(--heat-20);--route-18:var(--heat-0)"));
    let title = format!("<title>{}\n100.0 %</title>", route_title(&game, 17));
    assert!(html.as_str().contains(&title));
}

/// The value of a custom property in the rule of the first view of a board.
fn colour_of(html: &str, route: usize) -> &str {
    let rules = html.split("#board-0:checked~.board{").nth(1).expect("a rule");
    let rule = rules.split('}').next().expect("an end");
    rule.split(&format!("--route-{route}:")).nth(1).and_then(|rest| rest.split(';').next()).expect("a colour")
}

/// Two tracks that ask for the same cards are one row, and have one colour on the board: a claim may take
/// either.
#[test]
fn equal_tracks_are_one_route() {
    let (summary, game) = claimer_and_random(board("usa", 2), 30);
    let html = arena(&summary, &game);
    let pairs: Vec<_> = same_tracks(&game).into_iter().filter(|tracks| tracks.len() > 1).collect();
    assert!(pairs.len() > 8);
    for tracks in &pairs {
        assert_eq!(colour_of(&html, tracks[0]), colour_of(&html, tracks[1]));
    }
    assert!(html.contains("All 90 routes as a table"), "100 tracks, 10 of them second ones");
    assert!(html.contains("Dallas – Houston, 1 grey, both tracks") && !html.contains("Dallas – Houston (2)"));
    // Their claims are counted together.
    let (index, tracks) =
        same_tracks(&game).into_iter().enumerate().find(|(_, tracks)| tracks.len() > 1).expect("a pair");
    let everybody = &summary.everybody;
    let apart: u64 = tracks.iter().map(|&track| everybody.routes[track].games).sum();
    assert_eq!(everybody.same_tracks[index].games, apart);
}

/// Unknown intervals are left out, and known ones are never written as ±0.
#[test]
fn no_interval_is_empty_or_0() {
    for deals in [2, 12] {
        let (summary, game) = claimer_and_random(board("europe", 2), deals);
        let html = arena(&summary, &game);
        for wrong in ["±–", "±-", "±0<", "±0.0<", "±0.00<", "±0.000<", "±0.0\u{a0}%", "(–..–)"] {
            assert!(!html.contains(wrong), "{wrong} with {deals} deals");
        }
        assert_eq!(html.contains("there are no intervals"), deals < 5);
    }
}

#[test]
fn forfeits_are_a_banner() {
    let game = board("usa", 2);
    let entrants = vec![random(&game), Entrant::new("quitter", |_: &BoardGame| Quitter)];
    let (summary, game) = played(game, entrants, 6);
    let html = arena(&summary, &game);
    assert_sound(&html);
    assert!(html.contains("<p class=\"banner\" role=\"alert\">quitter forfeited 12 of 12 games."));
    // Nothing is drawn without data.
    assert!(!html.contains("Points per game") && !html.contains("class=\"board"));
    let (summary, game) = claimer_and_random(board("usa", 2), 6);
    assert!(!arena(&summary, &game).contains("class=\"banner\""));
}

/// A heat map shows only the colours: no teeth of tunnels, no water, no symbols.
#[test]
fn heat_maps_are_plain() {
    let game = board("europe", 2);
    let values = vec![0.5; game.routes().len()];
    let scale = HeatScale::from_zero(values.clone(), Format::PERCENT, "share");
    let html = board_heat("board", &game, &values, scale);
    for sign in ["var(--water)", "var(--wave)", "var(--rock)"] {
        assert!(!html.as_str().contains(sign), "{sign}");
    }
    // The whole board fits a phone, and can be enlarged.
    assert!(html.as_str().contains("id=\"board-size\"") && html.as_str().contains("class=\"names\""));
}

#[test]
fn reports_link_to_their_data() {
    let (summary, game) = claimer_and_random(board("usa", 2), 6);
    let files = ["games.csv", "games.parquet", "llr.csv", "summary.json"].map(str::to_owned).to_vec();
    let command = "ttr arena --map usa --agents a,b".to_owned();
    let html =
        super::arena(&summary, &game, Roster::built_in(), &Provenance { command: Some(command), files });
    assert_sound(&html);
    assert!(html.contains("<a href=\"games.csv\">games.csv</a> (<a href=\"games.parquet\">Parquet</a>), "));
    assert!(html.contains("<a href=\"llr.csv\">llr.csv</a>, <a href=\"summary.json\">"));
    assert!(html.contains("<span class=\"word\">--agents</span> <span class=\"word\">a,b</span>"));
}

/// Every heading of the standings is explained below the table.
#[test]
fn headings_are_explained() {
    let (summary, game) = claimer_and_random(board("usa", 2), 6);
    let html = arena(&summary, &game);
    let table = html.split("<th scope=\"col\" class=\"left\">agent</th>").nth(1).expect("the standings");
    let (head, rest) = table.split_once("</thead>").expect("headings");
    let headings = head.split("<th").skip(1).map(|cell| cell.split(['>', '<']).nth(1).expect("a text"));
    let legend = rest.split("</section>").next().expect("an end");
    let unexplained: Vec<_> =
        headings.filter(|heading| !legend.contains(&format!("<b>{heading}</b>"))).collect();
    assert!(unexplained.is_empty(), "{unexplained:?}");
}

/// An agent that never won has a bound for a rating: its row is not empty.
#[test]
fn bounds_are_drawn() {
    let bound = Figure { high: -900.0, ..Figure::NONE };
    let chart = DotWhisker::new("Elo", Format::ELO).row("best", Figure::exactly(0.0)).row("worst", bound);
    let html = Html::from(chart);
    assert!(html.as_str().contains("class=\"bound\">◂</text>") || html.as_str().contains(">◂</text>"));
    assert!(html.as_str().contains("<title>worst: ≤−900</title>"));
}

/// The labels of a bar are inside of it.
#[test]
fn narrow_bars_have_no_letters() {
    let bars = |share: f64| {
        let parts = vec![Figure::alone(share), Figure::alone(10.0 - share)];
        let chart = StackedBars::new("t", Format::decimals(2), ["a", "b"]).beside();
        Html::from(chart.row("row", parts, Figure::alone(10.0))).as_str().to_owned()
    };
    assert!(bars(3.0).contains(">3.00</text>"));
    assert!(!bars(0.9).contains(">0.90</text>"));
}
