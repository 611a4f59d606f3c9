// What the package exports, over the WebAssembly module however a runtime loads it.
//
// Bytes cross in one buffer of the module. reserve(n) makes room and says where; a function takes the number of bytes
// written there and answers the number of bytes that stand there then.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

// Both tell by what an object is and not by its constructor, of which every realm (an iframe, a test runner's sandbox)
// has its own.
const lengthOf = [globalThis.ArrayBuffer, globalThis.SharedArrayBuffer]
  .filter((type) => type !== undefined)
  .map((type) => Object.getOwnPropertyDescriptor(type.prototype, "byteLength").get);

function isBuffer(value) {
  // Nothing without a length is a buffer, and what is asked mostly is a plain object: no exception for it, which costs more
  // than the answer.
  if (typeof value !== "object" || value === null || value.byteLength === undefined) return false;
  return lengthOf.some((length) => {
    try {
      length.call(value);
      return true;
    } catch {
      return false;
    }
  });
}

/** Milliseconds since 1970; NaN for what is no Date. */
function time(date) {
  try {
    return Date.prototype.getTime.call(date);
  } catch {
    return NaN;
  }
}

/** The bytes of a buffer or a view of one; nothing for any other value. */
function bytesOf(value) {
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  return isBuffer(value) ? new Uint8Array(value) : undefined;
}

function freeze(value) {
  if (typeof value === "object") Object.values(value).forEach(freeze);
  return Object.freeze(value);
}

/** The functions and names of the package, from the exports of an instance. */
export function open(wasm) {
  function place(length) {
    const at = wasm.reserve(length);
    // Only now, for memory that has grown is another ArrayBuffer.
    return new Uint8Array(wasm.memory.buffer, at, length);
  }
  const answer = (length) => JSON.parse(decoder.decode(place(length)));

  const { bodyMax, ...names } = freeze(answer(wasm.constants()));

  /** Hands text over; answers its length in bytes, or one that is too large for a body where it does not fit. */
  function writeText(text) {
    // UTF-8 takes at most three bytes for a unit of UTF-16.
    const room = Math.min(text.length * 3, bodyMax + 1);
    const { read, written } = encoder.encodeInto(text, place(room));
    return read < text.length ? bodyMax + 1 : written;
  }

  function writeBytes(bytes) {
    const length = Math.min(bytes.length, bodyMax + 1);
    place(length).set(length < bytes.length ? bytes.subarray(0, length) : bytes);
    return length;
  }

  function validate(request, { now = new Date() } = {}) {
    const at = time(now);
    if (Number.isNaN(at)) throw new TypeError("now must be a valid Date");
    const bytes = bytesOf(request);
    const length =
      bytes !== undefined
        ? writeBytes(bytes)
        : // As fetch would send it: a value that JSON leaves out is an empty body.
          writeText(typeof request === "string" ? request : (JSON.stringify(request) ?? ""));
    const said = wasm.validate(length, at);
    return said === 0 ? { errors: [], advice: [] } : answer(said);
  }

  function checkKey(text) {
    if (typeof text !== "string") throw new TypeError("text must be a string");
    return answer(wasm.check_key(writeText(text)));
  }

  return { validate, checkKey, ...names };
}
