//! Recorded games: which game, which seed, who played, what was played, how it ended.
//!
//! A record holds no positions. Loading one plays it again and compares the outcome, so a record that
//! verifies is a game that really took place under these rules.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::chance::Dice;
use crate::codec::{self, DecodeError};
use crate::game::{IllegalAction, Scores, Turn};
use crate::notation::Notation;
use crate::step::Step;

/// First bytes of every record.
const MAGIC: &[u8; 8] = b"ttr-game";
/// Version of the byte form. In version 1 a tunnel that can't be paid was declined without an action.
const VERSION: u16 = 2;
/// First line of the text form.
const TEXT_HEADER: &str = "ttr game 2";

/// A recorded game.
///
/// ```
/// use ttr_engine::{board::BoardGame, maps, Replay};
/// let game = BoardGame::new(&maps::load("usa").unwrap(), 2).unwrap();
/// let replay = Replay::play(&game, 7, ["random", "random"], |game, state, dice| {
///     ttr_engine::Game::random_action(game, state, dice)
/// }).unwrap();
/// let bytes = replay.to_bytes();
/// let loaded = Replay::from_bytes(&bytes).unwrap();
/// assert!(loaded.verify(&game).is_ok());
/// let text = replay.to_text(&game).unwrap();
/// assert_eq!(Replay::from_text(&game, &text).unwrap(), replay);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replay<A> {
    /// The game that was played.
    pub header: ReplayHeader,
    /// Every decision, in order.
    pub actions: Vec<A>,
    /// Points at the end, by seat.
    pub points: Vec<i16>,
}

/// The game that was played, and by whom.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ReplayHeader {
    /// The map's id.
    pub map: String,
    /// Hash of the map and its rules.
    pub rules_hash: u64,
    /// Number of seats.
    pub seats: u8,
    /// Seed of the game's chance.
    pub seed: u64,
    /// The agent of each seat.
    pub agents: Vec<String>,
}

/// The reason why a record was refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// It does not start like a record.
    #[error("this is not a recorded game: it does not start with \"ttr-game\"")]
    Foreign,
    /// It is of another version.
    #[error("this record is of format version {0}; this program reads version {VERSION}")]
    Version(u16),
    /// It ends too early, or goes on too long.
    #[error("the record is {found} bytes long, but says {expected}: it was cut off or damaged")]
    Length {
        /// Bytes it should have.
        expected: u64,
        /// Bytes it has.
        found: u64,
    },
    /// Its checksum is wrong.
    #[error("the checksum does not match: the record was damaged")]
    Checksum,
    /// Its content makes no sense.
    #[error("the record can't be read: {0}")]
    Content(#[from] DecodeError),
    /// It is not text.
    #[error("the record can't be read: {0}")]
    NotText(#[from] std::str::Utf8Error),
    /// The name of its map or of an agent is not distinct in the text form.
    #[error("the record can't be read: {0:?} can't be written as one name in a list")]
    Name(String),
    /// It was played under other rules.
    #[error(
        "the record is of map {map} with rules {expected:016x}, not {found:016x}: load the map it was played on"
    )]
    OtherRules {
        /// The record's map.
        map: String,
        /// The record's hash.
        expected: u64,
        /// The hash of the rules at hand.
        found: u64,
    },
    /// It is for another number of seats.
    #[error("the record is of a game for {expected} seats, not {found}")]
    OtherSeats {
        /// The record's seats.
        expected: usize,
        /// The seats at hand.
        found: usize,
    },
    /// One of its actions is not legal.
    #[error("decision {number} is not legal: {why}")]
    Illegal {
        /// Counted from 1.
        number: usize,
        /// The reason.
        why: IllegalAction,
    },
    /// It stops before the game is over, or goes on after it.
    #[error("the game {0} after {1} decisions")]
    WrongEnd(&'static str, usize),
    /// It ends with other points.
    #[error("the game ends with {found:?} points, the record says {expected:?}")]
    OtherPoints {
        /// The record's points.
        expected: Vec<i16>,
        /// The points that playing it gives.
        found: Vec<i16>,
    },
    /// A line of the text form can't be read.
    #[error("line {line}: {why}")]
    Line {
        /// Counted from 1.
        line: usize,
        /// The problem.
        why: String,
    },
}

