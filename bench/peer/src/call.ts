// The start of every call of the claims interface: who calls, and how often.

import type { Context } from "hono";
import { authorise, isInForce, lags, type Credential, type Scope } from "./access.ts";
import { Database, type Statement } from "./database.ts";
import { settingsOf, type Env } from "./env.ts";
import type { Group, Verdict } from "./limiter.ts";
import { Refusal } from "./refusal.ts";
import * as sql from "./sql.ts";
import type { Trace } from "./trace.ts";

export type App = { Bindings: Env; Variables: { trace: Trace } };
export type AppContext = Context<App>;

/** The hashes of the keys that this isolate knows to exist. */
const seen = new Set<string>();
const SEEN_MAX = 20_000;

/** Loads the caller and other rows in one round trip, in parallel with the limiter. */
export async function open<T extends { credential: Credential | undefined }>(
  c: AppContext,
  keyHash: string,
  scope: Scope,
  reads: Statement[],
  readRows: (rows: unknown[]) => T,
) {
  const { env, var: { trace } } = c;
  const database = new Database(env.DB, trace);
  const group = scope === "claims:write" ? "sends" : "reads";
  const load = database.batch(reads).then(readRows);
  const [loaded, verdict] = await count(env, keyHash, group, load, trace.began);
  const { credential } = loaded;
  if (credential !== undefined) {
    trace.practice_id = credential.practiceId;
    trace.api_key_id = credential.apiKeyId;
    trace.limit = verdict;
  }
  const caller = authorise(credential, verdict, scope, trace.began);
  return { database, caller, verdict, loaded };
}

/** Calls the limiter only for keys that exist. Otherwise every made-up key would leave an object behind. */
async function count<T extends { credential: Credential | undefined }>(
  env: Env,
  keyHash: string,
  group: Group,
  load: Promise<T>,
  now: number,
): Promise<[T, Verdict | undefined]> {
  if (LEAN) return [await load, undefined];
  if (seen.has(keyHash)) return Promise.all([load, ask(env, keyHash, group)]);
  const loaded = await load;
  if (!isInForce(loaded.credential, now)) return [loaded, undefined];
  if (seen.size >= SEEN_MAX) seen.clear();
  seen.add(keyHash);
  return [loaded, await ask(env, keyHash, group)];
}

async function ask(env: Env, keyHash: string, group: Group): Promise<Verdict | undefined> {
  const { limits } = settingsOf(env);
  if (limits === undefined) return undefined;
  try {
    return await env.LIMITER.getByName(keyHash).ask(group, limits[group]);
  } catch {
    throw Refusal.unavailable("limiter");
  }
}

/** Writes the use of the key after the answer, if the stored time is old. */
export function noteUse(c: AppContext, database: Database, caller: Credential): void {
  const now = c.var.trace.began;
  if (!lags(caller, now)) return;
  const touch = { sql: sql.TOUCH_API_KEY, params: [caller.practiceId, caller.apiKeyId, now] };
  // If this update fails, the next use of the key writes the time.
  c.executionCtx.waitUntil(database.batch([touch]).catch(() => {}));
}
