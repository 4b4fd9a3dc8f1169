// The engine in WebAssembly: text in, text out.

/**
 * Starts the engine. Returns a function that answers commands.
 * @param {BufferSource | Response | Promise<Response>} source the bytes of `engine.wasm`, or where they come from
 * @returns {Promise<(command: any) => any>}
 */
export async function engine(source) {
  const binary = source instanceof ArrayBuffer || ArrayBuffer.isView(source);
  const { instance } = binary
    ? await WebAssembly.instantiate(/** @type {BufferSource} */ (source))
    : await WebAssembly.instantiateStreaming(/** @type {Response} */ (source));
  const { memory, room, answer, text } = /** @type {any} */ (instance.exports);
  return (command) => {
    const bytes = new TextEncoder().encode(JSON.stringify(command));
    // The memory may grow, so every view of it is a new one.
    const address = room(bytes.length);
    new Uint8Array(memory.buffer, address, bytes.length).set(bytes);
    const length = answer();
    return JSON.parse(new TextDecoder().decode(new Uint8Array(memory.buffer, text(), length)));
  };
}
