// The built Worker, with a test entrance.
//
// While workerd has the database open, a second program gets "database is locked" at once. So the tests change rows through
// the Worker's own binding:
//
//   POST /.tests/database   [{"sql", "params", "cell"?}]  one D1 batch; returns the rows of each statement. With several
//                                                databases, it runs as native/src/entrance/database.rs says
//   POST /.tests/sessions   {"key", "value"?}    writes a value, if given, to SESSIONS; returns the current value, and how
//                                                often a "watched" binding has written this key
//   POST /.tests/bucket     {"name", "cut"}?     takes bytes off the end of an object, if one is named, or with "lose" all of
//                                                it; returns the names of the objects in DOCUMENTS
//   POST /.tests/sweep      runs the Worker's scheduled job
//   POST /.tests/queue      [{"practice_id", "messages"}]  runs the Worker's queue consumer
//   POST /.tests/mail       {"from": {"name", "email"}, "to", "subject", "text"}  sends an email through the binding
//
// A header makes the database misbehave during one request. The request itself is passed on unchanged:
//
//   Tests-Database: {"2": {"before": [{"sql", "params"}]}}      another batch runs before its second one
//   Tests-Database: {"1": {"fails": "…"}}                       its first batch is rolled back and fails with this message
//   Tests-Database: {"2": {"loses": "…"}}                       its second batch succeeds and then fails with this message
//   Tests-Database: {"3+": …}                                   its third batch and all behind it
//
// The same for the other bindings; "gone" fails on every call:
//
//   Tests-Bindings: {"BANS": "gone", "IP_LIMITER": "gone", "LIMITER": "gone", "MAIL": "gone", "WEBHOOKS": "gone",
//                   "IDENTITY": "gone"}
//   Tests-Bindings: {"BANS": "stale"}              KV that does not know any ban yet
//   Tests-Bindings: {"IP_LIMITER": "open"}          a counter that has not counted anything
//   Tests-Bindings: {"SESSIONS": "gone"}           KV that fails on every call
//   Tests-Bindings: {"SESSIONS": "empty"}          KV that is empty and stores nothing
//   Tests-Bindings: {"SESSIONS": "silent"}         KV that never answers
//   Tests-Bindings: {"SESSIONS": {"stale": …}}     KV that returns this for every key and stores nothing
//   Tests-Bindings: {"SESSIONS": "watched"}        normal KV, with every write counted
//
//   Tests-Bindings: {"IDENTITY": "silent"}         an identity Worker that never answers
//   Tests-Bindings: {"IDENTITY": "junk"}           an identity Worker whose answers are no answers
//   Tests-Bindings: {"IDENTITY": "unserved"}       what wrangler answers while the identity Worker is not served
//
// The bucket of documents fails on some of its steps: put, head, get, delete, begin, part1, part2 and so on, complete, abort:
//
//   Tests-Bindings: {"DOCUMENTS": {"put": "fails"}}         nothing is done, and the step fails
//   Tests-Bindings: {"DOCUMENTS": {"complete": "loses"}}    the step is done and then fails
//   Tests-Bindings: {"DOCUMENTS": {"part2": "breaks"}}      a part is read for a while and then fails
//   Tests-Bindings: {"DOCUMENTS": {"part2": "hangs"}}       a part is read for a while and then waits
//   Tests-Bindings: {"DOCUMENTS": {"get": {"breaks": 9}}}   an object is sent up to this byte, and then the bucket fails
//   Tests-Bindings: {"DOCUMENTS": {"get": {"ends": 9}}}     an object ends at this byte as if it had no more
//   Tests-Bindings: {"DOCUMENTS": {"get": {"hangs": 9}}}    an object is sent up to this byte, and then nothing comes
//   Tests-Bindings: {"DOCUMENTS": {"get": "waits"}}         the bucket answers when the object is gone
//
// A request can look as if it came by https, as on the platform:
//
//   Tests-Scheme: https
//
// A request can break the wasm module during a call, as a panic would:
//
//   Tests-Break: yes

import Service from "../../build/index.js";
export * from "../../build/index.js";

