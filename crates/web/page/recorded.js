// A recorded game inside the page: it answers like a session, for looking only.
import { Refused } from "./backend.js";

/** Applies a change as `record.rs` describes it. @param {any} before @param {any} change @returns {any} */
export function patched(before, change) {
  if (change === null || typeof change !== "object" || Array.isArray(change) || before === null || typeof before !== "object") return change;
  const after = Array.isArray(before) ? [...before] : { ...before };
  for (const [key, value] of Object.entries(change)) after[key] = patched(before[key] ?? null, value);
  return after;
}

/** A position with all cards open, as one of its seats would see it. @param {any} view @param {number} eyes */
function seenBy(view, eyes) {
  const own = ["hand", "tickets", "put_back", "connected", "uncertain", "chosen", "returned", "kept_first", "own_old_cards", "old_tickets"];
  const seen = { ...view, seat: eyes, seats: view.seats.map((seat) => ({ ...seat })) };
  for (const key of own) {
    if (view.seats[eyes][key] !== undefined) seen[key] = view.seats[eyes][key];
    seen.seats.forEach((seat) => delete seat[key]);
  }
  if (view.to_move !== eyes) seen.offered = [];
  return seen;
}

export class Recorded {
  /** @param {any} record */
  constructor(record) {
    this.record = record;
    this.positions = [];
    let last = null;
    for (const change of record.positions) this.positions.push((last = patched(last, change)));
  }

  /** @param {any} command @returns {Promise<any>} */
  async run(command) {
    switch (command.do) {
      case "menu": return { maps: [], agents: [], playing: true };
      case "describe": return { ...this.record.info, recorded: true };
      case "look": return this.look(command);
      case "odds": return { at: command.at, ...this.record.info.odds, wins: this.record.info.odds.wins[command.at] };
      default: throw new Refused("This page only shows a recorded game; `ttr play` does more.");
    }
  }

  look({ at, since, eyes }) {
    const { end } = this.record;
    const here = this.positions[at ?? end.last];
    const view = eyes === null ? here.view : seenBy(here.view, eyes);
    return { ...end, at: at ?? end.last, eyes, to_move: here.to_move, view, since, log: end.log.slice(since) };
  }
}
