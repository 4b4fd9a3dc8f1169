// The dialogs that start a game.
import { h } from "./dom.js";
import { dialog } from "./decision.js";

/**
 * The dialog for a new game, or a recorded one.
 * @param {any} menu what the session offers
 * @param {any} info the current game, if there is one
 * @param {(order: any) => void} start
 * @param {(record: number[]) => void} load
 */
export function setup(menu, info, start, load) {
  const current = info?.game.map?.replace(/\+depots$/, "");
  const map = h("select", { id: "new-map" }, ...menu.maps.map(({ id, name }) => option(id, name, id === current)));
  const seats = h("select", { id: "new-seats" });
  const seat = h("select", { id: "new-seat" });
  const agent = h("select", { id: "new-agent" });
  const depots = h("input", { type: "checkbox", id: "new-depots" });
  const depotsLabel = h("label", {}, depots, " Warehouses and depots of Europa 1912");
  const iterations = h("input", { id: "new-iters", type: "number", min: 1, max: 1000000, value: 500 });
  const iterationsLabel = h("label", {}, "Playouts per decision", iterations);
  const seed = h("input", { id: "new-seed", inputMode: "numeric", placeholder: "random", autocomplete: "off" });
  const searches = () => ["ismcts", "flat"].includes(agent.value);

  const adapt = () => {
    const chosen = menu.maps.find(({ id }) => id === map.value);
    const keep = seats.value || String(info?.game.seats ?? chosen.seats[0]);
    const numbers = Array.from({ length: chosen.seats[1] - chosen.seats[0] + 1 }, (_, index) => String(chosen.seats[0] + index));
    seats.replaceChildren(...numbers.map((n) => option(n, n, n === keep)));
    const agents = menu.agents.filter((known) => (chosen.cards ? known.cards : known.boards));
    const usual = chosen.cards ? "yard" : "planner";
    const wanted = agents.some(({ name }) => name === agent.value) ? agent.value : usual;
    agent.replaceChildren(...agents.map(({ name, about }) => option(name, `${name}: ${about}`, name === wanted)));
    depotsLabel.hidden = !chosen.depots;
    sit();
  };
  const sit = () => {
    const keep = seat.value || "0";
    const places = Array.from({ length: Number(seats.value) }, (_, index) => option(String(index), `seat ${index + 1}`, String(index) === keep));
    seat.replaceChildren(...places, option("watch", "none: watch, all cards open", keep === "watch"));
    iterationsLabel.hidden = !searches();
  };
  map.addEventListener("change", adapt);
  seats.addEventListener("change", sit);
  agent.addEventListener("change", sit);
  const submit = (event) => {
    event.preventDefault();
    const chosen = menu.maps.find(({ id }) => id === map.value);
    start({
      map: map.value + (chosen.depots && depots.checked ? "+depots" : ""),
      seats: Number(seats.value),
      against: [searches() ? `${agent.value}:iters=${iterations.value}` : agent.value],
      seed: seed.value.trim() || null,
      seat: seat.value === "watch" ? null : Number(seat.value),
    });
  };
  const read = async (event) => load([...new Uint8Array(await event.target.files[0].arrayBuffer())]);
  const file = h("input", { type: "file", id: "new-record", accept: ".ttr,.txt", onchange: read });
  adapt();
  dialog(
    "New game",
    h(
      "form",
      { class: "setup", onsubmit: submit },
      field("Game", map),
      depotsLabel,
      field("Seats", seats),
      field("You play", seat),
      field("Against", agent),
      iterationsLabel,
      field("Seed of the deal", seed),
      h("button", { type: "submit", class: "main", id: "start" }, "Deal"),
      field("Or open a recorded game", file),
    ),
  );
}

/** The dialog to play on from a position. @param {any} app @param {(order: any) => void} start */
export function branch(app, start) {
  const { players, game } = app.info;
  const cards = game.kind === "card-game";
  const agents = app.menu.agents.filter((known) => (cards ? known.cards : known.boards));
  const usual = cards ? "yard" : "planner";
  const seats = players.map(({ name }, seat) => option(String(seat), `seat ${seat + 1} (${name})`, seat === app.look.to_move));
  const seat = h("select", { id: "branch-seat" }, ...seats, option("watch", "none: watch, all cards open", false));
  const agent = h("select", { id: "branch-agent" }, ...agents.map(({ name, about }) => option(name, `${name}: ${about}`, name === usual)));
  const submit = (event) => {
    event.preventDefault();
    start({ against: [agent.value], seat: seat.value === "watch" ? null : Number(seat.value) });
  };
  const deal = h("button", { type: "submit", class: "main" }, "Play on");
  dialog("Play from here", h("form", { class: "setup", onsubmit: submit }, field("You play", seat), field("Against", agent), deal));
}

const field = (text, input) => h("label", {}, text, input);
const option = (value, text, selected) => h("option", { value, selected }, text);