export default {
  async fetch(request, env, ctx) {
    if (request.url.endsWith("/.tests/database")) return run(cells(env), request);
    if (request.url.endsWith("/.tests/sessions")) return look(env.SESSIONS, await request.json());
    if (request.url.endsWith("/.tests/bucket")) return bucket(env.DOCUMENTS, await request.text());
    if (request.url.endsWith("/.tests/mail")) return Response.json(await env.MAIL.send(await request.json()));
    if (request.headers.has("Tests-Break")) return Service.fetch(BREAKING, env, ctx);
    if (request.headers.has("Tests-Scheme")) {
      const url = request.url.replace(/^http:/, `${request.headers.get("Tests-Scheme")}:`);
      return Service.fetch(new Request(url, request), env, ctx);
    }
    const faults = request.headers.get("Tests-Database");
    const bindings = request.headers.get("Tests-Bindings");
    if (faults === null && bindings === null) return enter(request, env, ctx);
    const other = { ...env };
    if (faults !== null) {
      const shared = { batches: 0, faults: JSON.parse(faults), databases: cells(env) };
      for (const [cell, database] of shared.databases.entries()) other[binding(cell)] = new D1Database(database, shared);
    }
    for (const [name, how] of Object.entries(JSON.parse(bindings ?? "{}"))) other[name] = BROKEN[name](env[name], how);
    return enter(request, other, ctx);
  },

  queue: (batch, env, ctx) => Service.queue(batch, env, ctx),

  scheduled: (event, env, ctx) => Service.scheduled(event, env, ctx),
};

async function enter(request, env, ctx) {
  if (request.url.endsWith("/.tests/sweep")) {
    await Service.scheduled({ cron: "* * * * *" }, env, ctx);
    return new Response(null, { status: 204 });
  }
  if (request.url.endsWith("/.tests/queue")) {
    const messages = (await request.json()).map((body) => ({ body }));
    await Service.queue({ queue: "tests", messages }, env, ctx);
    return new Response(null, { status: 204 });
  }
  return Service.fetch(request, env, ctx);
}

/** A request that does not let itself be read. */
const BREAKING = new Proxy(new Request("http://localhost/"), {
  get() {
    throw new WebAssembly.RuntimeError("broken by a test");
  },
});

const binding = (cell) => `DB_${String(cell).padStart(3, "0")}`;

/** The databases of all cells. */
function cells(env) {
  const all = [];
  while (env[binding(all.length)] !== undefined) all.push(env[binding(all.length)]);
  return all;
}

async function run(databases, request) {
  try {
    return Response.json(await batch(databases, await request.json()));
  } catch (error) {
    return new Response(error.message, { status: 500 });
  }
}

/** How often a watched binding has put a key. */
const puts = new Map();

async function look(sessions, { key, value }) {
  if (value !== undefined) await sessions.put(key, value);
  return Response.json({ value: await sessions.get(key), puts: puts.get(key) ?? 0 });
}

async function bucket(documents, body) {
  if (body !== "") {
    const { name, cut, lose } = JSON.parse(body);
    const bytes = await (await documents.get(name)).arrayBuffer();
    if (lose) await documents.delete(name);
    else await documents.put(name, bytes.slice(0, bytes.byteLength - cut));
  }
  const { objects } = await documents.list();
  return Response.json(objects.map(({ key }) => key));
}

const ID = /^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/i;

/** The cell that statements are for. */
function named(statements) {
  const id = statements.flatMap(({ params }) => params).find((param) => ID.test(param));
  return statements.find(({ cell }) => cell !== undefined)?.cell ?? (id && parseInt(id.slice(-4), 16));
}

async function batch(databases, statements) {
  const at = databases.length > 1 ? databases[named(statements)] : undefined;
  if (at !== undefined) {
    const rows = await batchIn(at, statements);
    const reads = statements.every(({ sql }) => sql.trimStart().startsWith("SELECT"));
    if (!reads || rows.some((found) => found.length > 0)) return rows;
  }
  const all = statements.map(() => []);
  for (const database of databases) (await batchIn(database, statements)).forEach((rows, n) => all[n].push(...rows));
  return all;
}

async function batchIn(database, statements) {
  const prepared = statements.map(({ sql, params }) => database.prepare(sql).bind(...params));
  const results = await database.batch(prepared);
  return results.map(({ results }) => results);
}

/** A database with faults. The Worker checks the name of the binding's class. */
class D1Database {
  #database;
  #shared;

  /** `shared` has the faults of all databases, by the numbers of their batches together. */
  constructor(database, shared) {
    this.#database = database;
    this.#shared = shared;
  }

  prepare(sql) {
    return this.#database.prepare(sql);
  }

  async batch(statements) {
    this.#shared.batches += 1;
    const { batches, faults, databases } = this.#shared;
    const from = Object.keys(faults).find((key) => key.endsWith("+") && parseInt(key) <= batches);
    const { before, fails, loses } = faults[batches] ?? faults[from] ?? {};
    if (before !== undefined) await batch(databases, before);
    if (fails !== undefined) throw new Error(fails);
    const results = await this.#database.batch(statements);
    if (loses !== undefined) throw new Error(loses);
    return results;
  }
}

// The Worker also finds these by their class names.
class Ratelimit {
  constructor(how) {
    this.limit = how === "open" ? async () => ({ success: true }) : gone;
  }
}

