// The bindings and settings of the Worker.

import type { Limiter } from "./limiter.ts";
import { Refusal } from "./refusal.ts";

export interface Env {
  DB: D1Database;
  BANS: KVNamespace;
  LIMITER: DurableObjectNamespace<Limiter>;
  IP_LIMITER: RateLimit;
  ENVIRONMENT: string;
  SEALING_KEYS: string;
  CLAIMS_READS_PER_MINUTE?: string;
  CLAIMS_SENDS_PER_MINUTE?: string;
  LIMITS?: string;
}

export interface Settings {
  keyPrefix: "ovt_live_" | "ovt_test_";
  /** Requests a minute from one address before it is banned; `IP_LIMITER` counts to it. */
  ipLimit: number;
  /** Calls per minute of a key, if limits are on. */
  limits: { reads: number; sends: number } | undefined;
}

const ENVIRONMENTS: Record<string, Pick<Settings, "keyPrefix" | "ipLimit">> = {
  production: { keyPrefix: "ovt_live_", ipLimit: 1000 },
  staging: { keyPrefix: "ovt_test_", ipLimit: 500 },
  dev: { keyPrefix: "ovt_test_", ipLimit: 1000 },
};

let read: { env: Env; settings: Settings } | undefined;

/** The settings, read once in each isolate. */
export function settingsOf(env: Env): Settings {
  if (read?.env !== env) read = { env, settings: readSettings(env) };
  return read.settings;
}

function readSettings(env: Env): Settings {
  const environment = ENVIRONMENTS[env.ENVIRONMENT];
  if (environment === undefined) throw Refusal.misconfigured("ENVIRONMENT");
  return { ...environment, limits: readLimits(env) };
}

function readLimits(env: Env): Settings["limits"] {
  if (env.LIMITS === "unlimited" && env.ENVIRONMENT === "dev") return undefined;
  if (env.LIMITS !== undefined) throw Refusal.misconfigured("LIMITS");
  return { reads: perMinute(env, "CLAIMS_READS_PER_MINUTE", 300), sends: perMinute(env, "CLAIMS_SENDS_PER_MINUTE", 60) };
}

function perMinute(env: Env, name: "CLAIMS_READS_PER_MINUTE" | "CLAIMS_SENDS_PER_MINUTE", usual: number): number {
  const limit = Number(env[name] ?? usual);
  if (!Number.isInteger(limit) || limit < 1) throw Refusal.misconfigured(name);
  return limit;
}
