//! The two kinds of games behind one face: everything that a class of Python asks of the engine, implemented once for
//! any game.

use std::any::Any;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value as Json, json};
use ttr_agents::{Agent, Forfeit, Roster};
use ttr_engine::testing::Inspect;
use ttr_engine::{
    ActionFields, ActionSpace, Dice, Encoder, IllegalAction, Layout, NotationError, Scores, Seat, Turn, View,
    codec,
};
use ttr_show::draw;
use ttr_sim::batch::{Learnable, Numbers};
use ttr_sim::exec::ExecOptions;
use ttr_sim::table::{Entrant, agent_text};

/// A game that Python can play.
pub(crate) trait Kind:
    Learnable<State: Serialize + DeserializeOwned + Sync, Action: Sync> + Inspect + Clone
{
}

impl<G: Learnable<State: Serialize + DeserializeOwned + Sync, Action: Sync> + Inspect + Clone> Kind for G {}

/// Why an action was not played.
pub(crate) enum Refused {
    /// There is no action with this index.
    Index(i64),
    /// The text is no action.
    Text(NotationError),
    /// It is not legal.
    Illegal(IllegalAction),
}

/// What the dice of worlds come from: the world of a view is a function of what the seat sees.
const WORLD: u64 = 0x0077_6f72_6c64;
/// What the dice of determinizations come from, with the seed of the caller.
const DETERMINIZED: u64 = 0x0077_6f72_6c65;

/// The rules of a game.
pub(crate) trait Rules: Send + Sync {
    fn map_id(&self) -> &str;
    fn name(&self) -> &str;
    fn seats(&self) -> usize;
    fn rules_hash(&self) -> u64;
    fn actions(&self) -> Vec<ActionFields>;
    fn num_actions(&self) -> usize;
    fn space_hash(&self) -> u64;
    fn space_version(&self) -> u32;
    fn layout_version(&self) -> u32;
    fn layout(&self, derived: bool) -> Layout;
    fn hidden_layout(&self) -> &Layout;
    fn description(&self) -> Json;
    fn svg(&self) -> Option<String>;
    fn deal(self: Arc<Self>, seed: u64) -> Box<dyn Position>;
    /// The position of bytes that [`Position::to_bytes`] made.
    fn restore(self: Arc<Self>, bytes: &[u8]) -> Result<Box<dyn Position>, String>;
    fn agent(self: Arc<Self>, spec: &str) -> Result<Box<dyn Chooser>, String>;
    fn replay(self: Arc<Self>, record: &[u8]) -> Result<Box<dyn crate::replay::Record>, String>;
    fn record(
        self: Arc<Self>,
        seed: u64,
        agents: Vec<String>,
        actions: &[i64],
    ) -> Result<Box<dyn crate::replay::Record>, String>;
    fn batch(
        self: Arc<Self>,
        settings: crate::vec_env::Settings,
    ) -> Result<Box<dyn crate::vec_env::Tables>, crate::runs::Failure>;
    fn run(
        self: Arc<Self>,
        order: crate::runs::Order<'_>,
    ) -> Result<crate::runs::Ended, crate::runs::Failure>;
}

/// A position with its dice.
pub(crate) trait Position: Send + Sync {
    fn as_any(&self) -> &dyn Any;
    fn copy(&self) -> Box<dyn Position>;
    fn equals(&self, other: &dyn Position) -> bool;
    fn turn(&self) -> Option<Seat>;
    fn view(&self, seat: Seat) -> Box<dyn Seen>;
    fn play(&mut self, index: i64) -> Result<(), Refused>;
    fn play_text(&mut self, text: &str) -> Result<(), Refused>;
    fn legal(&self) -> Vec<i32>;
    fn scores(&self) -> Scores;
    fn results(&self) -> Json;
    fn hidden(&self, seat: Seat) -> (Vec<u8>, Vec<f32>);
    fn open(&self) -> Json;
    fn text(&self) -> String;
    fn svg(&self) -> Option<String>;
    fn to_bytes(&self) -> Vec<u8>;
    fn touch(&self);
}

