// Decides a send from what the store holds: the results of the settled items, and the claims to create or correct.
// After a write it reads the store and decides again, so an answer always shows what is stored.

import type { Item } from "../../checks/zod.ts";
import type { DataKey } from "./data_key.ts";
import { uuidBytes } from "./ids.ts";
import { tagsOf, type Tags } from "./identity.ts";
import type { Keyring } from "./keyring.ts";
import { refuseStopped, Tally, type Found, type Mismatch } from "./mismatches.ts";
import { presentIn } from "./present.ts";
import { Refusal } from "./refusal.ts";
import type { Counts, Outcome, StoredClaim } from "./rows.ts";

/** An item with its place in the request, and the id that its claim gets if its number is free. */
export interface Sent {
  place: number;
  id: string;
  item: Item;
}

export interface ResultItem {
  claim_number: string;
  created: boolean;
  id?: string;
  status?: string;
  error?: string;
}

export interface NewClaim extends Sent {
  tags: Tags;
}

export interface Correction {
  claim_number: string;
  id: string;
  payer_claim_number: string;
  billed: number | undefined;
  denied: number | undefined;
}

export interface Decision {
  results: ResultItem[];
  newClaims: NewClaim[];
  corrections: Correction[];
  mismatches: Found[];
  /** Everything must be loaded again first: the sender may be guessing. */
  looksAgain: boolean;
}

/** The keys of the caller's practice: its data key makes new tags. The service's keys compare with older tags that they made. */
export interface Keys {
  data: DataKey;
  service: Keyring;
}

/** The decision on one item: a result, and the write that must come first, if any. */
interface Judgement {
  result?: ResultItem;
  newClaim?: NewClaim;
  correction?: Correction;
  found?: Found;
}

/** The stored claims of a send, as far as they are known. */
export class Known {
  #stored: Map<string, StoredClaim>;
  readonly #created = new Set<string>();
  #lookedAgain = false;
  readonly tally: Tally;

  constructor(claims: StoredClaim[], counts: Counts) {
    this.#stored = byNumber(claims);
    this.tally = new Tally(counts);
  }

  /** Takes the rows of a second load. */
  reload(claims: StoredClaim[], counts: Counts): void {
    this.#stored = byNumber(claims);
    this.#created.clear();
    this.#lookedAgain = true;
    this.tally.reload(counts);
  }

  get lookedAgain(): boolean {
    return this.#lookedAgain;
  }

  get(number: string): StoredClaim | undefined {
    return this.#stored.get(number);
  }

  /** True if this request created the claim, with the status `received`. */
  isCreated(id: string): boolean {
    return this.#created.has(id);
  }

  /** The claim that an item is a resend of. */
  resent({ id, item }: Sent): StoredClaim | undefined {
    const known = this.get(item.claim.claim_number);
    return this.isCreated(id) || known?.id === id ? undefined : known;
  }

  /** Takes the results of a decision's writes. */
  learn({ newClaims, mismatches }: Decision, { created, others }: Outcome): void {
    for (const claim of others) this.#stored.set(claim.claimNumber, claim);
    const exceeded = this.tally.isExceededBy(mismatches);
    this.tally.learn(mismatches);
    if (exceeded) return;
    // An item that lost the race for its number finds the winner's claim among the stored ones.
    const mine = newClaims.filter(({ item }) => !this.#stored.has(item.claim.claim_number));
    if (mine.length !== created) throw Refusal.internal("claims missing");
    for (const { id } of mine) this.#created.add(id);
  }
}

const byNumber = (claims: StoredClaim[]) => new Map(claims.map((claim) => [claim.claimNumber, claim]));

export async function decide(sent: Sent[], practiceId: string, known: Known, keys: Keys, now: number): Promise<Decision> {
  const stopped = sent.filter((one) => {
    const stored = known.resent(one);
    return stored !== undefined && known.tally.isStopped(one.place, stored.id);
  });
  refuseStopped(stopped.map(({ place }) => place), sent.length, now);
  const practice = uuidBytes(practiceId);
  const judgements = await Promise.all(sent.map((one) => decideOne(one, practice, known, keys)));
  const decision: Decision = { results: [], newClaims: [], corrections: [], mismatches: [], looksAgain: false };
  for (const [n, { result, newClaim, correction, found }] of judgements.entries()) {
    if (result !== undefined) decision.results.push(result);
    if (newClaim !== undefined) decision.newClaims.push(newClaim);
    if (correction !== undefined) decision.corrections.push(correction);
    if (!LEAN && found !== undefined && !known.tally.isCounted(found.place)) decision.mismatches.push(found);
    const stored = found === undefined ? known.resent(sent[n]!) : undefined;
    if (stored !== undefined && !known.lookedAgain) decision.looksAgain ||= known.tally.isSuspicious(stored.id);
  }
  return decision;
}

async function decideOne(sent: Sent, practice: Uint8Array, stored: Known, keys: Keys): Promise<Judgement> {
  const { place, id, item } = sent;
  const { claim } = item;
  if (stored.isCreated(id)) {
    return { result: { claim_number: claim.claim_number, created: true, id, status: "received" } };
  }
  const known = stored.get(claim.claim_number);
  if (known === undefined) return { newClaim: { ...sent, tags: await tagsOf(keys.data, practice, item) } };
  if (known.id === id) return { result: accepted(known, true) };
  const key = known.keyVersion === keys.data.version ? keys.data : keys.service.get(known.keyVersion);
  // During a rotation, another instance may already use a newer key.
  if (key === undefined) throw Refusal.unavailable("a claim's key version is not in the keyring");
  const mismatch = mismatchOf(item, await tagsOf(key, practice, item), known);
  if (mismatch !== undefined) {
    const error = `claim.claim_number is already used for a different ${mismatch}`;
    const result = { claim_number: claim.claim_number, created: false, error };
    return { result, found: { place, id: known.id, mismatch } };
  }
  // The peer does not fill in missing parts of a claim: see README.md.
  if ((presentIn(item) & ~(known.present ?? 0)) !== 0) throw Refusal.internal("a resend fills in");
  const correction = corrects(item, known) ? correctionOf(item, known) : undefined;
  return { result: accepted(known, false), ...(correction && { correction }) };
}

const accepted = ({ claimNumber, id, status }: StoredClaim, created: boolean): ResultItem => ({
  claim_number: claimNumber,
  created,
  id,
  status,
});

/** A part that is absent on either side matches. */
function mismatchOf({ claim }: Item, tags: Tags, known: StoredClaim): Mismatch | undefined {
  if (tags.patient !== known.patientTag) return "patient";
  const isOther = tags.procedure !== undefined && known.procedureTag !== null && tags.procedure !== known.procedureTag;
  return isOther || claim.date_of_service !== known.dateOfService ? "claim" : undefined;
}

const isNew = (sent: number | undefined, stored: number | null) => sent !== undefined && sent !== stored;

const corrects = ({ claim }: Item, known: StoredClaim) =>
  claim.payer_claim_number !== known.payerClaimNumber ||
  isNew(claim.billed_amount, known.billed) ||
  isNew(claim.denied_amount, known.denied);

const correctionOf = ({ claim }: Item, known: StoredClaim): Correction => ({
  claim_number: claim.claim_number,
  id: known.id,
  payer_claim_number: claim.payer_claim_number,
  billed: claim.billed_amount,
  denied: claim.denied_amount,
});
