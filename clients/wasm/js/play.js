// A payer. Each call has an instance of the module, because the memory of an instance never shrinks.

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The export of the package, from the compiled module. */
export const playing = (module) => {
  return ({ seed = 0, claims = 10, script } = {}) => {
    const { reserve, play, memory } = new WebAssembly.Instance(module, {}).exports;
    // The address comes first: memory that grows has a new ArrayBuffer.
    const buffer = (length, at = reserve(length) >>> 0) => new Uint8Array(memory.buffer, at, length);
    const given = typeof claims === "string" ? { file: claims, count: 0 } : { count: claims };
    const request = encoder.encode(JSON.stringify({ seed, ...given, script: script && JSON.stringify(script) }));
    buffer(request.length).set(request);
    const length = play(request.length);
    const answer = decoder.decode(buffer(Math.abs(length)));
    if (length < 0) throw new TypeError(answer);
    return JSON.parse(answer);
  };
};
