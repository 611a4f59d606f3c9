// Serves one of the measured Workers under workerd, all of them alike: the same bindings on the same kind of state, a
// socket straight on the Worker, and nothing before its fetch.
//
//   node bench/serve.mjs --worker overturn|peer|lean|floor|counted [--port N] [--state DIR]
//
// --port, --state and OVERTURN_VARS are those of dev/serve.mjs. The state must be migrated. As nothing stands before the
// Worker, a request says itself where it comes from (CF-Connecting-IP).
//
// Standard output carries one line `{"event":"listening","port":N,"pid":P}`, in which P is workerd. Log lines are handed
// to the runtime, which writes them to nowhere. Ends as dev/serve.mjs does.

import { dirname } from "node:path";
import { host } from "../dev/host.mjs";
import { builtModules } from "../dev/modules.mjs";
import { readOptions } from "../dev/options.mjs";
import { ROOT, readConfiguration, serviceOptions } from "../dev/service.mjs";
import { BUNDLES, bundle, bundleWorker } from "./build.mjs";

const WORKERS = ["overturn", ...BUNDLES];

// One address sends everything. It is counted as any other, and never banned.
const IP_LIMIT = 10_000_000;

function modules(name) {
  if (name === "overturn") return builtModules(ROOT);
  return { modulesRoot: dirname(bundle(name)), modules: [{ type: "ESModule", path: bundle(name) }] };
}

function options({ worker, ...rest }) {
  const config = readConfiguration();
  for (const shield of config.ratelimits) shield.simple.limit = IP_LIMIT;
  return serviceOptions(rest, config, modules(worker), () => {});
}

function choose() {
  const chosen = readOptions(process.argv.slice(2), process.env, { worker: { type: "string" } });
  if (!WORKERS.includes(chosen.worker)) throw new Error(`--worker is one of ${WORKERS.join(", ")}`);
  return chosen;
}

await host(async () => {
  const chosen = choose();
  if (chosen.worker !== "overturn") await bundleWorker(chosen.worker);
  return options(chosen);
}, (workerd) => ({ pid: workerd.pid }), true);
