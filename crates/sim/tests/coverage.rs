//! Coverage of 95 % intervals. Experiment 0016 has the results of:
//!
//! ```sh
//! cargo test --release -p ttr-sim --test coverage -- --ignored --nocapture | grep , > results.csv
//! ```

use ttr_engine::Dice;
use ttr_sim::stats::{Blocks, Contest, Figure};
use ttr_sim::table::schedule::Schedule;

fn uniform(dice: &mut Dice) -> f64 {
    (dice.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

fn covers(figure: &Figure, truth: f64) -> bool {
    // If only one end is known, the other is open.
    !(figure.low > truth + 1e-12 || figure.high < truth - 1e-12)
}

/// The wins of a deal, whose games are correlated. A negative correlation is that of pairs of games, as far
/// as the share allows it; with a positive one, every game follows a common coin with its square root as
/// probability.
fn wins(dice: &mut Dice, games: u32, share: f64, correlation: f64) -> i64 {
    if correlation < 0.0 {
        let least = -((1.0 - share) / share).min(share / (1.0 - share));
        let both = share * (1.0 - share) * correlation.max(least);
        let (two, none) = (share * share + both, (1.0 - share).powi(2) + both);
        let pair = |roll: f64| if roll < two { 2 } else { i64::from(roll >= two + none) };
        return (0..games / 2).map(|_| pair(uniform(dice))).sum();
    }
    let common = uniform(dice) < share;
    let follow = correlation.sqrt();
    let game = |dice: &mut Dice| if uniform(dice) < follow { common } else { uniform(dice) < share };
    (0..games).map(|_| i64::from(game(dice))).sum()
}

const DESIGNS: [(u32, f64); 13] = [
    (2, -1.0),
    (2, -0.95),
    (2, -0.7),
    (2, -0.3),
    (2, 0.0),
    (2, 0.3),
    (6, -0.5),
    (6, 0.0),
    (6, 0.3),
    (12, -0.5),
    (12, 0.0),
    (12, 0.1),
    (12, 0.3),
];

/// Results for win shares: in per cent, the coverage of the interval and the frequency with which all games
/// are won; and the mean width of the intervals, as a multiple of that of 95 % of all estimates around the
/// truth.
struct OfShares {
    covered: f64,
    clean: f64,
    width: f64,
}

/// Of an agent that has some seats in every game and wins this share of the games.
fn of_shares(deals: u64, share: f64, (games, correlation): (u32, f64), seats: u32, trials: u64) -> OfShares {
    let (mut covered, mut clean) = (0, 0);
    let (mut width, mut squares) = (0.0, 0.0);
    let largest = 1.0 / f64::from(seats);
    for trial in 0..trials {
        let mut dice = Dice::from_parts(&[trial, deals, (share * 1e4) as u64, games.into()]);
        let mut blocks = Blocks::new(2);
        for deal in 0..deals {
            blocks.add(deal, 0, (games * seats).into());
            blocks.add(deal, 1, wins(&mut dice, games, share, correlation));
        }
        let figure = blocks.win_share(deals, largest, |sums| (sums[1] as f64, sums[0] as f64));
        covered += u32::from(covers(&figure, share * largest));
        clean += u32::from(figure.value == largest);
        width += 2.0 * figure.margin();
        squares += (figure.value - share * largest).powi(2);
    }
    let percent = |count: u32| 100.0 * f64::from(count) / trials as f64;
    let all = 2.0 * 1.96 * (squares * trials as f64).sqrt();
    OfShares { covered: percent(covered), clean: percent(clean), width: width / all }
}

/// The same for a mean and a standard deviation of points of 100 ±40.
fn of_points(deals: u64, shape: &str, games: u32, correlation: f64, trials: u64) -> (f64, f64) {
    let draw = |dice: &mut Dice| -> f64 {
        match shape {
            "normal" => {
                let (radius, angle) = (uniform(dice).max(1e-300), uniform(dice));
                (-2.0 * radius.ln()).sqrt() * (2.0 * std::f64::consts::PI * angle).cos()
            }
            "skewed" => ((0..4).map(|_| -uniform(dice).max(1e-300).ln()).sum::<f64>() - 4.0) / 2.0,
            _ => (uniform(dice) - 0.5) * 12f64.sqrt(),
        }
    };
    let (mut mean, mut deviation) = (0, 0);
    for trial in 0..trials {
        let mut dice = Dice::from_parts(&[trial, deals, games.into(), shape.len() as u64]);
        let mut blocks = Blocks::new(3);
        for deal in 0..deals {
            let common = draw(&mut dice);
            for _ in 0..games {
                let own = draw(&mut dice);
                let value = if uniform(&mut dice) < correlation.sqrt() { common } else { own };
                let points = (10_000.0 + 4000.0 * value).round() as i64;
                blocks.add(deal, 0, 1);
                blocks.add(deal, 1, points);
                blocks.add(deal, 2, points * points);
            }
        }
        let points = blocks.ratio(|sums| (sums[1] as f64, sums[0] as f64));
        let spread = blocks.deviation(deals, |sums| [sums[0], sums[1], sums[2]].map(|sum| sum as f64));
        mean += u32::from(covers(&points, 10_000.0));
        deviation += u32::from(covers(&spread, 4000.0));
    }
    let percent = |count: u32| 100.0 * f64::from(count) / trials as f64;
    (percent(mean), percent(deviation))
}

/// The same for ratings in a round robin: the share of all intervals that cover.
fn of_ratings(deals: u64, elo: &[f64], seats: usize, trials: u64) -> f64 {
    let schedule = Schedule::round_robin(elo.len(), seats);
    let strength: Vec<f64> = elo.iter().map(|elo| 10f64.powf(elo / 400.0)).collect();
    let line_ups: Vec<_> =
        schedule.line_ups().iter().map(|line_up| (line_up.clone(), seats as u64)).collect();
    let mut covered = 0;
    for trial in 0..trials {
        let mut dice = Dice::from_parts(&[trial, deals, seats as u64]);
        let mut blocks = Blocks::new(1 + elo.len());
        for deal in 0..deals {
            blocks.add(deal, 0, 1);
            for slot in schedule.games(deal) {
                let all: f64 = slot.agents.iter().map(|&agent| strength[agent]).sum();
                let mut left = all * uniform(&mut dice);
                let won = slot.agents.iter().find(|&&agent| {
                    left -= strength[agent];
                    left < 0.0
                });
                blocks.add(deal, 1 + won.unwrap_or(&slot.agents[0]), 1);
            }
        }
        let contest = Contest::new(line_ups.clone(), &blocks, 0, |agent| agent + 1, 1);
        let ratings = contest.ratings(Some(0));
        covered += ratings.iter().zip(elo).skip(1).filter(|(rating, elo)| covers(rating, **elo)).count();
    }
    100.0 * covered as f64 / (trials as f64 * (elo.len() - 1) as f64)
}

const DEALS: [u64; 5] = [5, 10, 30, 100, 1000];
const SHARES: [f64; 6] = [0.5, 0.7, 0.9, 0.98, 0.998, 0.999];

#[test]
#[ignore = "a study of some minutes: experiment 0016"]
fn study() {
    println!("figure,deals,truth,games_per_deal,correlation,coverage,clean_sheets,width");
    for deals in DEALS {
        let trials = if deals == 1000 { 500 } else { 2000 };
        for share in SHARES {
            let designs = DESIGNS.map(|design| ("win_share", 1, design));
            let of_seats = [("win_share_of_2_seats", 2), ("win_share_of_3_seats", 3)].into_iter();
            let of_seats = of_seats.flat_map(|(name, seats)| {
                [(4, -1.0), (4, -0.5), (4, 0.0), (4, 0.1)].map(|design| (name, seats, design))
            });
            for (name, seats, design) in designs.into_iter().chain(of_seats) {
                let OfShares { covered, clean, width } = of_shares(deals, share, design, seats, trials);
                let (games, correlation) = design;
                let width = if width.is_finite() { format!("{width:.2}") } else { String::new() };
                println!("{name},{deals},{share},{games},{correlation},{covered:.1},{clean:.1},{width}");
            }
        }
        for shape in ["normal", "skewed", "flat"] {
            for (games, correlation) in [(2, 0.0), (2, 0.3), (6, 0.0), (12, 0.0), (12, 0.1), (12, 0.3)] {
                let (mean, deviation) = of_points(deals, shape, games, correlation, trials);
                println!("points,{deals},{shape},{games},{correlation},{mean:.1},,");
                println!("standard_deviation,{deals},{shape},{games},{correlation},{deviation:.1},,");
            }
        }
        for (elo, seats) in [
            (&[0.0, 200.0][..], 2),
            (&[0.0, -100.0, 60.0, -250.0], 4),
            (&[0.0, -30.0, 90.0, -150.0, 400.0], 5),
        ] {
            let covered = of_ratings(deals, elo, seats, if deals == 1000 { 100 } else { 400 });
            println!("rating,{deals},{} agents,{seats},0,{covered:.1},,", elo.len());
        }
    }
}

/// A few cells of the study, in which intervals from percentiles covered 10 to 90 %.
#[test]
fn intervals_cover() {
    for (deals, share, games, correlation) in
        [(10, 0.5, 2, 0.0), (30, 0.98, 2, 0.0), (100, 0.7, 2, -0.7), (10, 0.9, 12, 0.0), (30, 0.5, 12, 0.3)]
    {
        let OfShares { covered, .. } = of_shares(deals, share, (games, correlation), 1, 400);
        assert!((91.0..=99.5).contains(&covered), "{deals} {share} {games} {correlation}: {covered}");
    }
    let OfShares { covered, clean, .. } = of_shares(50, 0.9984, (2, 0.0), 1, 400);
    assert!(clean > 80.0 && covered > 95.0, "{covered}");
    for shape in ["normal", "skewed", "flat"] {
        let (mean, deviation) = of_points(10, shape, 2, 0.0, 400);
        assert!((90.0..=99.0).contains(&mean), "{shape}: {mean}");
        assert!((89.0..=99.0).contains(&deviation), "{shape}: {deviation}");
    }
    let covered = of_ratings(10, &[0.0, -100.0, 60.0, -250.0], 4, 100);
    assert!((91.0..=99.0).contains(&covered), "{covered}");
}

/// Of an agent with several seats, and of agents that balance each other, intervals cover and are not much too wide. With
/// a design effect of the seats instead of the games, or one drawn to a positive correlation, they are four times as wide.
#[test]
fn rivals_have_narrow_intervals() {
    for (deals, share, correlation, seats) in
        [(100, 0.9, 0.0, 2), (30, 0.98, 0.0, 2), (100, 0.98, -1.0, 3), (100, 0.5, -0.95, 2)]
    {
        let OfShares { covered, width, .. } = of_shares(deals, share, (4, correlation), seats, 400);
        let case = format!("{deals} {share} {correlation} {seats}: {covered} %, {width}");
        assert!(covered >= 92.0 && width < 1.6, "{case}");
    }
    // Whoever has the seats, one of two equal agents wins each of two games.
    for seats in [1, 2] {
        let mut blocks = Blocks::new(2);
        for deal in 0..100 {
            blocks.add(deal, 0, i64::from(2 * seats));
            blocks.add(deal, 1, 1);
        }
        let share = blocks.win_share(100, 1.0 / f64::from(seats), |sums| (sums[1] as f64, sums[0] as f64));
        let margin = f64::from(seats) * share.margin();
        assert!((0.005..0.02).contains(&margin), "{share:?}");
    }
}
