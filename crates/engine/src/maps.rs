//! The shipped maps, and maps from files.
//!
//! ```
//! let europe = ttr_engine::maps::find("europe")?;
//! assert_eq!((europe.cities.len(), europe.routes.len(), europe.tickets.len()), (47, 101, 46));
//! # Ok::<(), ttr_engine::spec::MapError>(())
//! ```

use std::collections::BTreeMap;
use std::io;
use std::path::{Component, Path, PathBuf};

use crate::game::WrongSeats;
use crate::input_file;
use crate::pieces::MAX_SEATS;
use crate::spec::{
    self, CardGameSpec, DepotSpec, MAX_FILE_BYTES, MapError, MapSource, MapSpec, Problem, SeatRange,
};

/// The text of a shipped map's file.
///
/// ```
/// assert!(ttr_engine::maps::text("nordic").unwrap().contains("Murmansk"));
/// assert_eq!(ttr_engine::maps::text("atlantis"), None);
/// ```
pub fn text(id: &str) -> Option<&'static str> {
    ttr_maps::text(id)
}

/// The id of the shipped Card Game.
pub const CARD_GAME: &str = spec::CARD_GAME;

/// A game of any kind as data.
///
/// ```
/// use ttr_engine::maps::{self, AnySpec};
/// for id in ["europe", "card-game"] {
///     let tickets = match maps::find_any(id)? {
///         AnySpec::Board(map) => map.tickets.len(),
///         AnySpec::CardGame(game) => game.tickets.len(),
///     };
///     assert_eq!(tickets, 46);
/// }
/// # Ok::<(), ttr_engine::spec::MapError>(())
/// ```
// Exhaustive: whoever handles every kind of game learns of another one from the compiler.
#[derive(Clone, PartialEq, Debug)]
#[allow(clippy::large_enum_variant, reason = "a program reads a few, so a box would save nothing")]
pub enum AnySpec {
    /// A board game.
    Board(MapSpec),
    /// The Card Game.
    CardGame(CardGameSpec),
}

impl AnySpec {
    /// Fewest and most seats.
    pub fn seats(&self) -> SeatRange {
        match self {
            Self::Board(map) => map.seats,
            Self::CardGame(game) => game.seats,
        }
    }

    /// Checks a number of seats, before anything is made for that many.
    ///
    /// # Errors
    /// If that many can't play.
    ///
    /// ```
    /// let usa = ttr_engine::maps::find_any("usa")?;
    /// assert!(usa.check_seats(5).is_ok());
    /// assert_eq!(usa.check_seats(6).unwrap_err().to_string(), "usa is played by 2 to 5 seats, not by 6");
    /// # Ok::<(), ttr_engine::spec::MapError>(())
    /// ```
    pub fn check_seats(&self, seats: usize) -> Result<(), WrongSeats> {
        let (id, range) = match self {
            Self::Board(map) => (&map.id, map.seats),
            Self::CardGame(game) => (&game.id, game.seats),
        };
        WrongSeats::check(id, range, MAX_SEATS, seats)
    }
}

/// The ids of all shipped games: the maps, and the Card Game.
///
/// ```
/// use ttr_engine::maps::{self, AnySpec};
/// for id in maps::all_ids() {
///     assert_eq!(matches!(maps::find_any(id)?, AnySpec::CardGame(_)), id == maps::CARD_GAME);
/// }
/// # Ok::<(), ttr_engine::spec::MapError>(())
/// ```
pub fn all_ids() -> impl Iterator<Item = &'static str> {
    ttr_maps::IDS.iter().copied().chain([CARD_GAME])
}

/// Finds a game of any kind by id or path, as [`find`]. A file of the Card Game says `game = "card-game"`.
///
/// # Errors
/// As [`find`].
pub fn find_any(id_or_path: &str) -> Result<AnySpec, MapError> {
    if id_or_path == CARD_GAME {
        return Ok(AnySpec::CardGame(card_game()));
    }
    if text(id_or_path).is_none() && is_path(id_or_path) && !id_or_path.ends_with(WITH_DEPOTS) {
        return load_any_path(id_or_path);
    }
    find(id_or_path).map(AnySpec::Board)
}

/// A game of any kind from a file, as [`load_path`].
///
/// # Errors
/// As [`load_path`].
pub fn load_any_path(path: impl AsRef<Path>) -> Result<AnySpec, MapError> {
    let source = read(path.as_ref())?;
    if spec::is_card_game(&source.text) {
        return spec::load_card_game(&source).map(AnySpec::CardGame);
    }
    spec::load(&source, base_seen_from).map(AnySpec::Board)
}

/// The shipped Card Game.
///
/// ```
/// let game = ttr_engine::maps::card_game();
/// assert_eq!((game.tickets.len(), game.big_cities.len()), (46, 6));
/// ```
pub fn card_game() -> CardGameSpec {
    parse_card_game("card-game.toml", ttr_maps::CARD_GAME).expect("the shipped file is right")
}

