// `POST /api/v1/claims`: one batch reads, one writes.

import { utcDate } from "../checks/text.ts";
import { parse, type Item } from "../checks/zod.ts";
import { recognise } from "./codes.ts";
import { appealDue } from "./deadline.ts";
import { uuids } from "./ids.ts";
import type { AppContext } from "./index.ts";
import { presentedKey } from "./key.ts";
import { Refusal } from "./refusal.ts";
import { dataKeyOf, sealed, tagsOf } from "./seal.ts";
import * as store from "./store.ts";
import type { Statement } from "./store.ts";

const BODY_MAX = 2 * 1024 * 1024;
/** The version that is stored with what a practice's first data key seals. */
const FIRST_DATA_KEY = 1;

type Tags = Awaited<ReturnType<typeof tagsOf>>;
type Sent = { id: string; item: Item; tags: Tags };
type Stored = ReturnType<typeof storedOf>;

/** What the store holds of a claim. */
function storedOf(row: unknown) {
  const [claim_number, id, status, patient, procedure, date] = row as [string, string, string, string, string | null, string];
  return { claim_number, id, status, patient, procedure, date };
}

const storedBy = (rows: unknown) => new Map((rows as unknown[]).map(storedOf).map((one) => [one.claim_number, one]));

export async function send(c: AppContext): Promise<Response> {
  const now = Date.now();
  const { DB_000, SEALING_KEYS } = c.env;
  const hash = await presentedKey(c.req.header("Authorization"));
  const body = await bodyOf(c);
  const { items = [], errors } = body === undefined ? {} : parse(body, utcDate(now));
  const numbers = JSON.stringify(items.map(({ claim }) => claim.claim_number));
  const [sender, found] = await store.batch(DB_000, [[store.CALLER_AND_DATA_KEY, hash], [store.CLAIMS_OF_KEY, hash, numbers]]);
  const [row, keyRow] = (sender?.json ?? []) as unknown[];
  const caller = store.authorise(row, "claims:write", now);
  if (body === undefined) throw new Refusal(413, "body_too_large", "body is over 2 MiB");
  if (errors !== undefined) throw Refusal.invalid(errors);

  const key = await dataKeyOf(caller.practice, keyRow, SEALING_KEYS, now);
  const [submission, ...ids] = uuids(items.length + 1, now) as [string, ...string[]];
  const sent = await Promise.all(items.map(async (item, n) => ({ id: ids[n]!, item, tags: await tagsOf(key, item) })));
  let stored = storedBy(found?.json);
  const created = sent.filter(({ item }) => !stored.has(item.claim.claim_number));
  if (created.length > 0) {
    const rows = await Promise.all(
      created.map(async ({ id, item, tags }) => rowOf(id, item, tags, await sealed(key, caller.practice, id, item))),
    );
    const guarded: Statement[] = key.row === undefined ? [] : [
      [store.INSERT_DATA_KEY, caller.practice, key.id, key.row.keyVersion, key.row.wrapped, now],
      [store.GUARD_DATA_KEY, caller.practice, key.id],
    ];
    const insert: Statement = [store.INSERT_CLAIMS, caller.practice, submission, now, JSON.stringify(rows)];
    const done = await store.batch(DB_000, [...guarded, insert]);
    if (done.at(-1)?.changes !== created.length) {
      // Another request was first with a number.
      const [all] = await store.batch(DB_000, [[store.CLAIMS_OF_KEY, hash, numbers]]);
      stored = storedBy(all?.json);
    }
  }
  const claims = sent.map((one) => resultOf(one, stored.get(one.item.claim.claim_number)));
  const isNew = claims.some(({ created }) => created);
  return c.json({ claims, submission_id: isNew ? submission : null }, isNew ? 201 : 200);
}

/** The body, `undefined` if it is too large. */
async function bodyOf({ req }: AppContext): Promise<Uint8Array | undefined> {
  if (Number(req.header("Content-Length") ?? 0) > BODY_MAX) return undefined;
  const body = new Uint8Array(await req.arrayBuffer());
  return body.length > BODY_MAX ? undefined : body;
}

function resultOf(sent: Sent, stored: Stored | undefined) {
  const { claim_number } = sent.item.claim;
  if (stored === undefined) return { claim_number, created: true, id: sent.id, status: "received" };
  const mismatch = mismatchOf(sent, stored);
  if (mismatch !== undefined) {
    return { claim_number, created: false, error: `claim.claim_number is already used for a different ${mismatch}` };
  }
  return { claim_number, created: stored.id === sent.id, id: stored.id, status: stored.status };
}

/** What a stored claim with the same number has different. A part that is absent on either side matches. */
function mismatchOf({ item, tags: [patient, procedure] }: Sent, stored: Stored): "patient" | "claim" | undefined {
  if (patient !== stored.patient) return "patient";
  const isOther = procedure !== undefined && stored.procedure !== null && procedure !== stored.procedure;
  return isOther || item.claim.date_of_service !== stored.date ? "claim" : undefined;
}

/** In the order of the columns of INSERT_CLAIMS. */
function rowOf(id: string, { patient, claim }: Item, [patientTag, procedureTag]: Tags, sealed: string): unknown[] {
  const { claim_number, payer_claim_number, payer_name, date_of_service, denial_date, plan_type } = claim;
  const { billed_amount, denied_amount, denial_codes, denial_reason, diagnosis_codes } = claim;
  const codes = denial_codes.map(recognise).filter((code) => code !== undefined);
  const said = [denial_date, plan_type, denial_codes[0], denial_reason, diagnosis_codes[0], patient.account_number, patient.member_id];
  // Which optional parts it has, one bit each.
  const present = said.reduce<number>((bits, part, n) => (part === undefined ? bits : bits | (1 << n)), 0);
  return [
    ...[claim_number, id, payer_claim_number, payer_name, date_of_service, denial_date, plan_type],
    ...[billed_amount, denied_amount, codes, patientTag, procedureTag, FIRST_DATA_KEY, sealed],
    ...[appealDue(plan_type, denial_date), present],
  ];
}
