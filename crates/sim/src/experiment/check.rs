//! The check of an experiment before anything is played: every problem at once, with its line.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::de::DeserializeOwned;
use ttr_agents::{AgentSpec, Roster};
use ttr_engine::plain_text::{self, TextError};
use ttr_engine::spec::{Document, Problem, nearest, suggest};

use super::Sources;
use super::results::{Measured, OVERALL, figures};
use super::spec::{
    ExperimentSpec, MAX_LINE, MAX_NAME, Published, RunCommand, RunSpec, RunSpecError, read_published,
};
use crate::arena::Arena;
use crate::exec::ExecOptions;
use crate::game::Playable;
use crate::rate::Ladder;
use crate::table::entrant::Entrant;
use crate::table::runner::Drive;
use crate::tickets::Tickets;
use crate::with_game;

/// Subjects and figures of a run.
type Names = BTreeSet<(String, String)>;

/// Reads an experiment.
///
/// # Errors
/// With all problems of the file, and of its published figures.
pub(super) fn read(file: &Path, text: &str, roster: &Roster) -> Result<ExperimentSpec, Vec<Problem>> {
    let folder = file.parent().unwrap_or(Path::new(""));
    let document = Document::read::<ExperimentSpec>(&file.display().to_string(), text);
    let mut check = ExperimentCheck { document, from: Sources { folder, roster }, runs: BTreeMap::new() };
    let spec = check.document.part::<ExperimentSpec>(&[]);
    check.texts();
    for index in 0..check.document.count("run") {
        check.run(index);
    }
    if check.document.count("run") == 0 {
        check.document.add(&["run"], "nothing would be played", "add a [[run]]");
    }
    for index in 0..check.document.count("published") {
        let number = index.to_string();
        if let Some(figure) = check.document.part::<Published>(&["published", &number])
            && let Some((key, message, hint)) = unusable_part(&figure).or_else(|| check.unknown(&figure))
        {
            check.document.add(&["published", &number, key], message, hint);
        }
    }
    let mut more = Vec::new();
    if let Some(name) = check.document.part::<String>(&["published_file"]) {
        let path = folder.join(name);
        let (figures, problems) = read_published(&path);
        more.extend(problems);
        for (line, figure) in figures {
            if let Some((_, message, hint)) = unusable_part(&figure).or_else(|| check.unknown(&figure)) {
                more.push(Problem { file: path.display().to_string(), line: Some(line), message, hint });
            }
        }
    }
    more.sort_by_key(|problem| problem.line);
    let mut problems = check.document.into_problems();
    problems.extend(more);
    match spec {
        Some(spec) if problems.is_empty() => Ok(spec),
        _ if problems.is_empty() => {
            let message = "the file can't be read".to_owned();
            let hint = "docs/FORMATS.md shows what an experiment looks like".to_owned();
            Err(vec![Problem { file: file.display().to_string(), line: None, message, hint }])
        }
        _ => Err(problems),
    }
}

struct ExperimentCheck<'f> {
    document: Document,
    from: Sources<'f>,
    /// By run, the figures that it measures; `None` if unknown because the run has problems.
    runs: BTreeMap<String, Option<Names>>,
}

/// Checks the numbers and texts of a published figure. If one is invalid, returns its key, the problem and
/// a hint.
fn unusable_part(figure: &Published) -> Option<(&'static str, String, String)> {
    if figure.error.is_some_and(|error| !(error.is_finite() && error > 0.0)) {
        return Some((
            "error",
            "an error is a number above 0".to_owned(),
            "leave it out if it is unknown".to_owned(),
        ));
    }
    if figure.games == Some(0) {
        return Some((
            "games",
            "0 games measure nothing".to_owned(),
            "leave it out if it is unknown".to_owned(),
        ));
    }
    let Published { run, subject, figure, source, .. } = figure;
    let texts = [("run", run), ("subject", subject), ("figure", figure), ("source", source)];
    texts.into_iter().find_map(|(key, text)| {
        let why = plain_text::check_name(text, MAX_LINE).err()?;
        Some((key, unusable(text, why), String::new()))
    })
}

