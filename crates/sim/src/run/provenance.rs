//! Where a table comes from: the key-value metadata of Parquet files, and the command that plays a plan.

use ttr_agents::AgentSpec;

use crate::run::dir::{FORMAT, RunPlan};
use crate::table::schedule::Schedule;

/// What there is to know about the run of a table, by key.
///
/// It is the same on any number of threads, in shards and after a resume, as the table itself is.
pub fn metadata(plan: &RunPlan) -> Vec<(&'static str, String)> {
    let agents: Vec<String> = plan.agents.iter().map(ToString::to_string).collect();
    vec![
        ("ttr.format", FORMAT.to_string()),
        ("ttr.version", plan.version.clone()),
        ("ttr.map", plan.map.clone()),
        ("ttr.map_hash", plan.map_hash.clone()),
        ("ttr.seats", plan.seats.to_string()),
        ("ttr.seed", plan.seed.to_string()),
        ("ttr.agents", serde_json::Value::from(agents).to_string()),
        ("ttr.command", command(plan)),
    ]
}

/// The command that plays a plan, for a shell, with the labels of the run. Paths are those of the run; the settings of agent
/// files are written out, and the secret of processes is not.
pub fn command(plan: &RunPlan) -> String {
    let schedule = Schedule::new(plan.line_ups.clone());
    let everybody = Schedule::checked_round_robin(plan.agents.len().max(1), plan.seats);
    let is_round_robin = everybody.is_ok_and(|everybody| everybody.line_ups() == plan.line_ups);
    let (option, agents): (_, Vec<&AgentSpec>) = match &plan.line_ups[..] {
        [line_up] if !is_round_robin => {
            ("--table", line_up.iter().filter_map(|&agent| plan.agents.get(agent)).collect())
        }
        _ => ("--agents", plan.agents.iter().collect()),
    };
    let agents: Vec<String> = agents.into_iter().map(AgentSpec::listed).collect();
    let games = plan.deals.saturating_mul(schedule.games_per_deal());
    let seats = plan.seats.to_string();
    let (agents, games, seed) = (agents.join(","), games.to_string(), plan.seed.to_string());
    let game = ["ttr", &plan.verb, "--map", &plan.map, "--seats", &seats];
    let played = [option, &agents, "--games", &games, "--seed", &seed];
    let mut words: Vec<String> = game.into_iter().chain(played).map(str::to_owned).collect();
    for (key, value) in &plan.options {
        words.extend(words_of_option(key, value));
    }
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

/// An option of a plan as the command line has it.
fn words_of_option(key: &str, value: &str) -> Vec<String> {
    let pair = |option: &str, value: &str| vec![option.to_owned(), value.to_owned()];
    match (key, value) {
        (_, "false") | ("replays", "0") | (RunPlan::EXEC_SECRET, _) => Vec::new(),
        ("replays", _) => pair("--save-replays", value),
        ("stop_on_forfeit", _) => pair("--on-forfeit", "stop"),
        ("anchor", _) => pair("--anchor", &from_one(value)),
        ("sprt", _) => match value.split(' ').collect::<Vec<_>>()[..] {
            [agent, other, elo0, elo1] => {
                let agents = format!("{},{}", from_one(agent), from_one(other));
                ["--sprt", &agents, "--elo0", elo0, "--elo1", elo1].map(str::to_owned).to_vec()
            }
            _ => Vec::new(),
        },
        (_, "true") => vec![long(key)],
        _ => pair(&long(key), value),
    }
}

/// Plans count agents from 0, the command line from 1.
fn from_one(index: &str) -> String {
    index.parse().map_or_else(|_| index.to_owned(), |index: usize| (index + 1).to_string())
}

fn long(key: &str) -> String {
    format!("--{}", key.replace('_', "-"))
}

/// A word for a shell.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./,:=@+%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use ttr_engine::board::BoardGame;
    use ttr_engine::maps;

    use super::*;

    fn plan(agents: &str, line_ups: Option<Vec<usize>>, options: &[(&str, &str)]) -> RunPlan {
        let game = BoardGame::new(&maps::load("usa").unwrap(), 3).unwrap();
        let agents = AgentSpec::list(agents).unwrap();
        let schedule = line_ups.map_or_else(|| Schedule::round_robin(agents.len(), 3), Schedule::table);
        let options: BTreeMap<String, String> =
            options.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect();
        let plan = RunPlan::new("arena", &game, "usa", 7, agents).with_deals(&schedule, 10);
        RunPlan { options, ..plan }
    }

    #[test]
    fn commands_say_what_is_played() {
        let options = [
            ("anchor", "1"),
            ("decisions", "true"),
            ("replays", "3"),
            ("seat_tables", "false"),
            ("sprt", "0 2 -5 10"),
            ("stop_on_forfeit", "true"),
        ];
        assert_eq!(
            command(&plan("mine=planner:draw=1.5,wild=0.5,random,greedy", None, &options)),
            "ttr arena --map usa --seats 3 --agents mine=planner:draw=1.5,wild=0.5,random,greedy --games 30 --seed 7 \
             --anchor 2 --decisions --save-replays 3 --sprt 1,3 --elo0 -5 --elo1 10 --on-forfeit stop"
        );
        assert_eq!(
            command(&plan(r"random,exec:bot 'a\,b'", Some(vec![0, 1, 1]), &[("replays", "0")])),
            r"ttr arena --map usa --seats 3 --table 'random,exec:bot '\''a\,b'\'',exec:bot '\''a\,b'\''' --games 30 --seed 7"
        );
    }

    #[test]
    fn secrets_stay_in_the_plan() {
        let plan = plan("random,exec:bot", None, &[]).with_exec_secret(0xabcdef);
        assert!(plan.exec_secret().is_some());
        assert!(metadata(&plan).iter().all(|(_, value)| !value.contains("abcdef")));
    }
}
