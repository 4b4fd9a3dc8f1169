//! Provenance of a table: the key-value metadata of Parquet files, and the command that plays a plan.

use ttr_agents::AgentSpec;

use crate::run::options::{ArenaOptions, RateOptions, SprtPlan, StudyPlan, TicketOptions, TuneOptions};
use crate::run::plan::RunPlan;
use crate::table::schedule::Schedule;

/// Version of the tables.
const TABLES: u32 = 3;

/// The metadata of a run's tables, by key.
///
/// They are the same for any number of threads, in shards and after a resume, like the table itself.
pub fn metadata(plan: &RunPlan) -> Vec<(&'static str, String)> {
    let agents: Vec<String> = plan.agents.iter().map(ToString::to_string).collect();
    vec![
        ("ttr.format", TABLES.to_string()),
        ("ttr.version", plan.version.clone()),
        ("ttr.map", plan.map.clone()),
        ("ttr.map_hash", plan.map_hash.clone()),
        ("ttr.seats", plan.seats.to_string()),
        ("ttr.seed", plan.seed.to_string()),
        ("ttr.agents", serde_json::Value::from(agents).to_string()),
        ("ttr.command", command(plan)),
    ]
}

/// The command that plays a plan, quoted for a shell, with the labels of the run. Paths are those of the
/// run; the settings of agent files are written out, and the secret of processes is omitted.
pub fn command(plan: &RunPlan) -> String {
    command_of_games(plan, plan.deals.saturating_mul(plan.schedule().games_per_deal()))
}

