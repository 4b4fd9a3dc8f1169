//! A game in progress, or one that is over.

use serde_json::{Value as Json, json};
use ttr_agents::{Agent, Candidate, Explanation, Note};
use ttr_engine::board::BoardGame;
use ttr_engine::plain_text::printable;
use ttr_engine::{ActionSpace, Dice, Replay, ReplayError, ReplayHeader, Seat, SeenAction, Step, Turn, View};
use ttr_show::Event;

use crate::command::Look;
use crate::drawing;
use crate::host::{Host, Player, SessionGame};

/// Domain of the dice of agents.
const DECISION: u64 = 0x7474_722d_7765_6201;
/// Domain of the dice of an agent that is asked for its opinion.
const OPINION: u64 = 0x7474_722d_7765_6202;

/// Domain of the dice of games that estimate odds.
const ODDS: u64 = 0x7474_722d_7765_6203;
/// Most games for one estimate of odds: a page asks again for more.
const MOST_GAMES: u32 = 1_000;
/// Longest name of a player, in characters: that of a record may be anything.
const MOST_NAME: usize = 200;

/// A table of either kind of game.
pub(crate) trait Tabled: Send {
    fn describe(&self) -> Json;
    fn look(&self, look: &Look) -> Result<Json, String>;
    fn play(&mut self, action: usize) -> Result<(), String>;
    fn advance(&mut self) -> Result<(), String>;
    fn undo(&mut self) -> Result<(), String>;
    fn think(&self, host: &dyn Host, agent: &str, at: Option<usize>) -> Result<Json, String>;
    fn odds(&self, host: &dyn Host, agent: &str, at: usize, games: u32) -> Result<Json, String>;
    fn branch(
        &self,
        host: &dyn Host,
        at: usize,
        against: &[String],
        seat: Option<u8>,
    ) -> Result<Box<dyn Tabled>, String>;
    fn save(&self) -> Result<Json, String>;
}

/// The player of a seat.
pub(crate) enum Seating<G: SessionGame> {
    /// The person in front of the page.
    Person,
    /// An agent and its name.
    Agent(String, Player<G>),
    /// The player of a recorded game, who decides no more.
    Recorded(String),
}

impl<G: SessionGame> Seating<G> {
    fn name(&self) -> &str {
        match self {
            Self::Person => "person",
            Self::Agent(name, _) | Self::Recorded(name) => name,
        }
    }
}

/// The players of all seats: the person, and agents in turn order after the person; the last one takes all
/// further seats.
pub(crate) fn seated<G: SessionGame>(
    host: &dyn Host,
    game: &G,
    against: &[String],
    person: Option<u8>,
) -> Result<Vec<Seating<G>>, String> {
    let seats = game.seats();
    if let Some(seat) = person.filter(|&seat| usize::from(seat) >= seats) {
        return Err(format!("there is no seat {seat}: seats are counted from 0 to {}", seats - 1));
    }
    let first = person.map_or(0, |seat| usize::from(seat) + 1);
    let mut names = against.iter().chain(against.last().into_iter().cycle());
    let mut players: Vec<Seating<G>> = Vec::new();
    for seat in (0..seats).map(|place| (first + place) % seats) {
        players.push(if person.map(usize::from) == Some(seat) {
            Seating::Person
        } else {
            let name = names.next().ok_or("an opponent is missing")?;
            Seating::Agent(name.clone(), game.player(host, name)?)
        });
    }
    players.rotate_right(first % seats);
    Ok(players)
}

/// A game, with all its decisions: going back is forgetting some.
pub(crate) struct Table<G: SessionGame> {
    game: G,
    space: G::Space,
    seed: u64,
    players: Vec<Seating<G>>,
    /// The decisions, each with the dice before it.
    past: Vec<(Step<G>, Dice)>,
    state: G::State,
    chance: Dice,
    /// An agent has seen decisions that were taken back.
    stale: bool,
}

impl<G: SessionGame> Table<G> {
    pub(crate) fn new(game: G, seed: u64, players: Vec<Seating<G>>) -> Self {
        let mut chance = Dice::from_seed(seed);
        let state = game.deal(&mut chance);
        let space = game.action_space();
        Self { game, space, seed, players, past: Vec::new(), state, chance, stale: true }
    }

