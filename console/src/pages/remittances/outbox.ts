// Which claims go into which request, and what became of them.

import { Intent } from "../../lib/intent.ts";
import type { WrittenClaim } from "../../worker/messages.ts";

/** What one request takes, as the service counts it. */
export interface Bounds {
  claims: number;
  bytes: number;
}

/** One request. Its tries are one intent: the service knows the claims by their numbers, so none is doubled. */
interface Batch {
  claims: readonly WrittenClaim[];
  intent: Intent;
}

export interface Answered {
  claim_number: string;
  created: boolean;
  id?: string | undefined;
  error?: string | undefined;
}

/** A claim that the service has already had. */
export interface Known {
  claim: WrittenClaim;
  id: string;
}

/** A claim that the service did not take, and its words. */
export interface Refused {
  claim: WrittenClaim;
  why: string;
}

/** `{"claims":[]}` and a comma after each claim. */
const FRAME_BYTES = 13;
const encoder = new TextEncoder();

/** The claims of the next request: as many of the first as fit, but at least one. */
export function firstBatch(claims: readonly WrittenClaim[], bounds: Bounds): readonly WrittenClaim[] {
  let bytes = FRAME_BYTES;
  let count = 0;
  for (const { json } of claims.slice(0, bounds.claims)) {
    bytes += encoder.encode(json).length + 1;
    if (bytes > bounds.bytes && count > 0) break;
    count += 1;
  }
  return claims.slice(0, count);
}

/** The places that a refusal names, such as `claims[3].patient.date_of_birth` or `claims[0], claims[4]: …`. */
export function placesIn(text: string): number[] {
  return [...text.matchAll(/claims\[(\d+)\]/g)].map(([, place]) => Number(place));
}

/** The claims that wait, and the results of the others. */
export class Outbox {
  #waiting: readonly WrittenClaim[];
  readonly #bounds: Bounds;
  #batch: Batch | undefined;
  readonly created: WrittenClaim[] = [];
  readonly known: Known[] = [];
  readonly refused: Refused[] = [];

  constructor(claims: readonly WrittenClaim[], bounds: Bounds) {
    this.#waiting = claims;
    this.#bounds = bounds;
  }

  get left(): number {
    return this.#waiting.length;
  }

  /** The next request: the same one until it has its answer. `undefined` if nothing waits. */
  next(): Batch | undefined {
    if (this.#waiting.length === 0) return undefined;
    this.#batch ??= { claims: firstBatch(this.#waiting, this.#bounds), intent: new Intent() };
    return this.#batch;
  }

  /** Takes the answer to the request. False if it does not fit, so that the request is still open. */
  settle(answers: readonly Answered[]): boolean {
    const claims = this.#batch?.claims ?? [];
    const fits = answers.length === claims.length && claims.every(({ claim_number }, n) => answers[n]?.claim_number === claim_number);
    if (!fits) return false;
    for (const [n, claim] of claims.entries()) {
      const { created, id, error } = answers[n] as Answered;
      if (id === undefined) this.refused.push({ claim, why: error ?? "refused" });
      else if (created) this.created.push(claim);
      else this.known.push({ claim, id });
    }
    this.#waiting = this.#waiting.slice(claims.length);
    this.#batch = undefined;
    return true;
  }

  answered(): WrittenClaim[] {
    return [...this.created, ...[...this.known, ...this.refused].map(({ claim }) => claim)];
  }

  /** The claims of the request at these places. */
  at(places: Iterable<number>): WrittenClaim[] {
    return [...new Set(places)].flatMap((place) => this.#batch?.claims[place] ?? []);
  }

  /** Leaves claims out that the service did not take. The rest of their request goes into a new one. */
  leaveOut(refused: readonly Refused[]): void {
    const out = new Set(refused.map(({ claim }) => claim));
    this.refused.push(...refused);
    this.#waiting = this.#waiting.filter((claim) => !out.has(claim));
    this.#batch = undefined;
  }
}
