// The session: on the server of `ttr play`, in a worker, or in a recorded page.

/** An error of the session, in words for the person. */
export class Refused extends Error {}

/** @param {any} answer */
function unwrap(answer) {
  if (answer.error !== undefined) throw new Refused(answer.error);
  return answer.ok;
}

/** The session of `ttr play`. */
export class Server {
  /** @param {string} token */
  constructor(token) {
    this.token = token;
  }

  /** @param {any} command @returns {Promise<any>} */
  async run(command) {
    let response;
    try {
      response = await fetch("api", {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-Ttr-Token": this.token },
        body: JSON.stringify(command),
      });
    } catch {
      throw new Refused("The server does not answer. Start `ttr play` again, and open the address that it prints.");
    }
    if (!response.ok) throw new Refused((await response.text()).trim());
    return unwrap(await response.json());
  }
}

/** The engine in a worker of the browser, for pages without a server. */
export class Worked {
  constructor() {
    this.number = 0;
    this.waiting = new Map();
    this.worker = new Worker(new URL("worker.js", location.href), { type: "module" });
    this.worker.addEventListener("message", ({ data: { number, answer } }) => this.answer(number, answer));
    const why = "The engine can't be loaded. If `ttr play` runs, open the address that it printed.";
    this.worker.addEventListener("error", () => [...this.waiting.keys()].forEach((number) => this.answer(number, { error: why })));
  }

  /** @param {number} number @param {any} answer */
  answer(number, answer) {
    this.waiting.get(number)?.(answer);
    this.waiting.delete(number);
  }

  /** @param {any} command @returns {Promise<any>} */
  async run(command) {
    const number = ++this.number;
    // The engine has no source of chance of its own.
    if (command.do === "new" && !command.seed) command = { ...command, seed: String(crypto.getRandomValues(new BigUint64Array(1))[0]) };
    const answer = new Promise((found) => this.waiting.set(number, found));
    this.worker.postMessage({ number, command });
    return unwrap(await answer);
  }
}
