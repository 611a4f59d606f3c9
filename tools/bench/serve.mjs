// Serves one of the measured Workers under workerd. All are served the same way: the same bindings, the same kind of state,
// and a socket on the Worker without a proxy.
//
//   node tools/bench/serve.mjs --worker overturn|object|objects|inside|peer|floor|pipe [--port N] [--state DIR] [--heap]
//     [--delay-ms N]
//
// --port, --state and OVERTURN_VARS are those of tools/dev/serve.mjs. The state must be migrated. A request has to bring its own
// address (CF-Connecting-IP), because there is no proxy to add it.
//
// Standard output has one line `{"event":"listening","port":N,"pid":P}`, in which P is workerd. With --heap, lines
// `{"heap":BYTES}` follow: the memory of the Worker's isolate, by the inspector (tools/bench/heap.mjs). With --delay-ms, each trip to
// the database takes so much longer. Log lines go to the runtime,
// which drops them. It ends as tools/dev/serve.mjs does.

import { basename, dirname, join } from "node:path";
import { host } from "../dev/host.mjs";
import { builtModules } from "../dev/modules.mjs";
import { readOptions } from "../dev/options.mjs";
import { ROOT, readConfiguration, serviceOptions } from "../dev/service.mjs";
import { BUNDLES, bundle, bundleWorker } from "./build.mjs";
import { freePort, watchHeap } from "./heap.mjs";
import { overObjects } from "./object/state.mjs";

/** Overturn over Durable Objects instead of D1: see object/index.js. */
const OVER_OBJECTS = ["object", "objects", "inside"];
const WORKERS = ["overturn", ...OVER_OBJECTS, ...BUNDLES];

// One address sends everything. It is counted like any other, but never banned.
const IP_LIMIT = 10_000_000;

function modules(name) {
  if (BUNDLES.includes(name)) return { modulesRoot: dirname(bundle(name)), modules: [{ type: "ESModule", path: bundle(name) }] };
  const built = builtModules(ROOT);
  if (OVER_OBJECTS.includes(name)) built.modules.unshift({ type: "ESModule", path: join(ROOT, "tools/bench/object/index.js") });
  return built;
}

/** The same with a far database. Batches are the only way in which the Workers ask it. Overturn knows a binding by its class. */
function far({ modulesRoot, modules }, ms) {
  const main = modules[0].path;
  const contents = `
import main from "./${basename(main)}";
export * from "./${basename(main)}";
class D1Database {
  constructor(near) { this.near = near; }
  prepare(sql) { return this.near.prepare(sql); }
  async batch(statements) {
    await new Promise((go) => setTimeout(go, ${ms}));
    return this.near.batch(statements);
  }
}
// The environment stays the same, or the Worker would make the service anew for each request.
let made;
const far = (env) => (made ??= { ...env, DB_000: new D1Database(env.DB_000) });
export default { ...main, fetch: (request, env, ctx) => main.fetch(request, far(env), ctx) };
`;
  return { modulesRoot, modules: [{ type: "ESModule", path: join(dirname(main), "far.mjs"), contents }, ...modules] };
}

function options({ worker, vars, "delay-ms": delay, ...rest }) {
  const config = readConfiguration();
  for (const limiter of config.ratelimits) limiter.simple.limit = IP_LIMIT;
  const more = OVER_OBJECTS.includes(worker) ? overObjects(worker, config, rest.state) : {};
  const near = modules(worker);
  const served = delay === undefined ? near : far(near, Number(delay));
  return serviceOptions({ ...rest, vars: { ...vars, ...more } }, config, served, () => {});
}

function choose() {
  const chosen = readOptions(process.argv.slice(2), process.env, {
    worker: { type: "string" },
    heap: { type: "boolean" },
    "delay-ms": { type: "string" },
  });
  if (!WORKERS.includes(chosen.worker)) throw new Error(`--worker is one of ${WORKERS.join(", ")}`);
  return chosen;
}

let inspector;

await host(async () => {
  const chosen = choose();
  if (BUNDLES.includes(chosen.worker)) await bundleWorker(chosen.worker);
  if (chosen.heap) inspector = await freePort();
  return { ...options(chosen), ...(inspector && { inspectorPort: inspector }) };
}, async (workerd) => {
  if (inspector) await watchHeap(inspector, (heap) => process.stdout.write(`${JSON.stringify({ heap })}\n`));
  return { pid: workerd.pid };
}, true);