/// What a seat sees.
pub(crate) trait Seen: Send + Sync {
    fn as_any(&self) -> &dyn Any;
    fn equals(&self, other: &dyn Seen) -> bool;
    fn seat(&self) -> Seat;
    fn turn(&self) -> Option<Seat>;
    fn mask(&self) -> Vec<i8>;
    fn legal(&self) -> Vec<i32>;
    fn encode(&self, derived: bool) -> Vec<u8>;
    fn encode_floats(&self, derived: bool) -> Vec<f32>;
    fn facts(&self) -> Json;
    fn text(&self) -> String;
    fn svg(&self) -> Option<String>;
    fn parse(&self, text: &str) -> Result<usize, Refused>;
    fn describe(&self, index: i64) -> Result<String, Refused>;
    fn determinize(&self, seed: u64) -> Box<dyn Position>;
    fn to_bytes(&self) -> Vec<u8>;
}

/// An agent of this program.
pub(crate) trait Chooser: Send {
    /// The index of its choice. None if the view is of another game.
    fn choose(&mut self, view: &dyn Seen, seed: u64) -> Option<Result<usize, String>>;
    /// What it thinks. None if the view is of another game.
    fn explain(&mut self, view: &dyn Seen, seed: u64) -> Option<Result<Json, String>>;
}

/// A game with its actions and views as numbers.
pub(crate) struct Compiled<G: Kind> {
    pub(crate) numbers: Arc<Numbers<G>>,
    derived: G::Encoder,
}

impl<G: Kind> Compiled<G> {
    pub(crate) fn new(game: G) -> Self {
        let derived = game.encoder(true);
        Self { numbers: Arc::new(Numbers::new(Arc::new(game), false)), derived }
    }

    pub(crate) fn game(&self) -> &G {
        &self.numbers.game
    }

    fn encoder(&self, derived: bool) -> &G::Encoder {
        if derived { &self.derived } else { &self.numbers.encoder }
    }

    /// The action with an index, checked by a view.
    fn legal(&self, view: &G::Observation<'_>, index: i64) -> Result<G::Action, Refused> {
        let action = usize::try_from(index).ok().and_then(|index| self.numbers.space.action(index));
        let action = action.ok_or(Refused::Index(index))?;
        view.check(action).map(|()| action).map_err(Refused::Illegal)
    }

    /// The action of an agent that answers with an index.
    pub(crate) fn choice(&self, view: &G::Observation<'_>, index: i64) -> Result<G::Action, Forfeit> {
        self.legal(view, index).map_err(|refused| match refused {
            // An illegal action is called by its number: only legal ones are sure to have a text.
            Refused::Illegal(why) => Forfeit::new(&format!("action {index} is not legal: {why}")),
            _ => Forfeit::new(&format!("there is no action {index}")),
        })
    }

    /// A view as a vector of floats.
    pub(crate) fn floats(&self, view: &G::Observation<'_>, derived: bool) -> Vec<f32> {
        let encoder = self.encoder(derived);
        let mut bytes = vec![0; encoder.layout().len()];
        encoder.encode(view, &mut bytes);
        let mut floats = vec![0.0; bytes.len()];
        encoder.layout().scale(&bytes, &mut floats);
        floats
    }

    /// What a seat sees, kept in a world that holds nothing else.
    pub(crate) fn seen(self: &Arc<Self>, view: &G::Observation<'_>) -> SeenBy<G> {
        let world = self.game().determinize(view, &mut Dice::from_seed(WORLD));
        SeenBy { game: self.clone(), world, seat: view.seat() }
    }
}

fn indices<G: Kind>(numbers: &Numbers<G>, view: &G::Observation<'_>) -> Vec<i32> {
    let mut indices = Vec::new();
    numbers.for_each_index(view, |index| indices.push(index as i32));
    indices.sort_unstable();
    indices
}

fn seat_of(turn: Turn) -> Option<Seat> {
    match turn {
        Turn::Of(seat) => Some(seat),
        Turn::Over => None,
    }
}

impl<G: Kind> Rules for Compiled<G> {
    fn map_id(&self) -> &str {
        self.game().map_id()
    }

    fn name(&self) -> &str {
        self.game().name()
    }

    fn seats(&self) -> usize {
        self.game().seats()
    }

