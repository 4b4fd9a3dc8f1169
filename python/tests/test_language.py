"""Language models as players, with scripted models."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

import pytest

import ttr
from ttr import language

MAPS = [*ttr.maps, "europe+depots"]


def listed(prompt: str) -> list[str]:
    """The legal actions that a prompt lists."""
    return re.findall(r"^- (.*)$", prompt.rsplit("Legal actions:\n", 1)[1].split("\n\n")[0], re.MULTILINE)


def good(seed: int = 1) -> Callable[[str], str]:
    """A model that takes random actions of the list, and wraps them in words."""
    rng = random.Random(seed)
    forms = ["{}", "Action: {}", "I think about `take red`.\n\n**Action:** `{}`.", "action: pass\nNo.\nAction: {}\n"]
    return lambda prompt: rng.choice(forms).format(rng.choice(listed(prompt)))


def bad(prompt: str) -> str:
    return "I would rather not play."


class Erring:
    """Errs once per decision, and corrects itself after the error message."""

    def __init__(self) -> None:
        self.prompts: list[str] = []

    def __call__(self, prompt: str) -> str:
        self.prompts.append(prompt)
        legal = listed(prompt)
        return f"Action: {legal[0]}" if "can't be played" in prompt else "Action: claim Atlantis in gold"


class Remembering:
    """A model with conversations: it remembers the list, which a retry does not repeat."""

    def __init__(self) -> None:
        self.conversations: list[list[str]] = []

    def begin(self) -> Callable[[str], str]:
        said: list[str] = []
        self.conversations.append(said)

        def ask(prompt: str) -> str:
            said.append(prompt)
            if len(said) % 3 == 1:
                return "Action: nonsense"
            return f"Action: {listed(next(one for one in reversed(said) if 'Legal actions:' in one))[0]}"

        return ask


@pytest.mark.parametrize("rename", [None, 4])
@pytest.mark.parametrize("name", MAPS)
def test_a_good_model_plays_every_map(name: str, rename: int | None) -> None:
    game = ttr.Game(name)
    played = language.play(game, [good(), "random"], seed=5, list_legal=True, rename=rename)
    assert played.forfeit is None and played.points is not None and played.ranks is not None
    assert 0 in played.ranks and len(played.decisions) > 5
    for decision in played.decisions:
        assert decision.action is not None and decision.seat == 0
        assert len(decision.answers) == len(decision.prompts) == 1 and decision.problem is None
    # The same game again: everything is a function of model, game and seed.
    again = language.play(game, [good(), "random"], seed=5, list_legal=True, rename=rename)
    assert again == played


def test_prompts_have_no_name_of_the_map() -> None:
    game = ttr.Game("europe")
    plain, renamed = (
        language.play(game, [good(), "greedy"], seed=2, list_legal=True, rename=seed).decisions for seed in (None, 9)
    )
    prompts = "\n".join(prompt for decision in renamed for prompt in decision.prompts)
    for name in ["Europe", *game.cities]:
        assert not re.search(rf"(?<!\w){name}(?!\w)", prompts), name
        assert name in plain[0].prompts[0]
    # Nothing but names differs.
    lines = [len(decision.prompts[0].splitlines()) for decision in (plain[0], renamed[0])]
    assert lines[0] == lines[1]


@pytest.mark.parametrize("name", MAPS)
def test_renaming_is_a_bijection(name: str) -> None:
    game = ttr.Game(name)
    texts = [language.rules(game)]
    state = game.deal(3)
    rng = random.Random(3)
    while (seat := state.turn) is not None:
        view = state.view(seat)
        texts += [view.text, *(view.describe(action) for action in view.legal)]
        state.play(rng.choice(view.legal.tolist()))
    texts = sorted(set(texts))
    for seed in (1, 2):
        renaming = language.Renaming(game, seed)
        encoded = [renaming.encode(text) for text in texts]
        assert len(set(encoded)) == len(texts)
        assert [renaming.decode(text) for text in encoded] == texts
        # Errors may write colours with a capital letter.
        assert renaming.encode("Purple") == renaming.encode("purple").capitalize()
        for city in game.cities:
            assert renaming.decode(city) not in game.cities and renaming.encode(renaming.decode(city)) == city
            assert renaming.decode(renaming.encode(city).upper()) == city
    assert language.Renaming(game, 1).encode(texts[0]) != language.Renaming(game, 2).encode(texts[0])
    assert language.Renaming(game, 1).encode(texts[0]) == language.Renaming(game, 1).encode(texts[0])


def test_names_of_the_map_mean_nothing_when_it_is_renamed() -> None:
    game = ttr.Game("usa")
    first = game.deal(7).turn
    assert first is not None
    view = game.deal(7).view(first)
    recalled = view.describe(view.legal[-1])
    for rename, action in [(None, recalled), (1, None)]:
        seats: list[Any] = ["random", "random"]
        seats[first] = lambda prompt: recalled
        played = language.play(game, seats, seed=7, rename=rename)
        assert played.decisions[0].action == action and played.forfeit is not None


def test_a_bad_model_forfeits() -> None:
    played = language.play(ttr.Game("usa"), [bad, "greedy"], seed=1, retries=3)
    assert played.forfeit is not None and played.points is None and played.ranks is None
    seat, reason = played.forfeit
    assert seat == 0 and reason.startswith("Forfeit: no legal action in 4 answers; the last problem:")
    (decision,) = played.decisions
    assert len(decision.answers) == 4 and decision.action is None and "is not understood" in (decision.problem or "")


def test_an_error_in_the_model_is_a_forfeit() -> None:
    def broken(prompt: str) -> str:
        raise TimeoutError("no answer")

    assert language.play(ttr.Game("usa"), [broken, "greedy"], seed=1).forfeit == (0, "TimeoutError: no answer")


def test_errors_are_sent_back() -> None:
    model = Erring()
    played = language.play(ttr.Game("usa"), [model, "greedy"], seed=1, retries=1, list_legal=True)
    assert played.forfeit is None
    assert all(len(one.answers) == 2 and one.action and not one.problem for one in played.decisions)
    first, retry = model.prompts[:2]
    assert retry.startswith(first) and "`claim Atlantis in gold` can't be played: " in retry
    assert language.play(ttr.Game("usa"), [Erring(), "greedy"], seed=1, retries=0).forfeit is not None


def test_illegal_actions_are_explained() -> None:
    answers = iter(["claim Denver-Phoenix in white", "keep", "claim Denver-Phoenix in white"])

    def hasty(prompt: str) -> str:
        said = next(answers, "pass")
        return said if said != "keep" else listed(prompt)[-1]

    game = ttr.Game("usa")
    played = language.play(game, [hasty, ttr.Agent("greedy", game)], seed=1, retries=1, list_legal=True)
    assert played.forfeit is not None
    opening, main = played.decisions
    assert "can't be played: tickets are being chosen." in opening.prompts[1] and opening.action is not None
    # The reason names the rule.
    assert re.search(r"can't be played: .*\((CC|EU)-\d+\)\.", main.prompts[1]) and main.action is None


def test_a_conversation_gets_the_rules_once() -> None:
    model = Remembering()
    played = language.play(ttr.Game("usa"), [model, "greedy"], seed=1, retries=1, list_legal=True)
    assert played.forfeit is None
    (said,) = model.conversations
    assert said[0].startswith("You play Ticket to Ride") and sum("All tickets" in prompt for prompt in said) == 1
    assert said[1].startswith("Your action `nonsense` can't be played") and len(said[1]) < 400
    assert said[2].startswith("It is your decision again.")


def test_legal_actions_are_listed_only_on_request() -> None:
    seen: list[str] = []

    def blind(prompt: str) -> str:
        seen.append(prompt)
        return "Action: take blind"

    language.play(ttr.Game("usa"), [blind, "greedy"], seed=1)
    assert seen and not any("Legal actions" in prompt for prompt in seen)
    assert "`take blind`: draw the top card" in seen[0] and "The position:\n" in seen[0]


def test_a_model_in_an_arena(tmp_path: Any) -> None:
    log: list[language.Decision] = []
    model = language.player(good(), name="llm", list_legal=True, log=log, rename=2)
    game = ttr.Game("usa")
    run = ttr.arena(game, [model, "random"], games=12, out=tmp_path / "good")
    rows = {row["label"]: row for row in run.summary["agents"]}
    assert rows["llm"]["forfeits"] == 0 and rows["llm"]["games"] == 12
    assert len(log) > 200 and {decision.seat for decision in log} == {0, 1}
    run = ttr.arena(game, [language.player(bad, name="bad"), "random"], games=12, out=tmp_path / "bad")
    rows = {row["label"]: row for row in run.summary["agents"]}
    assert rows["bad"]["forfeits"] == 12 and rows["random"]["win_share"]["value"] == 1.0


@pytest.mark.parametrize("name", MAPS)
def test_rules_and_events_in_words(name: str) -> None:
    game = ttr.Game(name)
    rules = language.rules(game)
    for place in [*(route["name"] for route in game.routes), *(ticket["name"] for ticket in game.tickets)]:
        assert place in rules
    examples = re.findall(r"^- `(\w+)", rules.split("Actions are written as follows:")[1], re.MULTILINE)
    words = set(examples)
    state = game.deal(4)
    greedy = ttr.Agent("greedy", game)
    heard: list[str] = []
    facts: dict[int, Any] = {}
    while (seat := state.turn) is not None:
        view = state.view(seat)
        assert {view.describe(action).split(" ")[0] for action in view.legal} <= words
        if seat in facts:
            heard += language.events(facts[seat], view.facts)
        facts[seat] = view.facts
        state.play(greedy.choose(view, 1))
    text = "\n".join(heard)
    assert "(you)" in text and "cards in hand" in text
    assert "claimed" in text if game.routes else "row" in text


def test_events_are_those_that_the_seat_saw() -> None:
    game = ttr.Game("usa")
    state = game.deal(1)
    greedy = ttr.Agent("greedy", game)
    while not (state.turn == 0 and state.view(0).facts["phase"] == "main"):
        assert state.turn is not None
        state.play(greedy.choose(state.view(state.turn), 1))
    before = state.view(0).facts
    action = next(a for a in state.legal if game.actions["kind"][a] == "claim")
    route = game.routes[game.actions["route"][action]]
    state.play(action)
    while state.turn != 0:
        state.play("take blind")
    own, other = language.events(before, state.view(0).facts)[:2]
    assert own.startswith(f"seat 1 (you): claimed {route['name']}; points ")
    assert other.startswith("seat 2: cards in hand ") and "known" not in other


@pytest.mark.parametrize(
    ("answer", "action"),
    [
        ("take red", "take red"),
        ("Let me see.\n\nAction: take red\n", "take red"),
        ("Action: take red\nNo, better:\n**Action:** `take blue`.", "take blue"),
        ("ACTION: `keep Denver-El Paso, Duluth-Sault St. Marie`", "keep Denver-El Paso, Duluth-Sault St. Marie"),
        ("  ", ""),
    ],
)
def test_the_action_of_an_answer(answer: str, action: str) -> None:
    assert language.action_of(answer) == action


def test_bad_input_raises() -> None:
    with pytest.raises(ValueError, match="expected 2 players"):
        language.play(ttr.Game("usa"), ["greedy"], seed=1)
