#!/usr/bin/env python3
"""Plays Ticket to Ride over docs/PROTOCOL.md: claims the longest route that it can, and otherwise collects cards.

    ttr arena --agents "exec:python3 examples/bots/python/bot.py,random" --map usa
"""

import json
import random
import sys


def choose(game, view, actions, rng):
    """The index of the action to take."""
    lengths = {route["name"]: route["length"] for route in game.get("routes", [])}

    def worth(action):
        verb, _, rest = action.partition(" ")
        if verb == "claim":  # claim Paris-Dieppe in purple + 1 locomotive
            route, _, payment = rest.rpartition(" in ")
            return 100 * lengths[route] - payment.count("locomotive")
        if verb == "play":  # the Card Game: play 3 green + 1 locomotive
            return 100 + len(rest)
        if verb == "keep":  # as few tickets as allowed
            return -rest.count(",")
        if verb == "take":  # the colour that it has most of
            return 10 + view["hand"].get(rest, 0)
        return {"pay": 5, "complete": 5, "done": 1}.get(verb, 0)

    most = max(map(worth, actions))
    return rng.choice([i for i, action in enumerate(actions) if worth(action) == most])


def main():
    game, rng = None, None
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            game = message
        elif message["type"] == "begin":
            rng = random.Random(message["random"])
        elif message["type"] == "decide":
            index = choose(game, message["view"], message["actions"], rng)
            print(json.dumps({"id": message["id"], "index": index}), flush=True)


if __name__ == "__main__":
    main()
