// The exports of the package. They call the WebAssembly module, however the runtime loaded it.
//
// Text and bytes cross in one buffer of the module: reserve(n) makes room and returns its address, and a function takes the number of bytes that were written
// there. Everything that can throw, such as a getter of a request, runs before the call into the module, so an exception leaves nothing behind.

import { check_body, check_key, check_packed, check_token, constants, initSync } from "./core.js";
import { bytesOf, instant } from "./host.js";
import { measure, plain } from "./json.js";
import { Layouts, Packer } from "./pack.js";

const encoder = new TextEncoder();

function freeze(value) {
  if (typeof value === "object") Object.values(value).forEach(freeze);
  return Object.freeze(value);
}

/** The functions and names of the package, from the compiled module. */
export function open(module) {
  const wasm = initSync({ module });
  const { bodyMax, objects, advice: advices, ...names } = freeze(constants());
  const layouts = new Layouts(objects);

  function place(length) {
    const at = wasm.reserve(length);
    // Made only now: after growth the memory has a new ArrayBuffer.
    return new Uint8Array(wasm.memory.buffer, at, length);
  }

  /** Hands text over; answers its length in bytes, or one that is too large for a body where it does not fit. */
  function writeText(text) {
    // UTF-8 needs at most three bytes for one unit of UTF-16.
    const room = Math.min(text.length * 3, bodyMax + 1);
    const { read, written } = encoder.encodeInto(text, place(room));
    return read < text.length ? bodyMax + 1 : written;
  }

  function writeBytes(bytes) {
    const length = Math.min(bytes.length, bodyMax + 1);
    place(length).set(length < bytes.length ? bytes.subarray(0, length) : bytes);
    return length;
  }

  function tooLarge(at) {
    place(bodyMax + 1);
    return check_body(bodyMax + 1, at);
  }

  /** The report on an object, or whatever else is neither text nor bytes. */
  function checkValue(request, at, isCareful = false) {
    const value = plain(request, "");
    // As fetch would send it: a value that JSON leaves out makes an empty body.
    if (value === undefined) return check_body(writeText(""), at);
    const packer = new Packer(layouts, bodyMax, isCareful);
    packer.request(value);
    if (packer.atMost > bodyMax) {
      if (packer.atLeast > bodyMax || measure(value, new Set(), bodyMax).bytes > bodyMax) return tooLarge(at);
    }
    const { text, words, count, hasBadKey } = packer;
    layouts.giveBack(words);
    if (hasBadKey) return check_body(writeText(""), at);
    const length = writeText(text);
    if (!isCareful && length !== text.length && !text.isWellFormed()) return checkValue(request, at, true);
    const said = check_packed(length, words.subarray(0, count), at);
    return said === null ? checkValue(request, at, true) : said;
  }

  function check(request, { now = new Date() } = {}) {
    const at = instant(now);
    const bytes = bytesOf(request);
    if (bytes !== undefined) return check_body(writeBytes(bytes), at);
    return typeof request === "string" ? check_body(writeText(request), at) : checkValue(request, at);
  }

  function validate(request, options) {
    const said = check(request, options);
    if (said === undefined) return { errors: [], advice: [] };
    return said instanceof Uint8Array ? { errors: [], advice: read(said) } : said;
  }

  const advise = (request, options) => validate(request, options).advice;

  /** Advice from two bytes each. */
  function read(bytes) {
    const advice = [];
    for (let n = 0; n < bytes.length; n += 2) advice.push({ index: bytes[n], ...advices[bytes[n + 1]] });
    return advice;
  }

  function written(text) {
    if (typeof text !== "string") throw new TypeError("text must be a string");
    return writeText(text);
  }

  const checkKey = (text) => check_key(written(text));
  const checkToken = (text) => check_token(written(text));

  return { validate, advise, checkKey, checkToken, ...names };
}
