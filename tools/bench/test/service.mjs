// A measured Worker on its own fresh state, and the rows that it leaves.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { ROOT } from "../../dev/service.mjs";

/** The secret of the services that are compared. */
export const SEALING_KEYS = "1:AvJOc3Az6XX0HyEGP/oP9c4LLHx1jG+pVTZC/r7ZVCQ=";
const OPERATOR_TOKEN = "operator-0123456789abcdefghijklmnopqrstuvwxyz";

const SCRATCH = mkdtempSync(join(tmpdir(), "overturn-bench-"));
process.once("exit", () => rmSync(SCRATCH, { recursive: true }));
const scratch = () => mkdtempSync(join(SCRATCH, "state-"));

/** Runs a program in the project's folder, and gives what it prints. */
export async function run(program, ...args) {
  const env = { ...process.env, CI: "1", WRANGLER_SEND_METRICS: "false", SEALING_KEYS };
  const child = spawn(program, args, { cwd: ROOT, env, stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  child.stdout.on("data", (chunk) => (said += chunk));
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${program} ended with ${code}`);
  return said;
}

/** A state with the tables in it. */
export async function migratedState() {
  const folder = scratch();
  const wrangler = join(ROOT, "node_modules", ".bin", "wrangler");
  await run(process.execPath, wrangler, "d1", "migrations", "apply", "DB_000", "--local", "--persist-to", folder);
  return folder;
}

function database(state) {
  const files = globSync(join(state, "v3", "d1", "**", "*.sqlite"));
  return new DatabaseSync(files.find((file) => !file.endsWith("metadata.sqlite")));
}

/** A copy of a state, with rows put into it by SQL. */
export function copyState(template, sql) {
  const folder = scratch();
  cpSync(template, folder, { recursive: true });
  const open = database(folder);
  open.exec(sql);
  open.close();
  return folder;
}

function rowsOf(state, query) {
  const open = database(state);
  const rows = open.prepare(query).all();
  open.close();
  return rows;
}

/** The claims of a state that nobody serves any more. */
export const claimsOf = (state) => rowsOf(state, "SELECT * FROM claims ORDER BY practice_id, claim_number");

/** The data keys of its practices. */
export const dataKeysOf = (state) => rowsOf(state, "SELECT * FROM practice_keys");

/** Serves a Worker on a state: where it is, and how to end it. */
export async function serve(worker, state, vars = { CLAIMS_SENDS_PER_MINUTE: "1000" }) {
  const env = { ...process.env, OVERTURN_VARS: JSON.stringify({ SEALING_KEYS, OPERATOR_TOKEN, ...vars }) };
  const args = ["tools/bench/serve.mjs", "--worker", worker, "--port", "0", "--state", state];
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ["pipe", "pipe", "inherit"] });
  const [line] = await Promise.race([
    once(createInterface(child.stdout), "line"),
    once(child, "exit").then(([code]) => Promise.reject(new Error(`${worker} ended with ${code}`))),
  ]);
  const end = async () => {
    const ended = once(child, "exit");
    child.stdin.end();
    await ended;
  };
  const { port, pid } = JSON.parse(line);
  return { url: `http://127.0.0.1:${port}`, pid, end };
}
