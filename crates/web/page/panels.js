// The person's cards and tickets, the players, the events, the result.
import { button, entries, small, total, words } from "./cards.js";
import { missing } from "./board.js";
import { byId, capital, count, fill, h } from "./dom.js";

/** The name of a seat. @param {any} app @param {number} seat */
export function name(app, seat) {
  const player = app.info.players[seat];
  if (player.person) return "You";
  const twins = app.info.players.filter((other) => other.name === player.name).length;
  return twins > 1 ? `${player.name} (${seat + 1})` : player.name;
}

/** The number of a seat in its colour. @param {number} seat */
export const swatch = (seat) => h("span", { class: `swatch seat-${seat}`, "aria-hidden": "true" }, `${seat + 1}`);

/** The private part of a seat, if it may be seen. */
const ownOf = (app, seat) => (app.look.view.seat === seat ? app.look.view : app.look.view.seats[seat].hand ? app.look.view.seats[seat] : null);

/** The seat whose cards are shown below the board. @param {any} app */
export const shownSeat = (app) => app.look.view.seat ?? null;

/** A ticket: its cities, points, what is still missing.
 * @param {any} app @param {string} ticket
 * @param {{pressed?: boolean, act?: () => void, done?: boolean, seat?: number}} [options] */
export function ticketButton(app, ticket, { pressed, act, done = false, seat } = {}) {
  const { game } = app.info;
  const index = game.tickets.findIndex((known) => known.name === ticket);
  const { from, to, circles } = game.tickets[index] ?? { from: ticket, to: "" };
  const points = game.ticket_points[index];
  const whose = seat ?? app.look.view.seat;
  const way = app.board && !done && whose !== null && whose !== undefined ? missing(game, app.look.view, whose, [from, to]) : undefined;
  const lacks = circles && whose !== null && whose !== undefined ? lacking(circles, app.look.view.seats[whose].track) : null;
  const state = done ? "done" : way === null ? "cut off" : way?.trains ? `${count(way.trains, "train")} to go` : way ? "joined" : lacks === null ? "" : lacks > 0 ? `${count(lacks, "card")} to go` : "on the track";
  const point = () => app.board?.point([[from, to]], way?.routes ?? []);
  const away = () => app.board?.point([], []);
  const label = `${from} to ${to}, ${points} points${state ? `, ${state}` : ""}${circles ? `, needs ${words(circles)}` : ""}`;
  return h(
    "button",
    {
      type: "button",
      class: `ticket${done ? " done" : ""}`,
      onclick: act ?? point,
      onmouseenter: point,
      onfocus: point,
      onmouseleave: away,
      onblur: away,
      "aria-pressed": pressed === undefined ? null : String(pressed),
      "aria-label": label,
      "data-key": `ticket-${ticket}`,
    },
    h("span", { class: "cities" }, `${from} – ${to}`),
    h("b", {}, `${points}`),
    circles && small(circles),
    state && h("small", {}, done ? "✓ done" : state),
  );
}

/** The hand and the tickets of the seat that is looked from. @param {any} app */
export function own(app) {
  const { view, legal } = app.look;
  const seat = shownSeat(app);
  byId("own").hidden = seat === null;
  if (seat === null) return;
  const rows = new Set(legal.filter(({ move }) => move.type === "play-row").map(({ move }) => move.colour));
  const claims = new Set(legal.filter(({ move }) => move.type === "claim").map(({ move }) => move.colour));
  const cards = entries(view.hand).map(([kind, n]) => {
    if (app.live() && rows.has(kind)) return button(kind, { n, label: `Play a row of ${kind}: you have ${n}`, key: `hand-${kind}`, act: () => app.acts.row(kind) });
    const filters = app.live() && claims.has(kind);
    const label = `${n} ${kind}${filters ? ": show only routes that they can claim" : ""}`;
    const filter = () => ((app.colour = app.colour === kind ? null : kind), app.render());
    return button(kind, { n, label, key: `hand-${kind}`, pressed: filters ? app.colour === kind : undefined, act: filters ? filter : null });
  });
  const title = app.info.person === seat ? "Your hand" : `Hand of ${name(app, seat)}`;
  fill(byId("hand"), h("h2", {}, `${title} `, h("small", {}, count(total(view.hand), "card"))), h("div", { class: "row" }, ...cards));
  fill(byId("tickets"), h("h2", {}, "Tickets"), h("div", { class: "ticket-list" }, ...tickets(app, seat)));
}

