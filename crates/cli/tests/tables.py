#!/usr/bin/env python3
"""Checks the tables of `ttr arena` with Parquet readers that are not ours (pyarrow and DuckDB).

    python3 -m venv target/tables-venv
    target/tables-venv/bin/pip install -r crates/cli/tests/tables.requirements.txt
    target/tables-venv/bin/python crates/cli/tests/tables.py target/debug/ttr

It plays a few small runs and checks schema, nulls, metadata, compression and row counts, that CSV and Parquet have the
same cells, and that the tables agree with each other: points with routes, tickets with networks, decisions with both.
"""

import csv
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import duckdb
import pyarrow.parquet as parquet

SOURCES = ["routes", "tickets", "longest_path", "most_tickets", "stations", "depots", "big_cities"]


def schemas(seats):
    """Columns of each table with their types; a question mark where a cell may be null."""
    return {
        "agents": {"agent_index": "uint32", "agent": "string", "given": "string", "specification": "string",
                   "heuristic": "string?"},
        "games": {"game": "int64", "deal": "int64", "deal_seed": "uint64", "line_up": "uint32", "rotation": "uint8",
                  "first_seat": "uint8", **{f"agent_{seat}": "string" for seat in range(1, seats + 1)},
                  "plies": "uint32", "turns": "uint16", "ending": "string", "forfeited_seat": "uint8?",
                  "forfeit_reason": "string?"},
        "seats": {"game": "int64", "seat": "uint8", "deal": "int64", "line_up": "uint32", "first_seat": "uint8",
                  "turn_order": "uint8", "agent_index": "uint32", "agent": "string", "rank": "uint8",
                  "win_share": "double", "points": "int16", **{f"points_{source}": "int16" for source in SOURCES},
                  "tickets_completed": "uint8", "tickets_failed": "uint8", "left": "uint8", "decisions": "uint32"},
        "seat_tickets": {"game": "int64", "seat": "uint8", "offer": "uint16", "ticket": "string",
                         "offered_turn": "uint16", "kept": "bool", "discarded_turn": "uint16?", "completed": "bool?",
                         "completed_turn": "uint16?"},
        "seat_routes": {"game": "int64", "seat": "uint8", "route": "string", "turn": "uint16", "trains": "uint8",
                        "points": "uint8", "colour": "string?", "colour_cards": "uint8", "locomotives": "uint8",
                        "sets": "uint8", "surcharge": "uint8?"},
        "decisions": {"game": "int64", "ply": "uint32", "turn": "uint16", "seat": "uint8", "agent": "string",
                      "kind": "string", "route": "string?", "action": "string", "choices": "uint32",
                      "visits": "uint32?", "value": "double?"},
        "decision_times": {"game": "int64", "ply": "uint32", "nanoseconds": "uint64"},
        "convergence": {"deals": "int64", "agent_index": "uint32", "agent": "string", "win_share": "double",
                        "low": "double?", "high": "double?"},
    }


def same(cell, value):
    """Whether a field of a CSV file is a value of a Parquet file."""
    if value is None:
        return cell == ""
    if isinstance(value, bool):
        return cell == str(value).lower()
    if isinstance(value, float):
        return float(cell) == value
    return cell == str(value)