    fn rules_hash(&self) -> u64 {
        self.game().rules_hash()
    }

    fn actions(&self) -> Vec<ActionFields> {
        self.numbers.space.actions().iter().map(|&action| G::Space::fields(action)).collect()
    }

    fn num_actions(&self) -> usize {
        self.numbers.space.actions().len()
    }

    fn space_hash(&self) -> u64 {
        self.numbers.space.hash()
    }

    fn space_version(&self) -> u32 {
        G::Space::VERSION
    }

    fn layout_version(&self) -> u32 {
        G::Encoder::VERSION
    }

    fn layout(&self, derived: bool) -> Layout {
        self.encoder(derived).layout().clone()
    }

    fn hidden_layout(&self) -> &Layout {
        self.numbers.encoder.hidden_layout()
    }

    fn description(&self) -> Json {
        self.game().description()
    }

    fn svg(&self) -> Option<String> {
        self.game().board().map(|board| draw::board_svg(board.spec()))
    }

    fn deal(self: Arc<Self>, seed: u64) -> Box<dyn Position> {
        let mut dice = Dice::from_seed(seed);
        let state = self.game().deal(&mut dice);
        Box::new(At { game: self, state, dice })
    }

    fn restore(self: Arc<Self>, bytes: &[u8]) -> Result<Box<dyn Position>, String> {
        let (state, dice) = codec::decode::<(G::State, Dice)>(bytes).map_err(|why| why.to_string())?;
        Ok(Box::new(At { game: self, state, dice }))
    }

    fn agent(self: Arc<Self>, spec: &str) -> Result<Box<dyn Chooser>, String> {
        let roster = Roster::built_in();
        let spec = agent_text::parse(roster, spec).map_err(|why| why.to_string())?;
        let entrant = Entrant::from_spec_with(self.game(), &spec, roster, &ExecOptions::default());
        let entrant = entrant.map_err(|why| why.to_string())?;
        let agent = entrant.build(self.game()).map_err(|why| why.to_string())?;
        Ok(Box::new(BuiltIn { game: self, agent }))
    }

    fn replay(self: Arc<Self>, record: &[u8]) -> Result<Box<dyn crate::replay::Record>, String> {
        crate::replay::read(self, record)
    }

    fn record(
        self: Arc<Self>,
        seed: u64,
        agents: Vec<String>,
        actions: &[i64],
    ) -> Result<Box<dyn crate::replay::Record>, String> {
        crate::replay::record(self, seed, agents, actions)
    }

    fn batch(
        self: Arc<Self>,
        settings: crate::vec_env::Settings,
    ) -> Result<Box<dyn crate::vec_env::Tables>, crate::runs::Failure> {
        crate::vec_env::tables(self, settings)
    }

    fn run(
        self: Arc<Self>,
        order: crate::runs::Order<'_>,
    ) -> Result<crate::runs::Ended, crate::runs::Failure> {
        crate::runs::run(self, order)
    }
}

/// A position of a game.
pub(crate) struct At<G: Kind> {
    pub(crate) game: Arc<Compiled<G>>,
    pub(crate) state: G::State,
    pub(crate) dice: Dice,
}

impl<G: Kind> At<G> {
    fn rules(&self) -> &G {
        self.game.game()
    }

    fn take(&mut self, action: G::Action) -> Result<(), Refused> {
        let game = self.game.clone();
        game.game().play(&mut self.state, action, &mut self.dice).map_err(Refused::Illegal)
    }
}

impl<G: Kind> Position for At<G> {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn copy(&self) -> Box<dyn Position> {
        Box::new(Self { game: self.game.clone(), state: self.state.clone(), dice: self.dice.clone() })
    }

    fn equals(&self, other: &dyn Position) -> bool {
        other.as_any().downcast_ref::<Self>().is_some_and(|other| {
            let same = self.rules().rules_hash() == other.rules().rules_hash();
            same && self.rules().seats() == other.rules().seats()
                && self.state == other.state
                && self.dice == other.dice
        })
    }

    fn turn(&self) -> Option<Seat> {
        seat_of(self.rules().turn(&self.state))
    }

    fn view(&self, seat: Seat) -> Box<dyn Seen> {
        Box::new(self.game.seen(&self.rules().observe(&self.state, seat)))
    }

