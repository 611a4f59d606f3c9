// What the package does in every runtime. So this file uses nothing that one of them lacks.

import * as core from "@overturn/core";
import { checkObjects } from "./objects.mjs";

const MEBIBYTE = 1024 * 1024;
const encoder = new TextEncoder();

/** The same value whatever the order of its keys. */
function sorted(value) {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])]));
}

/**
 * Holds the package to the golden file; answers how many comparisons were made, and throws at the first that fails.
 * `another` is the global object of another realm, where the runtime has one.
 */
export function check(golden, another) {
  let made = 0;
  function equal(name, found, expected) {
    const [a, b] = [found, expected].map((value) => JSON.stringify(sorted(value)));
    if (a !== b) throw new Error(`${name}: found ${a}, expected ${b}`);
    made += 1;
  }
  function throws(name, call) {
    try {
      call();
    } catch (error) {
      return equal(name, error instanceof TypeError, true);
    }
    throw new Error(`${name}: nothing was thrown`);
  }

  for (const { name, request, body = JSON.stringify(request), errors, advice, ...rest } of golden.requests) {
    const now = new Date(rest.now ?? golden.now);
    const expected = { errors, advice };
    equal(`${name}, as text`, core.validate(body, { now }), expected);
    equal(`${name}, as bytes`, core.validate(encoder.encode(body), { now }), expected);
    if (request === undefined) continue;
    equal(`${name}, as an object`, core.validate(request, { now }), expected);
    equal(`the advice on ${name}`, core.advise(request, { now }), advice);
  }
  for (const { text, answer } of golden.keys) equal(`the key ${text}`, core.checkKey(text), answer);
  for (const { text, answer } of golden.tokens) equal(`the token ${text}`, core.checkToken(text), answer);

  largeBodies(equal, golden);
  otherInput(equal, throws, golden);
  for (const realm of another === undefined ? [globalThis] : [globalThis, another]) bytes(equal, throws, golden, realm);
  checkObjects(equal, throws, golden.now);
  names(equal);
  return made;
}

function largeBodies(equal, golden) {
  const now = new Date(golden.now);
  const { request } = golden.requests.find(({ errors, advice }) => errors.length + advice.length === 0);
  const padded = (bytes, pad) => {
    const body = JSON.stringify(request);
    return body + pad.repeat((bytes - body.length) / encoder.encode(pad).length);
  };
  const over = { errors: ["body is over 2 MiB"], advice: [] };
  const fits = { errors: [], advice: [] };
  for (const [bytes, expected] of [[2 * MEBIBYTE, fits], [2 * MEBIBYTE + 1, over], [9 * MEBIBYTE, over]]) {
    const text = padded(bytes, " ");
    equal(`${bytes} bytes of text`, core.validate(text, { now }), expected);
    equal(`${bytes} bytes`, core.validate(encoder.encode(text), { now }), expected);
  }
  // Fewer characters than the limit, and more bytes: bytes count.
  equal("two bytes a character", core.validate(padded(2 * MEBIBYTE + 4096, "é"), { now }), over);

  // As deep as a body can nest.
  const notJson = { errors: ["body must be valid JSON"], advice: [] };
  for (const head of ["", '{"note":', '{"patient":', '{"claim":{"denial_codes":']) {
    equal(`open brackets after ${head}`, core.validate(head + "[".repeat(2 * MEBIBYTE - head.length)), notJson);
  }

  const claims = Array.from({ length: 100 }, (_, n) => ({
    ...request,
    claim: { ...request.claim, claim_number: `A-${n}` },
  }));
  equal("a batch of 100", core.validate({ claims }, { now }), fits);
  // The answer is longer than the input.
  const wrong = core.validate({ claims: Array(100).fill({}) }, { now });
  equal("every problem of 100", wrong.errors.length, 900);
  equal("the last problem", wrong.errors[899], "claims[99]: claim.denial_codes or claim.denial_reason is required");
}

/** Bytes and dates of a realm, which has its own constructors of them. */
function bytes(equal, throws, golden, { ArrayBuffer, DataView, Date, Float64Array, Uint8Array }) {
  const { request } = golden.requests[0];
  const wrong = { ...request, patient: { ...request.patient, first_name: "" } };
  const expected = { errors: ["patient.first_name is required"], advice: [] };
  // Places bytes at every alignment, with other bytes on both sides that must not be read.
  const text = JSON.stringify(wrong);
  const body = encoder.encode(text.padEnd(Math.ceil(text.length / 8) * 8));
  const buffer = new ArrayBuffer(body.length + 16);
  new Uint8Array(buffer).fill(0xff).set(body, 8);
  for (const view of [
    new Uint8Array(buffer, 8, body.length),
    new Float64Array(buffer, 8, body.length / 8),
    new DataView(buffer, 8, body.length),
    buffer.slice(8, -8),
  ]) {
    equal(`bytes in a ${view.constructor.name}`, core.validate(view, { now: new Date(golden.now) }), expected);
  }
  throws("a date that is none", () => core.validate(request, { now: new Date("never") }));
}

function otherInput(equal, throws, golden) {
  const { request } = golden.requests[0];
  equal("the clock is the host's", core.validate(request), { errors: [], advice: [] });
  const notJson = { errors: ["body must be valid JSON"], advice: [] };
  equal("bytes that are not UTF-8", core.validate(new Uint8Array([0x22, 0xff, 0x22])), notJson);
  equal("nothing", core.validate(undefined), notJson);
  equal("a part of a buffer", core.validate(encoder.encode(`x${JSON.stringify(request)}x`).subarray(1, -1)), {
    errors: [],
    advice: [],
  });
  equal("what JSON.stringify makes of a value", core.validate({ toJSON: () => request }), { errors: [], advice: [] });
  const circle = {};
  circle.circle = circle;
  throws("a value that is no JSON", () => core.validate(circle));
  const future = (now) => core.validate(request, { now: new Date(now) }).errors.length;
  equal("the last time a Date can hold", future(8.64e15), 0);
  equal("the first time a Date can hold", future(-8.64e15), 3);
  throws("a time that is no Date", () => core.validate(request, { now: Date.now() }));
  throws("a key that is no text", () => core.checkKey(undefined));
  // No call leaves anything behind for the next one.
  equal("a short key after a long body", core.checkKey("").problem, "prefix");
}

function names(equal) {
  equal("statuses", core.statuses, ["received", "reviewing", "in_report", "in_appeal", "recovered", "closed"]);
  equal("moves from statuses", Object.keys(core.moves).sort(), [...core.statuses].sort());
  equal("moves from in_appeal", core.moves.in_appeal, ["recovered", "closed"]);
  equal("moves to statuses", Object.values(core.moves).flat().every((to) => core.statuses.includes(to)), true);
  equal("nobody changes them", Object.isFrozen(core.moves) && Object.isFrozen(core.moves.in_appeal), true);
}