fn unusable(text: &str, why: TextError) -> String {
    format!("{:?} can't be used: {why}", plain_text::printable(text, 60))
}

impl ExperimentCheck<'_> {
    /// Checks the texts that are shown on terminals and in tables.
    fn texts(&mut self) {
        for (key, most) in [("title", MAX_NAME), ("question", MAX_LINE)] {
            let text = self.document.part::<String>(&[key]).unwrap_or_default();
            for line in text.lines() {
                if let Err(why) = plain_text::check_text(line, most) {
                    self.document.add(&[key], unusable(line, why), "");
                }
            }
        }
    }

    fn run(&mut self, index: usize) {
        let number = index.to_string();
        let Some(name) = self.document.part::<String>(&["run", &number, "name"]) else { return };
        let what = format!("run {:?}", plain_text::printable(&name, 60));
        let map = self.document.part::<String>(&["run", &number, "map"]).unwrap_or_default();
        for (key, text) in [("name", &name), ("map", &map)] {
            if let Err(why) = plain_text::check_text(text, MAX_NAME) {
                self.document.add(&["run", &number, key], format!("{what}: {}", unusable(text, why)), "");
                return;
            }
        }
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if name.is_empty() || !name.chars().all(plain) {
            let message = format!("{what}: the name can't be used");
            self.document.add(&["run", &number, "name"], message, "use letters, digits, - and _");
        }
        if self.runs.insert(name, None).is_some() {
            let message = format!("{what}: another run has the same name");
            self.document.add(&["run", &number, "name"], message, "rename one");
        }
        let run = self.readable(&number);
        let names = self.parts_of_run(&run, &number, &what);
        self.runs.insert(run.name, names);
    }

    /// The readable parts of a run; the problems of the rest are reported already.
    fn readable(&self, number: &str) -> RunSpec {
        fn part<T: DeserializeOwned>(document: &Document, number: &str, key: &str) -> Option<T> {
            document.part(&["run", number, key])
        }
        let document = &self.document;
        RunSpec {
            name: part(document, number, "name").unwrap_or_default(),
            command: part(document, number, "command").unwrap_or_default(),
            forced: part(document, number, "forced").unwrap_or_default(),
            map: part(document, number, "map").unwrap_or_default(),
            rules: part(document, number, "rules"),
            seats: part(document, number, "seats"),
            agents: part(document, number, "agents").unwrap_or_default(),
            card_game: part(document, number, "card_game"),
            tables: part(document, number, "tables").unwrap_or_default(),
            line_up: part(document, number, "line_up").unwrap_or_default(),
            games: part(document, number, "games").unwrap_or(1),
            seed: part(document, number, "seed").unwrap_or(1),
        }
    }

    /// Checks the keys of a run against each other; returns the figures that it measures.
    fn parts_of_run(&mut self, run: &RunSpec, number: &str, what: &str) -> Option<Names> {
        let mut add = |key: &str, message: String, hint: &str| {
            self.document.add(&["run", number, key], format!("{what}: {message}"), hint);
        };
        let key = if run.line_up.is_empty() { "agents" } else { "line_up" };
        if run.agents.is_empty() == run.line_up.is_empty() {
            add(key, "it has no agents, or two lists of them".to_owned(), "give either agents or line_up");
            return None;
        }
        if run.command == RunCommand::Rate {
            return self.rating(run, number, what);
        }
        if run.card_game.is_some() || !run.tables.is_empty() {
            let key = if run.tables.is_empty() { "card_game" } else { "tables" };
            add(key, format!("{key} belongs to a ladder"), "write command = \"rate\", or remove it");
            return None;
        }
        if run.forced && run.command != RunCommand::Tickets {
            let message = "opening choices are forced to measure tickets".to_owned();
            add("forced", message, "write command = \"tickets\", or leave out forced");
            return None;
        }
        let mut game = Some(run.game(self.from.folder));
        let key_of_map = if run.rules.is_some() { "rules" } else { "map" };
        match game.take_if(|game| matches!(game, Err(RunSpecError::Map(_) | RunSpecError::NoBoard))) {
            // A missing key is reported already.
            Some(_) if run.map.is_empty() => {}
            Some(Err(RunSpecError::Map(error))) => {
                for Problem { file, line, message, hint } in error.problems {
                    // The line of rules that are given here.
                    let place = match line.filter(|_| key_of_map == "map") {
                        Some(line) => format!("{file}:{line}: "),
                        None => String::new(),
                    };
                    add(key_of_map, format!("{place}{message}"), &hint);
                }
            }
            Some(Err(error)) => add(key_of_map, error.to_string(), ""),
            _ => {}
        }
        let mut agents = Vec::new();
        let texts = if run.line_up.is_empty() { &run.agents } else { &run.line_up };
        for (index, text) in texts.iter().enumerate() {
            match self.from.agent(text) {
                Ok(agent) => agents.push((index, agent)),
                Err(error) => {
                    let path = ["run", number, key, &index.to_string()];
                    self.document.add(&path, format!("{what}: {error}"), "");
                }
            }
        }
        if let Err(error) = run.agents(self.from)
            && agents.len() == texts.len()
        {
            self.document.add(&["run", number, key], format!("{what}: {error}"), "");
        }
        let all = agents.len() == texts.len();
        let wrong = match game? {
            Ok(game) => return with_game!(game, game => self.names(run, game, agents, all, number, what)),
            Err(error) => error.to_string(),
        };
        let key = if run.seats.is_some() { "seats" } else { key };
        self.document.add(&["run", number, key], format!("{what}: {wrong}"), "change seats or line_up");
        None
    }

    /// Checks a run that rates an agent; returns the figures that it measures.
    fn rating(&mut self, run: &RunSpec, number: &str, what: &str) -> Option<Names> {
        let (ladder, from) = (Ladder::v1(), self.from);
        let mut add = |key: &str, message: String, hint: &str| {
            self.document.add(&["run", number, key], format!("{what}: {message}"), hint);
        };
        if run.map != ladder.id() {
            let hint = format!("write map = {:?}", ladder.id());
            add("map", format!("there is no ladder {:?}", run.map), &hint);
            return None;
        }
        let given = [
            ("seats", run.seats.is_some()),
            ("rules", run.rules.is_some()),
            ("line_up", !run.line_up.is_empty()),
            ("seed", run.seed != 1),
            ("forced", run.forced),
        ];
        if let Some((key, _)) = given.into_iter().find(|(_, given)| *given) {
            add(key, format!("{key} is defined by the ladder"), "remove it");
            return None;
        }
        if run.agents.len() != 1 {
            add("agents", format!("{} agents are to be rated", run.agents.len()), "give one per run");
            return None;
        }
        let entry = match run.rate_entry(&ladder, from) {
            Ok(entry) => entry,
            Err(error) => {
                let wrong = from.agent(&run.agents[0]).is_err();
                add(if wrong { "agents" } else { "card_game" }, error.to_string(), "");
                return None;
            }
        };
        let checked = entry.check(&ladder, from.roster).map_err(|error| ("tables", error.to_string()));
        let processes = ExecOptions::default();
        let built =
            || entry.try_out(&ladder, from.roster, &processes).map_err(|error| ("agents", error.to_string()));
        if let Err((key, why)) = checked.and_then(|()| built()) {
            let key = if key == "tables" && run.tables.is_empty() { "agents" } else { key };
            add(key, why, "");
            return None;
        }
        let pair = |subject: &str, figure: &str| (subject.to_owned(), figure.to_owned());
        let names = ladder.tables(&run.tables);
        let names = names.flat_map(|table| [pair(&table.name, "win_share"), pair(&table.name, "elo")]);
        Some(names.chain([pair(OVERALL, "elo")]).collect())
    }

    /// The figures that a run measures, taken from a summary of no games.
    fn names<G: Playable>(
        &mut self,
        run: &RunSpec,
        game: G,
        agents: Vec<(usize, AgentSpec)>,
        all: bool,
        number: &str,
        what: &str,
    ) -> Option<Names> {
        let key = if run.line_up.is_empty() { "agents" } else { "line_up" };
        let mut entrants = Vec::<Entrant<G>>::new();
        let processes = ExecOptions::default();
        let mut good = all;
        for (index, agent) in agents {
            match Entrant::from_spec_with(&game, &agent, self.from.roster, &processes) {
                Ok(entrant) if entrants.iter().any(|known| known.label() == entrant.label()) => {}
                Ok(entrant) => entrants.push(entrant),
                Err(error) => {
                    good = false;
                    let path = ["run", number, key, &index.to_string()];
                    self.document.add(&path, format!("{what}: {error}"), "");
                }
            }
        }
        if !good {
            return None;
        }
        let labels: Vec<String> = entrants.iter().map(|entrant| entrant.label().to_owned()).collect();
        let nothing = &Drive::threads(1);
        let measured = match run.command {
            // It has no game of its own, and is checked elsewhere.
            RunCommand::Rate => None,
            RunCommand::Arena => {
                Arena::round_robin(game, entrants, 1).play_deals(0..0, nothing).ok().map(Measured::Arena)
            }
            RunCommand::Tickets => {
                let tickets = Tickets::new(game, entrants, 1);
                let tickets = if run.forced { tickets.forced() } else { Ok(tickets) };
                match tickets {
                    Ok(tickets) => tickets.play_deals(0..0, nothing).ok().map(Measured::Tickets),
                    Err(error) => {
                        let path = ["run", number, "forced"];
                        self.document.add(&path, format!("{what}: {error}"), "leave out forced");
                        None
                    }
                }
            }
        };
        let mut names = Names::new();
        figures(&measured?, &mut |subject, figure, _| {
            names.insert((subject.to_owned(), figure.to_owned()));
        });
        if run.command == RunCommand::Arena {
            // In no games, no agents have met.
            let pairs = labels.iter().flat_map(|a| labels.iter().map(move |b| (a, b)));
            names.extend(
                pairs.filter(|(a, b)| a != b).map(|(a, b)| (format!("{a} / {b}"), "ahead".to_owned())),
            );
        }
        Some(names)
    }

    /// Checks that a published figure is measured here. If not, returns the wrong key, the problem and a
    /// hint.
    fn unknown(&self, published: &Published) -> Option<(&'static str, String, String)> {
        let Published { run, subject, figure, .. } = published;
        let Some(names) = self.runs.get(run) else {
            let known = self.runs.keys().map(String::as_str);
            return Some(("run", format!("there is no run {run:?}"), suggest(run, known, "runs")));
        };
        // The figures of a run with problems are unknown.
        let names = names.as_ref()?;
        let figures: Vec<&str> =
            names.iter().filter(|(known, _)| known == subject).map(|(_, figure)| figure.as_str()).collect();
        if figures.is_empty() {
            let hint = match nearest(subject, names.iter().map(|(subject, _)| subject.as_str())) {
                Some(near) => format!("did you mean {near:?}?"),
                None => "give an agent as it is written in the run, \"place 1\", \"A / B\", a ticket or a pair of cities"
                    .to_owned(),
            };
            return Some(("subject", format!("the run {run:?} measures nothing of {subject:?}"), hint));
        }
        if figures.contains(&figure.as_str()) {
            return None;
        }
        let message = format!("the run {run:?} has no figure {figure:?} of {subject:?}");
        Some(("figure", message, suggest(figure, figures, "figures")))
    }
}
