// The cases of remittances, which every runtime runs. remit.json has what the crate itself says of them.

import { Remit, remit } from "@overturn/core/remit";

const SIZES = [1, 7, 65536];

const bytesOf = (latin1) => Uint8Array.from(latin1, (character) => character.charCodeAt(0));

function* chunks(bytes, size) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** JSON with sorted keys. */
const sorted = (value) =>
  JSON.stringify(value, (_, inner) =>
    inner && typeof inner === "object" && !Array.isArray(inner) ? Object.fromEntries(Object.entries(inner).sort()) : inner,
  );

/** Without the bytes that were handed over before a file could not be read any further. They depend on the chunks. */
const settled = (outcome) => ({
  ...outcome,
  files: outcome.files.map((file) => (file.error === null ? file : { ...file, bytes: null })),
});

/** The outcome of the plain calls. */
function pushed({ files, options }, size) {
  const run = new Remit(options);
  for (const { name, bytes } of files) {
    run.open(name);
    for (const chunk of chunks(bytes, size)) if (!run.push(chunk)) break;
    run.close();
  }
  return run.finish();
}

/** Files of every kind of data. */
const KINDS = {
  bytes: (bytes) => bytes,
  "a buffer": (bytes) => bytes.slice().buffer,
  "a Blob": (bytes) => new Blob([bytes]),
  "a ReadableStream": (bytes) => new Blob([bytes]).stream(),
  "an iterable": (bytes) => [...chunks(bytes, 100)],
  "an async iterable": async function* (bytes) {
    yield* chunks(bytes, 1000);
  },
};

/** Compares every run with what the crate says of it, and answers how many comparisons were made. */
export async function checkRemit(golden) {
  let made = 0;
  const equal = (name, found, expected) => {
    made += 1;
    if (sorted(found) !== sorted(expected)) throw new Error(`${name}:\n${sorted(found)}\ninstead of\n${sorted(expected)}`);
  };
  const throws = async (name, call, kind, text) => {
    made += 1;
    let error;
    try {
      await call();
    } catch (caught) {
      error = caught;
    }
    if (!(error instanceof kind) || (text !== undefined && error.message !== text)) throw new Error(`${name}: ${error}`);
  };

  const now = new Date(golden.now);
  for (const { name, options: { append_day, ...rest }, files: texts, outcome } of golden.runs) {
    const options = { ...rest, ...(append_day && { appendDay: true }), now };
    const files = texts.map((file) => ({ name: file.name, bytes: bytesOf(file.latin1) }));
    if (outcome.error !== undefined) {
      await throws(name, () => new Remit(options), TypeError, outcome.error);
      continue;
    }
    const expected = settled(outcome);
    for (const size of SIZES) equal(`${name}, in chunks of ${size}`, settled(pushed({ files, options }, size)), expected);
    for (const [kind, data] of Object.entries(KINDS)) {
      const found = await remit(files.map((file) => ({ name: file.name, data: data(file.bytes) })), options);
      equal(`${name}, as ${kind}`, settled(found), expected);
    }
  }
  await lifetimes(golden, equal, throws);
  await reading(golden, equal, throws);
  return made;
}

/** The first run, whose files are a remittance and its claim file. */
function first(golden) {
  const { files, outcome } = golden.runs[0];
  return { files: files.map(({ name, latin1 }) => ({ name, data: bytesOf(latin1) })), options: { now: new Date(golden.now) }, outcome };
}

async function lifetimes(golden, equal, throws) {
  const { files, options, outcome } = first(golden);
  const ended = "the run has ended";
  const run = new Remit(options);
  const another = new Remit(options);
  for (const { name, data } of files) {
    run.open(name);
    equal("the file goes on", run.push(data), true);
  }
  equal("claim payments", [run.claimPayments, another.claimPayments], [2, 0]);
  equal("a run of its own", run.finish(), outcome);
  const calls = { open: "x", push: new Uint8Array(1), close: undefined, finish: undefined };
  for (const [name, value] of Object.entries(calls)) await throws(`${name} after the end`, () => run[name](value), Error, ended);
  await throws("claimPayments after the end", () => run.claimPayments, Error, ended);
  run.free();
  another.free();
  await throws("finish after free", () => another.finish(), Error, ended);
  if (Symbol.dispose !== undefined) {
    const disposed = new Remit(options);
    disposed[Symbol.dispose]();
    await throws("finish after dispose", () => disposed.finish(), Error, ended);
  }
  const broken = new Remit(options);
  broken.open("x");
  equal("a file that is not X12", [broken.push(bytesOf("not X12")), broken.push(files[0].data)], [true, false]);
  equal("the next file", (broken.open("y"), broken.push(files[0].data)), true);
  equal("both are reported", broken.finish().files.map(({ error }) => error !== null), [true, false]);
  await throws("a chunk of text", () => new Remit(options).push("ISA"), TypeError);
  await throws("a name that is no text", () => new Remit(options).open(1), TypeError);
  await throws("a date that is none", () => new Remit({ now: new Date("never") }), TypeError);
  await throws("a CSV file that is no text", () => new Remit({ births: new Uint8Array(1) }), TypeError);
}

async function reading(golden, equal, throws) {
  const { files, options, outcome } = first(golden);
  const seen = [];
  const found = await remit(files, { ...options, onProgress: (progress) => seen.push(progress) });
  equal("the outcome with progress", found, outcome);
  const [era, claims] = files;
  equal("progress", seen, [
    { name: era.name, bytes: era.data.length, claimPayments: 2 },
    { name: claims.name, bytes: claims.data.length, claimPayments: 2 },
  ]);
  async function* oneByOne() {
    yield* files;
  }
  equal("a sequence of files", await remit(oneByOne(), options), outcome);
  if (globalThis.File !== undefined) {
    const asFiles = files.map(({ name, data }) => new File([data], name));
    equal("Files", await remit(asFiles, options), outcome);
  }
  // 3 MiB of spaces before the remittance, in one chunk: reported in between.
  const padded = new Uint8Array(3 * 1024 * 1024 + era.data.length).fill(32);
  padded.set(era.data, 3 * 1024 * 1024);
  const steps = [];
  await remit([{ name: "padded", data: padded }], { ...options, onProgress: ({ bytes }) => steps.push(bytes) });
  equal("progress within a file", [steps.length, steps.at(-1)], [4, padded.length]);

  const mine = new Error("mine");
  async function* failing() {
    yield era.data;
    throw mine;
  }
  await throws("what a stream throws", () => remit([{ name: "x", data: failing() }], options), Error, "mine");
  await throws("a file without data", () => remit([{ name: "x" }], options), TypeError);
  await throws("a file that is text", () => remit(["x"], options), TypeError);
  await throws("data that is text", () => remit([{ name: "x", data: "ISA" }], options), TypeError);
  await throws("data of numbers", () => remit([{ name: "x", data: [1] }], options), TypeError);
  const stopped = new AbortController();
  stopped.abort(mine);
  await throws("a signal", () => remit(files, { ...options, signal: stopped.signal }), Error, "mine");

  let canceled = false;
  const endless = new ReadableStream({
    pull: (controller) => controller.enqueue(bytesOf("text before ISA*00*")),
    cancel: () => {
      canceled = true;
    },
  });
  const report = await remit([{ name: "endless", data: endless }], options);
  equal("a stream that cannot be read is canceled", [canceled, report.files[0].error !== null], [true, true]);
}
