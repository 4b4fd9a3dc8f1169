// Helpers of the browser tests: the program, the browser, and a person who clicks.
import { spawn } from "node:child_process";
import { chromium } from "playwright-core";

/** Starts `ttr play` and waits for its address. @param {string} program @param {string[]} args */
export async function serve(program, args) {
  const child = spawn(program, ["play", "--no-open", ...args]);
  const url = await new Promise((found, failed) => {
    let [out, err] = ["", ""];
    child.stdout.on("data", (data) => {
      out += data;
      if (out.includes("\n")) found(out.trim());
    });
    child.stderr.on("data", (data) => (err += data));
    child.on("exit", (code) => failed(new Error(`ttr play ended with ${code}: ${err}`)));
  });
  return { url, stop: () => child.kill() };
}

export function launch() {
  const args = [
    "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
  ];
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args });
}

/** A page whose errors are collected. @param {any} browser @param {any} [options] */
export async function newPage(browser, options) {
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 }, reducedMotion: "reduce", ...options });
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  return { page, errors };
}

/** Random numbers from a seed: the same clicks every time. @param {number} seed */
export function random(seed) {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

/** Clicks on an element, wherever it is, as a person's mouse would. */
const click = (locator) => locator.click({ timeout: 10_000 });

const PATIENCE = { timeout: 60_000 };

/** Whether the person has to decide, or the game is over. It runs in the page. */
function isAsked() {
  const status = document.querySelector("#status")?.textContent ?? "";
  return !document.querySelector("#result[hidden]") || /^(Your turn|Tunnel|Choose|Place)/.test(status);
}

/**
 * Plays a whole game by clicks: mostly claims what is lit, completes and takes cards, and answers whatever is
 * asked. Returns the number of clicks.
 * @param {any} page @param {(n: number) => number} below
 */
export async function playByClicks(page, below) {
  await page.selectOption("#speed", "0");
  for (let clicks = 1; ; clicks++) {
    await page.waitForFunction(isAsked, null, PATIENCE);
    if (await page.locator("#result").isVisible()) return clicks;
    const before = await page.locator("#log li").count();
    await decide(page, below);
    await page.waitForFunction((n) => document.querySelectorAll("#log li").length > n || !document.querySelector("#result[hidden]"), before, PATIENCE);
  }
}

/** One decision. */
export async function decide(page, below) {
  const keep = page.locator("#keep");
  if (await keep.isVisible()) return keepTickets(page, keep, below);
  const lit = page.locator(".hit.can");
  const rows = page.locator("#hand .card-button:not(:disabled):not([aria-pressed])");
  const board = await lit.count();
  if (board > 0 && below(3) > 0) {
    // The middle of a route may lie under another one's: a person clicks on a space of it.
    await click(lit.nth(below(board)).locator("rect").first());
    return choosePayment(page, below);
  }
  const hand = await rows.count();
  if (hand > 0 && below(3) > 0) {
    await click(rows.nth(below(hand)));
    return choosePayment(page, below);
  }
  const others = page.locator("#market .card-button:not(:disabled), #choices .buttons:not(.list) button:not([data-key=three])");
  const n = await others.count();
  const chosen = others.nth(below(n));
  const key = await chosen.getAttribute("data-key");
  await click(chosen);
  if (key === "build-station" || key === "place-depot") {
    const cities = page.locator(".city.can");
    await cities.first().waitFor();
    await click(cities.nth(below(await cities.count())).locator("circle"));
    return choosePayment(page, below);
  }
}

async function keepTickets(page, keep, below) {
  const tickets = page.locator(".offer .ticket");
  const n = await tickets.count();
  for (let tries = 0; ; tries++) {
    if ((await keep.isEnabled()) && (tries > 0 || below(4) === 0)) break;
    await click(tickets.nth(tries < n ? tries : below(n)));
  }
  await click(keep);
}

/** The dialog that asks for cards, if there is one. */
async function choosePayment(page, below) {
  const options = page.locator("#dialog[open] .payment");
  const n = await options.count();
  if (n > 0) await click(options.nth(below(Math.min(n, 2))));
}

