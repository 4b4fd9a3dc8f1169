"""Games, states and views: the same as in Rust, whole games on every map."""

from __future__ import annotations

import copy
import json
import pickle
import random
import shutil
from pathlib import Path

import numpy as np
import pytest

import ttr


def test_all_maps_are_there() -> None:
    assert {"usa", "europe", "nordic", "card-game"} <= set(ttr.maps)


def test_every_action_round_trips_in_whole_games(game: ttr.Game) -> None:
    rng = random.Random(1)
    kinds = set()
    for seed in range(2):
        state = game.deal(seed)
        while (seat := state.turn) is not None:
            view = state.view(seat)
            legal = view.legal
            assert legal.dtype == np.int32 and list(legal) == list(state.legal) == list(np.flatnonzero(view.mask))
            for action in legal if len(legal) < 40 else rng.sample(list(legal), 40):
                assert view.parse(view.describe(action)) == action
            action = rng.choice(list(legal))
            kinds.add(str(game.actions["kind"][action]))
            if rng.random() < 0.5:
                state.play(action)
            else:
                state.play(view.describe(action))
        assert len(state.legal) == 0 and state.view(0).turn is None
        assert sorted(state.ranks)[0] == 0 and len(state.points) == game.seats
        sheet = state.score_sheet
        assert [seat["points"] for seat in sheet] == state.points
    assert kinds & {"keep", "swap"} and "take-blind" in kinds


def test_a_view_is_what_the_seat_sees_and_nothing_else(game: ttr.Game) -> None:
    """The view keeps a world of its own. Whatever the true one hides, all worlds that look the same give one view."""
    rng = random.Random(2)
    state = game.deal(3)
    decisions = 0
    while state.turn is not None:
        if decisions % 7 == 0:
            for seat in range(game.seats):
                view = state.view(seat)
                world = view.determinize(seed=rng.randrange(2**64))
                again = world.view(seat)
                assert again == view and again.facts == view.facts and again.text == view.text
                for one, other in [(again.obs, view.obs), (again.mask, view.mask), (again.legal, view.legal)]:
                    assert np.array_equal(one, other)
                assert np.array_equal(again.encode(derived=True), view.encode(derived=True))
                facts = view.facts
                assert facts["seat"] == seat
                others = [facts["seats"][other] for other in range(game.seats) if other != seat]
                assert all("hand" not in other and "tickets" not in other for other in others)
        state.play(rng.choice(list(state.legal)))
        decisions += 1


def test_the_facts_of_a_view_agree_with_the_truth(usa: ttr.Game) -> None:
    rng = random.Random(3)
    state = usa.deal(4)
    for _ in range(80):
        if state.turn is None:
            break
        for seat in range(usa.seats):
            truth, facts = state.facts["seats"][seat], state.view(seat).facts
            assert facts["hand"] == truth["hand"] and facts["tickets"] == truth["tickets"]
            for key in ["trains", "routes", "hand_size", "points"]:
                assert facts["seats"][seat][key] == truth[key]
        state.play(rng.choice(list(state.legal)))


def test_nothing_of_a_view_reaches_the_truth(usa: ttr.Game) -> None:
    """Two deals that differ only in what seat 0 can't see have the same bytes in the pickle of its view."""
    state = usa.deal(5)
    view = state.view(0)
    worlds = [view.determinize(seed) for seed in range(8)]
    assert any(world != worlds[0] for world in worlds[1:])
    pickles = {pickle.dumps(world.view(0)) for world in [state, *worlds]}
    assert len(pickles) == 1
    public = {name for name in dir(view) if not name.startswith("_")}
    assert public == {
        "describe", "determinize", "encode", "facts", "game", "legal", "mask", "obs", "obs_u8", "parse", "seat",
        "svg", "text", "to_move", "turn",
    }  # fmt: skip


