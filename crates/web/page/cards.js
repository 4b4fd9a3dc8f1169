// Train cards.
import { count, h } from "./dom.js";

/** The kinds of cards in the order of the engine, with their letters, for people who do not see the colours. */
export const KINDS = {
  purple: "P", blue: "B", orange: "O", white: "W", green: "G", yellow: "Y", black: "K", red: "R", locomotive: "L",
};

/**
 * All kinds of a multiset in order, with their numbers.
 * @param {Record<string, number>} cards
 * @returns {[string, number][]}
 */
export const entries = (cards) => Object.keys(KINDS).filter((kind) => cards?.[kind]).map((kind) => [kind, cards[kind]]);

/** @param {Record<string, number>} cards */
export const total = (cards) => entries(cards).reduce((sum, [, n]) => sum + n, 0);

/** @param {Record<string, number>} cards */
export const words = (cards) => entries(cards).map(([kind, n]) => (kind === "locomotive" ? count(n, kind) : `${n} ${kind}`)).join(", ") || "none";

/** The face of a card. @param {string} kind @param {string} [size] */
export const face = (kind, size = "") => h("span", { class: `card ${kind} ${size}`, "aria-hidden": "true" }, h("b", {}, KINDS[kind]));

/** Cards in small, each kind with its number. @param {Record<string, number>} cards */
export function small(cards) {
  const kinds = entries(cards);
  const chips = kinds.map(([kind, n]) => h("span", { class: "chip" }, face(kind, "small"), `${n}`));
  return h("span", { class: "chips", role: "img", "aria-label": words(cards), title: words(cards) }, ...chips);
}

/** A button with a card on it.
 * @param {string} kind @param {{n?: number, label: string, key: string, pressed?: boolean, act?: (() => void) | null}} options */
export function button(kind, { n = 1, label, key, pressed, act = null }) {
  return h(
    "button",
    {
      type: "button",
      class: "card-button",
      disabled: !act,
      onclick: act,
      title: label,
      "data-key": key,
      "aria-label": label,
      "aria-pressed": pressed === undefined ? null : String(pressed),
    },
    kind === "back" ? h("span", { class: "card back", "aria-hidden": "true" }) : face(kind),
    n > 1 && h("span", { class: "number", "aria-hidden": "true" }, `×${n}`),
  );
}

/** The cards of a payment. @param {any} move @param {any} route */
export function payment(move, route) {
  /** @type {Record<string, number>} */
  const paid = {};
  const colours = route.length - move.locomotives - (move.sets ?? 0);
  if (move.colour && colours > 0) paid[move.colour] = colours;
  if (move.locomotives) paid.locomotive = (paid.locomotive ?? 0) + move.locomotives;
  return paid;
}

/** @param {any} move @param {any} route */
export function paymentWords(move, route) {
  const sets = move.sets ? `, ${count(move.sets, "substitute set")}` : "";
  return words(payment(move, route)) + sets;
}