impl<A: Copy + Eq + std::fmt::Debug + Serialize + DeserializeOwned> Replay<A> {
    /// Plays a whole game and records it; `choose` decides for every seat.
    ///
    /// # Errors
    /// If `choose` decides for something illegal.
    pub fn play<G: Notation<Action = A>>(
        game: &G,
        seed: u64,
        agents: impl IntoIterator<Item = impl Into<String>>,
        mut choose: impl FnMut(&G, &G::State, &mut Dice) -> A,
    ) -> Result<Self, IllegalAction> {
        let mut chance = Dice::from_seed(seed);
        let mut choices = Dice::from_parts(&[seed, 1]);
        let mut state = game.deal(&mut chance);
        let mut actions = Vec::new();
        while let Turn::Of(_) = game.turn(&state) {
            let action = choose(game, &state, &mut choices);
            game.play(&mut state, action, &mut chance)?;
            actions.push(action);
        }
        let header = ReplayHeader {
            map: game.map_id().to_owned(),
            rules_hash: game.rules_hash(),
            seats: game.seats() as u8,
            seed,
            agents: agents.into_iter().map(Into::into).collect(),
        };
        Ok(Self { header, actions, points: game.scores(&state).points.to_vec() })
    }

    /// The byte form: magic, version, length, content, checksum.
    pub fn to_bytes(&self) -> Vec<u8> {
        let content = codec::encode(&(&self.header, &self.actions, &self.points));
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((content.len() as u64).to_le_bytes());
        bytes.extend(content);
        bytes.extend(codec::checksum(&bytes).to_le_bytes());
        bytes
    }