    fn play(&mut self, index: i64) -> Result<(), Refused> {
        let action = usize::try_from(index).ok().and_then(|index| self.game.numbers.space.action(index));
        self.take(action.ok_or(Refused::Index(index))?)
    }

    fn play_text(&mut self, text: &str) -> Result<(), Refused> {
        if self.turn().is_none() {
            return Err(Refused::Illegal(IllegalAction::GameOver));
        }
        let action = self.rules().parse_action(&self.state, text).map_err(Refused::Text)?;
        self.take(action)
    }

    fn legal(&self) -> Vec<i32> {
        let Some(seat) = self.turn() else { return Vec::new() };
        indices(&self.game.numbers, &self.rules().observe(&self.state, seat))
    }

    fn scores(&self) -> Scores {
        self.rules().scores(&self.state)
    }

    fn results(&self) -> Json {
        let (tickets, routes) = (self.rules().ticket_names(), self.rules().route_names());
        let names =
            |ids: Vec<usize>, names: &[String]| ids.iter().map(|&id| names[id].clone()).collect::<Vec<_>>();
        let seats = self.rules().results(&self.state).into_iter().map(|result| {
            json!({
                "points": result.points,
                "rank": result.rank,
                "sources": result.sources,
                "completed": result.completed,
                "failed": result.failed,
                "left": result.left,
                "routes": names(result.routes.into_iter().map(|route| route.index()).collect(), &routes),
                "completed_tickets":
                    names(result.completed_tickets.into_iter().map(|ticket| ticket.index()).collect(), &tickets),
                "failed_tickets":
                    names(result.failed_tickets.into_iter().map(|ticket| ticket.index()).collect(), &tickets),
            })
        });
        Json::Array(seats.collect())
    }

    fn hidden(&self, seat: Seat) -> (Vec<u8>, Vec<f32>) {
        let encoder = &self.game.numbers.encoder;
        let mut bytes = vec![0; encoder.hidden_layout().len()];
        let mut floats = vec![0.0; bytes.len()];
        encoder.encode_hidden(self.rules(), &self.state, seat, &mut bytes);
        encoder.hidden_layout().scale(&bytes, &mut floats);
        (bytes, floats)
    }

    fn open(&self) -> Json {
        serde_json::to_value(self.rules().position(&self.state, None)).unwrap_or_default()
    }

    fn text(&self) -> String {
        self.rules().position(&self.state, None).to_string()
    }

    fn svg(&self) -> Option<String> {
        let board = self.rules().board()?;
        Some(draw::position_svg(board, &self.rules().position(&self.state, None), &[], ""))
    }

    fn to_bytes(&self) -> Vec<u8> {
        codec::encode(&(&self.state, &self.dice))
    }

    /// Looks at everything that is in the position, so that one that makes no sense panics now.
    fn touch(&self) {
        self.rules().assert_invariants(&self.state);
        for seat in Seat::all(self.rules().seats()) {
            self.view(seat).facts();
        }
        self.scores();
        self.open();
        self.legal();
    }
}

/// What a seat sees: a world that looks the same to it. The truth is not here.
pub(crate) struct SeenBy<G: Kind> {
    game: Arc<Compiled<G>>,
    world: G::State,
    seat: Seat,
}

impl<G: Kind> SeenBy<G> {
    fn view(&self) -> G::Observation<'_> {
        self.game.game().observe(&self.world, self.seat)
    }
}

impl<G: Kind> Seen for SeenBy<G> {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn equals(&self, other: &dyn Seen) -> bool {
        other.as_any().downcast_ref::<Self>().is_some_and(|other| {
            let same = self.game.game().rules_hash() == other.game.game().rules_hash();
            same && self.seat == other.seat && self.facts() == other.facts()
        })
    }

    fn seat(&self) -> Seat {
        self.seat
    }

    fn turn(&self) -> Option<Seat> {
        seat_of(self.view().turn())
    }

    fn mask(&self) -> Vec<i8> {
        let mut mask = vec![0; self.game.num_actions()];
        self.game.numbers.for_each_index(&self.view(), |index| mask[index] = 1);
        mask
    }