/** @param {any} app @param {number} seat */
function tickets(app, seat) {
  const { view } = app.look;
  const own = ownOf(app, seat);
  const done = new Set([...(own.connected ?? []), ...(own.chosen ?? [])]);
  const shown = view.seats[seat].completed;
  const list = [
    ...own.tickets.map((ticket) => ticketButton(app, ticket, { done: done.has(ticket), seat })),
    ...(own.chosen ?? []).map((ticket) => ticketButton(app, ticket, { done: true, seat })),
    ...shown.map((ticket) => ticketButton(app, ticket, { done: true, seat })),
  ];
  return list.length > 0 ? list : [h("p", { class: "muted" }, "none yet")];
}

/** What everybody may know of each player. @param {any} app */
export function players(app) {
  const { look, info } = app;
  const { view } = look;
  const rules = info.game.rules;
  const rows = view.seats.map((seat, index) => {
    const facts = [];
    const fact = (value, one, many) => value !== null && value !== undefined && facts.push(count(value, one, many));
    fact(seat.trains, "train");
    fact(seat.hand_size, "card");
    fact(seat.ticket_count, "ticket");
    if (rules.stations) fact(rules.stations.per_seat - seat.stations.length, "station");
    if (rules.depots) {
      fact(seat.depot_reserve, "depot");
      facts.push(`${seat.warehouse_size} in the warehouse`);
    }
    if (rules.journey) fact(seat.completed.length, "completed ticket");
    const opened = view.seat === null && ownOf(app, index);
    const moves = look.to_move === index && look.at === look.last;
    const known = view.seat !== index && entries(seat.shown ?? {}).length > 0 && !opened;
    return h(
      "div",
      { class: `player${moves ? " moves" : ""}`, "aria-current": moves ? "true" : null },
      swatch(index),
      h("b", {}, name(app, index)),
      h("span", { class: "score" }, count(seat.score, rules.journey ? "ticket" : "point")),
      h("small", {}, facts.join(" · ")),
      known && h("small", {}, "taken face up: ", small(seat.shown)),
      opened && total(opened.hand) > 0 && h("div", {}, small(opened.hand)),
      opened && h("details", {}, h("summary", { "data-key": `open-${index}` }, "Tickets"), h("div", { class: "ticket-list" }, ...tickets(app, index))),
    );
  });
  const left = view.final_turns || view.last_turns;
  const end = left ? [h("p", { class: "final" }, `Final round: ${count(left, "turn")} left`)] : [];
  fill(byId("players"), h("h2", {}, "Players"), ...rows, ...end);
}