    /// Reads the byte form. The game is not played yet: see [`Replay::verify`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ReplayError> {
        let (header, actions, points) = codec::decode(checked_content(bytes)?)?;
        Ok(Self { header, actions, points })
    }

    /// Reads a record in byte or text form. The byte form is not played yet: see [`Replay::verify`].
    ///
    /// # Errors
    /// If the record is neither, damaged, or a text of another game.
    pub fn read<G: Notation<Action = A>>(game: &G, record: &[u8]) -> Result<Self, ReplayError> {
        if is_text(record) {
            Self::from_text(game, std::str::from_utf8(record)?)
        } else {
            Self::from_bytes(record)
        }
    }

    /// Plays the game again, and checks every action and the final points. Returns the scores.
    ///
    /// # Errors
    /// If the record is of another game, or wrong.
    pub fn verify<G: Notation<Action = A>>(&self, game: &G) -> Result<Scores, ReplayError> {
        let mut last = None;
        self.walk(game, |state, _| last = Some(state.clone()))?;
        let state = last.ok_or(ReplayError::WrongEnd("is not over", 0))?;
        let scores = game.scores(&state);
        if *scores.points != self.points {
            let found = scores.points.to_vec();
            return Err(ReplayError::OtherPoints { expected: self.points.clone(), found });
        }
        Ok(scores)
    }

    /// Plays the game again and calls `show` with every position and the action taken in it; the last has
    /// none.
    ///
    /// # Errors
    /// If the record is of another game, or wrong.
    pub fn walk<G: Notation<Action = A>>(
        &self,
        game: &G,
        mut show: impl FnMut(&G::State, Option<A>),
    ) -> Result<(), ReplayError> {
        let last = self.play_again(game, |state, action, chance| {
            show(state, Some(action));
            game.play_unchecked(state, action, chance);
        })?;
        show(&last, None);
        Ok(())
    }

    /// Plays the game again, shows every decision with what came of it, and returns the last position.
    ///
    /// # Errors
    /// If the record is not of this game, or an action is not legal.
    pub fn steps<G: Notation<Action = A>>(
        &self,
        game: &G,
        mut show: impl FnMut(&Step<G>),
    ) -> Result<G::State, ReplayError> {
        self.play_again(game, |state, action, chance| show(&Step::play(game, state, action, chance)))
    }

    /// Lets `play` play every action, which has been checked, and returns the last position.
    fn play_again<G: Notation<Action = A>>(
        &self,
        game: &G,
        mut play: impl FnMut(&mut G::State, A, &mut Dice),
    ) -> Result<G::State, ReplayError> {
        self.header.check(game)?;
        let mut chance = Dice::from_seed(self.header.seed);
        let mut state = game.deal(&mut chance);
        for (i, &action) in self.actions.iter().enumerate() {
            if game.turn(&state) == Turn::Over {
                return Err(ReplayError::WrongEnd("is over", i));
            }
            // An illegal action may speak of things that do not exist: nobody is shown it.
            game.check(&state, action).map_err(|why| ReplayError::Illegal { number: i + 1, why })?;
            play(&mut state, action, &mut chance);
        }
        if game.turn(&state) != Turn::Over {
            return Err(ReplayError::WrongEnd("is not over", self.actions.len()));
        }
        Ok(state)
    }

    /// The text form: a few lines about the game, then a line for every decision.
    pub fn to_text<G: Notation<Action = A>>(&self, game: &G) -> Result<String, ReplayError> {
        self.header.check_names()?;
        let ReplayHeader { map, rules_hash, seats, seed, agents } = &self.header;
        let points = self.points.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let mut text = format!(
            "{TEXT_HEADER}\nmap: {map}\nrules: {rules_hash:016x}\nseats: {seats}\nseed: {seed}\n\
             agents: {}\npoints: {points}\n\n",
            agents.join(", ")
        );
        self.walk(game, |state, action| {
            if let (Some(action), Turn::Of(seat)) = (action, game.turn(state)) {
                text += &format!("{}: {}\n", seat.to_u8() + 1, game.write_action(state, action));
            }
        })?;
        Ok(text)
    }

    /// Reads the text form and plays the game.
    pub fn from_text<G: Notation<Action = A>>(game: &G, text: &str) -> Result<Self, ReplayError> {
        let at = |line: usize, why: String| ReplayError::Line { line, why };
        let mut lines = text.lines().enumerate().map(|(i, line)| (i + 1, line.trim()));
        if lines.next().map(|(_, line)| line) != Some(TEXT_HEADER) {
            return Err(at(1, format!("a game starts with the line \"{TEXT_HEADER}\"")));
        }
        let mut field = |name: &str| {
            let (number, line) = lines.next().ok_or_else(|| at(1, format!("\"{name}:\" is missing")))?;
            let value = line.strip_prefix(name).and_then(|rest| rest.strip_prefix(':'));
            let value = value.ok_or_else(|| at(number, format!("\"{name}: ...\" is expected here")))?;
            Ok::<_, ReplayError>((number, value.trim().to_owned()))
        };
        let map = field("map")?.1;
        let (line, rules) = field("rules")?;
        let rules_hash = u64::from_str_radix(&rules, 16).map_err(|e| at(line, e.to_string()))?;
        let (line, seats) = field("seats")?;
        let seats = seats.parse().map_err(|e: std::num::ParseIntError| at(line, e.to_string()))?;
        let (line, seed) = field("seed")?;
        let seed = seed.parse().map_err(|e: std::num::ParseIntError| at(line, e.to_string()))?;
        let list = |text: &str| text.split(", ").filter(|item| !item.is_empty()).map(str::to_owned).collect();
        let agents: Vec<String> = list(&field("agents")?.1);
        let (line, points) = field("points")?;
        let points = list(&points) as Vec<String>;
        let points = points.iter().map(|item| item.parse()).collect::<Result<Vec<i16>, _>>();
        let points = points.map_err(|e| at(line, e.to_string()))?;

        let header = ReplayHeader { map, rules_hash, seats, seed, agents };
        header.check_names()?;
        header.check(game)?;
        let mut replay = Self { header, actions: Vec::new(), points };
        let mut chance = Dice::from_seed(seed);
        let mut state = game.deal(&mut chance);
        for (number, line) in lines.filter(|(_, line)| !line.is_empty()) {
            let Turn::Of(seat) = game.turn(&state) else {
                return Err(at(number, "the game is over already".into()));
            };
            let (who, action) =
                line.split_once(": ").ok_or_else(|| at(number, "\"1: ...\" is expected".into()))?;
            if who != (seat.to_u8() + 1).to_string() {
                return Err(at(number, format!("it is the turn of {seat}, not of seat {who}")));
            }
            let action = game.parse_action(&state, action).map_err(|why| at(number, why.to_string()))?;
            game.play(&mut state, action, &mut chance).map_err(|why| at(number, why.to_string()))?;
            replay.actions.push(action);
        }
        replay.verify(game)?;
        Ok(replay)
    }
}

