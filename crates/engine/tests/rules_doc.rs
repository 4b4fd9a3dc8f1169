//! `docs/SPEC.md` defines every rule that is cited anywhere, and `docs/RULES.md` names functions and tests
//! for each of them: they must exist, and no rule may be missing.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The kinds of rules and how many there are of each; every number from 1 on is taken.
const RULES: [(&str, usize); 13] = [
    ("CC", 36),
    ("EU", 12),
    ("NO", 12),
    ("X", 18),
    ("CG", 22),
    ("FJ", 12),
    ("US", 4),
    ("A", 61),
    ("I", 45),
    ("W-EU", 12),
    ("W-NO", 11),
    ("W-CG", 4),
    ("W-FJ", 3),
];

fn all_rules() -> impl Iterator<Item = String> {
    RULES.iter().flat_map(|(kind, count)| (1..=*count).map(move |number| format!("{kind}-{number}")))
}

/// The rules that a text cites, as `CC-12` or `W-EU-3`.
fn cited(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
    words.filter(|word| {
        let Some((kind, number)) = word.rsplit_once('-') else { return false };
        let is_number = !number.is_empty() && number.bytes().all(|c| c.is_ascii_digit());
        is_number && RULES.iter().any(|(known, _)| kind == *known)
    })
}

/// The rules that `docs/SPEC.md` defines, in its order: in a list as `- **CC-1** ...`, in a table as `|
/// US-1 | ...`.
fn defined(spec: &str) -> Vec<&str> {
    let names = spec.lines().filter_map(|line| {
        let listed = line.strip_prefix("- **").and_then(|rest| rest.split_once("** "));
        let in_table = || line.strip_prefix("| ").and_then(|rest| rest.split_once(" |"));
        listed.or_else(in_table).map(|(name, _)| name)
    });
    names.filter(|name| cited(name).eq([*name])).collect()
}

/// All Rust files below a folder.
fn rust_files(folder: &Path, found: &mut Vec<std::path::PathBuf>) {
    for entry in fs::read_dir(folder).unwrap_or_else(|why| panic!("{}: {why}", folder.display())) {
        let path = entry.expect("a folder can be listed").path();
        if path.is_dir() {
            if path.file_name().is_some_and(|name| name != "target") {
                rust_files(&path, found);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()))
}

/// The rows of all tables, as cells.
fn rows(text: &str) -> impl Iterator<Item = Vec<&str>> {
    let heads = ["| rule ", "| ruling ", "| example "];
    let is_row =
        move |line: &&str| line.starts_with("| ") && !heads.iter().any(|head| line.starts_with(head));
    let rows = text.lines().filter(is_row);
    rows.map(|line| line.trim_matches('|').split(" | ").map(str::trim).collect())
}

/// Names between backticks.
fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

#[test]
fn every_rule_is_defined_once() {
    let spec = read("../../docs/SPEC.md");
    let mut defined = defined(&spec);
    defined.sort_unstable();
    let mut all: Vec<String> = all_rules().collect();
    all.sort_unstable();
    assert_eq!(defined, all);
}

#[test]
fn every_rule_is_listed() {
    let text = read("../../docs/RULES.md");
    let in_rows = rows(&text).map(|cells| cells[0]);
    let invariants = text.lines().filter_map(|line| line.strip_prefix("- ")?.split_once(": "));
    let listed: BTreeSet<&str> = in_rows.chain(invariants.map(|(name, _)| name)).collect();
    for rule in all_rules() {
        assert!(listed.contains(rule.as_str()), "{rule} is not in docs/RULES.md");
    }
}

#[test]
fn every_cited_rule_is_defined() {
    let spec = read("../../docs/SPEC.md");
    let defined: BTreeSet<&str> = defined(&spec).into_iter().collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files =
        vec![root.join("docs/RULES.md"), root.join("docs/SPEC.md"), root.join("docs/ARCHITECTURE.md")];
    for folder in ["crates", "benches", "fuzz"] {
        rust_files(&root.join(folder), &mut files);
    }
    let mut count = 0;
    for file in files {
        let text = fs::read_to_string(&file).unwrap_or_else(|why| panic!("{}: {why}", file.display()));
        for rule in cited(&text) {
            assert!(
                defined.contains(rule),
                "{} cites {rule}, which docs/SPEC.md does not define",
                file.display()
            );
            count += 1;
        }
    }
    assert!(count > 1000, "only {count} citations found: the search is broken");
}

#[test]
fn every_rule_has_tests_that_exist() {
    let text = read("../../docs/RULES.md");
    for cells in rows(&text) {
        let tests = cells.last().expect("a row has cells");
        assert!(names(tests).count() > 0, "{} has no test", cells[0]);
        for part in tests.split(" and ").next().unwrap_or_default().split(", ") {
            let (file, _) = part.split_once(' ').unwrap_or_else(|| panic!("{}: {part}", cells[0]));
            let source = read(&format!("tests/{file}.rs"));
            for name in names(part) {
                assert!(source.contains(&format!("fn {name}(")), "{}: no test {name} in {file}", cells[0]);
            }
        }
    }
}

#[test]
fn every_rule_has_functions_that_exist() {
    let text = read("../../docs/RULES.md");
    for cells in rows(&text).filter(|cells| cells.len() == 4) {
        for part in cells[2].split("; ") {
            let file = part.split(' ').next().unwrap_or_default();
            let source = if file.ends_with(".toml") {
                read(&format!("../../{file}"))
            } else {
                read(&format!("src/{file}"))
            };
            for name in names(part) {
                let name = name.rsplit("::").next().unwrap_or(name);
                let declared = ["fn", "struct", "enum"].iter().any(|kind| {
                    let starts =
                        [format!("{kind} {name}("), format!("{kind} {name}<"), format!("{kind} {name} ")];
                    starts.iter().any(|start| source.contains(start))
                });
                assert!(declared, "{}: {file} has no {name}", cells[0]);
            }
        }
    }
}
