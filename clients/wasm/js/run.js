// A run over remittances. Each has an instance of the module, because the memory of an instance never shrinks. It goes when the run ends.
//
// Bytes cross in one buffer of the instance: reserve(n) makes room and returns its address, and a function takes the number of bytes that were written there.

import { bytesOf, instant } from "./host.js";

/** The most bytes that cross at once, so a large chunk needs no large buffer. */
const SLICE = 256 * 1024;
/** The bytes of a file between two reports of progress. */
const PROGRESS = 1024 * 1024;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** An option that is text; nothing if it is absent. */
function text(name, value) {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "string") throw new TypeError(`${name} must be a string`);
  return value;
}

function parts(bytes) {
  if (bytes.length <= SLICE) return [bytes];
  const count = Math.ceil(bytes.length / SLICE);
  return Array.from({ length: count }, (_, at) => bytes.subarray(at * SLICE, (at + 1) * SLICE));
}

/** The chunks of whatever a file's data may be. A stream that is left early is canceled. */
async function* chunksOf(data) {
  const bytes = bytesOf(data);
  if (bytes !== undefined) {
    yield bytes;
    return;
  }
  const stream = typeof data?.stream === "function" ? data.stream() : data;
  // Some browsers cannot iterate over a ReadableStream.
  if (typeof stream?.getReader !== "function") {
    if (typeof stream !== "object" || stream === null) throw new TypeError("the data of a file must be bytes, a Blob or a stream of bytes");
    yield* stream;
    return;
  }
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** The name and the data of a file: of a File, or of `{ name, data }`. */
function named(file) {
  const data = typeof file?.stream === "function" ? file : file?.data;
  if (data === undefined) throw new TypeError("a file must be a File or have a name and data");
  return { name: text("the name of a file", file.name) ?? "", data };
}

/** The exports of the package, from the compiled module. */
export function open(module) {
  class Remit {
    /** The instance's functions; nothing after the end of the run. */
    #wasm;

    constructor(options) {
      const { now = new Date(), births, payers, carcs, appendDay = false, explain } = options ?? {};
      const at = instant(now);
      const settings = {
        births: text("births", births),
        payers: text("payers", payers),
        carcs: text("carcs", carcs),
        append_day: Boolean(appendDay),
        explain: text("explain", explain),
      };
      this.#wasm = new WebAssembly.Instance(module, {}).exports;
      const problem = this.#answer(this.#call("begin", this.#write(encoder.encode(JSON.stringify(settings))), at));
      if (problem !== "") {
        this.free();
        throw new TypeError(problem);
      }
    }

    /** Begins a file. */
    open(name) {
      if (typeof name !== "string") throw new TypeError("the name of a file must be a string");
      this.#call("open", this.#write(encoder.encode(name)));
    }

    /** Reads the next bytes of the file. */
    push(chunk) {
      const bytes = bytesOf(chunk);
      if (bytes === undefined) throw new TypeError("a chunk must be bytes");
      return parts(bytes).every((part) => this.#call("push", this.#write(part)) === 1);
    }

    /** Ends the file. */
    close() {
      this.#call("close");
    }

    get claimPayments() {
      return this.#call("claim_payments") >>> 0;
    }

    /** Decides on all claims, and ends the run. */
    finish() {
      try {
        const { files, counts, explanation, births_bad_lines, missing_plans } = JSON.parse(this.#answer(this.#call("finish")));
        return {
          claims: this.#list("claims"),
          held: this.#list("held"),
          missing_births: this.#list("missing_births"),
          births_template: this.#answer(this.#call("births_template")),
          births_bad_lines,
          files,
          counts,
          missing_plans,
          explanation,
        };
      } finally {
        this.free();
      }
    }

    /** Ends the run without a result. */
    free() {
      this.#wasm = undefined;
    }

    #call(name, ...values) {
      if (this.#wasm === undefined) throw new Error("the run has ended");
      try {
        return this.#wasm[name](...values);
      } catch (cause) {
        // The module catches every error but one: no more memory. After that its state is unknown.
        this.free();
        throw new Error("the run has failed, probably for lack of memory", { cause });
      }
    }

    /** Bytes of the buffer. Made anew for each call, because memory that grows has a new ArrayBuffer. */
    #buffer(length) {
      const at = this.#call("reserve", length) >>> 0;
      return new Uint8Array(this.#wasm.memory.buffer, at, length);
    }

    #write(bytes) {
      this.#buffer(bytes.length).set(bytes);
      return bytes.length;
    }

    #answer(length) {
      return length === 0 ? "" : decoder.decode(this.#buffer(length >>> 0));
    }

    #list(name) {
      const list = [];
      for (;;) {
        const piece = this.#answer(this.#call(name));
        if (piece === "") return list;
        for (const item of JSON.parse(piece)) list.push(item);
      }
    }
  }
  if (Symbol.dispose !== undefined) Remit.prototype[Symbol.dispose] = Remit.prototype.free;

  /** Reads one file to its end, or to where it cannot be read any further. */
  async function read(run, file, onProgress, signal) {
    const { name, data } = named(file);
    run.open(name);
    let bytes = 0;
    let told = 0;
    const tell = () => {
      told = bytes;
      onProgress?.({ name, bytes, claimPayments: run.claimPayments });
    };
    const take = (part) => {
      signal?.throwIfAborted();
      const goesOn = run.push(part);
      bytes += part.length;
      if (bytes - told >= PROGRESS) tell();
      return goesOn;
    };
    for await (const chunk of chunksOf(data)) {
      const all = bytesOf(chunk);
      if (all === undefined) throw new TypeError("a chunk must be bytes");
      if (!parts(all).every(take)) break;
    }
    run.close();
    tell();
  }

  async function remit(files, { onProgress, signal, ...options } = {}) {
    const run = new Remit(options);
    try {
      for await (const file of files) await read(run, file, onProgress, signal);
      signal?.throwIfAborted();
      return run.finish();
    } finally {
      run.free();
    }
  }

  return { Remit, remit };
}
