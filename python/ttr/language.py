"""Language models as players: the rules, the position and the events in words, and answers back to actions.

A model is a function from a prompt to an answer. Errors in its answers are sent back; after a limited number
of retries it forfeits the game.

>>> import ttr, ttr.language
>>> def model(prompt):                           # in earnest: one call of a language model
...     legal = prompt.split("Legal actions:\\n")[1].split("\\n\\n")[0]
...     return "I know this game.\\nAction: " + legal.splitlines()[-1].removeprefix("- ")
>>> played = ttr.language.play(ttr.Game("usa"), [model, "greedy"], seed=7, list_legal=True)
>>> played.forfeit is None, len(played.points), played.decisions[0].seat
(True, 2, 0)

In runs: `ttr.arena(game, [ttr.language.player(model), "greedy"], games=100)`.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ttr._native import Agent, Game, View
from ttr._players import Player
from ttr._words import events, rules

Model = Callable[[str], str]

__all__ = [
    "Decision",
    "Forfeit",
    "LanguagePlayer",
    "Played",
    "Renaming",
    "action_of",
    "events",
    "play",
    "player",
    "rules",
]


class Forfeit(RuntimeError):
    """A model found no legal action within its number of attempts."""


class Renaming:
    """Other names for cities and colours, drawn by a seed: a bijection, so that reasoning can be distinguished from
    recall.

    Cities get invented names, and colours are permuted. Original names of cities mean nothing in answers.
    What stays are lengths, values and the order in which cards are listed.

    >>> import ttr
    >>> renaming = Renaming(ttr.Game("usa"), seed=1)
    >>> text = "claim Denver-Santa Fe in red + 1 locomotive"
    >>> renaming.encode(text) != text, renaming.decode(renaming.encode(text)) == text
    (True, True)
    """

    def __init__(self, game: Game, seed: int) -> None:
        rng = random.Random(seed)
        data = game.description
        colours = [kind for kind, number in data["rules"]["deck"].items() if number and kind != "locomotive"]
        renamed = dict(zip(colours, rng.sample(colours, len(colours))))
        # Errors may write colours with a capital letter.
        capital = {old.capitalize(): new.capitalize() for old, new in renamed.items()}
        cities = {ticket[end] for ticket in game.tickets for end in ("from", "to")} | set(game.cities)
        cities |= {city["name"] for city in data.get("big_cities", ())}
        taken = {name.lower() for name in cities}
        for city in sorted(cities):
            while (new := _invented(rng)).lower() in taken:
                pass
            taken.add(new.lower())
            # Both ways, so that the original name of a city in an answer is that of no city.
            renamed |= {city: new, new: city}
        self._names = renamed | capital
        self._back = {new.lower(): old for old, new in renamed.items()}
        self._encoded = _any_of(self._names, 0)
        self._decoded = _any_of(self._back, re.IGNORECASE)

    def encode(self, text: str) -> str:
        """A text of the engine with the new names."""
        return self._encoded.sub(lambda found: self._names[found[0]], text)

    def decode(self, text: str) -> str:
        """An answer with the names of the engine."""
        return self._decoded.sub(lambda found: self._back[found[0].lower()], text)


def _invented(rng: random.Random) -> str:
    syllables = (rng.choice("bdfgklmnprstvz") + rng.choice("aeiou") for _ in range(rng.choice((2, 3))))
    return ("".join(syllables) + rng.choice("lnrsx")).capitalize()


def _any_of(names: Iterable[str], flags: int) -> re.Pattern[str]:
    longest_first = sorted(names, key=len, reverse=True)
    return re.compile(rf"(?<!\w)({'|'.join(map(re.escape, longest_first))})(?!\w)", flags)


@dataclass
class Decision:
    """One decision of a model: its prompts and answers, and the action, or why there is none."""

    seat: int
    prompts: list[str] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)
    action: str | None = None
    problem: str | None = None


class LanguagePlayer(Player):
    """A model at one seat of one game. For runs, which play many games at once, see `player`.

    `retries` is how often an answer may be corrected, `list_legal` lists the legal actions in every prompt,
    `rename` is the seed of a `Renaming`, and `log` a list that receives a `Decision` each time.

    A plain function is asked anew each time and gets the rules in every prompt. A model with a method
    `begin()`, which returns a function that remembers the conversation, gets them once per game.
    """

    def __init__(
        self,
        model: Any,
        *,
        name: str = "model",
        retries: int = 2,
        list_legal: bool = False,
        rename: int | None = None,
        log: list[Decision] | None = None,
    ) -> None:
        self.name = name
        self.model = model
        self.retries = retries
        self.list_legal = list_legal
        self.rename = rename
        self.log = log

    def begin(self, game: Game, seat: int) -> None:
        renaming = None if self.rename is None else Renaming(game, self.rename)
        self._encode: Callable[[str], str] = renaming.encode if renaming else str
        self._decode: Callable[[str], str] = renaming.decode if renaming else str
        self._remembers = hasattr(self.model, "begin")
        self._ask: Model = self.model.begin() if self._remembers else self.model
        self._rules = rules(game)
        if renaming:
            self._rules = _sorted_lists(renaming.encode(rules(game, "an invented map")))
        self._facts: dict[str, Any] | None = None

    def choose(self, view: View, rng: random.Random) -> int:
        facts = view.facts
        first = self._facts is None
        happened = [] if self._facts is None else events(self._facts, facts)
        self._facts = facts
        parts = [] if first or not self._remembers else ["It is your decision again."]
        if first or not self._remembers:
            parts.append(self._rules)
        if happened:
            parts.append(self._encode("\n".join(["Since your last decision:", *happened])))
        parts.append(self._encode(f"You are seat {view.seat + 1}. The position:\n{view.text.strip()}"))
        if self.list_legal:
            legal = sorted(self._encode(view.describe(action)) for action in view.legal)
            parts.append("\n".join(["Legal actions:", *(f"- {action}" for action in legal)]))
        parts.append("Choose your action. End your answer with a line `Action:` and the action.")
        return self._decide(view, "\n\n".join(parts))

    def _decide(self, view: View, prompt: str) -> int:
        decision = Decision(view.seat)
        if self.log is not None:
            self.log.append(decision)
        asked = prompt
        for _ in range(1 + self.retries):
            decision.prompts.append(asked)
            answer = self._ask(asked)
            decision.answers.append(answer)
            said = action_of(answer)
            try:
                action = view.parse(self._decode(said))
                decision.action, decision.problem = view.describe(action), None
                return action
            except ValueError as error:
                # Rules are violated by what the engine calls the action; the model knows it by its own words.
                decision.problem = self._encode(str(error).rpartition(" is not possible now: ")[2])
            retry = f"Your action `{said}` can't be played: {decision.problem}. Answer with another action."
            asked = retry if self._remembers else f"{prompt}\n\n{retry}"
        raise Forfeit(f"no legal action in {1 + self.retries} answers; the last problem: {decision.problem}")


def action_of(answer: str) -> str:
    """The action in an answer: what follows the last `Action:`, otherwise the last line.

    >>> action_of("Red is rare.\\n**Action:** `take red`.")
    'take red'
    """
    lines = [line.strip() for line in answer.splitlines() if line.strip()]
    said = [found[1] for line in lines if (found := re.match(r"\W*action\W*:(.*)", line, re.IGNORECASE))]
    return (said or lines or [""])[-1].strip(" \t*`'\"").rstrip(".` ")


def _sorted_lists(text: str) -> str:
    """Sorts the items of lists of names, whose order would show the original ones."""
    return re.sub(r"(?:^- [^`\n]*\n)+", lambda items: "".join(sorted(items[0].splitlines(True))), text, flags=re.M)


def player(model: Any, *, name: str = "model", **options: Any) -> type[LanguagePlayer]:
    """A class of players for `ttr.arena` and other runs, where every seat needs one of its own. Options are
    those of `LanguagePlayer`; a `log` receives the decisions of all games.
    """

    class Seated(LanguagePlayer):
        def __init__(self) -> None:
            super().__init__(model, name=name, **options)

    Seated.name = name
    return Seated


@dataclass
class Played:
    """A game with language models. `forfeit` is the seat and the reason, and then there are no points."""

    seed: int
    points: list[int] | None
    ranks: list[int] | None
    forfeit: tuple[int, str] | None
    decisions: list[Decision]


def play(game: Game, seats: Sequence[Any], seed: int, **options: Any) -> Played:
    """Plays one game. Seats are models, agents ("planner" or a `ttr.Agent`) and players; `options` are those of
    `LanguagePlayer` for the models.
    """
    if len(seats) != game.seats:
        raise ValueError(f"expected {game.seats} players, one per seat, found {len(seats)}")
    log: list[Decision] = options.setdefault("log", [])
    dice = random.Random(seed)
    choosers: list[Callable[[View], int | str]] = []
    for seat, who in enumerate(seats):
        if isinstance(who, (str, Agent)):
            agent = Agent(who, game) if isinstance(who, str) else who
            choosers.append(lambda view, agent=agent: agent.choose(view, dice.getrandbits(63)))  # type: ignore[misc]
            continue
        if isinstance(who, type):
            who = who()
        seated = who if isinstance(who, Player) else LanguagePlayer(who, **options)
        seated.begin(game, seat)
        choosers.append(lambda view, seated=seated: seated.choose(view, dice))  # type: ignore[misc]
    state = game.deal(seed)
    while (turn := state.turn) is not None:
        try:
            state.play(choosers[turn](state.view(turn)))
        except Exception as error:
            return Played(seed, None, None, (turn, f"{type(error).__name__}: {error}"), log)
    return Played(seed, state.points, state.ranks, None, log)
