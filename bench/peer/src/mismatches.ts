// Resends that are not for the claim of their number are counted, and bounded for each UTC day: the answer to a resend tells
// whether a name or a date of birth is that of the stored claim.

import { Refusal } from "./refusal.ts";
import type { Counts } from "./rows.ts";

export type Mismatch = "patient" | "claim";

/** An item that is not for the claim of its number. */
export interface Found {
  place: number;
  id: string;
  mismatch: Mismatch;
}

/** How many are answered a day. */
export const BOUNDS = { claim: 20, practice: 200 };

/** What is counted: today's mismatches as they were loaded, and which of them this request has counted itself. */
export class Tally {
  #counts: Counts;
  readonly #counted = new Set<number>();
  #isClosed = false;

  constructor(counts: Counts) {
    this.#counts = counts;
  }

  /** Takes over what was loaded again. What this request has counted stays known. */
  reload(counts: Counts): void {
    this.#counts = counts;
  }

  isCounted(place: number): boolean {
    return this.#counted.has(place);
  }

  /** Whether a resend of a claim must not be compared. */
  isStopped(place: number, id: string): boolean {
    if (this.#counted.has(place)) return false;
    return this.#isClosed || this.#counts.practice >= BOUNDS.practice || this.#of(id) >= BOUNDS.claim;
  }

  /** Whether somebody may be guessing, so that a match is looked at again before it is answered. */
  isSuspicious(id: string): boolean {
    return this.#counts.claims.has(id) || this.#counts.practice >= BOUNDS.practice / 2;
  }

  /** Whether there are more than the practice has left: none of them is answered, and nothing more is compared today. */
  isExceededBy(found: Found[]): boolean {
    return found.length > 0 && found.length > BOUNDS.practice - this.#counts.practice;
  }

  /** Takes over what was written. */
  learn(found: Found[]): void {
    if (this.isExceededBy(found)) this.#isClosed = true;
    else for (const { place } of found) this.#counted.add(place);
  }

  #of(id: string): number {
    return this.#counts.claims.get(id) ?? 0;
  }
}

/** Refuses a send with items that must not be compared. */
export function refuseStopped(places: number[], items: number, now: number): void {
  if (places.length > 0) throw Refusal.resendsStopped(items === 1 ? [] : places, now);
}

/** What the trail says of mismatches. */
export function detailOf(found: Found[]): string {
  const of = (kind: Mismatch) => found.filter(({ mismatch }) => mismatch === kind).map(({ id }) => id);
  return JSON.stringify({ different_claim: of("claim"), different_patient: of("patient") });
}

/** What the statements count: the claims, one more of each, and the practice, with their bounds. */
export const rowsOf = (found: Found[]): string =>
  JSON.stringify([...found.map(({ id }) => [id, 1, BOUNDS.claim]), ["", found.length, BOUNDS.practice]]);
