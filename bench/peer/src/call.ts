// What every call of the claims interface begins with: who is calling, and how often.

import type { Context } from "hono";
import { authorise, lags, type Credential, type Scope } from "./access.ts";
import { Database, type Statement } from "./database.ts";
import { settingsOf, type Env } from "./env.ts";
import type { Group, Verdict } from "./limiter.ts";
import { Refusal } from "./refusal.ts";
import { credentialOf } from "./rows.ts";
import * as sql from "./sql.ts";
import type { Trace } from "./trace.ts";

export type App = { Bindings: Env; Variables: { trace: Trace } };
export type AppContext = Context<App>;

/** Loads the caller and whatever else is asked for, in one round trip, while the limiter is asked. */
export async function open(c: AppContext, keyHash: string, scope: Scope, reads: Statement[]) {
  const { env, var: { trace } } = c;
  const database = new Database(env.DB, trace);
  const group = scope === "claims:write" ? "sends" : "reads";
  const credentialRead = { sql: sql.CREDENTIAL, params: [keyHash] };
  const [read, verdict] = await Promise.all([
    database.batch([credentialRead, ...reads]),
    ask(env, keyHash, group),
  ]);
  const credential = credentialOf(read[0]);
  if (credential !== undefined) {
    trace.practice_id = credential.practiceId;
    trace.api_key_id = credential.apiKeyId;
    trace.limit = verdict;
  } else if (verdict !== undefined) {
    // The limiter was asked before it was known whether the key exists; of one that does not, nothing stays. What is
    // left behind when this fails, the limiter's alarm removes.
    c.executionCtx.waitUntil(env.LIMITER.getByName(keyHash).forget().catch(() => {}));
  }
  const caller = authorise(credential, verdict, scope, trace.began);
  return { database, caller, verdict, read: read.slice(1) };
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
