// Asks a running service to bring data keys and second factors under the current key, page by page, and to open all else.
//
//   OPERATOR_TOKEN=… node tools/dev/reseal.mjs URL
//
// It can be interrupted and run again: records under the current key are only opened. It exits with 1 if no key opened a
// record, or if a database failed, after which it goes on with the next one. The same if a practice moved meanwhile, because
// it may have gone to a database that was done.

const ATTEMPTS = 5;
const base = new URL(process.argv[2]);
const token = process.env.OPERATOR_TOKEN;

async function ask(method, path) {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(new URL(path, base), {
      method,
      headers: { authorization: `Bearer ${token}` },
    }).catch((error) => ({ ok: false, status: 0, text: async () => error.cause?.message ?? error.message }));
    if (response.ok) return response.json();
    // Temporary failures are retried. A page may be written twice.
    const passes = response.status === 0 || response.status === 429 || response.status >= 500;
    if (!passes || attempt === ATTEMPTS) throw new Error(`${base.origin} answered ${response.status}: ${await response.text()}`);
    await new Promise((wake) => setTimeout(wake, 500 * 2 ** attempt));
  }
}

/** The first place of the next database. One that fails does not stop the others. */
async function behind(after) {
  const next = after.includes("/") ? Number.parseInt(after, 10) + 1 : 1;
  const { cells } = await ask("GET", "/operations/cells");
  return next < cells.length ? `${next}/data_keys` : null;
}

const moves = async () => (await ask("GET", "/operations/moves")).moves;

let after = "";
let failed = 0;
const resealed = {};
const intact = {};
const unreadable = {};
const sum = (counts) => Object.values(counts).reduce((all, count) => all + count, 0);
try {
  const ended = new Set((await moves()).filter((move) => move.ended_at !== null).map((move) => move.id));
  while (after !== null) {
    let done;
    try {
      done = await ask("POST", `/operations/reseal?after=${after}`);
    } catch (error) {
      process.stderr.write(`\nreseal: at ${after || "the begin"}: ${error.message}\n`);
      failed += 1;
      after = await behind(after);
      continue;
    }
    resealed[done.of] = (resealed[done.of] ?? 0) + done.resealed;
    intact[done.of] = (intact[done.of] ?? 0) + done.intact;
    unreadable[done.of] = (unreadable[done.of] ?? 0) + done.unreadable;
    after = done.after;
    process.stderr.write(`\r${sum(resealed)} records re-sealed, ${sum(intact)} where they belong`);
  }
  process.stderr.write("\n");
  process.stdout.write(`${JSON.stringify({ resealed, intact, unreadable })}\n`);
  const moved = (await moves()).some((move) => !ended.has(move.id));
  if (moved) process.stderr.write("reseal: a practice moves or moved meanwhile: run it again\n");
  process.exitCode = moved || sum(unreadable) + failed > 0 ? 1 : 0;
} catch (error) {
  process.stderr.write(`\nreseal: ${error.message}\n`);
  process.exitCode = 1;
}
