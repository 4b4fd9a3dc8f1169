//! `docs/RULES.md` names functions and tests for every rule: they must exist, and no rule may be missing.

use std::fs;
use std::path::Path;

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
fn every_rule_is_listed() {
    let text = read("../../docs/RULES.md");
    let listed: Vec<&str> = rows(&text).map(|cells| cells[0]).collect();
    let rules = [("CC", 36), ("EU", 12), ("NO", 12), ("X", 18), ("CG", 22), ("FJ", 12), ("US", 4)];
    for (prefix, count) in rules {
        for number in 1..=count {
            let rule = format!("{prefix}-{number}");
            assert!(listed.contains(&rule.as_str()), "{rule} is not in docs/RULES.md");
        }
    }
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
