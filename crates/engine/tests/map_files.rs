//! Map files: the shipped ones, chains of bases, and files that are no maps.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use ttr_engine::maps;
use ttr_engine::spec::{MAX_FILE_BYTES, TieBreak, schema};

/// `UPDATE_SCHEMA=1 cargo test -p ttr-engine --test map_files` writes the file again.
#[test]
fn published_schema() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../maps/schema.json");
    let schema = serde_json::to_string_pretty(&schema()).unwrap() + "\n";
    if std::env::var_os("UPDATE_SCHEMA").is_some() {
        std::fs::write(&path, &schema).unwrap();
    }
    assert!(
        std::fs::read_to_string(&path).unwrap() == schema,
        "maps/schema.json is out of date: set UPDATE_SCHEMA=1"
    );
}

#[test]
fn every_map_file_is_shipped() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../maps");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let maps: BTreeSet<_> = files
        .filter(|path| {
            path.extension().is_some_and(|extension| extension == "toml") && !path.ends_with("Cargo.toml")
        })
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    assert_eq!(maps, maps::all_ids().map(str::to_owned).collect());
    for id in maps.iter().filter(|id| *id != maps::CARD_GAME) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../maps").join(format!("{id}.toml"));
        assert_eq!(maps::load_path(path).unwrap(), maps::load(id).unwrap());
    }
}

/// A map as data written out again is the same map: nothing in it is lost on the way.
#[test]
fn written_maps_read_back() {
    for id in maps::ids() {
        let map = maps::load(id).unwrap();
        let mut file = toml::Table::try_from(&map).unwrap();
        file.remove("id");
        file.insert("format".to_owned(), 1.into());
        let text = toml::to_string(&file).unwrap();
        assert_eq!(maps::parse(&format!("{id}.toml"), &text), Ok(map));
    }
}