    /// A recorded game, at its end.
    pub(crate) fn of_replay(game: G, replay: &Replay<G::Action>) -> Result<Self, ReplayError> {
        replay.verify(&game)?;
        let name = |name: &String| Seating::Recorded(printable(name, MOST_NAME));
        let players = replay.header.agents.iter().map(name).collect();
        let mut table = Self::new(game, replay.header.seed, players);
        replay.actions.iter().for_each(|&action| table.take(action));
        Ok(table)
    }

    fn person(&self) -> Option<Seat> {
        Seat::all(self.game.seats()).find(|&seat| matches!(self.players[seat], Seating::Person))
    }

    fn is_over(&self) -> bool {
        self.game.turn(&self.state) == Turn::Over
    }

    /// The seat to look from: while a person plays, nobody else's; `None` if all cards may be seen.
    fn eyes(&self, wanted: Option<u8>) -> Result<Option<Seat>, String> {
        match self.person() {
            Some(seat) if !self.is_over() => Ok(Some(seat)),
            _ => match wanted {
                Some(seat) if usize::from(seat) >= self.game.seats() => {
                    Err(format!("there is no seat {seat}"))
                }
                seat => Ok(seat.map(|seat| Seat::new(seat.into()))),
            },
        }
    }

    /// The position before a decision.
    fn before(&self, decision: usize) -> Result<&G::State, String> {
        match self.past.get(decision) {
            Some((step, _)) => Ok(&step.before),
            None if decision == self.past.len() => Ok(&self.state),
            None => Err(format!("there is no decision {decision}: the game has {} so far", self.past.len())),
        }
    }

    /// The legal actions of the view's seat: empty if it is not to decide.
    fn legal(&self, view: &G::Observation<'_>) -> Json {
        let mut actions = Vec::new();
        view.for_each_action(|action| {
            let index = self.space.index(action);
            let seen = G::seen_move(view, SeenAction::Open(action));
            actions.push(json!({ "index": index, "text": view.write_action(action), "move": seen }));
        });
        Json::Array(actions)
    }

    /// A decision as a seat sees it; with all cards open, as the seat that made it does.
    fn entry(&self, number: usize, step: &Step<G>, eyes: Option<Seat>) -> Json {
        let seen = step.seen_by(&self.game, eyes.unwrap_or(step.by));
        let events = G::events(&seen);
        let events: Vec<&Event> =
            events.iter().filter(|event| !matches!(event, Event::Decision { .. })).collect();
        json!({
            "number": number,
            "seat": step.by,
            "text": seen.write_action(),
            "move": G::seen_move(&seen.before, seen.action),
            "events": events,
        })
    }

    /// Plays a legal action and shows it to the agents that want to see it.
    fn take(&mut self, action: G::Action) {
        let dice = self.chance.clone();
        let step = Step::play(&self.game, &mut self.state, action, &mut self.chance);
        if !self.stale {
            show(&self.game, &mut self.players, &step);
        }
        self.past.push((step, dice));
    }

    /// Starts the agents again, and shows them what has happened so far.
    fn refresh(&mut self) {
        if !std::mem::take(&mut self.stale) {
            return;
        }
        for (seat, player) in Seat::all(self.game.seats()).zip(&mut self.players) {
            if let Seating::Agent(_, player) = player {
                player.agent.begin(&self.game, seat);
            }
        }
        for (step, _) in &self.past {
            show(&self.game, &mut self.players, step);
        }
    }
}

/// Shows a step to the agents that want it, as their seats see it.
fn show<G: SessionGame>(game: &G, players: &mut [Seating<G>], step: &Step<G>) {
    for (seat, player) in Seat::all(game.seats()).zip(players) {
        if let Seating::Agent(_, player) = player
            && player.agent.wants_steps()
        {
            player.agent.see(&step.seen_by(game, seat));
        }
    }
}

