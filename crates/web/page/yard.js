// The table of the Card Game: for each seat the rows of its yard and its track stack.
import { face, KINDS, small, total } from "./cards.js";
import { count, fill, h } from "./dom.js";
import { name, swatch } from "./panels.js";

export class Yard {
  /** @param {any} place @param {any} app */
  constructor(place, app) {
    this.place = place;
    this.app = app;
  }

  /** @param {any} view */
  show(view) {
    const { app } = this;
    const first = view.seat ?? 0;
    // The others sit beyond the table, the person in front of it.
    const order = view.seats.map((_, index) => (first + 1 + index) % view.seats.length);
    const rounds = view.seats.length >= app.info.game.rules.two_rounds_from;
    fill(
      this.place,
      rounds && h("p", { class: "round" }, `Round ${view.round + 1} of 2`),
      h("div", { class: "yards" }, ...order.map((seat) => this.seat(view, seat))),
      this.cities(view),
    );
  }

  seat(view, index) {
    const { app } = this;
    const seat = view.seats[index];
    const moves = app.look.to_move === index && app.look.at === app.look.last;
    const rows = Object.keys(KINDS).filter((kind) => seat.row_cards[kind] || seat.row_locomotives[kind]);
    return h(
      "section",
      { class: `yard${moves ? " moves" : ""}${view.seat === index ? " mine" : ""}`, "aria-label": `Yard of ${name(app, index)}` },
      h("h3", {}, swatch(index), ` ${name(app, index)} `, h("small", {}, count(seat.score, "point"))),
      h(
        "div",
        { class: "yard-table" },
        h("div", { class: "rows" }, ...rows.map((kind) => this.row(kind, seat.row_cards[kind] ?? 0, seat.row_locomotives[kind] ?? 0)), rows.length === 0 && h("p", { class: "muted" }, "no rows in the yard")),
        this.track(seat),
      ),
    );
  }

  /** A row: its cards overlap, locomotives on top; the top card moves to the track stack next. */
  row(kind, cards, locomotives) {
    const stack = [...Array(cards).fill(kind), ...Array(locomotives).fill("locomotive")];
    const label = `Row of ${kind}: ${count(cards, "card")}${locomotives ? ` and ${count(locomotives, "locomotive")}` : ""}`;
    return h("div", { class: "stack", role: "img", "aria-label": label, title: label }, ...stack.map((card) => face(card)), h("small", {}, `${cards + locomotives}`));
  }

  /** The track stack lies face down; what a perfect memory knows of it is shown in small. */
  track(seat) {
    const size = total(seat.track);
    const label = `Track stack: ${count(size, "card")}`;
    return h(
      "div",
      { class: "track", "aria-label": label },
      h("div", { class: "pile", title: label }, h("span", { class: `card back${size ? "" : " empty"}`, "aria-hidden": "true" }), h("small", {}, `track ${size}`)),
      size > 0 && small(seat.track),
    );
  }

  /** The big cities: their bonus goes to the seat with the most completed tickets that name them. */
  cities(view) {
    const { app } = this;
    const tickets = new Map(app.info.game.tickets.map((ticket) => [ticket.name, ticket]));
    const cards = app.info.game.big_cities.map((city) => {
      const counts = view.seats.map((seat) => seat.completed.filter((ticket) => [tickets.get(ticket).from, tickets.get(ticket).to].includes(city.name)).length);
      const most = Math.max(...counts);
      const leaders = counts.flatMap((n, seat) => (n === most && most > 0 ? [seat] : []));
      return h("span", { class: "bonus", title: `Most completed tickets that name ${city.name}` }, h("b", {}, `${city.points}`), ` ${city.name} `, ...leaders.map(swatch));
    });
    return h("div", { class: "bonuses", "aria-label": "Big cities" }, ...cards);
  }
}