class Run:
    """A run of `ttr arena` and its tables."""

    def __init__(self, ttr, folder, name, board, seats, agents, games, *more, seat_tables=True):
        self.name, self.seats, self.games, self.agents = name, seats, games, agents
        self.folder = folder / name
        command = [ttr, "arena", "--map", board, "--seats", str(seats), "--agents", agents, "--games", str(games),
                   "--seed", "11", "--decisions", "--quiet", "--out", self.folder, *more]
        # Exit code 1: an agent finished none of its games, as is wanted of the one that forfeits.
        code = subprocess.run(command + ["--seat-tables"] * seat_tables, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL).returncode
        assert code == 0 or "exec:" in agents and code == 1, command
        wanted = set(schemas(seats))
        if not seat_tables:
            wanted -= {"seat_tickets", "seat_routes"}
        if board == "card-game":
            wanted -= {"seat_routes"}
        found = {path.stem for path in self.folder.glob("*.parquet")}
        assert found == wanted, (name, found)
        assert {path.stem for path in self.folder.glob("*.csv")} == wanted, name
        self.files = {table: parquet.ParquetFile(self.folder / f"{table}.parquet") for table in wanted}
        self.database = duckdb.connect()
        for table in wanted:
            self.database.execute(f"create view {table} as from '{self.folder / table}.parquet'")

    def rows(self, query):
        return self.database.execute(query).fetchall()

    def none(self, query):
        """There must be no such rows."""
        found = self.rows(query)
        assert not found, (self.name, query, found[:5])

    def some(self, query):
        """There must be such rows: otherwise a check would see nothing."""
        assert self.rows(query), (self.name, query)

    def check_files(self):
        for table, file in self.files.items():
            columns = {field.name: str(field.type) + "?" * field.nullable for field in file.schema_arrow}
            assert columns == schemas(self.seats)[table], (self.name, table, columns)
            for group in range(file.metadata.num_row_groups):
                for column in range(file.metadata.num_columns):
                    assert file.metadata.row_group(group).column(column).compression == "ZSTD", table
            known = {key.decode(): value.decode() for key, value in file.metadata.metadata.items()}
            assert known["ttr.seats"] == str(self.seats) and known["ttr.seed"] == "11", known
            assert len(known["ttr.map_hash"]) == 16 and known["ttr.version"] and known["ttr.map"], known
            assert int(known["ttr.format"]) >= 3, known
            assert json.loads(known["ttr.agents"]) == self.agents.split(","), known
            assert known["ttr.command"].startswith(f"ttr arena --map {known['ttr.map']} --seats {self.seats} "), known
            self.check_cells(table, file.read())

    def check_cells(self, table, content):
        with open(self.folder / f"{table}.csv", newline="", encoding="utf-8") as file:
            header, *lines = csv.reader(file)
        assert header == content.column_names, (self.name, table)
        assert len(lines) == content.num_rows, (self.name, table, len(lines), content.num_rows)
        for index, name in enumerate(header):
            for line, value in zip(lines, content.column(name).to_pylist()):
                assert same(line[index], value), (self.name, table, name, line, value)

    def check_counts(self):
        (games, plies), = self.rows("select count(*), sum(plies) from games")
        assert games >= self.games, games
        for table, count in {"seats": games * self.seats, "decisions": plies, "decision_times": plies,
                             "agents": len(self.agents.split(","))}.items():
            assert self.rows(f"select count(*) from {table}") == [(count,)], (self.name, table)
        self.none("select game from seats group by game having abs(sum(win_share) - 1) > 1e-9")
        self.none("from seats where points != " + " + ".join(f"points_{source}" for source in SOURCES))
        self.none("from seats join games using (game) where seats.deal != games.deal"
                  " or seats.line_up != games.line_up or seats.first_seat != games.first_seat")
        self.none(f"from seats where turn_order != (seat + {self.seats} - first_seat) % {self.seats} + 1")
        self.none("from seats left join agents using (agent_index) where agents.agent is distinct from seats.agent")
        for seat in range(1, self.seats + 1):
            self.none(f"from games join seats using (game) where seat = {seat} and agent != agent_{seat}")
        self.none("from games where (forfeited_seat is null) != (forfeit_reason is null)")
        self.none("from games where (forfeited_seat is null) = (ending = 'forfeit')")

    def check_decisions(self):
        self.none("from decisions left join seats using (game, seat) where seats.agent is distinct from decisions.agent")
        self.none("select game, seat from decisions join seats using (game, seat) group by all"
                  " having count(*) != any_value(decisions)")
        self.none("from decisions where kind != split_part(action, ' ', 1) or choices < 1")
        self.none("from decisions where (kind = 'claim') != (route is not null)")
        self.none("from decisions where kind = 'claim' and not starts_with(action, 'claim ' || route || ' in ')")
        self.none("from decisions where (visits is null) != (value is null) or value not between 0 and 1")
        self.none("from decisions where visits is not null and not starts_with(agent, 'ismcts')")
        self.none("from decisions join decision_times using (game, ply) where nanoseconds = 0")
        self.none("from decisions join games using (game) where turn > turns and forfeited_seat is null")

    def check_routes(self, trains):
        self.none("select seats.game, seats.seat from seats left join seat_routes using (game, seat) group by all"
                  " having sum(coalesce(seat_routes.points, 0)) != any_value(points_routes)"
                  f" or sum(coalesce(trains, 0)) + any_value(\"left\") != {trains}")
        self.none("select game, route from seat_routes group by all having count(*) > 1")
        self.none("from seat_routes where colour_cards + locomotives + sets != trains + coalesce(surcharge, 0)")
        self.none("from seat_routes where (colour is null) != (colour_cards = 0)")
        self.none("from seat_routes anti join decisions using (game, seat, turn, route)")

    def check_tickets(self):
        self.none("from seat_tickets where kept = (completed is null)")
        self.none("from seat_tickets where completed_turn is not null and not completed")
        self.none("from seat_tickets where least(completed_turn, discarded_turn) < offered_turn")
        self.none("select game, seat, offer from seat_tickets group by all having count(distinct offered_turn) > 1")
        self.none("select game, seat, ticket from seat_tickets where kept and discarded_turn is null group by all"
                  " having count(*) > 1")
        # What a seat says it keeps is what it kept, of what it was offered in that turn.
        kept = {}
        for *key, ticket in self.rows("select game, seat, offered_turn, ticket from seat_tickets where kept"):
            kept.setdefault(tuple(key), set()).add(ticket)
        named = {}
        for *key, action in self.rows("select game, seat, turn, action from decisions where kind = 'keep'"):
            named.setdefault(tuple(key), set()).update(set(action.removeprefix("keep ").split(", ")) - {"none"})
        for key, tickets in named.items():
            assert tickets == kept.get(key, set()), (self.name, key, tickets)
        # First Journey deals without asking.
        assert bool(named) == (self.name != "journey"), self.name

    def check_ticket_points(self):
        """Of boards on which tickets are scored in the end."""
        self.none("select seats.game, seats.seat from seats left join seat_tickets using (game, seat) group by all"
                  " having count(*) filter (completed) != any_value(tickets_completed)"
                  " or count(*) filter (not completed) != any_value(tickets_failed)")

    def check_networks(self):
        """A ticket is completed in the turn of the claim that joins its cities, or when it is kept if they are joined."""
        routes = {}
        for game, seat, route, turn in self.rows("select game, seat, route, turn from seat_routes order by turn"):
            routes.setdefault((game, seat), []).append((turn, *route.split("/")[0].split("-")))
        seen = 0
        for game, seat, ticket, offered, completed in self.rows(
                "select game, seat, ticket, offered_turn, completed_turn from seat_tickets where kept"):
            cities, joined = ticket.split("/")[0].split("-"), None
            reached = {cities[0]}
            for turn in range(0, 400):
                now = [(a, b) for when, a, b in routes.get((game, seat), []) if when <= turn]
                grown = True
                while grown:
                    grown = False
                    for a, b in now:
                        if (a in reached) != (b in reached):
                            reached |= {a, b}
                            grown = True
                if cities[1] in reached:
                    joined = max(turn, offered)
                    break
            assert joined == completed, (self.name, game, seat, ticket, offered, completed, joined)
            seen += joined is not None
        assert seen, self.name

    def check_agents(self, searching):
        for given, specification, heuristic in self.rows("select given, specification, heuristic from agents"):
            assert specification.startswith(given.split(":")[0]), specification
            assert (heuristic is not None) == given.startswith("ismcts"), (given, heuristic)
        if searching:
            self.some("from agents where heuristic is not null")
            self.some("from decisions where visits > 1 and value > 0")
            self.some("from decisions where starts_with(agent, 'ismcts') and visits is null")


