// The service as miniflare options: bindings, variables and secrets, which wrangler reads from wrangler.toml, and one
// Worker without a proxy. The identity Worker and the mail stand beside it.

import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { convertV4MiniflareOptions } from "miniflare";
import { unstable_getMiniflareWorkerOptions as workerOptionsOf, unstable_readConfig as readConfig } from "wrangler";
import { mailBindings, mailWorker } from "./mail.mjs";
import { identityModules } from "./modules.mjs";

// wrangler's information would mix with the Worker's log lines. Its warning about missing secrets comes before it can
// know OVERTURN_VARS.
process.env.WRANGLER_LOG ??= "error";

export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const HOST = "127.0.0.1";

/** miniflare's options for what stands before the console and the service. */
function entrance({ name, compatibility_date: compatibilityDate }, unsafeDirectSockets) {
  const serviceBindings = { SERVICE: name };
  const modules = [{ type: "ESModule", path: join(ROOT, "tools", "dev", "entrance.mjs") }];
  return { name: "entrance", compatibilityDate, modulesRoot: ROOT, modules, serviceBindings, unsafeDirectSockets };
}

/** wrangler.toml of one environment, with the databases of a state folder that has several cells. */
export function readConfiguration(env, state) {
  const config = readConfig({ config: join(ROOT, "wrangler.toml"), env });
  const cells = state === undefined ? undefined : join(resolve(state), "cells.toml");
  if (cells !== undefined && existsSync(cells)) config.d1_databases = readConfig({ config: cells }).d1_databases;
  return config;
}

/** miniflare's options for the identity Worker of an environment. */
export function identityWorker(env) {
  const config = readConfig({ config: join(ROOT, "identity", "wrangler.toml"), env });
  return { name: config.name, compatibilityDate: config.compatibility_date, ...identityModules(ROOT) };
}

/**
 * The binding of the texts without the console. With it, miniflare puts a Worker of its own before this one, as the
 * platform does, and each call takes twice as long.
 */
function assetsAlone(config, workerOptions) {
  delete workerOptions.assets;
  const { directory, binding } = config.assets;
  return { [binding]: { disk: { path: resolve(ROOT, directory) } } };
}

/**
 * miniflare's options for one Worker.
 *
 * `worker` is what goes before what wrangler.toml says of it, its modules in any case.
 */
export function serviceOptions({ port, state, env, vars, main, console: withConsole }, config, worker, writeLog) {
  const { workerOptions } = workerOptionsOf(config, env);
  // wrangler's bundler needs these rules. Here every module is listed.
  delete workerOptions.modulesRules;
  // No mail is sent from here; see mail.mjs.
  delete workerOptions.email;
  const assets = withConsole ? {} : assetsAlone(config, workerOptions);
  // The entrance of the tests is no path of the platform.
  if (withConsole && main !== undefined) workerOptions.assets.run_worker_first.push("/.tests/*");
  const mail = mailBindings(config.send_email.map(({ name }) => name));
  const bindings = { ...workerOptions.bindings, ...vars };
  for (const [name, value] of Object.entries(bindings)) {
    if (value === null) delete bindings[name];
  }
  const missing = (config.secrets?.required ?? []).filter((name) => bindings[name] === undefined);
  if (missing.length > 0) process.stderr.write(`serve: ${missing.join(", ")} not in .dev.vars nor OVERTURN_VARS\n`);
  const sockets = [{ host: HOST, port }];
  return convertV4MiniflareOptions({
    host: HOST,
    // miniflare's own entry would be a proxy before every request, so it is not used.
    port: 0,
    cf: false,
    logRequests: false,
    handleStructuredLogs: writeLog,
    resourcePersistencePath: join(resolve(state), "v3"),
    workers: [
      ...(withConsole ? [entrance(config, sockets)] : []),
      {
        ...workerOptions,
        ...worker,
        // Durable Objects are stored under the Worker's name.
        name: config.name,
        bindings,
        serviceBindings: { ...workerOptions.serviceBindings, ...assets, ...mail },
        ...(withConsole ? {} : { unsafeDirectSockets: sockets }),
      },
      identityWorker(env),
      mailWorker(join(resolve(state), "mail"), (line) => writeLog({ level: "info", message: line })),
    ],
  });
}
