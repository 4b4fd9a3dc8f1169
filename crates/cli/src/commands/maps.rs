//! `ttr maps`: lists, shows, draws and checks maps.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use crate::words::map_rules;
use crate::words::map_summary::{MapSummary, route_table, ticket_table, track_table};
use clap::Subcommand;
use serde::Serialize;
use ttr_engine::maps::{self, AnySpec};
use ttr_engine::spec::{self, CardGameSpec, MapError, MapSpec};
use ttr_show::draw::board_svg;
use ttr_show::text::{Align, Table, count, wrap};
use ttr_sim::run::output_file::{self, Written};

use crate::args::{Module, find_game};
use crate::{BadInput, print, print_json, terminal};

/// Lists, shows, draws and checks maps.
///
/// Without a command, lists the shipped maps: seats, cities, routes, tickets and special rules. A double
/// route is one route with two tracks. An asterisk marks ticket numbers that are partly reconstructed:
/// guessed from what is known of the deck.
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
#[command(after_help = "\
Examples:
  ttr maps                                  list the shipped maps
  ttr maps --json                           the same as JSON
  ttr maps show nordic                      its rules in words and its routes
  ttr maps show europe --svg europe.svg     draw a board
  ttr maps check my-map.toml                validate a map file
  ttr maps schema > schema.json             for editors that complete and check map files")]
