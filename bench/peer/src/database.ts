// D1: one batch is one round trip and one transaction. Every batch may run twice, so a batch that failed temporarily is run again.

import { Refusal } from "./refusal.ts";
import type { Trace } from "./trace.ts";

export interface Statement {
  sql: string;
  params: (string | number | null)[];
}

/** The result of a statement: the JSON that it read, if any, and how many rows it changed. */
export interface Done {
  json: unknown;
  changes: number;
}

/** The loaded state is out of date, such as the caller's rights or the practice's data key. Nothing was written. */
export class Stale extends Error {}

/** The same batch ran before, and its answer was lost. */
export class CarriedOut extends Error {}

/** After this long a batch is given up. It may or may not have been committed. */
const TIME_OUT_MS = 8_000;
const ATTEMPTS = 3;

// Messages of temporary failures. The text of an error goes no further, because it may quote values.
const TRANSIENT = [
  "Network connection lost",
  "storage caused object to be reset",
  "reset because its code was updated",
  "Cannot resolve D1 DB due to transient issue",
  "D1 DB is overloaded",
  "storage operation exceeded timeout",
  "exceeded its memory limit",
  "exceeded its CPU time limit",
  "client disconnected",
  "Internal error while starting up D1 DB storage",
];

/** The guards that make a request load again. */
const STALE = ["credential_withdrawn", "data_key_changed", "mismatch_bound"];

class TimedOut extends Error {}

interface Row {
  json: string;
}

export class Database {
  readonly #d1: D1Database;
  readonly #trace: Trace;

  constructor(d1: D1Database, trace: Trace) {
    this.#d1 = d1;
    this.#trace = trace;
  }

  /** Runs a batch, and returns the JSON that each statement read, if any. */
  async batch(statements: Statement[]): Promise<unknown[]> {
    return (await this.run(statements)).map(({ json }) => json);
  }

  /** Runs a batch, and returns the result of each statement. */
  async run(statements: Statement[]): Promise<Done[]> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#once(statements);
      } catch (error) {
        const passes = isTransient(error);
        if (!passes || attempt === ATTEMPTS) throw refusal(error, passes);
        await scheduler.wait(Math.random() * 50 * 2 ** attempt);
      }
    }
  }

  async #once(statements: Statement[]): Promise<Done[]> {
    const prepared = statements.map(({ sql, params }) => this.#d1.prepare(sql).bind(...params));
    this.#trace.d1_round_trips += 1;
    const results = await timed(this.#d1.batch<Row>(prepared));
    return results.map(({ results, meta }) => {
      this.#trace.rows_read += meta.rows_read;
      this.#trace.rows_written += meta.rows_written;
      const json = results[0]?.json;
      return { json: json === undefined ? undefined : JSON.parse(json), changes: meta.changes };
    });
  }
}

async function timed<T>(work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new TimedOut()), TIME_OUT_MS);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

const textOf = (error: unknown) => (error instanceof Error ? `${error.message} ${String(error.cause)}` : "");
const isTransient = (error: unknown) =>
  error instanceof TimedOut || TRANSIENT.some((sign) => textOf(error).includes(sign));

function refusal(error: unknown, passes: boolean): Error {
  if (passes) return Refusal.unavailable("database");
  const [, guard = ""] = /CHECK constraint failed: (\w+)/.exec(textOf(error)) ?? [];
  if (guard === "batch_done") return new CarriedOut();
  return STALE.includes(guard) ? new Stale() : Refusal.internal("database");
}
