// The Worker as it was built, with a side entrance for the tests.
//
// A second program may not write to the database while workerd holds it: whoever comes second is told
// "database is locked" at once. So the tests change rows through the Worker's own binding:
//
//   POST /.tests/database   [{"sql", "params"}]  one D1 batch; answers the rows of each statement
//   POST /.tests/sessions   {"key", "value"?}    puts a value into SESSIONS, if there is one; answers what is there now, and
//                                                how often a "watched" binding has put this key
//   POST /.tests/sweep      what the platform's clock has the Worker do
//   POST /.tests/queue      [{"practice_id", "messages"}]  what the platform's queue hands to the Worker
//   POST /.tests/mail       {"from": {"name", "email"}, "to", "subject", "text"}  one mail, as the Worker sends it
//
// And they say what happens to the database during one request, which passes through otherwise untouched:
//
//   Tests-Database: {"2": {"before": [{"sql", "params"}]}}      other people's batch runs before its second one
//   Tests-Database: {"1": {"fails": "…"}}                       its first batch fails with this message, undone
//   Tests-Database: {"2": {"loses": "…"}}                       its second batch is carried out, then this message
//   Tests-Database: {"*": …}                                    every batch
//
// Likewise for the other bindings; "gone" fails whatever it is asked:
//
//   Tests-Bindings: {"BANS": "gone", "IP_SHIELD": "gone", "LIMITER": "gone", "MAIL": "gone", "WEBHOOKS": "gone"}
//   Tests-Bindings: {"BANS": "stale"}              KV that has not heard of any ban yet
//   Tests-Bindings: {"IP_SHIELD": "open"}          a counter that has seen nobody yet
//   Tests-Bindings: {"SESSIONS": "gone"}           KV that fails whatever it is asked
//   Tests-Bindings: {"SESSIONS": "empty"}          KV that has nothing and keeps nothing
//   Tests-Bindings: {"SESSIONS": "silent"}         KV that never answers
//   Tests-Bindings: {"SESSIONS": {"stale": …}}     KV that has this, whatever it is asked for, and keeps nothing
//   Tests-Bindings: {"SESSIONS": "watched"}        KV as it is, and every write counted
//
// A request can have come by https, as it would on the platform:
//
//   Tests-Scheme: https
//
// And a request can break the wasm module in the middle of a call, as a panic would:
//
//   Tests-Break: yes

import Service from "../../build/index.js";
export * from "../../build/index.js";

export default {
  async fetch(request, env, ctx) {
    if (request.url.endsWith("/.tests/database")) return run(env.DB, request);
    if (request.url.endsWith("/.tests/sessions")) return look(env.SESSIONS, await request.json());
    if (request.url.endsWith("/.tests/mail")) return Response.json(await env.MAIL.send(await request.json()));
    if (request.headers.has("Tests-Break")) return Service.fetch(BREAKING, env, ctx);
    if (request.headers.has("Tests-Scheme")) {
      const url = request.url.replace(/^http:/, `${request.headers.get("Tests-Scheme")}:`);
      return Service.fetch(new Request(url, request), env, ctx);
    }
    const weather = request.headers.get("Tests-Database");
    const bindings = request.headers.get("Tests-Bindings");
    if (weather === null && bindings === null) return enter(request, env, ctx);
    const other = { ...env };
    if (weather !== null) other.DB = new D1Database(env.DB, JSON.parse(weather));
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

async function run(database, request) {
  try {
    return Response.json(await batch(database, await request.json()));
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

async function batch(database, statements) {
  const prepared = statements.map(({ sql, params }) => database.prepare(sql).bind(...params));
  const results = await database.batch(prepared);
  return results.map(({ results }) => results);
}

/** A database in bad weather. Its name is what the Worker knows the binding by. */
class D1Database {
  #database;
  #weather;
  #batches = 0;

  constructor(database, weather) {
    this.#database = database;
    this.#weather = weather;
  }

  prepare(sql) {
    return this.#database.prepare(sql);
  }

  async batch(statements) {
    this.#batches += 1;
    const { before, fails, loses } = this.#weather[this.#batches] ?? this.#weather["*"] ?? {};
    if (before !== undefined) await batch(this.#database, before);
    if (fails !== undefined) throw new Error(fails);
    const results = await this.#database.batch(statements);
    if (loses !== undefined) throw new Error(loses);
    return results;
  }
}

// The Worker knows these by the names of their classes, too.
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
  IP_SHIELD: (_, how) => new Ratelimit(how),
  LIMITER: () => new DurableObjectNamespace(),
  MAIL: () => ({ send: gone }),
  WEBHOOKS: () => new WorkerQueue(),
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
