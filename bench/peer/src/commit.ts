// The batch of a decision. It is guarded by the state that the decision is based on, and its last statement reads the
// result.

import type { Credential } from "./access.ts";
import { recognise } from "./codes.ts";
import type { DataKey } from "./data_key.ts";
import { appealDue } from "./deadline.ts";
import { CarriedOut, type Database, type Statement } from "./database.ts";
import { uuids } from "./ids.ts";
import type { Correction, Decision, Keys, NewClaim } from "./intake.ts";
import { BOUNDS, detailOf, rowsOf, type Found } from "./mismatches.ts";
import { presentIn } from "./present.ts";
import { outcomeOf, type Outcome } from "./rows.ts";
import { sealer } from "./seal.ts";
import * as sql from "./sql.ts";
import * as accounts from "./sql/accounts.ts";
import * as leanSql from "./sql/lean.ts";
import * as mismatchSql from "./sql/mismatches.ts";
import * as keySql from "./sql/practice_keys.ts";
import * as trailSql from "./sql/trail.ts";
import { rowMac, type Row } from "./trail.ts";

/** What the writes of one request have in common. */
export interface Writing {
  caller: Credential;
  keys: Keys;
  now: number;
  requestId: string;
  /** Where the request came from. */
  address: string | null;
  submissionId: string;
  /** The audit rows of the corrections and of a new data key. */
  auditIds: [string, string];
  /** True if there are more mismatches than the practice may still have. Then nothing else is written. */
  closes: boolean;
}

/** A D1 value may have 2 MB. A hundred large claims need more, so they may take several parameters of one batch. */
const JSON_MAX = 1_900_000;
const NOTHING: Outcome = { created: 0, others: [] };
const encoder = new TextEncoder();

/** Runs the batch and returns the results of the claims. */
export async function commit(database: Database, decision: Decision, writing: Writing): Promise<Outcome> {
  const { caller, closes } = writing;
  const newClaims = closes ? [] : decision.newClaims;
  const corrections = closes ? [] : decision.corrections;
  const found = decision.mismatches.length > 0 ? await mismatches(decision.mismatches, writing) : undefined;
  const inserted = newClaims.length > 0 ? await insertions(newClaims, writing) : undefined;
  const numbers = [...newClaims.map(({ item }) => item.claim.claim_number), ...corrections.map((c) => c.claim_number)];
  const submission = newClaims.length > 0 ? writing.submissionId : "";
  const outcome = { sql: sql.OUTCOME, params: [caller.practiceId, JSON.stringify(numbers), submission] };
  const guarded = inserted?.guards ?? { first: guards(writing), key: [] };
  const head = [...(found?.done ?? []), ...guarded.first, ...(found?.guard ?? []), ...guarded.key, ...(found?.writes ?? [])];
  const statements = [
    ...head,
    ...(inserted?.statements ?? []),
    ...(corrections.length > 0 ? [...(await updates(corrections, writing)), outcome] : []),
  ];
  try {
    const done = await database.run(statements);
    if (corrections.length > 0) return outcomeOf(done.at(-1)?.json);
    if (inserted === undefined) return NOTHING;
    // These statements follow the count, and in the lean peer also the submission. If every claim was inserted, the stored claims equal the
    // sent ones and need not be read.
    const first = head.length + (LEAN ? 2 : 1);
    const changes = done.slice(first, first + inserted.chunks).reduce((sum, { changes }) => sum + changes, 0);
    if (changes === newClaims.length) return { created: changes, others: [] };
  } catch (error) {
    if (!(error instanceof CarriedOut)) throw error;
    if (numbers.length === 0) return NOTHING;
  }
  return outcomeOf((await database.batch([outcome]))[0]);
}

const guard = ({ caller, now }: Writing) => ({
  sql: sql.GUARD_CREDENTIAL,
  params: [caller.practiceId, caller.apiKeyId, now, "claims:write"],
});

/** The guard of the API key. The lean peer has none. */
const guards = (writing: Writing): Statement[] => (LEAN ? [] : [guard(writing)]);

const actorOf = ({ caller }: Writing) => `api_key:${caller.apiKeyId}`;

/** An audit row and its MAC. */
async function noted(writing: Writing, id: string, action: string, record: string, detail: string | null = null) {
  const { caller, keys, now, requestId, address } = writing;
  const row: Row = { id, at: now, actor: actorOf(writing), action, record, requestId, detail, address };
  return { row, mac: await rowMac(keys.service.current, caller.practiceId, row) };
}

async function audit(writing: Writing, id: string, action: string, record: string, detail: string | null = null) {
  const { row, mac } = await noted(writing, id, action, record, detail);
  const params = [writing.caller.practiceId, id, row.at, row.actor, action, record, row.requestId, detail, row.address];
  return { sql: trailSql.AUDIT, params: [...params, null, mac] };
}

/** The statement that audits the writes of the batch, which it finds by `about`. The lean peer has none. */
async function audited(sql: string, writing: Writing, id: string, action: string, record: string, about: string): Promise<Statement[]> {
  if (LEAN) return [];
  const { row, mac } = await noted(writing, id, action, record);
  return [{ sql, params: [writing.caller.practiceId, about, id, row.at, row.actor, row.requestId, action, row.address, null, mac] }];
}

/** The audit row, which is all that is stored of a submission. The lean peer writes a row of the submission instead. */
async function auditedSubmission(writing: Writing, numbers: string): Promise<Statement[]> {
  if (LEAN) return [];
  const { caller, submissionId: id } = writing;
  const { row, mac } = await noted(writing, id, "submission.received", id);
  const params = [caller.practiceId, id, row.at, row.actor, row.requestId, row.action, row.address, null, mac, numbers];
  return [{ sql: trailSql.AUDIT_SUBMISSION, params }];
}

