// A call throws no exception, not even one that it catches: an exception costs more than the validation. Only a debugger sees a caught exception, so one counts
// them from a thread of its own.

import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { checkKey, validate } from "@overturn/core";
import golden from "./golden.json" with { type: "json" };

const { request } = golden.requests[0];

// Measured before the debugger attaches, which slows everything down.
const COUNT = 20_000;
const start = performance.now();
for (let n = 0; n < COUNT; n += 1) validate(request);
const each = ((performance.now() - start) * 1000) / COUNT;

const counter = new Worker(
  `const { Session } = require("node:inspector");
  const { parentPort } = require("node:worker_threads");
  const session = new Session();
  session.connectToMainThread();
  let thrown = 0;
  session.on("Debugger.paused", () => { thrown += 1; session.post("Debugger.resume"); });
  session.post("Debugger.enable");
  session.post("Debugger.setPauseOnExceptions", { state: "all" }, () => parentPort.postMessage("ready"));
  parentPort.on("message", () => parentPort.postMessage(thrown));`,
  { eval: true },
);
await once(counter, "message");

/** How many exceptions a call throws, caught ones included. */
async function thrownBy(call) {
  const before = await asked();
  call();
  return (await asked()) - before;
}

async function asked() {
  counter.postMessage("how many");
  const [count] = await once(counter, "message");
  return count;
}

const text = JSON.stringify(request);
const bytes = new TextEncoder().encode(text);
const other = { ...request, toJSON: () => request };
const calls = {
  "a value": () => validate(request),
  "a value of a class": () => validate(Object.assign(Object.create({}), request)),
  "a value with toJSON": () => validate(other),
  text: () => validate(text),
  bytes: () => validate(bytes),
  "a buffer": () => validate(bytes.buffer),
  nothing: () => validate(undefined),
  "another time": () => validate(request, { now: new Date(0) }),
  "a key": () => checkKey("ovt_test_"),
};
// Checks the counter itself: two exceptions, one of them caught by the call.
const probe = await thrownBy(() => {
  for (const n of [1, 2]) {
    try {
      throw new Error(String(n));
    } catch {
    }
  }
});
if (probe !== 2) throw new Error(`the debugger counted ${probe} exceptions of 2`);
for (const [name, call] of Object.entries(calls)) {
  const thrown = await thrownBy(call);
  if (thrown !== 0) throw new Error(`validating ${name} throws ${thrown} exceptions`);
}
await counter.terminate();

console.log(`exceptions: none in ${Object.keys(calls).length} kinds of calls; one call takes ${each.toFixed(1)} µs here`);