/// A folder for one test, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("ttr-maps-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }

    /// The error without the folder in it.
    fn error(&self, name: &str) -> String {
        let path = self.0.join(name);
        let error = maps::find(path.to_str().unwrap()).unwrap_err().to_string();
        error.replace(&format!("{}{}", self.0.display(), std::path::MAIN_SEPARATOR), "")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn bases() {
    let folder = Folder::new("bases");
    let variant = |name: &str, base: &str, rest: &str| {
        folder.write(name, format!("format = 1\nname = '{name}'\nbase = '{base}'\n{rest}"))
    };
    let one = variant("one.toml", "europe", "rules.stations = false\nrules.tie_breaks = ['longest-path']");
    let two = variant(
        "two.toml",
        "./one.toml",
        "base_tickets = 'big-city'\nrules.trains = 44\nrules.tickets.opening = [{deal = [{deck = 'regular', count = 3}], hold = 1}]\n\
         rules.tickets.draw = 2\ntickets = [{from = 'Roma', to = 'Wien', points = 9}]\nseats = {min = 2, max = 3}",
    );
    let (one, two) = (maps::load_path(one).unwrap(), maps::find(two.to_str().unwrap()).unwrap());
    assert_eq!((one.id.as_str(), one.rules.stations, one.tickets.len()), ("one", None, 46));
    assert_eq!((two.id.as_str(), two.rules.trains, two.rules.stations, two.seats.max), ("two", 44, None, 3));
    assert_eq!((two.tickets.len(), two.tickets[15].points), (16, 9));
    assert_eq!((two.rules.tickets.draw, two.rules.tickets.keep), (2, 1));
    assert_eq!(two.rules.tie_breaks, [TieBreak::LongestPath]);

    // A file may be called as its shipped base.
    let same = variant("usa.toml", "usa", "rules.trains = 40");
    assert_eq!(maps::load_path(same).unwrap().rules.trains, 40);
    let same = maps::parse("usa.toml", "format = 1\nname = 'x'\nbase = 'usa'").unwrap();
    assert_eq!((same.id.as_str(), same.name.as_str()), ("usa", "x"));

    variant("a.toml", "b.toml", "");
    variant("c.toml", "c.toml", "");
    variant("lost.toml", "eurpoe", "");
    variant("lost-file.toml", "nowhere.toml", "");
    for n in 0..9 {
        variant(&format!("deep{n}.toml"), &format!("deep{}.toml", n + 1), "");
    }
    variant("deep9.toml", "europe", "");
    assert_eq!(
        folder.error("c.toml"),
        "c.toml:3: base \"c.toml\": a map can't be its own base; c.toml -> c.toml go round in a circle: one of them must have no base"
    );
    assert!(folder.error("lost.toml").starts_with(
        "lost.toml:3: base \"eurpoe\": there is no map \"eurpoe\"; did you mean \"europe\"? shipped maps"
    ));
    assert!(
        folder
            .error("lost-file.toml")
            .starts_with("lost-file.toml:3: base \"nowhere.toml\": the file nowhere.toml can't be read: ")
    );
    assert_eq!(
        folder.error("deep0.toml"),
        "deep8.toml:3: base \"deep9.toml\": more than 8 maps build upon each other (inherited by deep0.toml); shorten the chain of bases"
    );
    variant("b.toml", "x/.././a.toml", "");
    assert!(
        folder.error("a.toml").contains("a.toml -> b.toml -> a.toml go round in a circle"),
        "{}",
        folder.error("a.toml")
    );
}

#[test]
fn files_that_are_no_maps() {
    let folder = Folder::new("files");
    folder.write("latin.toml", b"format = 1\nname = 'K\xf8benhavn'\n");
    assert_eq!(
        folder.error("latin.toml"),
        "latin.toml:2: the byte at offset 20 is not UTF-8; save the file as UTF-8 text"
    );
    folder.write("long.toml", vec![b'#'; MAX_FILE_BYTES + 1]);
    assert_eq!(
        folder.error("long.toml"),
        "long.toml: the file is longer than 1048576 bytes; a map takes about 16 thousand: is this a map file?"
    );
    // A hundred megabytes that take no room on the disk.
    std::fs::File::create(folder.0.join("huge.toml")).unwrap().set_len(100_000_000).unwrap();
    assert!(folder.error("huge.toml").contains("the file is longer than"));
    folder.write("variant.toml", "format = 1\nname = 'x'\nbase = 'huge.toml'");
    assert!(
        folder
            .error("variant.toml")
            .starts_with("variant.toml:3: base \"huge.toml\": the file is longer than")
    );
    folder.write("exact.toml", vec![b'\n'; MAX_FILE_BYTES]);
    assert!(folder.error("exact.toml").contains("the key \"format\" is missing"));
    assert!(folder.error("none.toml").starts_with("none.toml: the file none.toml can't be read: "));
    assert!(folder.error(".").contains("can't be read"));
    assert!(maps::find("").unwrap_err().to_string().contains("there is no map \"\"; shipped maps"));
}

/// A pipe is not waited for, and a device is not read to its end, as a map or as a base.
#[cfg(unix)]
#[test]
fn only_regular_files_are_read() {
    let folder = Folder::new("regular");
    assert!(std::process::Command::new("mkfifo").arg(folder.0.join("fifo.toml")).status().unwrap().success());
    std::os::unix::fs::symlink("/dev/zero", folder.0.join("zero.toml")).unwrap();
    std::fs::create_dir(folder.0.join("folder.toml")).unwrap();
    for (name, what) in
        [("fifo", "a pipe or device"), ("zero", "a pipe or device"), ("folder", "a directory")]
    {
        let says = format!("can't be read: it is {what}, not a regular file; ");
        assert!(folder.error(&format!("{name}.toml")).contains(&says), "{name}");
        folder.write("variant.toml", format!("format = 1\nname = 'x'\nbase = '{name}.toml'"));
        let error = folder.error("variant.toml");
        assert!(error.starts_with("variant.toml:3: base ") && error.contains(&says), "{error}");
    }
}

/// Texts that a parser may choke on: none panics, and none takes long.
#[test]
fn hostile_texts() {
    for text in [
        "cities = ".to_owned() + &"[".repeat(500_000),
        "a.".repeat(300_000) + "b = 1",
        "cities = [".to_owned() + &"{},".repeat(300_000) + "]",
        (0..90_000).map(|n| format!("k{n} = 1\n")).collect(),
        format!("format = 1\nname = \"{}\"", "x".repeat(900_000)),
        format!("format = 1\nbase = \"{}\"", "x".repeat(900_000)),
        "\"".repeat(1_000_000),
        "=\n".repeat(500_000),
        "\u{feff}format = 99999999999999999999999999".to_owned(),
        "format = nan\ncities = 1979-05-27\nroutes = { a = 1 }\nrules = [[]]".to_owned(),
    ] {
        let error = maps::parse("hostile.toml", &text).unwrap_err();
        assert!((1..=101).contains(&error.problems.len()));
        assert!(error.problems.iter().all(|problem| !problem.hint.is_empty()));
        assert!(error.to_string().len() < 100_000);
    }
}

/// A byte range of a text to take out, to double or to change.
#[derive(Clone, Debug)]
enum Edit {
    Delete(usize, usize),
    Double(usize, usize),
    Insert(usize, String),
}

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let words = "(\"|'|\\[|\\]|\\{|\\}|=|,|\n|#|0|-1|256|1e9|nan|true|[a-z]{1,4}|\\PC|\\\\u00|\u{feff})";
    proptest::collection::vec(
        prop_oneof![
            (any::<usize>(), 1usize..80).prop_map(|(at, length)| Edit::Delete(at, length)),
            (any::<usize>(), 1usize..80).prop_map(|(at, length)| Edit::Double(at, length)),
            (any::<usize>(), words).prop_map(|(at, word)| Edit::Insert(at, word)),
        ],
        1..5,
    )
}

fn edited(text: &str, edits: &[Edit]) -> String {
    let mut text = text.to_owned();
    let boundary = |text: &str, at: usize| (0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    for edit in edits {
        let range = |at: usize, length: usize| {
            let start = boundary(&text, at % (text.len() + 1));
            start..boundary(&text, (start + length).min(text.len()))
        };
        match edit {
            Edit::Delete(at, length) => text.replace_range(range(*at, *length), ""),
            Edit::Double(at, length) => {
                let range = range(*at, *length);
                let copy = text[range.clone()].to_owned();
                text.insert_str(range.start, &copy);
            }
            Edit::Insert(at, word) => text.insert_str(range(*at, 0).start, word),
        }
    }
    text
}

proptest! {
    #[test]
    fn any_text_is_a_map_or_an_error(text in "\\PC*") {
        prop_assert!(maps::parse("any.toml", &text).is_err());
    }

    #[test]
    fn an_edited_map_is_a_map_or_an_error(id in 0usize..8, edits in edits()) {
        let text = edited(maps::text(maps::ids()[id]).unwrap(), &edits);
        if let Err(error) = maps::parse("edited.toml", &text) {
            prop_assert!(!error.problems.is_empty());
            let lines = text.matches('\n').count() + 1;
            for problem in error.problems.iter().filter(|problem| problem.file == "edited.toml") {
                prop_assert!(problem.line.is_none_or(|line| line <= lines), "{}", problem);
            }
        }
    }
}
