// Serves the built Worker under workerd, with a socket straight on it.
//
//   node dev/serve.mjs [--port N] [--state DIR] [--env staging|production] [--main FILE]
//
//   --port N     where to listen on 127.0.0.1; 0 takes any free port (8787)
//   --state DIR  where D1, KV and Durable Objects live, as `wrangler --persist-to DIR` lays them out, and where mail is
//                kept: a file each in DIR/mail (.wrangler/state)
//   --env NAME   an environment of wrangler.toml; without it the top level, which is dev
//   --main FILE  a module to serve in place of wrangler.toml's `main`; it may import "../build/index.js"
//
//   OVERTURN_VARS  JSON of variables and secrets that go before those of wrangler.toml and .dev.vars;
//                  null leaves one out. In the environment and not on the command line, where others see it.
//
// Bindings, secrets and main come from wrangler.toml, read by wrangler itself. `wrangler dev` would serve the
// same, ten times slower: its proxy stands before every request.
//
// Standard output carries one line `{"event":"listening","port":N}` when requests are answered, and then what
// the Worker logs, as it logs it; warnings and errors go to standard error. Mail is not sent but written down, with a line
// `{"event":"mail","to":…,"subject":…,"text":…,"file":…}` for each. Ends on SIGINT, on SIGTERM, and
// when its standard input is a pipe and the other side closes it, so that it cannot outlive who started it.

import { resolve } from "node:path";
import { host } from "./host.mjs";
import { workerModules } from "./modules.mjs";
import { readOptions } from "./options.mjs";
import { ROOT, readConfiguration, serviceOptions } from "./service.mjs";

// The one trigger that wrangler.toml has.
const EVERY_MINUTE = "* * * * *";

function writeLog({ level, message }) {
  const stream = level === "error" || level === "warn" ? process.stderr : process.stdout;
  stream.write(`${message}\n`);
}

/** Has the Worker's clock strike, as the platform would. What goes wrong then, the Worker logs. */
async function startClock(_workerd, miniflare) {
  const worker = await miniflare.getWorker();
  const strike = () => worker.scheduled({ cron: EVERY_MINUTE }).catch(() => {});
  setInterval(strike, 60_000).unref();
}

await host(() => {
  const options = readOptions(process.argv.slice(2), process.env);
  const config = readConfiguration(options.env);
  const main = options.main === undefined ? config.main : resolve(options.main);
  return serviceOptions(options, config, workerModules(ROOT, main), writeLog);
}, startClock);