/// The same for a run with another number of games than its line-ups alone would give, as with forced
/// choices.
pub fn command_of_games(plan: &RunPlan, games: u64) -> String {
    let mut words = Words(vec!["ttr".to_owned(), plan.command().to_owned()]);
    match &plan.study {
        StudyPlan::Arena(options) => {
            words.games(plan, games);
            words.arena(options);
        }
        StudyPlan::Tickets(TicketOptions { forced }) => {
            words.games(plan, games);
            words.flag("--forced", *forced);
        }
        StudyPlan::Tune(options) => words.tune(plan, options),
        StudyPlan::Rate(options) => words.rate(plan, options),
    }
    words.0.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

/// The words of a command line.
struct Words(Vec<String>);

impl Words {
    fn option(&mut self, name: &str, value: impl ToString) {
        self.0.extend([name.to_owned(), value.to_string()]);
    }

    fn flag(&mut self, name: &str, is_set: bool) {
        self.0.extend(is_set.then(|| name.to_owned()));
    }

    /// Adds an option with a list; nothing if the list is empty.
    fn list(&mut self, name: &str, values: &[String]) {
        if !values.is_empty() {
            self.option(name, values.join(","));
        }
    }

    fn games(&mut self, plan: &RunPlan, games: u64) {
        let everybody = Schedule::checked_round_robin(plan.agents.len().max(1), plan.seats);
        let is_round_robin = everybody.is_ok_and(|everybody| everybody.line_ups() == plan.line_ups);
        let (option, agents): (_, Vec<&AgentSpec>) = match &plan.line_ups[..] {
            [line_up] if !is_round_robin => {
                ("--table", line_up.iter().filter_map(|&agent| plan.agents.get(agent)).collect())
            }
            _ => ("--agents", plan.agents.iter().collect()),
        };
        let agents: Vec<String> = agents.into_iter().map(AgentSpec::listed).collect();
        self.option("--map", &plan.map);
        self.option("--seats", plan.seats);
        self.option(option, agents.join(","));
        self.option("--games", games);
        self.option("--seed", plan.seed);
    }

    fn arena(&mut self, options: &ArenaOptions) {
        // Plans count agents from 0, the command line from 1.
        if let Some(anchor) = options.anchor {
            self.option("--anchor", anchor + 1);
        }
        self.flag("--decisions", options.decisions);
        if let Some(known) = &options.known_ratings {
            let ratings: Vec<String> = known.iter().map(ToString::to_string).collect();
            self.option("--known-ratings", ratings.join(" "));
        }
        if options.replays > 0 {
            self.option("--save-replays", options.replays);
        }
        self.flag("--seat-tables", options.seat_tables);
        if let Some(SprtPlan { agent, other, elo0, elo1 }) = &options.sprt {
            self.option("--sprt", format!("{},{}", agent + 1, other + 1));
            self.option("--elo0", elo0);
            self.option("--elo1", elo1);
        }
        if options.stop_on_forfeit {
            self.option("--on-forfeit", "stop");
        }
    }

    fn tune(&mut self, plan: &RunPlan, options: &TuneOptions) {
        self.option("--map", &plan.map);
        self.option("--seats", plan.seats);
        if let [agent, against @ ..] = &plan.agents[..] {
            self.option("--agent", agent);
            self.list("--against", &against.iter().map(ToString::to_string).collect::<Vec<_>>());
        }
        self.list("--params", &options.params);
        self.option("--budget", options.budget);
        self.option("--deals", options.deals);
        self.option("--candidates", options.candidates);
        self.option("--step", options.step);
        self.option("--confirm", options.confirm);
        self.option("--seed", plan.seed);
    }

    fn rate(&mut self, plan: &RunPlan, options: &RateOptions) {
        self.0.extend(plan.agents.first().map(ToString::to_string));
        if let Some(card_game) = plan.agents.get(1) {
            self.option("--card-game", card_game);
        }
        self.list("--only", &options.tables);
        self.option("--times", options.times);
    }
}

/// Quotes a word for a shell.
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
    use ttr_engine::board::BoardGame;
    use ttr_engine::maps;

    use super::*;

    fn plan(agents: &str, line_ups: Option<Vec<usize>>, study: StudyPlan) -> RunPlan {
        let game = BoardGame::new(&maps::load("usa").unwrap(), 3).unwrap();
        let agents = AgentSpec::list(agents).unwrap();
        let schedule = line_ups.map_or_else(|| Schedule::round_robin(agents.len(), 3), Schedule::table);
        RunPlan::new(study, &game, "usa", 7, agents).with_deals(&schedule, 10)
    }

    fn arena() -> StudyPlan {
        StudyPlan::Arena(ArenaOptions::default())
    }

    #[test]
    fn commands_say_what_is_played() {
        let options = ArenaOptions {
            anchor: Some(1),
            decisions: true,
            replays: 3,
            sprt: Some(SprtPlan { agent: 0, other: 2, elo0: -5.0, elo1: 10.0 }),
            stop_on_forfeit: true,
            ..ArenaOptions::default()
        };
        let agents = "mine=planner:draw=1.5,wild=0.5,random,greedy";
        assert_eq!(
            command(&plan(agents, None, StudyPlan::Arena(options))),
            "ttr arena --map usa --seats 3 --agents mine=planner:draw=1.5,wild=0.5,random,greedy --games 30 --seed 7 \
             --anchor 2 --decisions --save-replays 3 --sprt 1,3 --elo0 -5 --elo1 10 --on-forfeit stop"
        );
        assert_eq!(
            command(&plan(r"random,exec:bot 'a\,b'", Some(vec![0, 1, 1]), arena())),
            r"ttr arena --map usa --seats 3 --table 'random,exec:bot '\''a\,b'\'',exec:bot '\''a\,b'\''' --games 30 --seed 7"
        );
        let forced = StudyPlan::Tickets(TicketOptions { forced: true });
        assert_eq!(
            command(&plan("greedy", None, forced)),
            "ttr tickets --map usa --seats 3 --agents greedy --games 10 --seed 7 --forced"
        );
        let params = vec!["wild".to_owned(), "draw".to_owned()];
        let tune = TuneOptions { params, budget: 900, deals: 2, candidates: 4, step: 0.1, confirm: 70 };
        assert_eq!(
            command(&plan("planner,greedy,random", None, StudyPlan::Tune(tune))),
            "ttr tune --map usa --seats 3 --agent planner --against greedy,random --params wild,draw --budget 900 \
             --deals 2 --candidates 4 --step 0.1 --confirm 70 --seed 7"
        );
        let rate = StudyPlan::Rate(RateOptions { tables: vec!["usa-2".into(), "usa-4".into()], times: 2 });
        assert_eq!(
            command(&plan("planner,yard", None, rate)),
            "ttr rate planner --card-game yard --only usa-2,usa-4 --times 2"
        );
    }

    #[test]
    fn secrets_stay_in_the_plan() {
        let plan = plan("random,exec:bot", None, arena()).with_exec_secret(0xabcdef);
        assert!(plan.exec_secret.is_some());
        assert!(metadata(&plan).iter().all(|(_, value)| !value.contains("abcdef")));
    }
}