/** What came of a decision, in words and cards. @param {any} app @param {any} event */
function outcome(app, event) {
  const names = (tickets) => tickets.join(", ");
  switch (event.type) {
    case "drawn": return event.cards ? [small(event.cards)] : [count(event.count, "card")];
    case "offered": return [event.tickets ? names(event.tickets) : count(event.count, "ticket")];
    case "opening-kept": return [`tickets kept: ${event.counts.join(", ")}`];
    case "dealt": return [event.tickets ? `gets ${names(event.tickets)}` : `gets ${count(event.count, "ticket")}`];
    case "turned-up": return ["turned up ", small(event.cards), ` extra cost ${event.extra}`];
    case "given-up": return [`gives up ${event.route}`];
    case "claimed": return [event.points ? `+${event.points} ` : "", small(event.cards), ` ${count(event.trains, "train")} left`];
    case "built": return [small(event.cards)];
    case "flushed": return ["new face-up cards instead of ", small(event.cards)];
    case "reshuffled": return [`${count(event.cards, "card")} of the discard are the new deck`];
    case "warehouses-emptied": return [`${count(event.cards, "card")} of the warehouses are the new deck`];
    case "robbed": return [`robs ${name(app, event.seat)} of `, small(event.cards)];
    case "moved-to-track": return [`${name(app, event.seat)} to the track: `, small(event.cards)];
    case "completed": return [`${name(app, event.seat)} completed ${names(event.tickets)}`];
    case "bonus-tickets": return [count(event.count, "bonus ticket")];
    case "final-round": return [`final round: ${count(event.turns, "turn")} left`];
    case "round-over": return [`round ${event.round + 1} is over`];
    case "game-over": return ["the game is over"];
    default: return [event.type];
  }
}

/** One line of the log. @param {any} app @param {any} entry */
export function logLine(app, entry) {
  const outcomes = entry.events.map((event) => h("span", { class: "outcome" }, ...outcome(app, event)));
  return h(
    "li",
    { value: entry.number + 1 },
    h(
      "button",
      { type: "button", onclick: () => app.goTo(entry.number + 1), title: "Show the position after this decision", "data-key": `log-${entry.number}` },
      swatch(entry.seat),
      h("span", {}, `${name(app, entry.seat)}: ${entry.text}`, ...outcomes),
    ),
  );
}

/** Marks the decision that led to the position. @param {any} app */
export function markLog(app) {
  const box = byId("log");
  box.querySelector(".current")?.classList.remove("current");
  const line = box.children[app.look.at - 1];
  line?.classList.add("current");
  // Only the list scrolls, not the page.
  if (line) box.scrollTop = line.offsetTop - box.clientHeight + 2 * line.offsetHeight;
}

/** Number of cards that a track stack lacks for a ticket of the Card Game. */
function lacking(circles, track) {
  const missing = entries(circles).reduce((sum, [kind, n]) => sum + Math.max(0, n - (track[kind] ?? 0)), 0);
  return Math.max(0, missing - (track.locomotive ?? 0));
}

/** Sources of points with their names. */
const SOURCES = [
  ["routes", "routes"], ["tickets", "tickets"], ["failed_tickets", "tickets lost"], ["city_bonus", "big cities"], ["stations", "stations"],
  ["longest_path_bonus", "longest path"], ["most_tickets_bonus", "most tickets"], ["depot_bonus", "depots"],
];

/** The score sheet. @param {any} app */
export function result(app) {
  const { sheet, seed } = app.look;
  byId("result").hidden = !sheet;
  if (!sheet) return;
  const known = SOURCES.filter(([key]) => sheet.some((seat) => seat[key]));
  const lines = [...known, ["total", app.info.game.rules.journey ? "tickets" : "points"], ["completed", "tickets done"], ["failed", "tickets failed"]];
  const head = sheet.map((seat, index) => h("th", { scope: "col", class: seat.rank === 0 ? "winner" : "" }, swatch(index), ` ${name(app, index)}`));
  const rows = lines.map(([key, text]) =>
    h("tr", { class: key }, h("th", { scope: "row" }, text), ...sheet.map((seat) => h("td", {}, `${seat[key]}`))),
  );
  const winners = sheet.flatMap((seat, index) => (seat.rank === 0 ? [name(app, index)] : []));
  const verb = winners.length > 1 || winners[0] === "You" ? "win" : "wins";
  fill(
    byId("result"),
    h("h2", {}, `${capital(winners.join(" and "))} ${verb}`),
    h("div", { class: "scroll" }, h("table", { id: "sheet" }, h("thead", {}, h("tr", {}, h("td"), ...head)), h("tbody", {}, ...rows))),
    h("p", { class: "muted" }, `Seed ${seed}`),
  );
}
