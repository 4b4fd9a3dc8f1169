// Elements in one expression, and words.

/**
 * Creates an element. Properties that start with `on` are listeners, `class` and those with a dash are
 * attributes, and the others are properties. Children that are null or false are left out.
 * @param {string} tag
 * @param {Record<string, any>} [props]
 * @param {...any} children
 * @returns {any}
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  apply(element, props);
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/**
 * Creates an element of SVG.
 * @param {string} tag
 * @param {Record<string, any>} [props]
 * @param {...any} children
 * @returns {any}
 */
export function s(tag, props = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(props)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value !== null && value !== undefined) element.setAttribute(key, String(value));
  }
  element.append(...children.flat().filter(Boolean));
  return element;
}

/** @param {any} element @param {Record<string, any>} props */
function apply(element, props) {
  for (const [key, value] of Object.entries(props)) {
    if (value === null || value === undefined) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "style") for (const [name, to] of Object.entries(value)) element.style.setProperty(name, to);
    else if (key === "class" || key.includes("-") || key === "role" || key === "for") element.setAttribute(key, value);
    else element[key] = value;
  }
}

/** @param {string} id @returns {any} */
export const byId = (id) => document.getElementById(id);

/** Replaces the content of an element; the focus stays on what has the same `data-key`.
 * @param {any} element @param {...any} children */
export function fill(element, ...children) {
  const key = element.contains(document.activeElement) ? document.activeElement?.getAttribute("data-key") : null;
  element.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  if (key) element.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus();
}

/** "1 card", "2 cards". @param {number} n @param {string} one @param {string} [many] */
export const count = (n, one, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;

/** @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