impl<G: SessionGame> Tabled for Table<G> {
    fn describe(&self) -> Json {
        let player = |player: &Seating<G>| match player {
            Seating::Person => json!({ "name": "you", "person": true }),
            _ => json!({ "name": player.name(), "person": false }),
        };
        let ticket = |id: usize| self.game.ticket(ttr_engine::TicketId::new(id)).points;
        let mut game = self.game.description();
        let tickets = game["tickets"].as_array().map_or(0, Vec::len);
        let points: Vec<u8> = (0..tickets).map(ticket).collect();
        game["ticket_points"] = json!(points);
        json!({
            "game": game,
            "drawing": self.game.board().map(drawing::of_board),
            "players": self.players.iter().map(player).collect::<Vec<_>>(),
            "person": self.person(),
            "usual": G::USUAL,
            "colours": ttr_show::draw::SEAT_COLOURS,
        })
    }

    fn look(&self, look: &Look) -> Result<Json, String> {
        let (last, over) = (self.past.len(), self.is_over());
        let at = look.at.unwrap_or(last);
        let eyes = self.eyes(look.eyes)?;
        let state = self.before(at)?;
        let to_move = match self.game.turn(state) {
            Turn::Of(seat) => Some(seat),
            Turn::Over => None,
        };
        let view = self.game.position(state, eyes);
        let legal = match self.person() {
            Some(seat) if at == last => self.legal(&self.game.observe(state, seat)),
            _ => json!([]),
        };
        let past = self.past.iter().enumerate().skip(look.since);
        let log: Vec<Json> = past.map(|(number, (step, _))| self.entry(number, step, eyes)).collect();
        Ok(json!({
            "at": at,
            "last": last,
            "over": over,
            "eyes": eyes,
            "to_move": to_move,
            "view": view,
            "legal": legal,
            "since": look.since,
            "log": log,
            "sheet": over.then(|| self.game.sheet(&self.state)),
            "seed": over.then(|| self.seed.to_string()),
        }))
    }

    fn play(&mut self, action: usize) -> Result<(), String> {
        let (Some(person), Turn::Of(seat)) = (self.person(), self.game.turn(&self.state)) else {
            return Err("there is nothing to decide".to_owned());
        };
        if person != seat {
            return Err(format!("it is the turn of {seat}"));
        }
        let action = self.space.action(action).ok_or_else(|| format!("there is no action {action}"))?;
        self.game.check(&self.state, action).map_err(|why| why.to_string())?;
        self.take(action);
        Ok(())
    }

    fn advance(&mut self) -> Result<(), String> {
        self.refresh();
        let Turn::Of(seat) = self.game.turn(&self.state) else {
            return Err("the game is over".to_owned());
        };
        let number = self.past.len() as u64;
        let Seating::Agent(name, player) = &mut self.players[seat] else {
            return Err(format!("{seat} is not played by an agent"));
        };
        let secret = player.secret.unwrap_or(self.seed);
        let mut dice = Dice::from_parts(&[secret, DECISION, seat.index() as u64, number]);
        let view = self.game.observe(&self.state, seat);
        let failed = |why: String| format!("{seat} ({name}) gives up: {why}");
        let action = player.agent.choose(&view, &mut dice).map_err(|why| failed(why.to_string()))?;
        view.check(action).map_err(|why| failed(format!("it chose an illegal action: {why}")))?;
        self.take(action);
        Ok(())
    }

    fn undo(&mut self) -> Result<(), String> {
        let person = self.person().ok_or("nobody's decisions can be taken back: you are watching")?;
        let last = self.past.iter().rposition(|(step, _)| step.by == person);
        let last = last.ok_or("there is no decision of yours to take back")?;
        let Some((step, dice)) = self.past.drain(last..).next() else { return Ok(()) };
        (self.state, self.chance, self.stale) = (step.before, dice, true);
        Ok(())
    }

    fn think(&self, host: &dyn Host, agent: &str, at: Option<usize>) -> Result<Json, String> {
        let at = at.unwrap_or(self.past.len());
        let state = self.before(at)?;
        let Turn::Of(seat) = self.game.turn(state) else {
            return Err("the game is over".to_owned());
        };
        if self.person().is_some_and(|person| person != seat) && !self.is_over() {
            return Err("the thoughts of others would show their cards".to_owned());
        }
        let Player { mut agent, secret } = self.game.player(host, agent)?;
        agent.begin(&self.game, seat);
        if agent.wants_steps() {
            self.past[..at].iter().for_each(|(step, _)| agent.see(&step.seen_by(&self.game, seat)));
        }
        let view = self.game.observe(state, seat);
        let mut dice = Dice::from_parts(&[secret.unwrap_or(self.seed), OPINION, at as u64]);
        let choice = agent.choose(&view, &mut dice).map_err(|why| why.to_string())?;
        Ok(self.opinion(&view, choice, agent.as_ref()))
    }

