// What the person can decide now: buttons, lit routes and cities, and dialogs where there is a choice.
import { button, entries, face, payment, paymentWords, small, words } from "./cards.js";
import { byId, count, fill, h } from "./dom.js";
import { name, ticketButton } from "./panels.js";

/** Legal actions by kind. @param {any[]} legal @returns {Map<string, any[]>} */
export function byKind(legal) {
  const kinds = new Map();
  for (const action of legal) kinds.set(action.move.type, [...(kinds.get(action.move.type) ?? []), action]);
  return kinds;
}

/** The decision in words. @param {any} app */
export function status(app) {
  const { look, info } = app;
  const made = app.log[look.at - 1];
  const what = made ? `: ${name(app, made.seat)}, ${made.text}` : "";
  if (look.at < look.last) return `After ${count(look.at, "decision")} of ${look.last}${what}`;
  if (look.to_move === null) return "The game is over";
  if (look.to_move !== info.person) return `${name(app, look.to_move)} decides …`;
  const phase = typeof look.view.phase === "string" ? look.view.phase : Object.keys(look.view.phase)[0];
  const detail = look.view.phase[phase];
  switch (phase) {
    case "opening": return "Your turn: keep tickets";
    case "tickets": return "Your turn: keep some of the drawn tickets";
    case "first-card": return "Your turn: take the first card";
    case "second-card": return "Your turn: take the second card";
    case "tunnel": return `Tunnel ${look.view.pending}: pay ${count(detail.extra, "extra card")}, or give up`;
    case "sets": return `Choose cards for the substitute sets of ${look.view.pending}: ${detail.due} are due`;
    case "first-depot": return "Your turn: place your first depot in a city";
    case "collect": return "Your turn: collect the cards of a warehouse?";
    case "after-action":
    case "window": return "Place depots now, or be done";
    case "completing": return "Choose the tickets to complete";
    default: return "Your turn";
  }
}

/** Draws all that can be chosen. @param {any} app */
export function show(app) {
  const { look } = app;
  const kinds = byKind(app.live() ? look.legal : []);
  const { revealed, laid } = look.view;
  const tunnel = revealed && entries(revealed).length > 0 && [
    h("p", { class: "cards-line" }, "Turned up: ", small(revealed), " Laid down: ", small(laid)),
  ];
  fill(
    byId("choices"),
    tunnel,
    keep(app, kinds.get("keep")),
    h("div", { class: "buttons" }, ...simple(app, kinds)),
    hintLine(kinds),
    all(app, look.legal),
  );
  market(app, kinds);
  light(app, kinds);
}

/** @param {any} app @param {string} text @param {any} action @param {boolean} [main] */
const act = (app, text, action, main = false) =>
  h("button", { type: "button", class: main ? "main" : "", onclick: () => app.play(action), "data-key": `act-${text}` }, text);

/** Kinds of actions that are a button each. */
function simple(app, kinds) {
  const buttons = [];
  const add = (kind, text) => kinds.get(kind)?.forEach((action) => buttons.push(act(app, text(action.move), action)));
  const { view } = app.look;
  add("draw-tickets", () => `Draw tickets (${view.ticket_deck_size} left)`);
  add("swap-tickets", () => "Swap your tickets");
  add("store", (move) => `Store a card in ${owner(app, move.seat)} warehouse, then draw`);
  add("collect", (move) => `Collect from ${owner(app, move.seat)} warehouse (${view.seats[move.seat].warehouse_size})`);
  add("pay-tunnel", (move) => payExtra(view, move));
  add("decline-tunnel", () => "Give up the tunnel");
  add("add-to-sets", (move) => (move.count === 0 ? `No ${move.card}` : count(move.count, `${move.card} card`)));
  add("complete", (move) => `Complete ${move.ticket}`);
  add("stop-completing", () => "Complete no more");
  add("stop-drawing", () => "Draw no second card");
  add("done", () => "Done");
  add("pass", () => "Pass");
  const places = [["build-station", "Build a station"], ["place-depot", "Place a depot"]];
  for (const [kind, text] of places) {
    if (!kinds.has(kind)) continue;
    const pressed = app.mode === kind;
    const toggle = () => ((app.mode = pressed ? null : kind), app.render());
    buttons.push(h("button", { type: "button", onclick: toggle, "aria-pressed": String(pressed), "data-key": kind }, pressed ? `${text}: click a city` : `${text} …`));
  }
  if (kinds.has("play-three")) {
    buttons.push(h("button", { type: "button", onclick: () => three(app, kinds.get("play-three")), "data-key": "three" }, "Play three colours …"));
  }
  return buttons;
}

