// The board: the picture of the map, with what lies on it and what can be clicked.
import { s } from "./dom.js";

/** Width of a train on a space. */
const TRAIN = 14;

export class Board {
  /**
   * @param {any} place the element that shows it
   * @param {any} info the game, as `describe` returns it
   * @param {{route: (name: string) => void, city: (name: string) => void}} acts what clicks do
   */
  constructor(place, info, acts) {
    this.acts = acts;
    this.info = info;
    place.innerHTML = info.drawing.svg;
    this.svg = place.querySelector("svg");
    this.svg.removeAttribute("width");
    this.svg.removeAttribute("height");
    this.svg.setAttribute("role", "group");
    this.svg.setAttribute("aria-label", `Board of ${info.game.name}`);
    this.svg.querySelector("title")?.remove();
    const root = this.svg.querySelector("#route-0").parentNode;
    this.rules = new Map(info.game.routes.map((route) => [route.name, route]));
    this.cities = new Map(info.drawing.cities.map((city) => [city.name, city.at]));
    this.routes = new Map();
    this.layers = {};
    for (const layer of ["halos", "trains", "markers", "lines", "hits"]) this.layers[layer] = s("g", { class: layer });
    root.insertBefore(this.layers.halos, this.svg.querySelector("#route-0"));
    const names = root.querySelector(".names");
    root.insertBefore(this.layers.trains, names);
    root.insertBefore(this.layers.lines, names);
    root.append(this.layers.markers, this.layers.hits);
    for (const route of info.drawing.routes) this.add(route);
  }

  /** @param {any} route */
  add(route) {
    const art = this.svg.querySelector(`#route-${route.group}`);
    art.classList.add("route");
    const blocks = (grow, height, props) =>
      route.spaces.map(([x, y, angle, half]) =>
        s("rect", {
          x: -half - grow, y: -height / 2, width: 2 * (half + grow), height, rx: 3,
          transform: `translate(${x} ${y}) rotate(${angle})`, ...props,
        }),
      );
    const halo = s("g", { class: "halo" }, ...blocks(3, 22, {}));
    const hit = s("g", { class: "hit" }, s("title", {}, this.title(route.name)), ...blocks(4, 26, {}));
    const click = () => hit.classList.contains("can") && this.acts.route(route.name);
    hit.addEventListener("click", click);
    hit.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        click();
      }
    });
    this.layers.halos.append(halo);
    this.layers.hits.append(hit);
    this.routes.set(route.name, { art, halo, hit, spaces: route.spaces });
  }

  /** A route in words. @param {string} name */
  title(name) {
    const route = this.rules.get(name);
    const more = [];
    if (route.tunnel) more.push("tunnel");
    if (route.ferry) more.push(`ferry with ${route.ferry} locomotives`);
    if (route.any_cards_per_space) more.push(`any ${route.any_cards_per_space} cards pay for a space, too`);
    if (route.points) more.push(`${route.points} points`);
    return `${route.from} – ${route.to}: ${route.length} ${route.colour ?? "grey"}${more.map((text) => `, ${text}`).join("")}`;
  }

  /** Shows a position. @param {any} view @param {string[]} fresh routes claimed since the person's last decision */
  show(view, fresh) {
    const { trains, markers } = this.layers;
    trains.replaceChildren();
    markers.replaceChildren();
    const owner = new Map();
    view.seats.forEach((seat, index) => seat.routes.forEach((name) => owner.set(name, index)));
    const closed = new Set(view.closed_routes);
    for (const [name, route] of this.routes) {
      const seat = owner.get(name);
      route.art.classList.toggle("claimed", seat !== undefined);
      route.art.classList.toggle("closed", closed.has(name));
      const state = seat === undefined ? (closed.has(name) ? "can't be claimed any more" : "free") : `claimed by seat ${seat + 1}`;
      route.hit.firstChild.textContent = `${this.title(name)}, ${state}`;
      if (seat !== undefined) trains.append(this.train(route.spaces, seat, fresh.includes(name)));
    }
    const used = new Map();
    view.seats.forEach((seat, index) => {
      for (const city of seat.stations) markers.append(this.marker("station", city, index, used));
      for (const city of seat.depots) markers.append(this.marker("depot", city, index, used));
    });
  }

  /** The trains of a seat on a route; the one in the middle has the number of the seat. */
  train(spaces, seat, fresh) {
    const middle = Math.floor((spaces.length - 1) / 2);
    const wagons = spaces.map(([x, y, angle, half], index) => {
      const upright = Math.abs(angle) > 90 ? angle + 180 : angle;
      return s(
        "g",
        { transform: `translate(${x} ${y}) rotate(${upright})` },
        s("rect", { x: -half + 0.5, y: -TRAIN / 2, width: 2 * half - 1, height: TRAIN, rx: 3 }),
        index === middle && s("text", { y: 3.4, "text-anchor": "middle", "font-size": 9.5 }, String(seat + 1)),
      );
    });
    return s("g", { class: `train seat-${seat}${fresh ? " fresh" : ""}` }, ...wagons);
  }

  marker(kind, city, seat, used) {
    const [x, y] = this.cities.get(city);
    const before = used.get(city) ?? 0;
    used.set(city, before + 1);
    const shape = kind === "station"
      ? s("path", { d: "M-9 -1L0 -10L9 -1V9H-9Z" })
      : s("rect", { x: -7.5, y: -7.5, width: 15, height: 15, rx: 2 });
    return s(
      "g",
      { class: `marker seat-${seat}`, transform: `translate(${x + before * 13} ${y})` },
      s("title", {}, `${kind} of seat ${seat + 1} in ${city}`),
      shape,
      s("text", { y: 5, "text-anchor": "middle", "font-size": 10.5 }, String(seat + 1)),
    );
  }

  /** Lights up what can be clicked. @param {Map<string, string>} routes names with labels @param {Map<string, string>} cities */
  light(routes, cities) {
    for (const [name, route] of this.routes) {
      const label = routes.get(name);
      const can = label !== undefined;
      route.hit.classList.toggle("can", can);
      route.halo.classList.toggle("can", can);
      route.art.classList.toggle("can", can);
      set(route.hit, { role: can ? "button" : null, tabindex: can ? "0" : null, "aria-label": can ? label : null });
    }
    this.svg.classList.toggle("choosing", routes.size > 0 || cities.size > 0);
    this.layers.hits.querySelectorAll(".city").forEach((city) => city.remove());
    for (const [name, label] of cities) {
      const [x, y] = this.cities.get(name);
      const act = () => this.acts.city(name);
      const keydown = (event) => (event.key === "Enter" || event.key === " ") && (event.preventDefault(), act());
      this.layers.hits.append(
        s(
          "g",
          { class: "city can", transform: `translate(${x} ${y})`, role: "button", tabindex: 0, "aria-label": label, onclick: act, onkeydown: keydown },
          s("title", {}, label),
          s("circle", { r: 15 }),
        ),
      );
    }
  }

  /** Marks the ends of tickets, routes, and routes of a plan.
   * @param {string[][]} ends pairs of cities @param {string[]} routes @param {string[]} [plan] */
  point(ends, routes, plan = []) {
    this.layers.lines.replaceChildren();
    for (const pair of ends) {
      const places = pair.map((city) => this.cities.get(city)).filter(Boolean);
      if (places.length === 2) {
        const [[x1, y1], [x2, y2]] = places;
        this.layers.lines.append(s("line", { x1, y1, x2, y2 }));
      }
      for (const [cx, cy] of places) this.layers.lines.append(s("circle", { cx, cy, r: 14 }));
    }
    const [marked, planned] = [new Set(routes), new Set(plan)];
    for (const [name, route] of this.routes) {
      route.halo.classList.toggle("plan", planned.has(name));
      route.art.classList.toggle("plan", planned.has(name));
      route.halo.classList.toggle("way", marked.has(name));
      route.art.classList.toggle("way", marked.has(name));
    }
  }
}

