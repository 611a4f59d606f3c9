// What a request did, and its one log line: ids, counts and names from this program.

import type { Verdict } from "./limiter.ts";

export class Trace {
  readonly request_id: string;
  readonly began: number;
  route = "unmatched";
  practice_id: string | null = null;
  api_key_id: string | null = null;
  limit: Verdict | undefined;
  d1_round_trips = 0;
  rows_read = 0;
  rows_written = 0;
  failure: string | undefined;

  constructor(request_id: string, began: number) {
    this.request_id = request_id;
    this.began = began;
  }

  log(method: string, status: number): void {
    const { began, limit: _, route, ...facts } = this;
    console.log(
      JSON.stringify({ event: "request", method, route, status, duration_ms: Date.now() - began, ...facts }),
    );
  }
}