const owner = (app, seat) => (seat === app.info.person ? "your" : `${name(app, seat)}'s`);

function payExtra(view, move) {
  const { extra } = view.phase.tunnel;
  const parts = [];
  const colours = extra - move.locomotives;
  const colour = entries(view.laid).map(([kind]) => kind).find((kind) => kind !== "locomotive");
  if (colours > 0) parts.push(`${colours} ${colour ?? "colour"}`);
  if (move.locomotives > 0) parts.push(count(move.locomotives, "locomotive"));
  return `Pay ${parts.join(" and ")}`;
}

/** What else can be done, and where to click for it. */
function hintLine(kinds) {
  const routes = new Set((kinds.get("claim") ?? []).map((action) => action.move.route)).size;
  const parts = [];
  if (kinds.has("take-blind") || kinds.has("take-face-up")) parts.push("take a card below");
  if (routes > 0) parts.push(`claim one of ${count(routes, "lit route")} on the board`);
  if (kinds.has("play-row")) parts.push("play a row by clicking a colour of your hand");
  return parts.length > 0 && h("p", { class: "muted" }, `You can ${parts.join(", or ")}.`);
}

/** The choice among offered tickets. */
function keep(app, actions) {
  const { view } = app.look;
  if (!actions || view.offered.length === 0) return null;
  const same = (tickets) => tickets.length === app.kept.size && tickets.every((ticket) => app.kept.has(ticket));
  const chosen = actions.find((action) => same(action.move.tickets ?? []));
  const toggle = (ticket) => {
    if (!app.kept.delete(ticket)) app.kept.add(ticket);
    app.render();
  };
  const fewest = Math.min(...actions.map((action) => action.move.tickets.length));
  const most = Math.max(...actions.map((action) => action.move.tickets.length));
  const range = fewest === most ? `exactly ${fewest}` : `${fewest} to ${most}`;
  const offered = view.offered.map((ticket) => ticketButton(app, ticket, { pressed: app.kept.has(ticket), act: () => toggle(ticket) }));
  return h(
    "div",
    { class: "offer" },
    h("p", { class: "muted" }, `Keep ${range} of these tickets. Click to choose.`),
    h("div", { class: "ticket-list" }, ...offered),
    h(
      "button",
      { type: "button", class: "main", id: "keep", disabled: !chosen, onclick: () => app.play(chosen), "data-key": "keep" },
      app.kept.size === 0 ? "Keep none" : `Keep ${count(app.kept.size, "ticket")}`,
    ),
  );
}

/** Every legal action as a button, for those who do not use the board. */
function all(app, legal) {
  if (!app.live() || legal.length === 0) return null;
  const list = h("div", { class: "buttons list" });
  const render = () => list.replaceChildren(...legal.map((action) => act(app, action.text, action)));
  if (app.listed) render();
  const toggled = (event) => {
    app.listed = event.target.open;
    if (app.listed) render();
  };
  return h("details", { class: "all", open: app.listed, ontoggle: toggled }, h("summary", { "data-key": "all" }, `All ${count(legal.length, "legal action")} as a list`), list);
}

/** The face-up cards and the deck. */
function market(app, kinds) {
  const { view } = app.look;
  byId("market").hidden = app.look.over && app.look.at === app.look.last;
  const up = new Map((kinds.get("take-face-up") ?? []).map((action) => [action.move.card, action]));
  const blind = kinds.get("take-blind")?.[0];
  const cards = entries(view.market).map(([kind, n]) => {
    const action = up.get(kind);
    const label = `${action ? "Take" : "Face up:"} ${kind}${n > 1 ? ` (${n} of them)` : ""}`;
    return button(kind, { n, label, key: `take-${kind}`, act: action ? () => app.play(action) : null });
  });
  const deck = button("back", {
    label: blind ? `Take from the deck (${view.deck_size} cards)` : `Deck: ${view.deck_size} cards`,
    key: "take-blind",
    act: blind ? () => app.play(blind) : null,
  });
  const discard = entries(view.discard).length > 0 && h("span", { class: "discard" }, "Discard ", small(view.discard));
  fill(byId("market"), h("div", { class: "row" }, h("span", { class: "pile" }, deck, h("small", {}, `${view.deck_size} in the deck`)), ...cards), discard);
}