impl ReplayHeader {
    /// Whether this is the game that was played.
    fn check<G: Notation>(&self, game: &G) -> Result<(), ReplayError> {
        if self.rules_hash != game.rules_hash() {
            let (map, expected, found) = (self.map.clone(), self.rules_hash, game.rules_hash());
            return Err(ReplayError::OtherRules { map, expected, found });
        }
        if usize::from(self.seats) != game.seats() {
            return Err(ReplayError::OtherSeats { expected: self.seats.into(), found: game.seats() });
        }
        Ok(())
    }

    /// Checks that the names are distinct in the text form, which has them in a line.
    fn check_names(&self) -> Result<(), ReplayError> {
        for name in self.agents.iter().chain([&self.map]) {
            let whole = !name.is_empty() && name.trim() == name && !name.contains(", ");
            if !whole || name.ends_with(',') || name.contains(char::is_control) {
                return Err(ReplayError::Name(name.clone()));
            }
        }
        Ok(())
    }
}

/// Reads only the header of a record, to find the map for it.
///
/// ```
/// use ttr_engine::{board::BoardGame, maps, replay_header, Game, Replay};
/// let game = BoardGame::new(&maps::load("usa")?, 2)?;
/// let replay = Replay::play(&game, 7, ["a", "b"], |game, state, dice| game.random_action(state, dice))?;
/// let header = replay_header(&replay.to_bytes())?;
/// assert_eq!((header.map.as_str(), header.seats, header.seed), ("usa", 2, 7));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the bytes are not a record.
pub fn replay_header(bytes: &[u8]) -> Result<ReplayHeader, ReplayError> {
    Ok(codec::decode_first(checked_content(bytes)?)?.0)
}

/// The game of a record in byte or text form: the map and the number of seats.
///
/// # Errors
/// If the record is neither.
pub fn replay_game(record: &[u8]) -> Result<(String, usize), ReplayError> {
    if !is_text(record) {
        return replay_header(record).map(|header| (header.map, header.seats.into()));
    }
    let text = std::str::from_utf8(record)?;
    let field = |name: &str| {
        let lines = text.lines().enumerate().take(10);
        let mut values = lines.filter_map(|(i, line)| Some((i + 1, line.strip_prefix(name)?.trim())));
        let missing = || ReplayError::Line { line: 1, why: format!("the line \"{name} ...\" is missing") };
        values.next().ok_or_else(missing)
    };
    let (line, seats) = field("seats:")?;
    let seats =
        seats.parse().map_err(|_| ReplayError::Line { line, why: format!("\"{seats}\" is not a number") })?;
    Ok((field("map:")?.1.to_owned(), seats))
}

/// Whether a record starts like the text form, of whatever version.
fn is_text(record: &[u8]) -> bool {
    record.starts_with(b"ttr game ")
}

/// The content of a record whose frame is sound.
fn checked_content(bytes: &[u8]) -> Result<&[u8], ReplayError> {
    const FRAME: usize = MAGIC.len() + 2 + 8;
    let rest = bytes.strip_prefix(MAGIC).ok_or(ReplayError::Foreign)?;
    let cut_off = |expected: u64| ReplayError::Length { expected, found: bytes.len() as u64 };
    let (version, rest) = rest.split_first_chunk().ok_or_else(|| cut_off(FRAME as u64 + 8))?;
    let version = u16::from_le_bytes(*version);
    if version != VERSION {
        return Err(ReplayError::Version(version));
    }
    let (length, rest) = rest.split_first_chunk().ok_or_else(|| cut_off(FRAME as u64 + 8))?;
    let expected = u64::from_le_bytes(*length).saturating_add(FRAME as u64 + 8);
    if expected != bytes.len() as u64 {
        return Err(cut_off(expected));
    }
    let (content, sum) = rest.split_last_chunk().ok_or_else(|| cut_off(expected))?;
    if codec::checksum(&bytes[..bytes.len() - 8]) != u64::from_le_bytes(*sum) {
        return Err(ReplayError::Checksum);
    }
    Ok(content)
}
