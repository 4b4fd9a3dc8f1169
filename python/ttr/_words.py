"""Rules and events in words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ttr._native import Game


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _list(words: Iterable[str], last: str = "and") -> str:
    *first, final = words
    return f"{', '.join(first)} {last} {final}" if first else final


def rules(game: Game, name: str | None = None) -> str:
    """The rules of a game, its map and the texts of its actions; `name` replaces the name of the map.

    >>> import ttr
    >>> print(rules(ttr.Game("nordic")).splitlines()[0])
    You play Ticket to Ride: Nordic Countries with 2 seats, numbered from 1.
    """
    data = game.description
    board = data["kind"] == "board"
    head = f"You play Ticket to Ride: {name or data['name']} with {data['seats']} seats, numbered from 1."
    parts = [head, *(_board(game, data["rules"]) if board else _card_game(data))]
    examples = {
        "route": game.routes[0]["name"] if board else "",
        "city": game.cities[0] if game.cities else "",
        "tickets": ", ".join(ticket["name"] for ticket in game.tickets[:2]),
    }
    kinds = set(game.actions["kind"].tolist())
    forms = [form.format(**examples) for kind, form in _FORMS.items() if kind in kinds]
    return "\n".join([*parts, "Actions are written as follows:", *(f"- {form}" for form in forms)])


#: How actions are written, by kind.
_FORMS = {
    "keep": "`keep {tickets}`: keep these of the offered tickets",
    "take-blind": "`take blind`: draw the top card of the deck",
    "take": "`take red`, `take locomotive`: take a face-up card",
    "claim": "`claim {route} in red`, `... in red + 1 locomotive`, `... in 2 locomotives`: claim a route; say the "
    "colour you pay with and the number of locomotives among the cards, not the number of cards in all",
    "sets": "`claim ... in red + 1 set`, then `sets red*2`: this many red cards are part of the sets you pay with",
    "pay-tunnel": "`pay`, `pay + 1 locomotive`: pay the extra cost of a tunnel, with this many locomotives",
    "decline-tunnel": "`decline`: don't pay the extra cost of a tunnel; the claim is abandoned",
    "station": "`station {city} in red`: build a station; payments are said as for claims",
    "tickets": "`tickets`: draw tickets",
    "swap": "`swap`: discard all tickets that you hold and draw new ones",
    "store": "`store 2`: put the stored card into the warehouse of seat 2",
    "collect": "`collect 2`: give a depot of your reserve and take the cards in the warehouse of seat 2",
    "depot": "`depot {city}`: place a depot",
    "done": "`done`: continue without any of the optional actions",
    "row": "`play 3 red`, `play 2 red + 1 locomotive`: play a row to the yard",
    "three": "`play red, blue, green`: play three cards of different colours to the yard",
    "stop": "`stop`: take no second card",
    "complete": "`complete TICKET`, `complete no more`: complete a ticket with the cards of your track, or none",
    "pass": "`pass`: only if nothing else is legal",
}

_TIES = {
    "completed-tickets": "most completed tickets",
    "fewest-stations": "fewest stations built",
    "longest-path-bonus": "the bonus for the longest path",
    "longest-path": "the longest path",
    "longest-ticket": "the most valuable completed ticket",
}


def _deck(deck: dict[str, int]) -> str:
    return ", ".join(f"{number} {kind}" for kind, number in deck.items() if number)


def _unkept(where: str) -> str:
    return "go back to the box" if where == "box" else "go under the ticket deck"


def _board(game: Game, data: dict[str, Any]) -> list[str]:
    draw, claim, tickets, journey = data["draw"], data["claim"], data["tickets"], data["journey"]
    parts = []
    has = [_count(data["trains"], "train"), _count(data["opening_hand"], "card")]
    parts.append(f"Each seat begins with {_list(has)}. The cards are {_deck(data['deck'])}.")
    turn = ["draw two cards", "claim a route"]
    turn += ["draw tickets"] if tickets["draw"] else []
    turn += ["build a station"] if data["stations"] else []
    turn += ["swap all tickets"] if journey else []
    parts.append(f"A turn is one of: {_list(turn, 'or')}.")
    if draw["market"]:
        text = f"Cards are drawn one by one, from the {draw['market']} face up or blind from the deck."
        if draw["face_up_locomotive"] == "ends-draw":
            text += " A face-up locomotive counts as both cards, and can't be the second card."
        if draw["flush_at"]:
            text += f" If {draw['flush_at']} of the face-up cards are locomotives, all are replaced."
    else:
        text = "Cards are drawn blind."
    parts.append(text)
    text = (
        "A route is claimed with as many cards of its colour as it is long, of any single colour if it is grey, "
        "and takes as many trains. It need not touch your other routes."
    )
    if claim["locomotives"] == "anywhere":
        text += " Locomotives stand for any colour."
    else:
        text += " Locomotives stand for any colour, but only on tunnels and ferries."
    parts.append(text)
    if claim["points"]:
        scores = ", ".join(f"{length} scores {points}" for length, points in claim["points"].items())
        parts.append(f"Points by the length of a claimed route: {scores}.")
    if any(route["twin"] for route in game.routes):
        text = "Of a double route a seat may claim only one track."
        if game.seats < claim["both_tracks_from"]:
            text += " With this number of seats the other track is then closed to all."
        parts.append(text)
    if any(route["ferry"] for route in game.routes):
        text = "Each locomotive symbol of a ferry requires a locomotive."
        if sets := data["ferry_sets"]:
            where = "any space" if sets["spaces"] == "any-space" else "a locomotive symbol"
            text += f" A set of any {sets['cards']} cards may stand for {where} of a ferry."
        parts.append(text)
    if data["tunnels"] and any(route["tunnel"] for route in game.routes):
        parts.append(
            f"When a tunnel is claimed, {_count(data['tunnels']['reveal'], 'card')} of the deck are revealed: each of "
            "the colour played and each locomotive costs one more card of that colour or locomotive, or the claim is "
            "abandoned and the turn ends."
        )
    if stations := data["stations"]:
        parts.append(
            f"Each seat has {_count(stations['per_seat'], 'station')}; the n-th costs n cards of one colour. At the "
            "end a station lets its owner use one route of another seat at its city for tickets. Each one not built "
            f"scores {stations['unbuilt_points']}."
        )
    if depots := data["depots"]:
        text = (
            f"Each seat has {_count(depots['per_seat'], 'depot')} and a warehouse. One depot is placed at the start, "
            "others on the owner's turn. A seat that draws cards first stores one unseen in any warehouse. A seat that "
            "claims a route may give a depot of its reserve to take the warehouse of the owner of a depot at either "
            "end."
        )
        if depots["bonus"]:
            text += f" The most depots in reserve at the end score {depots['bonus']}."
        parts.append(text)
    if journey:
        dealt = sum(deal["count"] for step in tickets["opening"] for deal in step["deal"])
        text = (
            f"Each seat has {_count(dealt, 'ticket')}. A ticket is completed when your routes join its cities, and is "
            f"replaced at once. The first seat with {journey['tickets_to_win']} completed tickets wins; when a seat "
            "has placed its last train, the most completed tickets win."
        )
        if between := journey["bonus_between"]:
            one, other = _list(between["one"], "or"), _list(between["other"], "or")
            text += f" Joining {one} with {other} counts as a completed ticket."
        parts.append(text)
    else:
        for step in tickets["opening"]:
            dealt = _list(f"{deal['count']} {deal['deck']}" for deal in step["deal"])
            parts.append(f"At the start {dealt} tickets are dealt; hold at least {step['hold']}.")
        parts.append(f"Tickets of the start that are not kept {_unkept(tickets['unkept_opening'])}.")
        if tickets["draw"]:
            parts.append(
                f"Later draw {tickets['draw']} tickets and keep at least {tickets['keep']}; the others "
                f"{_unkept(tickets['unkept'])}."
            )
        parts.append("At the end a ticket scores its value if your routes join its cities, and costs it if not.")
    bonus = data["bonus"]
    if bonus["longest_path"]:
        parts.append(f"The longest continuous path of trains scores {bonus['longest_path']}.")
    if bonus["most_tickets"]:
        parts.append(f"The most completed tickets score {bonus['most_tickets']}.")
    if data["end"]:
        trains = _count(data["end"]["trains_at_most"], "train")
        parts.append(f"When a seat ends its turn with at most {trains}, every seat has one more turn. Most points win.")
    if data["tie_breaks"]:
        parts.append(f"Ties are broken by {', then '.join(_TIES[tie] for tie in data['tie_breaks'])}.")
    parts.append("Routes, with length and colour:")
    parts += sorted(f"- {_route(route)}" for route in game.routes)
    parts.append("All tickets:" if journey else "All tickets, with their values:")
    parts += sorted(
        f"- {ticket['name']}" + ("" if journey else f" ({ticket['points']})") for ticket in game.tickets
    )
    return parts


def _route(route: dict[str, Any]) -> str:
    text = f"{route['name']}: {route['length']} {route['colour'] or 'grey'}"
    if route["ferry"]:
        text += f", ferry with {_count(route['ferry'], 'locomotive symbol')}"
    return text + (", tunnel" if route["tunnel"] else "")


def _card_game(data: dict[str, Any]) -> list[str]:
    of = data["rules"]
    cities = _list(f"{city['name']} {city['points']}" for city in data["big_cities"])
    two = data["seats"] >= of["two_rounds_from"]
    tickets = sorted(
        f"- {ticket['name']} ({ticket['points']}): {_deck(ticket['circles'])}" for ticket in data["tickets"]
    )
    return [
        f"The cards are {_deck(of['deck'])}. Each seat begins with {of['opening_locomotives']} locomotive and "
        f"{of['opening_hand']} other cards; {of['opening_tickets']} tickets are dealt, of which it keeps at least "
        f"{of['opening_keep']}.",
        "At the start of a turn the top card of each row of your yard moves to your track, locomotives first.",
        "Then do one of: draw two cards, play cards to the yard, or draw tickets.",
        f"Cards are drawn one by one, from the {of['market']} face up or blind. A face-up locomotive counts as both "
        "cards, and can't be the second card. The discard is not reshuffled.",
        "Play to the yard either a row of 2 or more cards of one colour, locomotives included but at least one card "
        "of the colour, or three single cards of three colours, without locomotives. A colour in your own yard can't "
        "be played. A colour in another yard can be played only with more cards than lie there, and that row is then "
        "discarded.",
        f"Draw {of['ticket_draw']} tickets and keep any number; the others go under the ticket deck.",
        "When the deck is empty, every seat has one more turn. Then the cards of your track complete tickets: one "
        "card for each circle, of its colour or a locomotive, and each card for one ticket only."
        + (" There are two rounds; hands and tickets are kept." if two else ""),
        "A completed ticket scores its value, one that is not completed costs it. The most completed tickets of a "
        f"city score: {cities}. Most points win.",
        "All tickets, with values and circles:",
        *tickets,
    ]


def events(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """What happened between two views of the same seat, from their facts, one line per seat."""
    lines = []
    for number, (old, new) in enumerate(zip(before["seats"], after["seats"]), 1):
        said = [
            f"{verb} {', '.join(found)}"
            for key, verb in _GAINS.items()
            if (found := sorted(set(new.get(key, ())) - set(old.get(key, ()))))
        ]
        said += [f"{name} {old[key]} -> {new[key]}" for key, name in _SIZES.items() if _changed(old, new, key)]
        for key, name in _PILES.items():
            kinds = dict.fromkeys([*old.get(key, ()), *new.get(key, ())])
            for kind in kinds:
                was, now = old.get(key, {}).get(kind, 0), new.get(key, {}).get(kind, 0)
                if was != now:
                    said.append(f"{name} {kind} {was} -> {now}")
        if said:
            lines.append(f"seat {number}{' (you)' if number == after['seat'] + 1 else ''}: {'; '.join(said)}")
    closed = set(after.get("closed_routes", ())) - set(before.get("closed_routes", ()))
    if closed:
        lines.append(f"closed: {', '.join(sorted(closed))}")
    return lines


def _changed(old: dict[str, Any], new: dict[str, Any], key: str) -> bool:
    return None not in (old.get(key), new.get(key)) and old[key] != new[key]


_GAINS = {
    "routes": "claimed",
    "stations": "built a station in",
    "depots": "placed a depot in",
    "completed": "completed",
}
_SIZES = {
    "points": "points",
    "trains": "trains",
    "hand_size": "cards in hand",
    "ticket_count": "tickets",
    "warehouse_size": "cards in the warehouse",
}
_PILES = {
    "shown": "known cards in hand:",
    "row_cards": "row",
    "row_locomotives": "locomotives on row",
    "track": "track",
}