/** Lights up routes and cities. */
function light(app, kinds) {
  if (!app.board) return;
  const routes = new Map();
  for (const action of kinds.get("claim") ?? []) {
    if (app.colour && action.move.colour !== app.colour) continue;
    routes.set(action.move.route, `Claim ${app.board.title(action.move.route)}`);
  }
  const cities = new Map();
  if (app.mode) {
    const verb = app.mode === "build-station" ? "Build a station in" : "Place a depot in";
    for (const action of kinds.get(app.mode) ?? []) cities.set(action.move.city, `${verb} ${action.move.city}`);
  }
  app.board.light(cities.size > 0 ? new Map() : routes, cities);
}

/** Claims a route; asks for the payment if there is a choice. @param {any} app @param {string} route */
export function claim(app, route) {
  const actions = app.look.legal.filter(({ move }) => move.type === "claim" && move.route === route);
  const spec = app.info.game.routes.find((known) => known.name === route);
  const options = actions.map((action) => ({ action, paid: payment(action.move, spec), text: paymentWords(action.move, spec) }));
  pay(app, `Claim ${route}`, options);
}

/** Does something in a city: a station, which is paid for, or a depot. @param {any} app @param {string} city */
export function inCity(app, city) {
  const actions = app.look.legal.filter(({ move }) => move.type === app.mode && move.city === city);
  const built = app.look.view.seats[app.info.person].stations.length;
  const options = actions.map((action) => {
    const move = action.move;
    if (move.type !== "build-station") return { action, paid: {}, text: action.text };
    return { action, paid: payment(move, { length: built + 1 }), text: paymentWords(move, { length: built + 1 }) };
  });
  pay(app, app.mode === "build-station" ? `Build a station in ${city}` : `Place a depot in ${city}`, options);
}

/** Plays a row of the Card Game; asks for its cards if there is a choice. @param {any} app @param {string} colour */
export function row(app, colour) {
  const actions = app.look.legal.filter(({ move }) => move.type === "play-row" && move.colour === colour);
  const options = actions.map((action) => {
    const paid = { [colour]: action.move.cards };
    if (action.move.locomotives) paid.locomotive = action.move.locomotives;
    return { action, paid, text: words(paid) };
  });
  pay(app, `Play a row of ${colour}`, options, true);
}

/** A choice of cards to pay with, fewest locomotives first. */
function pay(app, title, options, always = false) {
  if (options.length === 0) return;
  if (options.length === 1 && !always) {
    app.play(options[0].action);
    return;
  }
  const rank = ({ paid, action }) => (paid.locomotive ?? 0) * 10 + (action.move.sets ?? 0);
  const choices = options.sort((a, b) => rank(a) - rank(b)).map(({ action, paid, text }) =>
    h(
      "button",
      { type: "button", class: "payment", onclick: () => (byId("dialog").close(), app.play(action)), "aria-label": `Pay ${text}` },
      ...entries(paid).flatMap(([kind, n]) => Array.from({ length: n }, () => face(kind, "small"))),
      h("span", {}, text),
    ),
  );
  dialog(title, h("div", { class: "payments" }, ...choices));
}

/** Three rows of one card each. */
function three(app, actions) {
  const colours = [...new Set(actions.flatMap(({ move }) => move.colours))];
  const chosen = new Set();
  const body = h("div", {});
  const render = () => {
    const action = actions.find(({ move }) => move.colours.length === chosen.size && move.colours.every((colour) => chosen.has(colour)));
    const toggle = (colour) => {
      if (!chosen.delete(colour)) chosen.add(colour);
      render();
    };
    const cards = colours.map((colour) => button(colour, { label: colour, key: colour, pressed: chosen.has(colour), act: () => toggle(colour) }));
    const done = () => (byId("dialog").close(), app.play(action));
    fill(body, h("div", { class: "row" }, ...cards), h("button", { type: "button", class: "main", disabled: !action, onclick: done }, "Play them"));
  };
  render();
  dialog("Play three colours, one card each", body);
}

/** @param {string} title @param {...any} content */
export function dialog(title, ...content) {
  const box = byId("dialog");
  const close = h("button", { type: "button", class: "close", onclick: () => box.close(), "aria-label": "Close" }, "×");
  box.setAttribute("aria-label", title);
  box.replaceChildren(h("h2", {}, title), close, ...content);
  box.showModal();
  box.querySelector("button:not(.close):not(:disabled), select, input")?.focus();
}
