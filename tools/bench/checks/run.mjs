// Races the checks of one batch: the core in wasm, Zod 4 and Ajv, in one process. Each takes its turn with the same bytes, and
// with the object parsed from them. `stringified` is the core with `JSON.stringify` before it, for an object.
//
//   node tools/bench/checks/run.mjs MODULE [--batch FILE] [--rounds N]
//
//   MODULE    the core's package for Node (build/package/index.js), which exports `validate(request) -> {errors, advice}`
//   --batch   a file with the body to check; by default the batch of batch.mjs
//   --rounds  how many turns each one takes (15)
//
// Prints JSON with the time of each for a batch: medians of all rounds in nanoseconds, and medians of the ratios to the core's
// time of the same round with the same kind of input. First it checks that all three agree on every body of bodies.mjs. Zod must
// give the same messages as the core.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { validate as ajv, validateObject as ajvObject } from "./ajv.ts";
import { batch } from "./batch.mjs";
import { bodies } from "./bodies.mjs";
import { validate as zod, validateObject as zodObject } from "./zod.ts";

const ROUND_NS = 200_000_000n;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { batch: { type: "string" }, rounds: { type: "string", default: "15" } },
});
const [path] = positionals;
if (path === undefined) throw new Error("which module is the core's? node tools/bench/checks/run.mjs build/package/index.js");
const { validate } = await import(pathToFileURL(resolve(path)));
const core = (request) => validate(request).errors;
const stringified = (request) => validate(JSON.stringify(request)).errors;

for (const { isValid, bytes } of bodies) {
  const said = core(bytes);
  const text = new TextDecoder().decode(bytes).slice(0, 1000);
  assert.equal(said.length === 0, isValid, text);
  assert.deepEqual(zod(bytes), said, text);
  assert.equal(ajv(bytes).length === 0, isValid, text);
  const object = parsed(bytes);
  if (typeof object !== "object") continue;
  assert.deepEqual(core(object), said, text);
  assert.deepEqual(zodObject(object), said, text);
  assert.equal(ajvObject(object).length === 0, isValid, text);
}

/** The parsed bytes; `undefined` if they are not JSON. */
function parsed(bytes) {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

const text = values.batch === undefined ? JSON.stringify(batch("CH-", 100)) : readFileSync(values.batch);
const body = new Uint8Array(Buffer.from(text));
const object = parsed(body);
const racers = {
  bytes: { core: () => core(body), zod: () => zod(body), ajv: () => ajv(body) },
  objects: {
    core: () => core(object),
    zod: () => zodObject(object),
    ajv: () => ajvObject(object),
    stringified: () => stringified(object),
  },
};
const contests = Object.entries(racers).flatMap(([input, checks]) => Object.entries(checks).map(([name, check]) => ({ input, name, check, times: [] })));
// The first turn of each checker is a warm-up.
for (let round = 0; round <= Number(values.rounds); round += 1) {
  for (const { check, times } of contests) {
    const time = turn(check);
    if (round > 0) times.push(time);
  }
}

/** Nanoseconds per batch in one turn. */
function turn(check) {
  const began = process.hrtime.bigint();
  let now = began;
  let count = 0;
  while (now - began < ROUND_NS) {
    if (check().length > 0) throw new Error("the batch is not valid");
    count += 1;
    now = process.hrtime.bigint();
  }
  return Number(now - began) / count;
}

const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];
const results = contests.map(({ input, name, times }) => {
  const base = contests.find((other) => other.input === input && other.name === "core").times;
  return { input, name, ns: Math.round(median(times)), ratio: median(times.map((time, round) => time / base[round])) };
});
const report = { bytes: body.length, bodies: bodies.length, rounds: Number(values.rounds), results };
process.stdout.write(`${JSON.stringify(report)}\n`);
