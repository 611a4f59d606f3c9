// Counts resends that do not match the claim of their number, and limits them per UTC day: the answer to a resend tells whether its name or date of birth
// equals that of the stored claim.

import { Refusal } from "./refusal.ts";
import type { Counts } from "./rows.ts";

export type Mismatch = "patient" | "claim";

/** An item that does not match the claim of its number. */
export interface Found {
  place: number;
  id: string;
  mismatch: Mismatch;
}

/** How many are answered per day. */
export const BOUNDS = { claim: 20, practice: 200 };

/** Today's mismatches as loaded, and those that this request has counted itself. */
export class Tally {
  #counts: Counts;
  readonly #counted = new Set<number>();
  #isClosed = false;

  constructor(counts: Counts) {
    this.#counts = counts;
  }

  /** Takes the rows of a second load, and keeps what this request has counted. */
  reload(counts: Counts): void {
    this.#counts = counts;
  }

  isCounted(place: number): boolean {
    return this.#counted.has(place);
  }

  /** True if a resend of a claim must not be compared. */
  isStopped(place: number, id: string): boolean {
    if (this.#counted.has(place)) return false;
    return this.#isClosed || this.#counts.practice >= BOUNDS.practice || this.#of(id) >= BOUNDS.claim;
  }

  /** True if the sender may be guessing. Then a match is checked again before the answer. */
  isSuspicious(id: string): boolean {
    return this.#counts.claims.has(id) || this.#counts.practice >= BOUNDS.practice / 2;
  }

  /** True if there are more than the practice may still have. Then none is answered, and nothing more is compared today. */
  isExceededBy(found: Found[]): boolean {
    return found.length > 0 && found.length > BOUNDS.practice - this.#counts.practice;
  }

  /** Records what was written. */
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

/** The audit text about mismatches. */
export function detailOf(found: Found[]): string {
  const of = (kind: Mismatch) => found.filter(({ mismatch }) => mismatch === kind).map(({ id }) => id);
  return JSON.stringify({ different_claim: of("claim"), different_patient: of("patient") });
}

/** The parameters of the counting statements: the claims, one more of each, and the practice, with their limits. */
export const rowsOf = (found: Found[]): string =>
  JSON.stringify([...found.map(({ id }) => [id, 1, BOUNDS.claim]), ["", found.length, BOUNDS.practice]]);