/** Mismatches are counted in a batch that runs only once: its audit row shows if it ran. */
async function mismatches(found: Found[], writing: Writing) {
  const { caller, now, requestId, closes } = writing;
  const practice = caller.practiceId;
  const [id] = uuids(1, now) as [string];
  const day = new Date(now).toISOString().slice(0, 10);
  const params = [practice, day, rowsOf(found)];
  const count = closes
    ? { sql: mismatchSql.CLOSE, params: [practice, day, BOUNDS.practice] }
    : { sql: mismatchSql.COUNT, params };
  return {
    done: [{ sql: accounts.GUARD_DONE, params: [practice, id] }],
    guard: closes ? [] : [{ sql: mismatchSql.GUARD, params }],
    writes: [await audit(writing, id, "claims.mismatched", requestId, detailOf(found)), count],
  };
}

async function insertions(claims: NewClaim[], writing: Writing) {
  const { caller, keys, now, requestId, submissionId } = writing;
  const practice = caller.practiceId;
  const numbers = JSON.stringify(claims.map(({ item }) => item.claim.claim_number));
  const seal = sealer(keys.data, practice);
  const [trail, ...rows] = await Promise.all([
    auditedSubmission(writing, numbers),
    ...claims.map(async (claim) => claimRow(claim, keys.data.version, await seal(claim.id, claim.item))),
  ]);
  const inserts = chunks(rows).map((json) => ({ sql: sql.INSERT_CLAIMS, params: [practice, submissionId, now, json] }));
  return {
    guards: await guardsOf(keys.data, writing),
    chunks: inserts.length,
    statements: [
      ...(LEAN ? [{ sql: leanSql.INSERT_SUBMISSION, params: [practice, submissionId, now, caller.apiKeyId, requestId, numbers] }] : []),
      counts(claims, practice),
      ...inserts,
      payers(claims, practice),
      ...trail,
    ],
  };
}

/** Counts the new claims by deadline. */
function counts(claims: NewClaim[], practice: string): Statement {
  const rows = claims.map(({ item: { claim } }) => {
    const due = appealDue(claim.plan_type, claim.denial_date);
    return [claim.claim_number, due, claim.billed_amount, claim.denied_amount];
  });
  return { sql: sql.COUNT_CLAIMS, params: [practice, JSON.stringify(rows)] };
}

/** Notes the names of their payers. */
function payers(claims: NewClaim[], practice: string): Statement {
  const names = [...new Set(claims.map(({ item }) => item.claim.payer_name))].sort();
  return { sql: sql.INSERT_PAYERS, params: [practice, JSON.stringify(names)] };
}

/**
 * The guards of the API key and of the data key, in one statement. A data key that is new has its row written between them.
 */
async function guardsOf({ id, number, row }: DataKey, writing: Writing): Promise<{ first: Statement[]; key: Statement[] }> {
  const { caller, now, auditIds } = writing;
  const practice = caller.practiceId;
  const first = guards(writing);
  if (row === undefined) {
    if (LEAN) return { first, key: [] };
    const params = [...guard(writing).params, number, id];
    return { first: [{ sql: sql.GUARD_CREDENTIAL_AND_DATA_KEY, params }], key: [] };
  }
  const insert = { sql: keySql.INSERT, params: [practice, number, id, row.keyVersion, row.wrapped, now] };
  const created = LEAN ? [] : [await audit(writing, auditIds[1], "data_key.created", id)];
  return { first, key: [insert, ...created, { sql: keySql.GUARD, params: [JSON.stringify([[practice, number, id]])] }] };
}

function claimRow({ id, item, tags }: NewClaim, keyVersion: number, sealed: string): string {
  const { claim } = item;
  // In the order of the columns of INSERT_CLAIMS.
  return JSON.stringify([
    claim.claim_number,
    id,
    claim.payer_claim_number,
    claim.payer_name,
    claim.date_of_service,
    claim.denial_date,
    claim.plan_type,
    claim.billed_amount,
    claim.denied_amount,
    claim.denial_codes.map(recognise).filter((code) => code !== undefined),
    tags.patient,
    tags.procedure,
    keyVersion,
    sealed,
    appealDue(claim.plan_type, claim.denial_date),
    presentIn(item),
  ]);
}

/** JSON arrays that each fit into one parameter. */
function chunks(rows: string[]): string[] {
  const all = `[${rows.join()}]`;
  if (all.length * 3 <= JSON_MAX) return [all];
  const chunks: string[][] = [[]];
  let size = 2;
  for (const row of rows) {
    const bytes = encoder.encode(row).length + 1;
    if (size + bytes > JSON_MAX) {
      chunks.push([]);
      size = 2;
    }
    chunks.at(-1)?.push(row);
    size += bytes;
  }
  return chunks.filter((chunk) => chunk.length > 0).map((chunk) => `[${chunk.join()}]`);
}

async function updates(corrections: Correction[], writing: Writing): Promise<Statement[]> {
  const { caller, now, requestId, auditIds } = writing;
  const practice = caller.practiceId;
  const rows = JSON.stringify(corrections);
  const actor = actorOf(writing);
  return [
    { sql: sql.INSERT_CORRECTED_EVENTS, params: [practice, rows, now, actor, requestId] },
    { sql: sql.UPDATE_CORRECTED, params: [practice, rows, now] },
    ...(await audited(trailSql.AUDIT_CORRECTED, writing, auditIds[0], "claims.corrected", requestId, rows)),
  ];
}