    fn odds(&self, host: &dyn Host, agent: &str, at: usize, games: u32) -> Result<Json, String> {
        if self.person().is_some() && !self.is_over() {
            return Err("the odds would show the cards of others".to_owned());
        }
        let start = self.before(at)?;
        let mut agents = Vec::new();
        for _ in 0..self.game.seats() {
            agents.push(self.game.player(host, agent)?.agent);
        }
        let mut wins = vec![0.0; self.game.seats()];
        for number in 0..games.min(MOST_GAMES) {
            let mut dice = Dice::from_parts(&[self.seed, ODDS, at as u64, number.into()]);
            let mut state = start.clone();
            for (seat, agent) in Seat::all(self.game.seats()).zip(&mut agents) {
                agent.begin(&self.game, seat);
            }
            while let Turn::Of(seat) = self.game.turn(&state) {
                let view = self.game.observe(&state, seat);
                let action = agents[seat].choose(&view, &mut dice).map_err(|why| why.to_string())?;
                self.game.play(&mut state, action, &mut dice).map_err(|why| why.to_string())?;
            }
            let scores = self.game.scores(&state);
            let winners = scores.winners().count() as f64;
            scores.winners().for_each(|seat| wins[seat] += 1.0 / winners);
        }
        Ok(json!({ "at": at, "games": games.min(MOST_GAMES), "wins": wins }))
    }

    fn branch(
        &self,
        host: &dyn Host,
        at: usize,
        against: &[String],
        seat: Option<u8>,
    ) -> Result<Box<dyn Tabled>, String> {
        if self.person().is_some() && !self.is_over() {
            return Err("a game can be played on from elsewhere when it is over".to_owned());
        }
        self.before(at)?;
        let players = seated(host, &self.game, against, seat)?;
        let mut table = Self::new(self.game.clone(), self.seed, players);
        self.past[..at].iter().for_each(|(step, _)| table.take(step.action));
        Ok(Box::new(table))
    }

    fn save(&self) -> Result<Json, String> {
        if !self.is_over() {
            return Err("a game can be saved when it is over".to_owned());
        }
        let replay = Replay {
            header: ReplayHeader {
                map: self.game.map_id().to_owned(),
                rules_hash: self.game.rules_hash(),
                seats: self.game.seats() as u8,
                seed: self.seed,
                agents: self.players.iter().map(|player| player.name().to_owned()).collect(),
            },
            actions: self.past.iter().map(|(step, _)| step.action).collect(),
            points: self.game.scores(&self.state).points.to_vec(),
        };
        Ok(json!({ "text": replay.to_text(&self.game).map_err(|why| why.to_string())? }))
    }
}

impl<G: SessionGame> Table<G> {
    /// The choice of an agent, and why.
    fn opinion(&self, view: &G::Observation<'_>, choice: G::Action, agent: &dyn Agent<G>) -> Json {
        let Explanation { notes, candidates, .. } = agent.explain(view);
        let candidate = |candidate: Candidate<G::Action>| {
            let Candidate { action, visits, value, error, gain, expected_gain, line, .. } = candidate;
            json!({
                "index": self.space.index(action),
                "text": view.write_action(action),
                "move": G::seen_move(view, SeenAction::Open(action)),
                "visits": visits,
                "value": value,
                "error": error,
                "gain": gain,
                "expected_gain": expected_gain,
                "line": line,
            })
        };
        let note = |note: Note| {
            let name =
                |board: &BoardGame| note.routes.into_iter().map(|route| board.route_name(route)).collect();
            let routes: Vec<String> = self.game.board().map(name).unwrap_or_default();
            json!({ "about": note.about, "text": note.text, "routes": routes })
        };
        json!({
            "seat": view.seat(),
            "index": self.space.index(choice),
            "text": view.write_action(choice),
            "move": G::seen_move(view, SeenAction::Open(choice)),
            "notes": notes.into_iter().map(note).collect::<Vec<_>>(),
            "candidates": candidates.into_iter().map(candidate).collect::<Vec<_>>(),
        })
    }
}
