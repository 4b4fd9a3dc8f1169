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
