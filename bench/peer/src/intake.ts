// What a send means, decided over what the store holds now: the results of the items that are settled, and the claims
// that are still to be created or corrected. After a write the store is asked what came of it and all is decided again,
// so an answer is always made of what is in the store.

import type { Item } from "../../checks/zod.ts";
import { uuidBytes } from "./ids.ts";
import { tagsOf, type Tags } from "./identity.ts";
import type { Keyring } from "./keyring.ts";
import { Refusal } from "./refusal.ts";
import type { Outcome, StoredClaim } from "./rows.ts";

/** An item with the id that its claim gets if its number is free. */
export interface Sent {
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
}

type Judgement = { result: ResultItem } | { newClaim: NewClaim } | { correction: Correction };

/** What the store is known to hold of the claims of a send. */
export class Known {
  readonly #stored: Map<string, StoredClaim>;
  readonly #created = new Set<string>();

  constructor(claims: StoredClaim[]) {
    this.#stored = new Map(claims.map((claim) => [claim.claimNumber, claim]));
  }

  get(number: string): StoredClaim | undefined {
    return this.#stored.get(number);
  }

  /** Whether this request created the claim, which is `received`. */
  isCreated(id: string): boolean {
    return this.#created.has(id);
  }

  /** Takes over what came of a decision's writes. */
  learn({ newClaims }: Decision, { created, others }: Outcome): void {
    for (const claim of others) this.#stored.set(claim.claimNumber, claim);
    // Who lost the race for a number sees the winner's claim among the others.
    const mine = newClaims.filter(({ item }) => !this.#stored.has(item.claim.claim_number));
    if (mine.length !== created) throw Refusal.internal("claims missing");
    for (const { id } of mine) this.#created.add(id);
  }
}

export async function decide(sent: Sent[], practiceId: string, known: Known, keyring: Keyring): Promise<Decision> {
  const practice = uuidBytes(practiceId);
  const judgements = await Promise.all(sent.map((one) => decideOne(one, practice, known, keyring)));
  const decision: Decision = { results: [], newClaims: [], corrections: [] };
  for (const judgement of judgements) {
    if ("result" in judgement) decision.results.push(judgement.result);
    else if ("newClaim" in judgement) decision.newClaims.push(judgement.newClaim);
    else decision.corrections.push(judgement.correction);
  }
  return decision;
}

async function decideOne(
  { id, item }: Sent,
  practice: Uint8Array,
  stored: Known,
  keyring: Keyring,
): Promise<Judgement> {
  const { claim } = item;
  if (stored.isCreated(id)) {
    return { result: { claim_number: claim.claim_number, created: true, id, status: "received" } };
  }
  const known = stored.get(claim.claim_number);
  if (known === undefined) return { newClaim: { id, item, tags: await tagsOf(keyring.current, practice, item) } };
  if (known.id === id) return { result: accepted(known, true) };
  const key = keyring.get(known.keyVersion);
  // During a rotation another instance may be ahead.
  if (key === undefined) throw Refusal.unavailable("a claim's key version is not in the keyring");
  const mismatch = mismatchOf(item, await tagsOf(key, practice, item), known);
  if (mismatch !== undefined) {
    const error = `claim.claim_number is already used for a different ${mismatch}`;
    return { result: { claim_number: claim.claim_number, created: false, error } };
  }
  return corrects(item, known) ? { correction: correctionOf(item, known) } : { result: accepted(known, false) };
}

const accepted = ({ claimNumber, id, status }: StoredClaim, created: boolean): ResultItem => ({
  claim_number: claimNumber,
  created,
  id,
  status,
});

/** What is absent on either side contradicts nothing. */
function mismatchOf({ claim }: Item, tags: Tags, known: StoredClaim): "patient" | "claim" | undefined {
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