/// The Card Game from a text; `file` is what messages call it.
///
/// # Errors
/// With everything that is wrong with the file.
///
/// ```
/// let error = ttr_engine::maps::parse_card_game("mine.toml", "format = 1\nname = 'Mine'").unwrap_err();
/// assert!(error.to_string().contains("the key \"tickets\" is missing"));
/// ```
pub fn parse_card_game(file: &str, text: &str) -> Result<CardGameSpec, MapError> {
    let source = MapSource { id: stem(Path::new(file)), file: file.to_owned(), text: text.to_owned() };
    spec::load_card_game(&source)
}

/// The ids of the shipped maps.
///
/// ```
/// for id in ttr_engine::maps::ids() {
///     assert_eq!(ttr_engine::maps::load(id)?.id, *id);
/// }
/// # Ok::<(), ttr_engine::spec::MapError>(())
/// ```
pub fn ids() -> &'static [&'static str] {
    ttr_maps::IDS
}

/// A shipped map by its id.
///
/// # Errors
/// If there is no such map; the error lists those there are.
///
/// ```
/// use ttr_engine::maps;
/// assert_eq!(maps::load("usa")?.tickets.len(), 30);
/// let error = maps::load("eurpoe").unwrap_err();
/// assert!(error.to_string().contains("did you mean \"europe\"?"));
/// # Ok::<(), ttr_engine::spec::MapError>(())
/// ```
pub fn load(id: &str) -> Result<MapSpec, MapError> {
    spec::load(&shipped(id)?, |base, _| shipped(base))
}

/// A map from a file. Its base is the id of a shipped map, or a path seen from the file.
///
/// # Errors
/// If the file can't be read, or with everything that is wrong with the map.
///
/// ```
/// # let path = std::env::temp_dir().join(format!("ttr-load-path-{}.toml", std::process::id()));
/// # std::fs::write(&path, "format = 1\nname = 'Short Europe'\nbase = 'europe'\nrules.trains = 35").unwrap();
/// let map = ttr_engine::maps::load_path(&path)?;
/// assert_eq!((map.name.as_str(), map.rules.trains, map.cities.len()), ("Short Europe", 35, 47));
/// # std::fs::remove_file(&path).unwrap();
/// # Ok::<(), ttr_engine::spec::MapError>(())
/// ```
pub fn load_path(path: impl AsRef<Path>) -> Result<MapSpec, MapError> {
    spec::load(&board(read(path.as_ref())?)?, base_seen_from)
}

/// A map from a text as if it stood in a file: its base is the id of a shipped map, or a path seen from
/// that file.
///
/// # Errors
/// With everything that is wrong with the map.
pub fn parse_at(path: impl AsRef<Path>, text: &str) -> Result<MapSpec, MapError> {
    let path = path.as_ref();
    let file = path.display().to_string();
    spec::load(&MapSource { id: stem(path), file, text: text.to_owned() }, base_seen_from)
}

/// A map from a text as [`parse_at`]. Its bases are taken from `files`, texts by path; what is not among
/// them is read and added. So these texts are all that the map depends on.
///
/// # Errors
/// With everything that is wrong with the map.
///
/// ```
/// use std::collections::BTreeMap;
/// use ttr_engine::maps;
/// let text = "format = 1\nname = 'Short'\nbase = 'other.toml'\nrules.trains = 35";
/// let other = "format = 1\nname = 'Other'\nbase = 'usa'";
/// let mut files = BTreeMap::from([("maps/other.toml".to_owned(), other.to_owned())]);
/// assert_eq!(maps::parse_among("maps/short.toml", text, &mut files)?.rules.trains, 35);
/// # Ok::<(), ttr_engine::spec::MapError>(())
/// ```
pub fn parse_among(
    path: impl AsRef<Path>,
    text: &str,
    files: &mut BTreeMap<String, String>,
) -> Result<MapSpec, MapError> {
    let path = path.as_ref();
    let file = path.display().to_string();
    spec::load(&MapSource { id: stem(path), file, text: text.to_owned() }, |base, from| {
        let Some(path) = outside(base, from) else { return shipped(base) };
        let file = path.display().to_string();
        if let Some(text) = files.get(&file) {
            return board(MapSource { id: stem(&path), file, text: text.clone() });
        }
        let source = base_seen_from(base, from)?;
        files.insert(file, source.text.clone());
        Ok(source)
    })
}

fn base_seen_from(base: &str, from: &MapSource) -> Result<MapSource, Problem> {
    match outside(base, from) {
        Some(path) => board(read(&path).map_err(|mut error| error.problems.remove(0))?),
        None => shipped(base),
    }
}

/// The path of a base that is not shipped, seen from the file that names it.
fn outside(base: &str, from: &MapSource) -> Option<PathBuf> {
    // A shipped map has no folder, but it has no base outside either.
    let folder = Path::new(&from.file).parent().unwrap_or(Path::new(""));
    (text(base).is_none() && is_path(base)).then(|| tidy(&folder.join(base)))
}

