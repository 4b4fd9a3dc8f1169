// The dialog for a new game.
import { h } from "./dom.js";
import { dialog } from "./decision.js";

/** @param {any} menu what the session offers @param {any} info the current game, if there is one @param {(order: any) => void} start */
export function setup(menu, info, start) {
  const option = (value, text, selected) => h("option", { value, selected }, text);
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
  const field = (text, input) => h("label", {}, text, input);
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
    ),
  );
}
