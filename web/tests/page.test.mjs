// The page in a real browser.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { launch, newPage, playByClicks, random, serve } from "./browser.mjs";

const program = process.env.TTR_PROGRAM ?? "../target/debug/ttr";
const pictures = join(import.meta.dirname, "../../target/page");
/** @type {any} */
let browser;

before(async () => {
  mkdirSync(pictures, { recursive: true });
  browser = await launch();
});
after(() => browser?.close());

/** Runs a test with a page of `ttr play`; keeps a picture if it fails. */
async function withPage(name, args, check, options = {}) {
  const { url, stop } = await serve(program, args);
  const { page, errors } = await newPage(browser, options);
  try {
    await check(page, url);
    assert.deepEqual(errors, []);
  } catch (error) {
    await page.screenshot({ path: join(pictures, `${name}.png`) });
    throw error;
  } finally {
    await page.close();
    stop();
  }
}

/** Collects the answers to commands, and checks that the page asks nobody else. */
function listen(page, url) {
  const { origin } = new URL(url);
  const answers = [];
  page.on("request", (request) => assert.ok(/^(data|blob):/.test(request.url()) || new URL(request.url()).origin === origin, request.url()));
  page.on("response", (response) => response.url().endsWith("/api") && answers.push(response.json()));
  return answers;
}

/** What the page is told about a game in progress is what its seat may know. */
function assertHidden(answer, person) {
  const look = answer.ok;
  if (!look?.view || look.over) return 0;
  assert.equal(look.view.seat, person);
  assert.equal(look.seed, null);
  for (const seat of look.view.seats) assert.ok(!("hand" in seat) && !("tickets" in seat), JSON.stringify(seat));
  for (const entry of look.log.filter(({ seat }) => seat !== person)) {
    if (entry.move?.type === "keep") assert.ok(!("tickets" in entry.move), entry.text);
    for (const event of entry.events) {
      if (event.type === "drawn") assert.ok(!("cards" in event), JSON.stringify(entry));
      if (["offered", "dealt"].includes(event.type)) assert.ok(!("tickets" in event), JSON.stringify(entry));
    }
  }
  return 1;
}

const GAMES = [
  ["europe", ["--map", "europe", "--seats", "3", "--seed", "11"]],
  ["depots", ["--map", "europe", "--with", "depots", "--seats", "2", "--seed", "12", "--seat", "2"]],
  ["nordic", ["--map", "nordic", "--seats", "3", "--seed", "13", "--against", "planner,greedy"]],
  ["first-journey", ["--map", "first-journey-europe", "--seats", "2", "--seed", "14"]],
  ["usa", ["--map", "usa", "--seats", "2", "--seed", "15", "--against", "ismcts:iters=5"]],
  ["cards-2", ["--map", "card-game", "--seats", "2", "--seed", "16"]],
  ["cards-4", ["--map", "card-game", "--seats", "4", "--seed", "17", "--seat", "3"]],
];

for (const [index, [name, args]] of GAMES.entries()) {
  test(`a whole game by clicks: ${name}`, () =>
    withPage(name, args, async (page, url) => {
      const answers = listen(page, url);
      await page.goto(url);
      const clicks = await playByClicks(page, random(index + 1));
      assert.ok(clicks > 10, `${clicks} clicks`);
      const person = args.includes("--seat") ? Number(args[args.indexOf("--seat") + 1]) - 1 : 0;
      const inProgress = (await Promise.all(answers)).reduce((n, answer) => n + assertHidden(answer, person), 0);
      assert.ok(inProgress > clicks, "the traffic was read");
      // The points on the page are those of the record, played again by the program.
      const totals = (await page.locator("#sheet tr.total td").allTextContents()).map(Number);
      const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save")]);
      const replayed = JSON.parse(execFileSync(program, ["replay", await download.path(), "--json"], { encoding: "utf8", maxBuffer: 1 << 26 }));
      assert.deepEqual(totals, replayed.scores.map(({ points }) => points));
    }));
}

test("the keyboard is enough", () =>
  withPage("keyboard", ["--map", "usa", "--seed", "3", "--against", "greedy"], async (page, url) => {
    await page.goto(url);
    await page.selectOption("#speed", "0");
    for (const ticket of await page.locator(".offer .ticket").all()) {
      await ticket.focus();
      await page.keyboard.press("Enter");
    }
    await page.locator("#keep").focus();
    await page.keyboard.press("Space");
    await page.locator('#status:has-text("Your turn")').waitFor();
    await page.locator(".offer").waitFor({ state: "detached" });
    // Claim a route with the keyboard alone, as soon as one is lit.
    for (let tries = 0; (await page.locator(".hit.can").count()) === 0; tries++) {
      assert.ok(tries < 40, "no route could be claimed");
      const deck = page.locator('#market [data-key="take-blind"]:not(:disabled)');
      await deck.waitFor();
      const before = await page.locator("#log li").count();
      await deck.focus();
      await page.keyboard.press("Enter");
      await page.waitForFunction((n) => document.querySelectorAll("#log li").length > n, before);
      await page.locator('#status:has-text("Your turn")').waitFor();
    }
    const route = page.locator(".hit.can").first();
    assert.match((await route.getAttribute("aria-label")) ?? "", /^Claim /);
    await route.focus();
    await page.keyboard.press("Enter");
    const options = page.locator("#dialog[open] .payment");
    await page.waitForFunction(() => document.querySelector("#dialog[open] .payment") || document.querySelector(".train.seat-0"));
    if ((await options.count()) > 0) await page.keyboard.press("Enter");
    await page.locator(".train.seat-0").waitFor();
    await page.locator('#status:has-text("Your turn")').waitFor();
    await page.locator("#undo").focus();
    await page.keyboard.press("Enter");
    await page.locator(".train.seat-0").waitFor({ state: "detached" });
  }));