/// A map from a text; `file` is what messages call it. Its base is the id of a shipped map.
///
/// # Errors
/// With everything that is wrong with the map.
///
/// ```
/// let map = ttr_engine::maps::parse("open.toml", r#"
///     format = 1
///     name = "Europe, no stations"
///     base = "europe"
///     rules.stations = false
/// "#)?;
/// assert_eq!((map.id.as_str(), map.rules.stations), ("open", None));
/// # Ok::<(), ttr_engine::spec::MapError>(())
/// ```
pub fn parse(file: &str, text: &str) -> Result<MapSpec, MapError> {
    let source = MapSource { id: stem(Path::new(file)), file: file.to_owned(), text: text.to_owned() };
    spec::load(&source, |base, _| shipped(base))
}

/// Finds a map by id or path. A path has a separator in it or ends in `.toml`; the suffix `+depots` adds
/// warehouses and depots.
///
/// # Errors
/// As [`load`] and [`load_path`].
///
/// ```
/// use ttr_engine::maps;
/// assert_eq!(maps::find("nordic")?.rules.trains, 40);
/// assert!(maps::find("nordic+depots")?.rules.depots.is_some());
/// assert!(maps::find("nowhere/my-map.toml").is_err());
/// # Ok::<(), ttr_engine::spec::MapError>(())
/// ```
pub fn find(id_or_path: &str) -> Result<MapSpec, MapError> {
    if let Some(map) = id_or_path.strip_suffix(WITH_DEPOTS) {
        return with_depots(find(map)?);
    }
    if text(id_or_path).is_none() && is_path(id_or_path) { load_path(id_or_path) } else { load(id_or_path) }
}

/// The suffix of a map with warehouses and depots added.
pub const WITH_DEPOTS: &str = "+depots";

/// A map with the warehouses and depots of Europa 1912 (section 4.A), which any board but First Journey's
/// can have.
///
/// # Errors
/// If the map is played as a journey or without face-up cards, or has too few cities for the first depots.
pub fn with_depots(mut map: MapSpec) -> Result<MapSpec, MapError> {
    let refuse = |message: &str, hint: &str| {
        let file = format!("{}+depots", map.id);
        Err(Problem { file, line: None, message: message.to_owned(), hint: hint.to_owned() }.into())
    };
    if map.rules.journey.is_some() {
        let hint = "choose a board with points, such as europe, nordic or usa";
        return refuse("First Journey can't be played with depots: it has no points for them", hint);
    }
    if map.rules.draw.market == 0 {
        return refuse("depots need face-up cards to draw from", "set rules.draw.market");
    }
    let (cities, seats) = (map.cities.len(), map.seats.max);
    if cities < seats.into() {
        let message = format!("{cities} cities are too few for the first depots of {seats} seats");
        return refuse(&message, "choose a board with a city for every seat's first depot");
    }
    if map.rules.depots.is_none() {
        map.rules.depots = Some(DepotSpec::default());
        map.name += " with depots";
    }
    if !map.id.ends_with(WITH_DEPOTS) {
        map.id += WITH_DEPOTS;
    }
    Ok(map)
}

fn is_path(name: &str) -> bool {
    name.contains(std::path::is_separator) || name.ends_with(".toml")
}

fn shipped(id: &str) -> Result<MapSource, Problem> {
    let text = text(id).ok_or_else(|| match id {
        CARD_GAME => no_board(id),
        _ => spec::unknown_map(id, &all_ids().collect::<Vec<_>>()),
    })?;
    Ok(MapSource {
        id: id.to_owned(),
        // Not a path: somebody's own usa.toml may have the shipped one as its base.
        file: format!("shipped {id}.toml"),
        text: text.to_owned(),
    })
}

/// The source of a board, if it is one.
fn board(source: MapSource) -> Result<MapSource, Problem> {
    if spec::is_card_game(&source.text) { Err(no_board(&source.file)) } else { Ok(source) }
}

fn no_board(file: &str) -> Problem {
    Problem {
        file: file.to_owned(),
        line: None,
        message: "the Card Game is no board: it can't be a base, nor have other rules or depots added"
            .to_owned(),
        hint: "for a Card Game of your own copy maps/card-game.toml as a whole, and change it".to_owned(),
    }
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// A path without the `.` and `a/..` in it, so that a file has one name.
fn tidy(path: &Path) -> PathBuf {
    let mut tidy = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if matches!(tidy.components().next_back(), Some(Component::Normal(_))) => {
                tidy.pop();
            }
            _ => tidy.push(component),
        }
    }
    tidy
}

fn read(path: &Path) -> Result<MapSource, MapError> {
    let file = path.display().to_string();
    let bytes = input_file::read(path, MAX_FILE_BYTES as u64).map_err(|error| {
        if error.kind() == io::ErrorKind::FileTooLarge {
            return spec::too_long(&file);
        }
        let message = format!("the file {file} can't be read: {error}");
        let ids = all_ids().collect::<Vec<_>>().join(", ");
        let hint = format!("give the path of a map file, or one of the shipped maps: {ids}");
        Problem { file: file.clone(), line: None, message, hint }
    })?;
    MapSource::from_bytes(&stem(path), &file, bytes)
}
