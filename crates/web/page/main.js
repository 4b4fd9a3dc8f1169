// The page: holds the state, talks to the session, and has everything drawn.
import { Refused, Server, Worked } from "./backend.js";
import { Board } from "./board.js";
import * as decision from "./decision.js";
import { byId } from "./dom.js";
import { Odds } from "./odds.js";
import * as panels from "./panels.js";
import { Recorded } from "./recorded.js";
import { branch, setup } from "./setup.js";
import * as thoughts from "./thoughts.js";
import { Yard } from "./yard.js";

class App {
  /** @param {{run: (command: any) => Promise<any>}} backend */
  constructor(backend) {
    this.backend = backend;
    this.info = null;
    this.look = null;
    this.log = [];
    this.board = null;
    this.yard = null;
    /** @type {any} */
    this.odds = null;
    /** The decision that is looked at; null is the latest. @type {number | null} */
    this.at = null;
    /** The seat whose cards are shown, if all may be seen. @type {number | null} */
    this.eyes = null;
    this.mode = null;
    this.colour = null;
    this.listed = false;
    this.kept = new Set();
    this.busy = false;
    /** Counts games and steps back, so that what was asked before is not shown after. */
    this.turn = 0;
    this.zoom = 1;
  }

  /** Runs a command; shows an error and returns null if it is refused. @param {any} command */
  async run(command) {
    try {
      const answer = await this.backend.run(command);
      byId("alert").hidden = true;
      return answer;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      byId("alert").textContent = error.message;
      byId("alert").hidden = false;
      return null;
    }
  }

  async start() {
    const menu = await this.run({ do: "menu" });
    if (!menu) return;
    this.menu = menu;
    byId("new").hidden = menu.maps.length === 0;
    if (menu.playing) await this.open(await this.run({ do: "describe" }));
    else this.setup();
  }

  setup() {
    setup(this.menu, this.info, (order) => this.begin({ do: "new", ...order }), (record) => this.begin({ do: "load", record }));
  }

  /** Plays on from the position that is looked at. */
  branch() {
    branch(this, (order) => this.begin({ do: "branch", at: this.look.at, ...order }));
  }

  /** Runs a command that starts a game, and shows it. @param {any} command */
  async begin(command) {
    // Answers about the game that is left are of no interest any more, and its agents stop.
    this.turn += 1;
    const info = await this.run(command);
    byId("dialog").close();
    if (info) await this.open(info);
    else this.drive();
  }

  /** Shows a game. @param {any} info */
  async open(info) {
    if (!info) return;
    const turn = ++this.turn;
    this.info = info;
    Object.assign(this, { log: [], at: null, eyes: null, board: null, yard: null, look: null });
    this.odds?.stop();
    this.odds = new Odds(this);
    this.forget();
    thoughts.hide();
    byId("log").replaceChildren();
    byId("app").className = info.drawing ? "has-board" : "has-yards";
    document.title = `${info.game.name} – ttr`;
    byId("title").textContent = info.game.name;
    info.colours.forEach((colour, seat) => document.documentElement.style.setProperty(`--seat-${seat}`, colour));
    this.acts = {
      route: (route) => decision.claim(this, route),
      city: (city) => decision.inCity(this, city),
      row: (colour) => decision.row(this, colour),
    };
    if (info.drawing) this.board = new Board(byId("board"), info, this.acts);
    else this.yard = new Yard(byId("board"), this);
    byId("zoom").hidden = !info.drawing;
    const option = (value, text) => Object.assign(document.createElement("option"), { value, textContent: text });
    byId("eyes").replaceChildren(option("", "everybody"), ...info.players.map((_, seat) => option(String(seat), panels.name(this, seat))));
    this.receive(await this.run({ do: "look", ...this.wanted() }), turn);
    this.drive();
  }

  /** What to show after a command. */
  wanted(since = this.log.length) {
    return { at: this.at, eyes: this.eyes, since };
  }

  /** Takes in an answer about the game. @param {any} look @param {number} turn */
  receive(look, turn) {
    if (!look || turn !== this.turn) return;
    const before = this.look;
    if (look.since < this.log.length) byId("log").replaceChildren();
    this.log = [...this.log.slice(0, look.since), ...look.log];
    this.look = look;
    if (!before || before.last !== look.last || before.at !== look.at) this.forget();
    byId("log").append(...look.log.map((entry) => panels.logLine(this, entry)));
    this.render();
    // At the end of a game all cards are open.
    if (look.over && !(before?.over ?? true)) this.reread();
  }

  /** Forgets choices that belong to a decision. */
  forget() {
    Object.assign(this, { mode: null, colour: null });
    this.kept = new Set();
    this.board?.point([], []);
  }

  /** Asks for everything again. */
  async reread() {
    const turn = ++this.turn;
    this.receive(await this.run({ do: "look", ...this.wanted(0) }), turn);
  }

  /** Whether all cards may be seen. */
  isOpen() {
    return this.info.person === null || this.look.over;
  }

  /** Whether the person can decide now. */
  live() {
    return this.look.at === this.look.last && this.look.to_move === this.info.person && this.info.person !== null && !this.busy;
  }

  /** Plays a legal action of the person. @param {any} action */
  async play(action) {
    if (!this.live()) return;
    thoughts.hide();
    await this.ask({ do: "play", action: action.index });
    this.drive();
  }