def main():
    (ttr,) = sys.argv[1:]
    ttr = str(Path(ttr).resolve())
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        runs = {
            "europe": Run(ttr, folder, "europe", "europe", 3, "planner,hungry,greedy", 30),
            "nordic": Run(ttr, folder, "nordic", "nordic", 2, "planner,random", 30),
            "depots": Run(ttr, folder, "depots", "usa+depots", 2, "greedy,random", 10),
            "journey": Run(ttr, folder, "journey", "first-journey-usa", 2, "greedy,random", 20),
            "cards": Run(ttr, folder, "cards", "card-game", 4, "ismcts:iters=8,yard,greedy,random", 8),
            "forfeits": Run(ttr, folder, "forfeits", "usa", 2, "exec:false,random", 4, seat_tables=False),
        }
        for run in runs.values():
            run.check_files()
            run.check_counts()
            run.check_decisions()
            run.check_agents(run.name == "cards")
            if run.name != "forfeits":
                run.check_tickets()
        for name, trains in {"europe": 45, "nordic": 40, "depots": 45, "journey": 20}.items():
            runs[name].check_routes(trains)
        for name in ["europe", "nordic", "depots"]:
            runs[name].check_networks()
            runs[name].check_ticket_points()
        europe = runs["europe"]
        europe.some("from seat_routes where surcharge > 0")
        europe.some("from seat_routes where surcharge = 0")
        europe.some("from seat_routes where surcharge is null")
        europe.some("from seat_routes where colour is null")
        europe.some("from seat_tickets where offered_turn > 0 and not kept")
        # Only a station can complete a ticket that the seat's own routes do not.
        europe.some("from seat_tickets where completed and completed_turn is null")
        runs["nordic"].some("from seat_routes where sets > 0")
        runs["journey"].some("from seat_tickets where discarded_turn is not null and not completed")
        runs["journey"].some("from seat_tickets where completed_turn is not null")
        runs["journey"].none("select seats.game, seats.seat from seats join seat_tickets using (game, seat) group by all"
                             " having count(*) filter (completed) > any_value(tickets_completed)")
        runs["cards"].check_ticket_points()
        runs["cards"].none("select game from seat_tickets where completed group by game"
                           " having count(distinct completed_turn) > 2 or count(completed_turn) != count(*)")
        runs["forfeits"].none("from games where forfeited_seat is null")
        assert europe.rows("select distinct typeof(deal_seed) from games") == [("UBIGINT",)]
        print(f"{sum(len(run.files) for run in runs.values())} tables of {len(runs)} runs: all well")


if __name__ == "__main__":
    main()
