// Races the checks of one batch: the core in wasm, Zod 4 and Ajv, on the same bytes in one process.
//
//   node bench/checks/run.mjs MODULE [--batch FILE] [--rounds N]
//
//   MODULE    the core's package for Node (build/package/index.js), which exports `validate(bytes) -> {errors, advice}`
//   --batch   a file with the body to check; the batch of batch.mjs without it
//   --rounds  how often each takes its turn (15)
//
// Says how long a batch takes each, in JSON: medians of all rounds in nanoseconds, and medians of the ratios to the core's
// time of the same round.
// Before, all three have to agree on every body of bodies.mjs, Zod in the core's very words.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { validate as ajv } from "./ajv.ts";
import { batch } from "./batch.mjs";
import { bodies } from "./bodies.mjs";
import { validate as zod } from "./zod.ts";

const ROUND_NS = 200_000_000n;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { batch: { type: "string" }, rounds: { type: "string", default: "15" } },
});
const [path] = positionals;
if (path === undefined) throw new Error("which module is the core's? node bench/checks/run.mjs build/package/index.js");
const { validate } = await import(pathToFileURL(resolve(path)));
const core = (bytes) => validate(bytes).errors;

for (const { isValid, bytes } of bodies) {
  const said = core(bytes);
  const text = new TextDecoder().decode(bytes).slice(0, 1000);
  assert.equal(said.length === 0, isValid, text);
  assert.deepEqual(zod(bytes), said, text);
  assert.equal(ajv(bytes).length === 0, isValid, text);
}

const text = values.batch === undefined ? JSON.stringify(batch("CH-", 100)) : readFileSync(values.batch);
const body = new Uint8Array(Buffer.from(text));
const racers = { core, zod, ajv };
const times = { core: [], zod: [], ajv: [] };
// The first turn of each warms up.
for (let round = 0; round <= Number(values.rounds); round += 1) {
  for (const [name, check] of Object.entries(racers)) {
    const time = turn(check);
    if (round > 0) times[name].push(time);
  }
}

/** Nanoseconds a batch over one turn. */
function turn(check) {
  const began = process.hrtime.bigint();
  let now = began;
  let count = 0;
  while (now - began < ROUND_NS) {
    if (check(body).length > 0) throw new Error("the batch is not valid");
    count += 1;
    now = process.hrtime.bigint();
  }
  return Number(now - began) / count;
}

const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];
const ns = Object.fromEntries(Object.entries(times).map(([name, list]) => [name, Math.round(median(list))]));
const ratios = (name) => median(times[name].map((time, round) => time / times.core[round]));
const ratio = { zod: ratios("zod"), ajv: ratios("ajv") };
const report = { bytes: body.length, bodies: bodies.length, rounds: Number(values.rounds), ns, ratio };
process.stdout.write(`${JSON.stringify(report)}\n`);