  /** Runs a command that changes the game. @param {any} command @param {number} [since] */
  async ask(command, since) {
    const turn = this.turn;
    this.busy = true;
    const look = await this.run({ ...command, look: this.wanted(since) });
    this.busy = false;
    this.receive(look, turn);
    if (!look && turn === this.turn) this.render();
    return look;
  }

  /** Lets the agents decide until it is the person's turn. */
  async drive() {
    const turn = this.turn;
    const mayGo = () => this.look && !this.look.over && this.look.to_move !== this.info.person && this.at === null;
    while (turn === this.turn && !this.busy && mayGo()) {
      const pause = Number(byId("speed").value);
      if (pause > 0) await new Promise((done) => setTimeout(done, pause));
      if (turn !== this.turn || this.busy || !mayGo()) return;
      if (!(await this.ask({ do: "advance" }))) return;
    }
  }

  async undo() {
    if (this.busy) return;
    this.at = null;
    thoughts.hide();
    await this.ask({ do: "undo" }, 0);
    this.drive();
  }

  /** Shows the position before a decision. @param {number} at */
  async goTo(at) {
    if (!this.look || at < 0 || at > this.look.last) return;
    this.at = at === this.look.last ? null : at;
    const turn = this.turn;
    const wanted = this.at;
    const look = await this.run({ do: "look", ...this.wanted() });
    if (wanted === this.at) this.receive(look, turn);
    this.drive();
  }

  /** Asks the usual agent of the game what it would do. */
  async hint() {
    const turn = this.turn;
    const opinion = await this.run({ do: "think", agent: this.info.usual, at: this.at });
    if (!opinion || turn !== this.turn) return;
    thoughts.show(opinion, "Hint", null);
    this.suggest(opinion);
  }

  /** Marks on the board what an agent would do. @param {any} opinion */
  suggest(opinion) {
    const { route, city, tickets } = opinion.move ?? {};
    const ends = (tickets ?? []).map((name) => this.info.game.tickets.find((ticket) => ticket.name === name)).map(({ from, to }) => [from, to]);
    // A choice of tickets has one plan for each choice.
    const chosen = opinion.notes.filter(({ about }) => about === opinion.text);
    const plan = (chosen.length > 0 ? chosen : opinion.notes).flatMap(({ routes }) => routes);
    this.board?.point(city ? [[city, city]] : ends, route ? [route] : [], plan);
  }

  async save() {
    const saved = await this.run({ do: "save" });
    if (!saved) return;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([saved.text], { type: "text/plain" }));
    link.download = `${this.info.game.map}-${this.look.seed}.txt`;
    link.click();
    URL.revokeObjectURL(link.href);
  }

  /** Routes claimed by others since the person's last decision; without a person, by the last decision. */
  fresh() {
    const from = this.info.person === null ? this.look.at - 2 : this.log.findLastIndex((entry) => entry.seat === this.info.person && entry.number < this.look.at);
    return this.log.slice(from + 1, this.look.at).flatMap((entry) => entry.events.filter(({ type }) => type === "claimed").map(({ route }) => route));
  }

  render() {
    const { look, info } = this;
    byId("status").textContent = decision.status(this);
    this.board?.show(look.view, this.fresh());
    this.yard?.show(look.view);
    decision.show(this);
    panels.own(this);
    panels.players(this);
    panels.result(this);
    panels.markLog(this);
    this.odds.show();
    const playing = info.person !== null;
    const open = this.isOpen();
    byId("branch").hidden = info.recorded || !open || look.to_move === null;
    byId("undo").hidden = !playing;
    byId("undo").disabled = this.busy || !this.log.some(({ seat }) => seat === info.person);
    const thinkable = look.at < look.last || look.to_move !== null;
    byId("hint").hidden = byId("search").hidden = info.recorded || !thinkable || (!open && !this.live());
    byId("save").hidden = info.recorded || !look.over;
    byId("speed-label").hidden = look.over;
    byId("history").hidden = look.last === 0 && !this.board;
    byId("eyes-label").hidden = !open;
    Object.assign(byId("at"), { max: look.last, value: look.at });
    byId("at").setAttribute("aria-valuetext", `after ${look.at} of ${look.last} decisions`);
    byId("back").disabled = look.at === 0;
    byId("forth").disabled = byId("latest").disabled = look.at === look.last;
  }
}

const record = byId("record");
const token = location.hash.slice(1);
const app = new App(record ? new Recorded(JSON.parse(record.textContent)) : token ? new Server(token) : new Worked());
const listen = (id, act, event = "click") => byId(id).addEventListener(event, act);
listen("new", () => app.setup());
listen("branch", () => app.branch());
listen("undo", () => app.undo());
listen("hint", () => app.hint());
listen("search", () => thoughts.search(app, app.at));
listen("save", () => app.save());
listen("back", () => app.goTo(app.look.at - 1));
listen("forth", () => app.goTo(app.look.at + 1));
listen("latest", () => app.goTo(app.look.last));
listen("at", (event) => app.goTo(Number(event.target.value)), "input");
listen("speed", () => app.drive(), "change");
listen("eyes", (event) => {
  app.eyes = event.target.value === "" ? null : Number(event.target.value);
  app.reread().then(() => app.drive());
}, "change");
const zoom = (factor) => {
  app.zoom = Math.min(4, Math.max(1, app.zoom * factor));
  byId("board").style.setProperty("--zoom", String(app.zoom));
};
listen("zoom-in", () => zoom(1.4));
listen("zoom-out", () => zoom(1 / 1.4));
app.start();
