// The page without a server: the engine in WebAssembly plays the same games as the program.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { test } from "node:test";
import { engine } from "../../crates/web/page/engine.js";
import { launch, newPage, playByClicks, random, serve } from "./browser.mjs";

const program = process.env.TTR_PROGRAM ?? "../target/debug/ttr";
const site = process.env.TTR_SITE ?? join(import.meta.dirname, "../../target/site");

/** Sends commands to a running `ttr play`. */
function session(url) {
  const { origin, hash } = new URL(url);
  return async (command) => {
    const headers = { "Content-Type": "application/json", "X-Ttr-Token": hash.slice(1) };
    const response = await fetch(`${origin}/api`, { method: "POST", headers, body: JSON.stringify(command) });
    return response.json();
  };
}

/** Elementary functions of the two may differ in the last digit, so estimates are equal when rounded. */
const rounded = (answer) => JSON.parse(JSON.stringify(answer, (_, value) => (typeof value === "number" ? Number(value.toFixed(6)) : value)));

const GAMES = [
  { map: "europe", seats: 3, against: ["planner", "ismcts:iters=20", "random"] },
  { map: "europe+depots", seats: 2, against: ["planner", "greedy"] },
  { map: "nordic", seats: 3, against: ["flat:iters=10", "planner"] },
  { map: "first-journey-usa", seats: 4, against: ["ismcts:iters=10", "planner"] },
  { map: "usa", seats: 2, against: ["hungry", "ismcts:iters=10,prior=none"] },
  { map: "card-game", seats: 4, against: ["yard", "ismcts:iters=10", "random"] },
];

test("native and WebAssembly play the same games", async () => {
  const web = await engine(readFileSync(join(site, "engine.wasm")));
  const { url, stop } = await serve(program, []);
  const native = session(url);
  try {
    for (const [index, game] of GAMES.entries()) {
      for (const seat of [null, 1]) {
        const choose = random(index);
        const order = { do: "new", ...game, seed: String(20 + index), seat };
        assert.deepEqual(web(order), await native(order));
        let look = { do: "look" };
        let decisions = 0;
        for (;;) {
          const [one, other] = [web(look), await native(look)];
          assert.deepEqual(one, other);
          const { legal, to_move, last } = one.ok;
          if (to_move === null) break;
          look = legal.length > 0 ? { do: "play", action: legal[choose(legal.length)].index, look: { since: last } } : { do: "advance", look: { since: last } };
          decisions += 1;
        }
        assert.ok(decisions > 20, `${game.map}: ${decisions} decisions`);
        assert.deepEqual(web({ do: "save" }), await native({ do: "save" }));
        const think = { do: "think", agent: "ismcts:iters=30", at: 30 };
        assert.deepEqual(rounded(web(think)), rounded(await native(think)));
      }
    }
  } finally {
    stop();
  }
});

test("clocks and threads are refused in WebAssembly", async () => {
  const web = await engine(readFileSync(join(site, "engine.wasm")));
  const answer = web({ do: "new", map: "usa", seats: 2, against: ["ismcts:ms=5"], seed: "1", seat: 0 });
  assert.match(answer.error, /no clocks and threads/);
});

const TYPES = { ".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".wasm": "application/wasm" };

test("a whole game by clicks on static files", async () => {
  const host = createServer((request, response) => {
    const name = new URL(request.url ?? "/", "http://host").pathname.replace(/^\/ttr\/$/, "/ttr/index.html");
    try {
      const file = readFileSync(join(site, name.replace(/^\/ttr\//, "")));
      response.setHeader("Content-Type", TYPES[extname(name)] ?? "text/plain");
      response.end(file);
    } catch {
      response.statusCode = 404;
      response.end();
    }
  });
  await new Promise((listening) => host.listen(0, "127.0.0.1", () => listening(null)));
  const address = host.address();
  assert.ok(address && typeof address === "object");
  const browser = await launch();
  try {
    const { page, errors } = await newPage(browser);
    await page.goto(`http://127.0.0.1:${address.port}/ttr/`);
    await page.selectOption("#new-map", "first-journey-europe");
    await page.selectOption("#new-agent", "ismcts");
    await page.fill("#new-iters", "20");
    await page.fill("#new-seed", "9");
    await page.click("#start");
    const clicks = await playByClicks(page, random(5));
    assert.ok(clicks > 10, `${clicks} clicks`);
    assert.deepEqual(errors, []);
  } finally {
    await browser.close();
    host.close();
  }
});
