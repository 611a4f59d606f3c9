// Serves the built Worker under workerd, with a socket straight on it.
//
//   node dev/serve.mjs [--port N] [--state DIR] [--env staging|production] [--main FILE]
//
//   --port N     where to listen on 127.0.0.1; 0 takes any free port (8787)
//   --state DIR  where D1, KV and Durable Objects live, as `wrangler --persist-to DIR` lays them out (.wrangler/state)
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
// the Worker logs, as it logs it; warnings and errors go to standard error. Ends on SIGINT, on SIGTERM, and
// when its standard input is a pipe and the other side closes it, so that it cannot outlive who started it.

import { fstatSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Miniflare, convertV4MiniflareOptions } from "miniflare";
import { unstable_getMiniflareWorkerOptions as workerOptionsOf, unstable_readConfig as readConfig } from "wrangler";
import { guardWorkerd, guardsEnded } from "./guard.mjs";
import { workerModules } from "./modules.mjs";
import { readOptions } from "./options.mjs";

// What wrangler reports as information would stand between the Worker's lines, and it warns of missing
// secrets before it can know of OVERTURN_VARS.
process.env.WRANGLER_LOG ??= "error";

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const HOST = "127.0.0.1";

function miniflareOptions({ port, state, env, main, vars }) {
  const config = readConfig({ config: join(ROOT, "wrangler.toml"), env });
  const { workerOptions } = workerOptionsOf(config, env);
  // wrangler's bundler reads these; here every module is named.
  delete workerOptions.modulesRules;
  const bindings = { ...workerOptions.bindings, ...vars };
  for (const [name, value] of Object.entries(bindings)) {
    if (value === null) delete bindings[name];
  }
  const missing = (config.secrets?.required ?? []).filter((name) => bindings[name] === undefined);
  if (missing.length > 0) process.stderr.write(`serve: ${missing.join(", ")} not in .dev.vars nor OVERTURN_VARS\n`);
  return convertV4MiniflareOptions({
    host: HOST,
    // miniflare's own entry is not used: it would stand before every request.
    port: 0,
    cf: false,
    logRequests: false,
    handleStructuredLogs: writeLog,
    resourcePersistencePath: join(resolve(state), "v3"),
    workers: [
      {
        ...workerOptions,
        ...workerModules(ROOT, main === undefined ? config.main : resolve(main)),
        // Durable Objects are stored under the Worker's name.
        name: config.name,
        bindings,
        unsafeDirectSockets: [{ host: HOST, port }],
      },
    ],
  });
}

function writeLog({ level, message }) {
  const stream = level === "error" || level === "warn" ? process.stderr : process.stdout;
  stream.write(`${message}\n`);
}

/** Resolves when this process should end. */
function askedToEnd() {
  return new Promise((end) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
      // miniflare's own listener exits at once, without waiting for workerd.
      process.removeAllListeners(signal).on(signal, end);
    }
    // Whoever read our output is gone.
    process.stdout.on("error", end);
    const stdin = fstatSync(0);
    if (stdin.isFIFO() || stdin.isSocket()) process.stdin.on("end", end).on("error", end).resume();
  });
}

function explain(error) {
  if (error.code === "ERR_ADDRESS_IN_USE") return "the port is in use; choose another with --port";
  return error.message;
}

async function serve() {
  const options = readOptions(process.argv.slice(2), process.env);
  guardWorkerd();
  const miniflare = new Miniflare(miniflareOptions(options));
  const ended = askedToEnd();
  try {
    const started = (async () => {
      await miniflare.ready;
      return miniflare.unsafeGetDirectURL();
    })();
    const url = await Promise.race([started, ended]);
    if (url instanceof URL) {
      process.stdout.write(`${JSON.stringify({ event: "listening", port: Number(url.port) })}\n`);
      await ended;
    }
  } finally {
    await miniflare.dispose();
    await guardsEnded();
  }
}

try {
  await serve();
  process.exit(0);
} catch (error) {
  process.stderr.write(`serve: ${explain(error)}\n`);
  process.exit(1);
}