/** @param {any} element @param {Record<string, string | null>} attributes */
function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null) element.removeAttribute(name);
    else element.setAttribute(name, value);
  }
}

/**
 * The cheapest way to complete a ticket: free routes that are still missing between its cities, and their
 * trains. Null if it is impossible without stations.
 * @param {any} game @param {any} view @param {number} seat @param {[string, string]} ends
 */
export function missing(game, view, seat, [from, to]) {
  const own = new Set(view.seats[seat].routes);
  const taken = new Set([...view.closed_routes, ...view.seats.flatMap((other) => other.routes)]);
  const usable = game.routes.filter((route) => own.has(route.name) || !taken.has(route.name));
  const best = new Map([[from, { trains: 0, routes: /** @type {string[]} */ ([]) }]]);
  const trainsTo = (city) => best.get(city)?.trains ?? Infinity;
  const open = new Set([from]);
  while (open.size > 0) {
    const city = [...open].reduce((a, b) => (trainsTo(a) <= trainsTo(b) ? a : b));
    open.delete(city);
    const here = best.get(city);
    if (!here) break;
    if (city === to) return here;
    for (const route of usable) {
      if (route.from !== city && route.to !== city) continue;
      const next = route.from === city ? route.to : route.from;
      const isOwn = own.has(route.name);
      const trains = here.trains + (isOwn ? 0 : route.length);
      if (trains < trainsTo(next)) {
        best.set(next, { trains, routes: isOwn ? here.routes : [...here.routes, route.name] });
        open.add(next);
      }
    }
  }
  return null;
}
