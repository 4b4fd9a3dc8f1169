// What an agent thinks of the decision: its candidates, or its plan.
import { byId, count, fill, h } from "./dom.js";

/** Playouts of each slice of the search: every slice is a search of its own, and replaces the last. */
const SLICES = [50, 100, 200, 400, 800, 1600];

/** @param {any} opinion @param {string} title @param {(() => void) | null} stop */
export function show(opinion, title, stop) {
  const box = byId("thoughts");
  const appears = box.hidden;
  box.hidden = false;
  const notes = opinion.notes.map(({ about, text, routes }) => [h("dt", { class: routes.length > 0 ? "drawn" : "" }, about), h("dd", {}, text)]);
  const tried = opinion.candidates.filter(({ visits }) => visits > 0).slice(0, 8);
  fill(
    box,
    h("h2", {}, title),
    h("p", { class: "choice" }, "It would choose: ", h("b", {}, opinion.text)),
    notes.length > 0 && h("dl", {}, ...notes),
    tried.length > 0 && candidates(tried),
    h("button", { type: "button", onclick: stop ?? hide, "data-key": "close-thoughts" }, stop ? "Stop" : "Close"),
  );
  if (appears) box.scrollIntoView({ block: "nearest" });
}

export function hide() {
  byId("thoughts").hidden = true;
}

/** The table of candidates; a bar is the share of playouts. */
function candidates(tried) {
  const all = tried.reduce((sum, { visits }) => sum + visits, 0);
  const rows = tried.map(({ text, visits, value, error, line }) => {
    const margin = error === null || error === undefined ? "" : ` ±${(196 * error).toFixed(0)}`;
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, text, line.length > 1 && h("small", {}, ` then ${line.slice(1).join("; ")}`)),
      h("td", {}, `${(100 * value).toFixed(0)} %${margin}`),
      h("td", {}, `${visits}`, h("meter", { min: 0, max: 1, value: visits / all, "aria-hidden": "true" })),
    );
  });
  const head = ["action", "wins", "playouts"].map((text) => h("th", { scope: "col" }, text));
  return h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...rows)));
}

/** Searches longer and longer, until `stopped`. @param {any} app @param {number | null} at */
export async function search(app, at) {
  let stopped = false;
  const stop = () => ((stopped = true), hide());
  const { look, turn } = app;
  for (const iterations of SLICES) {
    const opinion = await app.run({ do: "think", agent: `ismcts:iters=${iterations}`, at });
    if (stopped || !opinion || app.turn !== turn || app.look.last !== look.last) return;
    const more = iterations < SLICES[SLICES.length - 1];
    show(opinion, `The search after ${count(iterations, "playout")}`, more ? stop : null);
    app.suggest(opinion);
  }
}
