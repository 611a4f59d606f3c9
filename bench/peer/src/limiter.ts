// Exact limits: one Durable Object a key, with a sliding log in memory and, written through, in its SQLite storage.

import { DurableObject } from "cloudflare:workers";
import type { Env } from "./env.ts";

export interface Verdict {
  allowed: boolean;
  limit: number;
  /** Calls left in the window after this one. */
  remaining: number;
  /** When the oldest counted call leaves the window, in Unix seconds, rounded up. */
  reset: number;
  /** Whole seconds until a refused call can succeed, at least 1. */
  retry_after: number;
}

export type Group = "reads" | "sends";

const WINDOW_MS = 60_000;
export const secondsUp = (ms: number) => Math.ceil(ms / 1000);

export class Limiter extends DurableObject<Env> {
  readonly #logs = new Map<Group, number[]>();
  #hasTable = false;
  #hasAlarm = false;

  /** Checks one call, and counts it if it is allowed. */
  async ask(group: Group, limit: number): Promise<Verdict> {
    const log = this.#log(group);
    // A clock that was set back does not free any calls.
    const now = Math.max(Date.now(), log.at(-1) ?? 0);
    const left = log.findIndex((at) => now - at < WINDOW_MS);
    log.splice(0, left < 0 ? log.length : left);
    const allowed = log.length < limit;
    if (allowed) {
      log.push(now);
      this.#sql.exec("INSERT INTO calls (bucket, at, until) VALUES (?, ?, ?)", group, now, now + WINDOW_MS);
      await this.#wakeAfter(WINDOW_MS);
    }
    const leaves = (at: number | undefined) => (at === undefined ? now : at + WINDOW_MS);
    // After a limit was lowered, the log may hold too many calls. All but `limit - 1` are removed.
    const surplus = Math.max(0, log.length - limit);
    return {
      allowed,
      limit,
      remaining: Math.max(0, limit - log.length),
      reset: secondsUp(leaves(log[0])),
      retry_after: Math.max(1, secondsUp(leaves(log[surplus]) - now)),
    };
  }

  /** Deletes the storage of a key whose calls have all left the window. */
  async forget(): Promise<void> {
    this.#logs.clear();
    this.#hasTable = false;
    this.#hasAlarm = false;
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
  }

  override async alarm(): Promise<void> {
    this.#hasAlarm = false;
    const now = Date.now();
    this.#makeTable();
    this.#sql.exec("DELETE FROM calls WHERE until <= ?", now);
    const { until } = this.#sql.exec<{ until: number | null }>("SELECT max(until) AS until FROM calls").one();
    await (until === null ? this.forget() : this.#wakeAfter(until - now));
  }

  get #sql() {
    return this.ctx.storage.sql;
  }

  #log(group: Group): number[] {
    let log = this.#logs.get(group);
    if (log === undefined) {
      this.#makeTable();
      const rows = this.#sql.exec<{ at: number }>("SELECT at FROM calls WHERE bucket = ? ORDER BY at", group);
      log = rows.toArray().map(({ at }) => at);
      this.#logs.set(group, log);
    }
    return log;
  }

  #makeTable(): void {
    if (this.#hasTable) return;
    this.#hasTable = true;
    this.#sql.exec(
      "CREATE TABLE IF NOT EXISTS calls (bucket TEXT NOT NULL, at INTEGER NOT NULL, until INTEGER NOT NULL)",
    );
  }

  /** Sets an alarm for the end of the window, unless there is one. */
  async #wakeAfter(ms: number): Promise<void> {
    if (this.#hasAlarm) return;
    this.#hasAlarm = true;
    await this.ctx.storage.setAlarm(Date.now() + ms + 1_000);
  }
}
