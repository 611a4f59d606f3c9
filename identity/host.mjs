// Runs the module that answers questions, and replaces its instance after a panic.

/** The most bytes that a question may have. */
const QUESTION_MAX = 1 << 20;

/** An instance with more memory than this is not used again, because the memory of an instance never shrinks. */
const MEMORY_MAX = 16 << 20;

/** The most that the platform gives for one call of getRandomValues. */
const RANDOM_MAX = 1 << 16;

/** The errors of WASI that the functions below return. */
const SUCCESS = 0;
const BAD_DESCRIPTOR = 8;
const NOT_SUPPORTED = 58;

/** The functions for files. There are none, so every descriptor and folder that the module could name is unknown. */
const FILES = [
  "fd_close",
  "fd_fdstat_get",
  "fd_filestat_get",
  "fd_prestat_get",
  "fd_prestat_dir_name",
  "fd_read",
  "path_filestat_get",
  "path_open",
  "path_readlink",
];

/** Answers requests with a compiled module (src/wasm.rs). */
export class Host {
  #module;
  #log;
  #instance;

  /** `log(line)` gets one line of JSON after each failure. */
  constructor(module, log) {
    this.#module = module;
    this.#log = log;
  }

  /** Answers a posted question: 200 with JSON. 400 for an unreadable question, 404 for an unknown path. */
  async fetch(request) {
    if (request.method !== "POST") return new Response(null, { status: 405, headers: { Allow: "POST" } });
    const body = await readQuestion(request.body);
    if (body === null) return new Response(null, { status: 413 });
    const path = new TextEncoder().encode(new URL(request.url).pathname);
    const { status, answer } = this.#ask(path, body);
    if (status !== 200) return new Response(null, { status });
    return new Response(answer, { headers: { "Content-Type": "application/json" } });
  }

  #ask(path, body) {
    const errors = [];
    try {
      this.#instance ??= start(this.#module, errors);
      this.#instance.errors = errors;
      const reply = exchange(this.#instance.exports, path, body);
      if (this.#instance.exports.memory.buffer.byteLength > MEMORY_MAX) this.#instance = undefined;
      return reply;
    } catch (error) {
      // What a panic leaves behind may be half done.
      this.#instance = undefined;
      // Only the place: the rest of the text can hold values of the question.
      const [, at] = /panicked at (\S+:\d+:\d+)/.exec(errors.join("")) ?? [];
      this.#log(JSON.stringify({ event: "identity_failed", kind: error.name, at }));
      return { status: 500 };
    }
  }
}

/** The whole body, or null if it is larger than QUESTION_MAX. */
async function readQuestion(stream) {
  const chunks = [];
  let size = 0;
  for await (const chunk of stream ?? []) {
    size += chunk.byteLength;
    if (size > QUESTION_MAX) return null;
    chunks.push(chunk);
  }
  const body = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    body.set(chunk, at);
    at += chunk.byteLength;
  }
  return body;
}

/** Asks the module. Its reply is a length of 4 bytes, a status of 2 bytes, and the answer. */
function exchange({ memory, reserve, ask, release }, path, body) {
  const size = path.byteLength + body.byteLength;
  const question = reserve(size) >>> 0;
  const bytes = new Uint8Array(memory.buffer, question, size);
  bytes.set(path);
  bytes.set(body, path.byteLength);
  const reply = ask(question, path.byteLength, size) >>> 0;
  const head = new DataView(memory.buffer, reply, 6);
  const length = head.getUint32(0, true);
  const status = head.getUint16(4, true);
  const answer = memory.buffer.slice(reply + 6, reply + 6 + length);
  release(reply, 6 + length);
  return { status, answer };
}

/** A new instance. Its text for standard error goes to `errors`. */
function start(module, errors) {
  const instance = { exports: undefined, errors };
  const memory = () => instance.exports.memory.buffer;
  const wasi = {
    clock_time_get(clock, _precision, at) {
      // The real time is the only clock.
      if (clock !== 0) return NOT_SUPPORTED;
      new DataView(memory()).setBigUint64(at >>> 0, BigInt(Date.now()) * 1_000_000n, true);
      return SUCCESS;
    },
    random_get(at, size) {
      const bytes = new Uint8Array(memory(), at >>> 0, size >>> 0);
      for (let from = 0; from < bytes.byteLength; from += RANDOM_MAX) {
        crypto.getRandomValues(bytes.subarray(from, from + RANDOM_MAX));
      }
      return SUCCESS;
    },
    fd_write(descriptor, parts, count, written) {
      if (descriptor !== 1 && descriptor !== 2) return BAD_DESCRIPTOR;
      const view = new DataView(memory());
      let size = 0;
      for (let n = 0; n < count; n += 1) {
        const [at, length] = [0, 4].map((offset) => view.getUint32((parts >>> 0) + n * 8 + offset, true));
        instance.errors.push(new TextDecoder().decode(new Uint8Array(memory(), at, length)));
        size += length;
      }
      view.setUint32(written >>> 0, size, true);
      return SUCCESS;
    },
    proc_exit() {
      throw new Error("the module ended");
    },
    // The environment is empty.
    environ_sizes_get(count, size) {
      const view = new DataView(memory());
      view.setUint32(count >>> 0, 0, true);
      view.setUint32(size >>> 0, 0, true);
      return SUCCESS;
    },
    environ_get: () => SUCCESS,
  };
  for (const name of FILES) wasi[name] = () => BAD_DESCRIPTOR;
  instance.exports = new WebAssembly.Instance(module, { wasi_snapshot_preview1: wasi }).exports;
  instance.exports._initialize();
  return instance;
}