pub(crate) struct Args {
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Shows one map (rules in words, cities, routes, tickets), or draws it.
    ///
    /// Tickets that are guessed rather than documented are marked as reconstructed.
    #[command(after_help = "\
Examples:
  ttr maps show europe                      rules in words, cities and routes
  ttr maps show nordic --tickets            also all tickets
  ttr maps show europe --svg europe.svg     draw the board
  ttr maps show my-map.toml --svg - | display
  ttr maps show usa --json                  everything, as JSON")]
    Show {
        /// Id of a shipped map, or path of a map file: contains a / or ends in .toml
        map: String,
        /// Optional rules to add
        #[arg(long, value_name = "MODULE")]
        with: Vec<Module>,
        /// Draw the board to this file instead of describing it; - is standard output.
        ///
        /// The file is written under a temporary name and renamed when complete; an existing file is
        /// replaced.
        #[arg(long, value_name = "FILE", conflicts_with_all = ["tickets", "json"])]
        svg: Option<PathBuf>,
        /// Also list the tickets
        #[arg(long)]
        tickets: bool,
        /// Print JSON: the summary, and the map with its rules, cities, routes and tickets
        #[arg(long, conflicts_with = "tickets")]
        json: bool,
    },
    /// Checks map files and reports every problem with its line and a hint.
    ///
    /// A valid map is summarized in one line on standard output. Problems go to standard error, as
    /// file:line: problem; hint. The exit code is 2 if there are any.
    #[command(after_help = "\
Examples:
  ttr maps check my-map.toml
  ttr maps check maps/*.toml

A map can build on a shipped one and list only what differs:
  format = 1
  name = \"Europe without stations\"
  base = \"europe\"
  rules.stations = false")]
    Check {
        /// Map files
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
    },
    /// Prints the JSON schema of map files.
    ///
    /// Editors use it for completion and validation; the shipped files name it in their first line, as
    /// #:schema ./schema.json
    Schema {
        /// Print the schema for files of the Card Game instead, as in maps/card-game.schema.json
        #[arg(long)]
        card_game: bool,
    },
}

pub(crate) fn run(args: Args) -> anyhow::Result<()> {
    match args.command {
        None => list(args.json),
        Some(Command::Show { map, with, svg, tickets, json }) => {
            let map = match find_game(&map, &with)? {
                AnySpec::Board(map) => map,
                AnySpec::CardGame(game) => return show_card_game(&game, svg.is_some(), tickets, json),
            };
            match svg {
                Some(path) => draw(&map, &path),
                None if json => print_json(&Shown { summary: MapSummary::new(&map), map: &map }),
                None => Ok(print(&described(&map, tickets))?),
            }
        }
        Some(Command::Check { files }) => check(&files),
        Some(Command::Schema { card_game: false }) => print_json(&spec::schema()),
        Some(Command::Schema { card_game: true }) => print_json(&spec::card_game_schema()),
    }
}

#[derive(Serialize)]
struct Shown<'a> {
    summary: MapSummary,
    map: &'a MapSpec,
}

fn list(json: bool) -> anyhow::Result<()> {
    let summary = |id| {
        Ok(match maps::find_any(id)? {
            AnySpec::Board(map) => MapSummary::new(&map),
            AnySpec::CardGame(game) => MapSummary::of_card_game(&game),
        })
    };
    let summaries = maps::all_ids().map(summary).collect::<Result<Vec<_>, MapError>>()?;
    if json {
        return print_json(&summaries);
    }
    Ok(print(&listed(&summaries, terminal::columns()))?)
}

#[derive(Serialize)]
struct ShownCardGame<'a> {
    summary: MapSummary,
    game: &'a CardGameSpec,
}

fn show_card_game(game: &CardGameSpec, svg: bool, tickets: bool, json: bool) -> anyhow::Result<()> {
    if svg {
        return Err(BadInput(format!("{} has no board to draw; omit --svg", game.name)).into());
    }
    if json {
        return print_json(&ShownCardGame { summary: MapSummary::of_card_game(game), game });
    }
    let mut text = format!("{} ({})\n{}\n", game.name, game.id, card_game_line(game));
    if let Some(note) = &game.note {
        let _ = writeln!(text, "\n{}", wrap(&format!("Note: {note}"), terminal::paragraph(), 2));
    }
    text += "\nBig cities\n";
    for city in &game.big_cities {
        let _ = writeln!(text, "  {:<12} {:>2} points", city.name, city.points);
    }
    if tickets {
        text += "\nTickets\n";
        for ticket in &game.tickets {
            let circles: Vec<_> = ticket.circles.iter().map(|colour| colour.name()).collect();
            let pair = format!("{}-{}", ticket.from, ticket.to);
            let _ = writeln!(text, "  {pair:<28} {:>2} points  {}", ticket.points, circles.join(", "));
        }
    } else {
        text += "\nList the tickets with --tickets.\n";
    }
    Ok(print(&text)?)
}

fn card_game_line(game: &CardGameSpec) -> String {
    let seats = MapSummary::of_card_game(game).seat_range();
    format!("{seats} seats, {}", count(game.tickets.len(), "ticket", "tickets"))
}

/// The maps as a table. The special rules are the last column, or on separate lines if that is too wide.
fn listed(summaries: &[MapSummary], columns: Option<usize>) -> String {
    /// Minimum width of a column of words.
    const ROOM: usize = 45;
    let mut table = Table::new([
        ("map", Align::Left),
        ("seats", Align::Right),
        ("cities", Align::Right),
        ("routes", Align::Right),
        ("double", Align::Right),
        ("tracks", Align::Right),
        ("tickets", Align::Right),
    ]);
    for map in summaries {
        // A blank instead of the asterisk keeps the numbers aligned.
        let mark = if map.reconstructed_tickets > 0 { "*" } else { " " };
        table.row([
            map.id.clone(),
            map.seat_range(),
            map.cities.to_string(),
            map.routes.to_string(),
            map.double_routes.to_string(),
            map.tracks.to_string(),
            format!("{}{mark}", map.tickets),
        ]);
    }
    let lines = table.lines();
    let width = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let highlights: Vec<_> =
        summaries.iter().map(|map| format!("{} ({})", map.name, map.highlights.join(", "))).collect();
    // Next to the numbers if there is room, otherwise below them.
    let beside = columns.map_or(usize::MAX, |columns| columns.saturating_sub(width + 2));
    let below = beside < ROOM;

    let mut text = String::new();
    let heading = if below { "" } else { "rules" };
    let rules = std::iter::once(heading).chain(highlights.iter().map(String::as_str));
    for (line, rules) in lines.iter().zip(rules) {
        let _ = match (below, rules) {
            (true, "") => writeln!(text, "{line}"),
            (true, _) => {
                let most = columns.unwrap_or(usize::MAX) - 2;
                writeln!(text, "{line}\n  {}", wrap(rules, most, 2).replace('\n', "\n  "))
            }
            (false, _) => {
                let rules = wrap(rules, beside, 2).replace('\n', &format!("\n{:1$}", "", width + 2));
                writeln!(text, "{line:<width$}  {rules}")
            }
        };
    }
    for map in summaries.iter().filter(|map| map.reconstructed_tickets > 0) {
        let note = format!(
            "* {} of the {} tickets of {} are reconstructed: `ttr maps show {} --tickets`.",
            map.reconstructed_tickets, map.tickets, map.id, map.id
        );
        let _ = writeln!(text, "\n{}", wrap(&note, columns.unwrap_or(usize::MAX), 2));
    }
    text
}

fn described(map: &MapSpec, tickets: bool) -> String {
    const INDENT: usize = 12;
    let width = terminal::paragraph();
    let summary = MapSummary::new(map);
    let mut text = String::new();
    let mut line = |line: &str| {
        text.push_str(line);
        text.push('\n');
    };
    line(&format!("{} ({})", summary.name, summary.id));
    line(&wrap(&summary.line(), width, 2));
    if let Some(note) = &summary.note {
        line("");
        line(&wrap(&format!("Note: {note}"), width, 2));
    }

    line("\nRules");
    for (topic, words) in map_rules::in_words(map) {
        line(&wrap_topic(topic, &words, width, INDENT));
    }

    line(&format!("\nCities ({})", summary.cities));
    let names: Vec<_> = map.cities.iter().map(|city| city.name.replace(' ', "\u{a0}")).collect();
    // Names with spaces are not broken.
    line(&format!("  {}", wrap(&names.join(", "), width, 2).replace('\u{a0}', " ")));

    line(&format!("\nRoutes ({}, one line per track)", summary.routes));
    for row in route_table(map).lines() {
        line(&format!("  {row}"));
    }

    line(&format!("\nTracks by length ({})", summary.tracks));
    for row in track_table(map).lines() {
        line(&format!("  {row}"));
    }

    line(&format!("\nTickets ({})", summary.tickets));
    if tickets {
        for row in ticket_table(map).lines() {
            line(&format!("  {row}"));
        }
        if summary.reconstructed_tickets > 0 {
            line("");
            line(&format!("  {}", wrap(&reconstructed(&summary), width, 2)));
        }
    } else {
        line(&format!("  {}", wrap(&ticket_line(map, &summary), width, 2)));
    }
    text
}

/// A topic, and its text in a column of its own.
fn wrap_topic(topic: &str, words: &str, width: usize, indent: usize) -> String {
    let words = wrap(words, width.saturating_sub(indent).max(20), 0);
    let words = words.replace('\n', &format!("\n{:indent$}", ""));
    format!("  {topic:<column$}{words}", column = indent - 2)
}

fn ticket_line(map: &MapSpec, summary: &MapSummary) -> String {
    let mut text = String::new();
    let values = map.tickets.iter().map(|ticket| ticket.points);
    if let (Some(least), Some(most)) = (values.clone().min(), values.max())
        && most > 0
    {
        let sum: u32 = map.tickets.iter().map(|ticket| u32::from(ticket.points)).sum();
        let _ = write!(text, "Worth {least} to {most} points, {sum} in all. ");
    }
    if summary.reconstructed_tickets > 0 {
        let _ = write!(text, "{} ", reconstructed(summary));
    }
    text + "List them with --tickets."
}

fn reconstructed(summary: &MapSummary) -> String {
    format!(
        "{} of the {} are reconstructed: not documented, but guessed from what is known of the deck.",
        summary.reconstructed_tickets, summary.tickets
    )
}

fn draw(map: &MapSpec, path: &Path) -> anyhow::Result<()> {
    write_file(path, &board_svg(map))
}

/// Writes a picture or a page to a file, or to standard output if the path is `-`.
pub(super) fn write_file(path: &Path, text: &str) -> anyhow::Result<()> {
    if path == Path::new("-") {
        return Ok(print(text)?);
    }
    let written = output_file::write(path, text.as_bytes()).map_err(|error| {
        let hint = "the directory must exist and be writable";
        anyhow::anyhow!("{} can't be written: {error}; {hint}", path.display())
    })?;
    let how = match written {
        Written::New => "wrote",
        Written::Replaced => "replaced",
    };
    terminal::print_line(&format!("{how} {} ({} kB)", path.display(), text.len().div_ceil(1000)));
    Ok(())
}

fn check(files: &[PathBuf]) -> anyhow::Result<()> {
    let (mut wrong, mut problems) = (0, 0);
    for file in files {
        match load(file) {
            Ok(spec) => {
                let (name, line) = match &spec {
                    AnySpec::Board(map) => (&map.name, MapSummary::new(map).line()),
                    AnySpec::CardGame(game) => (&game.name, card_game_line(game)),
                };
                print(&format!("{}: valid: {name}, {line}\n", file.display()))?
            }
            Err(error) => {
                wrong += 1;
                problems += error.problems.len();
                terminal::print_line(&error.to_string());
            }
        }
    }
    if wrong == 0 {
        return Ok(());
    }
    let files = match files.len() {
        1 => String::new(),
        all => format!(" in {wrong} of {all} files"),
    };
    Err(BadInput(format!("{}{files}", count(problems, "problem", "problems"))).into())
}

/// Loads a file, or a shipped map if there is no file of that name.
fn load(file: &Path) -> Result<AnySpec, MapError> {
    match file.to_str() {
        Some(id) if maps::all_ids().any(|shipped| shipped == id) && !file.exists() => maps::find_any(id),
        _ => maps::load_any_path(file),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summaries() -> Vec<MapSummary> {
        maps::ids().iter().map(|id| MapSummary::new(&maps::load(id).unwrap())).collect()
    }

    #[test]
    fn lists_fit_the_terminal() {
        for columns in [72, 80, 100, 120, 200] {
            let text = listed(&summaries(), Some(columns));
            assert!(text.lines().all(|line| line.chars().count() <= columns), "{columns}\n{text}");
        }
    }

    #[test]
    fn a_list_for_programs_has_a_map_a_line() {
        let text = listed(&summaries(), None);
        let line = text.lines().find(|line| line.starts_with("europe ")).unwrap();
        assert!(line.contains("stations") && line.contains("longest path +10"), "{line}");
    }
}
