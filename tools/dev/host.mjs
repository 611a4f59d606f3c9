// The life cycle of a served Worker: it starts, reports its port, and ends with its parent.

import { fstatSync } from "node:fs";
import { Miniflare } from "miniflare";
import { guardWorkerd, guardsEnded } from "./guard.mjs";

/**
 * Serves until this process is asked to end, and ends it.
 *
 * `options` gives miniflare's options, or a promise of them; `listening(workerd, miniflare)` is called when requests are
 * answered, and what it gives, or promises, goes into the line that says so. Where it `isSilent`, log lines go nowhere.
 */
export async function host(options, listening = () => ({}), isSilent = false) {
  try {
    await serve(await options(), listening, isSilent);
    process.exit(0);
  } catch (error) {
    process.stderr.write(`serve: ${explain(error)}\n`);
    process.exit(1);
  }
}

async function serve(options, listening, isSilent) {
  let workerd;
  guardWorkerd((started) => {
    workerd = started;
  }, isSilent);
  const miniflare = new Miniflare(options);
  const ended = askedToEnd();
  try {
    const started = (async () => {
      await miniflare.ready;
      return miniflare.unsafeGetDirectURL();
    })();
    const url = await Promise.race([started, ended]);
    if (url instanceof URL) {
      const line = { event: "listening", port: Number(url.port), ...(await listening(workerd, miniflare)) };
      process.stdout.write(`${JSON.stringify(line)}\n`);
      await ended;
    }
  } finally {
    await miniflare.dispose();
    await guardsEnded();
  }
}

/** Resolves when this process should end. */
function askedToEnd() {
  return new Promise((end) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
      // miniflare's own listener exits at once, without waiting for workerd.
      process.removeAllListeners(signal).on(signal, end);
    }
    // The reader of our output is gone.
    process.stdout.on("error", end);
    const stdin = fstatSync(0);
    if (stdin.isFIFO() || stdin.isSocket()) process.stdin.on("end", end).on("error", end).resume();
  });
}

function explain(error) {
  if (error.code === "ERR_ADDRESS_IN_USE") return "the port is in use; choose another with --port";
  return error.message;
}
