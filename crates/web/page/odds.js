// Every player's odds over a game that is open to all, as a curve, with the largest swings.
import { byId, count, fill, h, s } from "./dom.js";
import { name, swatch } from "./panels.js";

/** Games from each position. */
const GAMES = 200;
/** Swings that are listed. */
const SWINGS = 5;
const [WIDTH, HEIGHT] = [600, 200];

/** The odds of one game. */
export class Odds {
  /** @param {any} app */
  constructor(app) {
    this.app = app;
    /** The share of wins of each seat, by decision. @type {Map<number, number[]>} */
    this.known = new Map();
    this.games = GAMES;
    this.running = false;
  }

  /** Positions in an order that shows the whole curve early. */
  order() {
    const { last } = this.app.look;
    const order = new Set([0, last]);
    for (let step = 2 ** Math.floor(Math.log2(last)); step >= 1; step /= 2) {
      for (let at = 0; at <= last; at += step) order.add(at);
    }
    return [...order];
  }

  async start() {
    const { app } = this;
    this.running = true;
    for (const at of this.order().filter((at) => !this.known.has(at))) {
      const odds = await app.run({ do: "odds", agent: app.info.usual, at, games: GAMES });
      if (!odds || !this.running || app.odds !== this) break;
      this.games = odds.games;
      this.known.set(at, odds.wins.map((wins) => wins / odds.games));
      this.show();
    }
    this.running = false;
    if (app.odds === this) this.show();
  }

  stop() {
    this.running = false;
  }

  show() {
    const { app } = this;
    const box = byId("odds");
    box.hidden = !app.isOpen() || app.look.last === 0 || (app.info.recorded && !app.info.odds);
    if (box.hidden) return;
    const begin = () => this.start();
    const started = this.known.size > 0 || this.running;
    const of = `${count(this.games, "game")} between ${app.info.usual} in all seats`;
    const finished = this.known.size > app.look.last;
    fill(
      box,
      h("h2", {}, "Odds"),
      started && this.picture(),
      started && h("p", { class: "muted" }, `Share of ${of}, played on from each position; ± is half of a 95 % interval. `, finished ? "" : `${this.known.size} of ${app.look.last + 1} positions so far.`),
      finished && this.swings(),
      !this.running && !finished && h("button", { type: "button", onclick: begin, id: "odds-start", "data-key": "odds" }, started ? "Continue" : "Estimate every player's odds"),
    );
  }

  picture() {
    const { app } = this;
    const { last, at } = app.look;
    const points = [...this.known].sort(([a], [b]) => a - b);
    const x = (decision) => (decision / Math.max(1, last)) * WIDTH;
    const y = (share) => (1 - share) * HEIGHT;
    const lines = app.info.players.map((_, seat) =>
      s("polyline", { class: `seat-${seat}`, points: points.map(([decision, shares]) => `${x(decision).toFixed(1)},${y(shares[seat]).toFixed(1)}`).join(" ") }),
    );
    const click = (event) => {
      const { left, width } = event.currentTarget.getBoundingClientRect();
      app.goTo(Math.round(((event.clientX - left) / width) * last));
    };
    const now = this.known.get(at);
    const words = now ? now.map((share, seat) => `${name(app, seat)} ${(100 * share).toFixed(0)} %`).join(", ") : "";
    return h(
      "figure",
      {},
      s(
        "svg",
        { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": `Odds over the game. Here: ${words}`, onclick: click },
        ...[0.25, 0.5, 0.75].map((share) => s("line", { class: "grid", x1: 0, x2: WIDTH, y1: y(share), y2: y(share) })),
        ...lines,
        ...(points.length > last ? this.largest() : []).map(({ decision }) => s("line", { class: "swing", x1: x(decision + 1), x2: x(decision + 1), y1: 0, y2: HEIGHT })),
        s("line", { class: "now", x1: x(at), x2: x(at), y1: 0, y2: HEIGHT }),
      ),
      h("figcaption", {}, ...(now ?? []).flatMap((share, seat) => [swatch(seat), ` ${(100 * share).toFixed(0)} % `])),
    );
  }

  /** The decisions after which the odds of the seat that decided changed most, beyond chance. */
  largest() {
    const { app } = this;
    const swings = app.log.map(({ number, seat }) => {
      const [before, after] = [this.known.get(number)?.[seat] ?? 0, this.known.get(number + 1)?.[seat] ?? 0];
      const error = 1.96 * Math.sqrt((before * (1 - before) + after * (1 - after)) / this.games);
      return { decision: number, seat, change: after - before, error };
    });
    const clear = swings.filter(({ change, error }) => Math.abs(change) > error);
    return clear.sort((a, b) => Math.abs(b.change) - Math.abs(a.change)).slice(0, SWINGS);
  }

  swings() {
    const { app } = this;
    const rows = this.largest().map(({ decision, seat, change, error }) => {
      const entry = app.log[decision];
      const by = `${change > 0 ? "+" : "−"}${(100 * Math.abs(change)).toFixed(0)} ±${(100 * error).toFixed(0)} %`;
      return h("li", {}, h("button", { type: "button", onclick: () => app.goTo(decision + 1), "data-key": `swing-${decision}` }, swatch(seat), h("span", {}, `${by} ${decision + 1}. ${entry.text}`)));
    });
    return rows.length > 0 && [h("h3", {}, "Largest swings of the seat that decided"), h("ol", { class: "swings" }, ...rows)];
  }
}