    fn legal(&self) -> Vec<i32> {
        indices(&self.game.numbers, &self.view())
    }

    fn encode(&self, derived: bool) -> Vec<u8> {
        let encoder = self.game.encoder(derived);
        let mut bytes = vec![0; encoder.layout().len()];
        encoder.encode(&self.view(), &mut bytes);
        bytes
    }

    fn encode_floats(&self, derived: bool) -> Vec<f32> {
        self.game.floats(&self.view(), derived)
    }

    fn facts(&self) -> Json {
        serde_json::to_value(G::seat_view(&self.view())).unwrap_or_default()
    }

    fn text(&self) -> String {
        G::seat_view(&self.view()).to_string()
    }

    fn svg(&self) -> Option<String> {
        let board = self.game.game().board()?;
        Some(draw::position_svg(
            board,
            &G::seat_view(&self.view()),
            &[],
            &format!("as {} sees it", self.seat),
        ))
    }

    fn parse(&self, text: &str) -> Result<usize, Refused> {
        let view = self.view();
        let action = view.parse_action(text).map_err(Refused::Text)?;
        view.check(action).map_err(Refused::Illegal)?;
        Ok(self.game.numbers.space.index(action).expect("legal actions have an index"))
    }

    fn describe(&self, index: i64) -> Result<String, Refused> {
        let view = self.view();
        self.game.legal(&view, index).map(|action| view.write_action(action))
    }

    fn determinize(&self, seed: u64) -> Box<dyn Position> {
        let mut dice = Dice::from_parts(&[seed, DETERMINIZED]);
        let state = self.game.game().determinize(&self.view(), &mut dice);
        Box::new(At { game: self.game.clone(), state, dice })
    }

    fn to_bytes(&self) -> Vec<u8> {
        codec::encode(&(&self.world, &Dice::from_seed(WORLD)))
    }
}

/// An agent of the roster, or a process.
struct BuiltIn<G: Kind> {
    game: Arc<Compiled<G>>,
    agent: Box<dyn Agent<G>>,
}

impl<G: Kind> BuiltIn<G> {
    fn decide(&mut self, view: &dyn Seen, seed: u64) -> Option<Result<G::Action, String>> {
        let seen = view.as_any().downcast_ref::<SeenBy<G>>()?;
        let game = seen.game.game();
        if game.rules_hash() != self.game.game().rules_hash() || game.seats() != self.game.game().seats() {
            return None;
        }
        self.agent.begin(self.game.game(), seen.seat);
        let choice = self.agent.choose(&seen.view(), &mut Dice::from_seed(seed));
        Some(choice.map_err(|forfeit| forfeit.to_string()))
    }
}

impl<G: Kind> Chooser for BuiltIn<G> {
    fn choose(&mut self, view: &dyn Seen, seed: u64) -> Option<Result<usize, String>> {
        let game = self.game.clone();
        let choice = self.decide(view, seed)?;
        let index =
            |action| game.numbers.space.index(action).ok_or_else(|| "it chose no known action".to_owned());
        Some(choice.and_then(index))
    }

    fn explain(&mut self, view: &dyn Seen, seed: u64) -> Option<Result<Json, String>> {
        let action = match self.decide(view, seed)? {
            Ok(action) => action,
            Err(why) => return Some(Err(why)),
        };
        let seen = view.as_any().downcast_ref::<SeenBy<G>>()?;
        let view = seen.view();
        let space = &self.game.numbers.space;
        let explanation = self.agent.explain(&view);
        let candidates = explanation.candidates.into_iter().map(|candidate| {
            json!({
                "action": space.index(candidate.action),
                "text": view.write_action(candidate.action),
                "visits": candidate.visits,
                "value": candidate.value,
                "error": candidate.error,
                "gain": candidate.gain,
                "expected_gain": candidate.expected_gain,
                "line": candidate.line,
            })
        });
        Some(Ok(json!({
            "action": space.index(action),
            "text": view.write_action(action),
            "notes": explanation.notes.iter().map(|note| (&note.about, &note.text)).collect::<Vec<_>>(),
            "candidates": candidates.collect::<Vec<_>>(),
        })))
    }
}
