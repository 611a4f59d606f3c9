// Serves the built Worker under workerd, without a proxy.
//
//   node tools/dev/serve.mjs [--port N] [--state DIR] [--env staging|production] [--main FILE] [--console]
//
//   --port N     where to listen on 127.0.0.1; 0 takes any free port (8787)
//   --state DIR  where D1, KV and Durable Objects live, with the layout of `wrangler --persist-to DIR`. Each email
//                becomes a file in DIR/mail (.wrangler/state)
//   --env NAME   an environment of wrangler.toml; by default the top level, which is dev
//   --main FILE  a module to serve instead of wrangler.toml's `main`; it may import "../build/index.js"
//   --console    put the console before the Worker, as on the platform
//
//   OVERTURN_VARS  JSON of variables and secrets that override those of wrangler.toml and .dev.vars; null removes one.
//                  It is not an option, because other users of the machine can see command lines.
//
// wrangler itself reads the bindings, secrets and main from wrangler.toml. `wrangler dev` serves the same Worker
// ten times slower, because every request goes through its proxy.
//
// Standard output has one line `{"event":"listening","port":N}` once the Worker answers, and then the Worker's log
// lines, unchanged. Warnings and errors go to standard error. Mail is not sent but saved, with a line
// `{"event":"mail","to":…,"subject":…,"text":…,"file":…}` for each. It ends on SIGINT, on SIGTERM, and when its standard
// input is a pipe that closes, so that it cannot outlive the program that started it.

import { resolve } from "node:path";
import { host } from "./host.mjs";
import { workerModules } from "./modules.mjs";
import { readOptions } from "./options.mjs";
import { ROOT, readConfiguration, serviceOptions } from "./service.mjs";

// The only trigger in wrangler.toml.
const EVERY_MINUTE = "* * * * *";

function writeLog({ level, message }) {
  const stream = level === "error" || level === "warn" ? process.stderr : process.stdout;
  stream.write(`${message}\n`);
}

const options = readOptions(process.argv.slice(2), process.env);
const config = readConfiguration(options.env, options.state);

/** Has the Worker's clock strike, as the platform would. What goes wrong then, the Worker logs. */
async function startClock(_workerd, miniflare) {
  const worker = await miniflare.getWorker(config.name);
  const strike = () => worker.scheduled({ cron: EVERY_MINUTE }).catch(() => {});
  setInterval(strike, 60_000).unref();
}

await host(() => {
  const main = options.main === undefined ? config.main : resolve(options.main);
  return serviceOptions(options, config, workerModules(ROOT, main), writeLog);
}, startClock);
