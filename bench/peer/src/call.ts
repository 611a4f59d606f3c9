// What every call of the claims interface begins with: who is calling, and how often.

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

/** The keys, by their hashes, that this isolate has seen to exist. */
const seen = new Set<string>();
const SEEN_MAX = 20_000;

/** Loads the caller and whatever else is asked for, in one round trip, while the limiter is asked. */
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

/** A limiter is asked only of keys that exist, or keys that a caller makes up would leave an object each. */
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

/** Notes a use of the key behind the answer, where the last one noted is long ago. */
export function noteUse(c: AppContext, database: Database, caller: Credential): void {
  const now = c.var.trace.began;
  if (!lags(caller, now)) return;
  const touch = { sql: sql.TOUCH_API_KEY, params: [caller.practiceId, caller.apiKeyId, now] };
  // A use that is not noted now is noted by the next one.
  c.executionCtx.waitUntil(database.batch([touch]).catch(() => {}));
}
