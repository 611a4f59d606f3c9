// Overturn as it was built, over Durable Objects with SQLite instead of D1. WAY says how:
//
//   object   one object has the database
//   objects  each practice has an object. NAMES tells it for each of a batch's parameters that names a practice or a key
//   inside   one object has the database and the service: the Worker only passes requests on

import { DurableObject } from "cloudflare:workers";
import service from "../../../build/index.js";

export { Limiter } from "../../../build/index.js";

const ONE = "all";

/** Runs statements in one transaction, and gives what D1 gives of it that the Worker reads. */
function run(storage, batch) {
  const { sql } = storage;
  const one = ([text, params]) => {
    const cursor = sql.exec(text, ...params);
    const results = cursor.toArray();
    const { rowsRead, rowsWritten } = cursor;
    const changes = rowsWritten === 0 ? 0 : sql.exec("SELECT changes() AS n").one().n;
    return { results, meta: { rows_read: rowsRead, rows_written: rowsWritten, changes } };
  };
  return storage.transactionSync(() => batch.map(one));
}

export class Database extends DurableObject {
  #over = over(this.env, (batch) => run(this.ctx.storage, batch));

  run(batch) {
    return run(this.ctx.storage, batch);
  }

  fetch(request) {
    return service.fetch(request, this.#over, this.ctx);
  }
}

/** What the Worker calls of D1. It takes the binding by the name of the class. */
class D1Database {
  #run;

  constructor(run) {
    this.#run = run;
  }

  prepare(sql) {
    return { bind: (...params) => [sql, params] };
  }

  async batch(batch) {
    return this.#run(batch);
  }
}

const over = (env, run) => ({ ...env, DB_000: new D1Database(run) });

function overObjects(env) {
  const names = JSON.parse(env.NAMES);
  const known = (batch) => batch.flatMap(([, params]) => params).find((param) => Object.hasOwn(names, param));
  const name = env.WAY === "objects" ? (batch) => names[known(batch)] : () => ONE;
  return over(env, (batch) => env.OBJECTS.getByName(name(batch)).run(batch));
}

let made;

/** The Worker's environment. It stays the same, or the Worker would make the service anew for each request. */
const remote = (env) => (made ??= overObjects(env));

export default {
  fetch: (request, env, ctx) =>
    env.WAY === "inside" ? env.OBJECTS.getByName(ONE).fetch(request) : service.fetch(request, remote(env), ctx),
};