class DurableObjectNamespace {
  getByName = () => ({ ask: gone, giveBack: gone });
}

class WorkerQueue {
  send = gone;
}

class Fetcher {
  constructor(how) {
    if (how === "silent") this.fetch = () => new Promise(() => {});
    else if (how === "unserved") this.fetch = async () => new Response("not connected", { status: 503 });
    else if (how === "junk") this.fetch = async () => new Response("junk");
    else this.fetch = gone;
  }
}

class R2Bucket {
  #bucket;
  #faults;

  constructor(bucket, faults) {
    this.#bucket = bucket;
    this.#faults = faults;
  }

  put = (...args) => this.#step("put", () => this.#bucket.put(...args));
  head = (...args) => this.#step("head", () => this.#bucket.head(...args));
  get = (...args) => this.#step("get", () => this.#get(...args));
  delete = (...args) => this.#step("delete", () => this.#bucket.delete(...args));
  resumeMultipartUpload = (...args) => this.#upload(this.#bucket.resumeMultipartUpload(...args));

  async createMultipartUpload(...args) {
    return this.#upload(await this.#step("begin", () => this.#bucket.createMultipartUpload(...args)));
  }

  #upload(upload) {
    return {
      uploadId: upload.uploadId,
      uploadPart: (number, body) => this.#part(`part${number}`, () => upload.uploadPart(number, body), body),
      complete: (parts) => this.#step("complete", () => upload.complete(parts)),
      abort: () => this.#step("abort", () => upload.abort()),
    };
  }

  async #get(key, options) {
    const fault = this.#faults.get;
    if (fault === "waits") {
      while ((await this.#bucket.head(key)) !== null) await scheduler.wait(20);
    }
    const object = await this.#bucket.get(key, options);
    return typeof fault === "object" ? { body: cutOff(object.body, fault) } : object;
  }

  async #part(name, store, body) {
    const fault = this.#faults[name];
    if (fault !== "breaks" && fault !== "hangs") return this.#step(name, store);
    const reader = body.getReader();
    for (let read = 0; read < 3; read += 1) await reader.read();
    if (fault === "hangs") await new Promise(() => {});
    const failure = new Error("broken off");
    await reader.cancel(failure);
    throw failure;
  }

  async #step(name, act) {
    if (this.#faults[name] === "fails") throw new Error("refused");
    const done = await act();
    if (this.#faults[name] === "loses") throw new Error("lost");
    return done;
  }
}

/** The first bytes of a stream, and what the fault says behind them. */
function cutOff(stream, { breaks, ends, hangs }) {
  const { readable, writable } = new IdentityTransformStream();
  const writer = writable.getWriter();
  const pump = async () => {
    let left = breaks ?? ends ?? hangs;
    for await (const piece of stream) {
      if (left === 0) break;
      const bytes = piece.subarray(0, left);
      await writer.write(bytes);
      left -= bytes.byteLength;
    }
    if (breaks !== undefined) await writer.abort(new Error("broken off"));
    if (ends !== undefined) await writer.close();
  };
  pump().catch(() => {});
  return readable;
}

function watched(sessions) {
  return {
    get: (...args) => sessions.get(...args),
    getWithMetadata: gone,
    put: (key, ...args) => {
      puts.set(key, (puts.get(key) ?? 0) + 1);
      return sessions.put(key, ...args);
    },
    list: gone,
    delete: (key) => sessions.delete(key),
  };
}

/** KV that answers every read alike and forgets every write. */
function forgetful(get) {
  return { get, getWithMetadata: gone, put: async () => {}, list: gone, delete: async () => {} };
}

const BROKEN = {
  BANS: (bans, how) => ({
    get: how === "stale" ? async () => null : gone,
    getWithMetadata: gone,
    put: how === "stale" ? (...args) => bans.put(...args) : gone,
    list: gone,
    delete: gone,
  }),
  IP_LIMITER: (_, how) => new Ratelimit(how),
  LIMITER: () => new DurableObjectNamespace(),
  MAIL: () => ({ send: gone }),
  WEBHOOKS: () => new WorkerQueue(),
  IDENTITY: (_, how) => new Fetcher(how),
  DOCUMENTS: (bucket, faults) => new R2Bucket(bucket, faults),
  SESSIONS: (sessions, how) => {
    if (how === "gone") return { get: gone, getWithMetadata: gone, put: gone, list: gone, delete: gone };
    if (how === "watched") return watched(sessions);
    if (how === "silent") return forgetful(() => new Promise(() => {}));
    return forgetful(async () => (how === "empty" ? null : JSON.stringify(how.stale)));
  },
};

async function gone() {
  throw new Error("gone");
}