test("hints and the search explain themselves", () =>
  withPage("thoughts", ["--map", "europe", "--seed", "5"], async (page, url) => {
    await page.goto(url);
    await page.locator('#status:has-text("Your turn")').waitFor();
    await page.click("#hint");
    await page.locator('#thoughts:has-text("It would choose")').waitFor();
    await page.click("#search");
    // Slices follow each other quickly: this one or any later one.
    await page.locator("#thoughts", { hasText: /after \d{3,} playouts/ }).locator("table").waitFor();
    assert.match((await page.locator("#thoughts tbody td").first().textContent()) ?? "", /^\d+ % ±\d+$/);
    await page.click('#thoughts [data-key="close-thoughts"]');
    await page.locator("#thoughts").waitFor({ state: "hidden" });
  }));

test("a new game is dealt, and agents are watched", () =>
  withPage("watch", ["--map", "usa"], async (page, url) => {
    await page.goto(url);
    await page.click("#new");
    await page.selectOption("#new-map", "first-journey-usa");
    await page.selectOption("#new-seats", "3");
    await page.selectOption("#new-seat", "watch");
    await page.fill("#new-seed", "4");
    await page.click("#start");
    await page.selectOption("#speed", "0");
    await page.locator("#sheet").waitFor();
    assert.equal(await page.locator("#title").textContent(), "First Journey USA");
    await page.click("#odds-start");
    await page.locator("#odds polyline").first().waitFor();
    await page.locator('#odds:not(:has-text("so far")) figure').waitFor({ timeout: 120_000 });
    // From a position in the middle, a person plays on.
    await page.locator("#at").fill("20");
    await page.click("#branch");
    await page.click('#dialog button:has-text("Play on")');
    await page.locator('#status:has-text("Your turn")').waitFor();
    await page.locator("#sheet").waitFor({ state: "hidden" });
  }));

for (const [width, colorScheme] of [[400, "dark"], [1400, "light"], [3840, "dark"]]) {
  test(`everything fits into ${width} pixels, ${colorScheme}, and has a name`, async () => {
    for (const map of ["europe", "card-game"]) {
      await withPage(`fits-${width}-${map}`, ["--map", map, "--seed", "2", "--seats", "4"], async (page, url) => {
        await page.goto(url);
        await page.locator('#status:has-text("Your turn")').waitFor();
        assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0);
        const nameless = await page.evaluate(() =>
          [...document.querySelectorAll("button, [role=button], input, select")]
            .filter((element) => element.getClientRects().length > 0)
            .filter((element) => !(element.getAttribute("aria-label") || element.textContent?.trim() || /** @type {any} */ (element).labels?.length))
            .map((element) => element.outerHTML),
        );
        assert.deepEqual(nameless, []);
      }, { viewport: { width, height: 900 }, colorScheme });
    }
  });
}

test("a recorded game is one file that loads nothing", async () => {
  const folder = mkdtempSync(join(tmpdir(), "ttr-page-"));
  const run = (...args) => execFileSync(program, args, { cwd: folder, stdio: "ignore" });
  run("arena", "--map", "europe", "--agents", "planner,greedy", "--games", "2", "--save-replays", "1", "--out", "run", "--quiet");
  run("replay", "run/replays/000000.ttr", "--html", "game.html", "--odds", "10");
  const { page, errors } = await newPage(browser);
  const requests = [];
  page.on("request", (request) => requests.push(request.url()));
  const address = pathToFileURL(join(folder, "game.html")).href;
  await page.goto(address);
  await page.locator("#sheet").waitFor();
  const trains = () => page.locator(".train").count();
  const end = await trains();
  await page.locator("#at").fill("60");
  await page.locator('#status:has-text("After 60 decisions")').waitFor();
  assert.ok((await trains()) < end);
  await page.click("#odds-start");
  await page.locator('#odds:not(:has-text("so far")) figure').waitFor();
  await page.selectOption("#eyes", "1");
  await page.locator('#hand:has-text("Hand of")').waitFor();
  assert.deepEqual([requests.filter((request) => !request.startsWith("data:")), errors], [[address], []]);
  assert.ok(readFileSync(join(folder, "game.html")).length < 2_000_000);
  await page.close();
});

test("other pages in the browser are refused", () =>
  withPage("foreign", ["--map", "usa", "--seed", "5"], async (page, url) => {
    const { origin, hash } = new URL(url);
    const elsewhere = createServer((_, response) => response.end("<!doctype html><title>elsewhere</title>"));
    await new Promise((listening) => elsewhere.listen(0, "127.0.0.1", () => listening(null)));
    const address = elsewhere.address();
    assert.ok(address && typeof address === "object");
    // Its errors are expected, so it is not the page that is checked for them.
    const foreign = await browser.newPage();
    await foreign.goto(`http://127.0.0.1:${address.port}/`);
    const read = (token) =>
      foreign.evaluate(
        async ([api, token]) => {
          const headers = { "Content-Type": "application/json", "X-Ttr-Token": token };
          return fetch(api, { method: "POST", headers, body: '{"do": "look"}' }).then((response) => response.text(), () => "refused");
        },
        [`${origin}/api`, token],
      );
    assert.equal(await read(hash.slice(1)), "refused");
    const framed = await foreign.evaluate(async (address) => {
      const frame = document.createElement("iframe");
      frame.src = address;
      document.body.append(frame);
      await new Promise((loaded) => frame.addEventListener("load", loaded));
      return frame.contentDocument === null;
    }, url);
    assert.ok(framed, "the frame shows nothing of the page");
    await foreign.close();
    elsewhere.close();
    await page.goto(url);
    await page.locator('#status:has-text("Your turn")').waitFor();
  }));