def test_observations_have_blocks(game: ttr.Game) -> None:
    view = game.deal(1).view(0)
    assert view.obs.dtype == np.float32 and view.obs.shape == (game.observation_size,)
    assert view.obs_u8.dtype == np.uint8 and np.array_equal(view.encode(dtype="uint8"), view.obs_u8)
    start = 0
    scales: list[int] = []
    for block in game.layout.values():
        assert block["start"] == start
        start += block["rows"] * len(block["columns"])
        scales += block["scales"] * block["rows"]
    assert start == game.observation_size
    assert np.allclose(view.obs, view.obs_u8 / np.array(scales))
    derived = view.encode(derived=True)
    assert np.array_equal(derived[:start], view.obs) and len(derived) > start
    full = game.deal(1).full(0)
    assert full.dtype == np.float32 and full.any()


def test_the_columns_of_actions(usa: ttr.Game) -> None:
    actions = usa.actions
    assert all(len(column) == usa.num_actions for column in actions.values())
    claims = actions["kind"] == "claim"
    assert claims.sum() > 900 and (actions["route"][claims] >= 0).all() and (actions["route"][~claims] == -1).all()
    assert len(usa.routes) == 100 and len(usa.tickets) == 30 and len(usa.cities) == 36
    assert usa.space_hash == ttr.Game("usa").space_hash != ttr.Game("europe").space_hash
    assert (usa.space_version, usa.layout_version) == (1, 1)


def test_states_are_values(game: ttr.Game) -> None:
    rng = random.Random(4)
    state = game.deal(6)
    for _ in range(30):
        state.play(rng.choice(list(state.legal)))
    twins = [state.copy(), copy.copy(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state))]
    assert all(twin == state for twin in twins)
    view = state.view(0)
    assert pickle.loads(pickle.dumps(view)) == view == copy.deepcopy(view)
    while state.turn is not None:
        action = rng.choice(list(state.legal))
        for twin in twins:
            twin.play(action)
        state.play(action)
        assert all(twin == state for twin in twins)
    assert game.deal(6) == game.deal(6) != game.deal(7)
    assert state != 3 and game != 3


