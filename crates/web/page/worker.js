// The engine in a worker, so that a search does not stop the page.
import { engine } from "./engine.js";

const started = engine(fetch("engine.wasm"));

self.addEventListener("message", async ({ data: { number, command } }) => {
  try {
    self.postMessage({ number, answer: (await started)(command) });
  } catch (error) {
    self.postMessage({ number, answer: { error: `The engine stopped (${error}). Load the page again.` } });
  }
});
