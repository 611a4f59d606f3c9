// What hosts of JavaScript have in common: bytes, dates, and the module as text.

// Both checks look at what an object is, not at its constructor: every realm (an iframe, a test runner's sandbox) has
// its own constructors.
const lengthOf = [globalThis.ArrayBuffer, globalThis.SharedArrayBuffer]
  .filter((type) => type !== undefined)
  .map((type) => Object.getOwnPropertyDescriptor(type.prototype, "byteLength").get);

function isBuffer(value) {
  // A buffer has a length. Most values are plain objects, and this test saves them an exception, which would cost more than the validation.
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

/** Milliseconds since 1970 of a valid Date, which is an option. */
export function instant(now) {
  const at = time(now);
  if (Number.isNaN(at)) throw new TypeError("now must be a valid Date");
  return at;
}

/** The bytes of a buffer or a view of one; nothing for any other value. */
export function bytesOf(value) {
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  return isBuffer(value) ? new Uint8Array(value) : undefined;
}

/** The module that is base64 text in the package's own code, so a bundler cannot lose a file. */
export function moduleOf(text) {
  return new WebAssembly.Module(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)));
}