def test_games_are_pickled_with_their_map(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("format = 1\nname = 'Mine'\nbase = 'europe'\nrules.trains = 35\n")
    game = ttr.Game(file, seats=3)
    pickled = pickle.dumps([game, game.deal(1)])
    file.unlink()
    again, state = pickle.loads(pickled)
    assert again == game and hash(again) == hash(game) and state == game.deal(1) and again.map == "mine"
    # Bases that are files too: in other folders, one behind the other.
    (tmp_path / "bases").mkdir()
    (tmp_path / "bases/one.toml").write_text("format = 1\nname = 'One'\nbase = '../two.toml'\nrules.stations = false\n")
    (tmp_path / "two.toml").write_text("format = 1\nname = 'Two'\nbase = 'europe'\nrules.trains = 40\n")
    file.write_text("format = 1\nname = 'Mine'\nbase = 'bases/one.toml'\nrules.trains = 35\n")
    games = [ttr.Game(file, seats=3), ttr.Game(file, rules={"trains": 30})]
    pickled = pickle.dumps(games)
    shutil.rmtree(tmp_path)
    assert pickle.loads(pickled) == games
    for other in [ttr.Game("usa", depots=True), ttr.Game("nordic", 2, rules={"trains": 30}), ttr.Game("card-game")]:
        assert pickle.loads(pickle.dumps(other)) == other
    assert copy.deepcopy(game) is game


def test_rules_can_be_changed() -> None:
    europe = ttr.Game("europe", rules={"trains": 30, "stations": False})
    assert europe.deal(1).facts["seats"][0]["trains"] == 30
    assert "station" not in europe.actions["kind"]
    assert europe != ttr.Game("europe") and europe.rules_hash != ttr.Game("europe").rules_hash
    with pytest.raises(ValueError, match="traions"):
        ttr.Game("europe", rules={"traions": 3})
    with pytest.raises(ValueError, match="Card Game"):
        ttr.Game("card-game", rules={"trains": 3})


@pytest.mark.parametrize("what", ["cut", "flipped", "foreign", "other"])
def test_damaged_pickles_raise(usa: ttr.Game, what: str) -> None:
    _, (data,) = usa.deal(1).__reduce__()
    if what == "other":
        with pytest.raises(ValueError, match="its rules are others"):
            ttr.Game("europe")._state(data)
        return
    for at in range(len(data)) if what != "foreign" else [0]:
        wrong = {"cut": data[:at], "flipped": bytes([*data[:at], data[at] ^ 4, *data[at + 1 :]]), "foreign": b"x"}[what]
        with pytest.raises(ValueError, match="this is no state of usa"):
            usa._state(wrong)


def test_pictures(usa: ttr.Game) -> None:
    state = usa.deal(1)
    for svg in [usa.svg(), usa._repr_svg_(), state.svg(), state.view(0)._repr_svg_()]:
        assert svg is not None and svg.startswith("<svg") and svg.rstrip().endswith("</svg>")
    assert ttr.Game("card-game").svg() is None
    json.dumps(usa.description)


def test_bad_input_raises(usa: ttr.Game) -> None:
    for make, message in [
        (lambda: ttr.Game("uas"), 'did you mean "usa"'),
        (lambda: ttr.Game("usa", 6), "2 to 5 seats"),
        (lambda: ttr.Game("usa", -1), "number of seats"),
        (lambda: ttr.Game("card-game", depots=True), "depots need a board"),
        (lambda: ttr.Game("nowhere/map.toml"), "can't be read"),
        (lambda: usa.deal(-1), "seed"),
        (lambda: usa.deal(2**64), "seed"),
        (lambda: usa.deal("1"), "seed"),
        (lambda: usa.deal(1).view(2), "there is no seat 2"),
        (lambda: usa.deal(1).view(-1), "there is no seat -1"),
        (lambda: usa.deal(1).full(0, dtype="int8"), "dtype"),
        (lambda: usa.deal(1).play(-1), "there is no action -1"),
        (lambda: usa.deal(1).play(99999), "actions are 0 to 1079"),
        (lambda: usa.deal(1).play(2**70), "expected the index"),
        (lambda: usa.deal(1).play(1.5), "expected the index"),
        (lambda: usa.deal(1).play(True), "expected the index"),
        (lambda: usa.deal(1).play(None), "expected the index"),
        (lambda: usa.deal(1).play("dance"), "dance"),
        (lambda: usa.deal(1).view(0).parse("take"), "is no kind of card"),
        (lambda: usa.deal(1).view(1).parse("take red"), "another seat decides"),
        (lambda: usa.deal(1).view(0).describe(1079), "not possible now"),
    ]:
        with pytest.raises(ValueError, match=message):
            make()
    with pytest.raises(TypeError):
        ttr.Game()  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        ttr.Game(3)  # type: ignore[arg-type]


def test_illegal_actions_name_the_rule() -> None:
    game = ttr.Game("europe")
    state = game.deal(1)
    before = state.copy()
    keep_one = int(np.flatnonzero((game.actions["kind"] == "keep") & (game.actions["keep"] == 1))[0])
    with pytest.raises(ttr.IllegalAction, match="of the 4 offered tickets at least 2 are kept") as caught:
        state.play(keep_one)
    assert caught.value.rule == "CC-3, CC-29" and isinstance(caught.value, ValueError)
    with pytest.raises(ttr.IllegalAction) as caught:
        state.play(int(np.flatnonzero(game.actions["kind"] == "pass")[0]))
    assert caught.value.rule is None
    assert state == before
    while state.turn is not None:
        state.play(state.legal[0])
    with pytest.raises(ttr.IllegalAction, match="over"):
        state.play(0)
    with pytest.raises(ttr.IllegalAction, match="over"):
        state.play("take red")


def test_agents(game: ttr.Game) -> None:
    agent = ttr.Agent("random", game)
    best = ttr.Agent("yard" if game.map == "card-game" else "planner", game)
    state = game.deal(2)
    for turn in range(60):
        if state.turn is None:
            break
        view = state.view(state.turn)
        choices = {best.choose(view, seed=3) for _ in range(2)}
        assert len(choices) == 1 and choices <= set(view.legal)
        state.play(agent.choose(view, seed=turn))


def test_agents_explain_and_refuse(usa: ttr.Game) -> None:
    planner, search = ttr.Agent("planner", usa), ttr.Agent("ismcts:iters=60", usa)
    state = usa.deal(1)
    view = state.view(0)
    opinion = search.explain(view, seed=1)
    assert opinion["action"] == search.choose(view, seed=1) and opinion["text"] == view.describe(opinion["action"])
    assert sum(candidate["visits"] for candidate in opinion["candidates"]) > 0
    assert planner.explain(view)["notes"]
    with pytest.raises(ValueError, match="does not decide"):
        planner.choose(state.view(1))
    with pytest.raises(ValueError, match="the view is not of usa"):
        planner.choose(ttr.Game("europe").deal(1).view(0))
    with pytest.raises(ValueError, match='did you mean "planner"'):
        ttr.Agent("planer", usa)
    with pytest.raises(ValueError):
        ttr.Agent("planner", ttr.Game("card-game"))


def test_replays(game: ttr.Game, tmp_path: Path) -> None:
    rng = random.Random(5)
    state, actions = game.deal(8), []
    states = [state.copy()]
    while state.turn is not None:
        actions.append(rng.choice(list(state.legal)))
        state.play(actions[-1])
        states.append(state.copy())
    replay = ttr.Replay.record(game, seed=8, actions=actions, agents=["x"] * game.seats)
    file = tmp_path / "game.ttr"
    replay.save(file)
    loaded = ttr.Replay.load(file)
    assert loaded == replay == pickle.loads(pickle.dumps(replay)) and loaded.states == states
    assert list(loaded.actions) == actions and loaded.points == state.points and loaded.seed == 8
    assert loaded.game == game and len(loaded) == len(actions) == len(loaded.steps())
    assert ttr.Replay.from_bytes(loaded.text.encode()) == replay
    replay.verify()
    hidden = [step["action"] for step in replay.steps(seat=1)]
    assert any("hidden" in action for action in hidden) or game.map.startswith("first-journey")


def test_replays_in_notebooks_and_errors(usa: ttr.Game, tmp_path: Path) -> None:
    state, actions = usa.deal(5), []
    while state.turn is not None:
        actions.append(int(state.legal[0]))
        state.play(actions[-1])
    replay = ttr.Replay.record(usa, 5, actions)
    assert replay.html().count("<script>") == 1 and "iframe" in replay._repr_html_()
    # A notebook keeps it: what is the same from position to position is stored once.
    assert len(replay.html()) < 2_000_000
    assert replay.svg(0) != replay.svg() and replay.svg(len(actions)) == replay.svg()
    for make, message in [
        (lambda: replay.svg(len(actions) + 1), "decision"),
        (lambda: ttr.Replay.record(usa, 5, actions[:-1]), "not over"),
        (lambda: ttr.Replay.record(usa, 5, [*actions, 0]), "over after"),
        (lambda: ttr.Replay.record(usa, 5, [1079]), "decision 1"),
        (lambda: ttr.Replay.record(usa, 5, actions, ["a"]), "2 agents"),
        (lambda: ttr.Replay.from_bytes(b"nothing"), "not a recorded game"),
        (lambda: ttr.Replay.from_bytes(replay.to_bytes()[:-1]), "cut off"),
        (lambda: ttr.Replay.from_bytes(replay.to_bytes(), ttr.Game("europe")), "europe|rules"),
    ]:
        with pytest.raises(ValueError, match=message):
            make()
    with pytest.raises(FileNotFoundError):
        ttr.Replay.load(tmp_path / "nothing.ttr")


def test_routes_and_tickets_are_data_frames() -> None:
    nordic = ttr.Game("nordic")
    lieksa = next(route for route in nordic.routes if route["name"] == "Lieksa-Murmansk")
    assert lieksa["any_cards_per_space"] == 4 and lieksa["length"] == 9
    polars, pandas = pytest.importorskip("polars"), pytest.importorskip("pandas")
    for records in (nordic.routes, nordic.tickets):
        frame = records.to_polars()
        assert isinstance(frame, polars.DataFrame) and frame.height == len(records)
        assert isinstance(records.to_pandas(), pandas.DataFrame)
        assert frame["points"].to_list() == [record["points"] for record in records]


def test_an_action_of_another_moment_is_named_as_in_the_action_space() -> None:
    view = ttr.Game("usa").deal(1).view(0)
    with pytest.raises(ttr.IllegalAction, match="^claim is not possible now: tickets are being chosen$"):
        view.parse("claim Denver-Phoenix in white")
