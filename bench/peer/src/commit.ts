// What a decision writes, as one batch: guarded by the caller's rights, and at its end asked what came of it.

import type { Credential } from "./access.ts";
import { recognise } from "./codes.ts";
import { appealDue } from "./deadline.ts";
import type { Statement } from "./database.ts";
import type { Correction, Decision, NewClaim } from "./intake.ts";
import type { Keyring } from "./keyring.ts";
import { sealer } from "./seal.ts";
import * as sql from "./sql.ts";

/** What the writes of one request have in common. */
export interface Writing {
  caller: Credential;
  keyring: Keyring;
  now: number;
  requestId: string;
  submissionId: string;
  /** The audit rows of the submission and of the corrections. */
  auditIds: [string, string];
}

/** D1 takes 2 MB a value. A hundred large claims are more, so they may travel as several parameters of one batch. */
const JSON_MAX = 1_900_000;
const encoder = new TextEncoder();

export async function commitStatements(decision: Decision, writing: Writing): Promise<Statement[]> {
  const { caller, now } = writing;
  const { newClaims, corrections } = decision;
  const numbers = [...newClaims.map(({ item }) => item.claim.claim_number), ...corrections.map((c) => c.claim_number)];
  const submission = newClaims.length > 0 ? writing.submissionId : "";
  return [
    { sql: sql.GUARD_CREDENTIAL, params: [caller.practiceId, caller.apiKeyId, now, "claims:write"] },
    ...(newClaims.length > 0 ? await insertions(newClaims, writing) : []),
    ...(corrections.length > 0 ? updates(corrections, writing) : []),
    { sql: sql.OUTCOME, params: [caller.practiceId, JSON.stringify(numbers), submission] },
  ];
}

async function insertions(claims: NewClaim[], writing: Writing): Promise<Statement[]> {
  const { caller, now, requestId, submissionId, auditIds } = writing;
  const practice = caller.practiceId;
  const actor = `api_key:${caller.apiKeyId}`;
  const numbers = JSON.stringify(claims.map(({ item }) => item.claim.claim_number));
  const key = writing.keyring.current;
  const seal = sealer(key, practice);
  const rows = await Promise.all(
    claims.map(async (claim) => claimRow(claim, key.version, await seal(claim.id, claim.item))),
  );
  return [
    { sql: sql.INSERT_SUBMISSION, params: [practice, submissionId, now, caller.apiKeyId, requestId, numbers] },
    ...chunks(rows).map((json) => ({ sql: sql.INSERT_CLAIMS, params: [practice, submissionId, now, json] })),
    { sql: sql.INSERT_RECEIVED_EVENTS, params: [practice, submissionId, now, actor, requestId, numbers] },
    { sql: sql.AUDIT_SUBMISSION, params: [practice, submissionId, auditIds[0], now, actor, requestId] },
  ];
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

function updates(corrections: Correction[], { caller, now, requestId, auditIds }: Writing): Statement[] {
  const practice = caller.practiceId;
  const rows = JSON.stringify(corrections);
  const actor = `api_key:${caller.apiKeyId}`;
  return [
    { sql: sql.INSERT_CORRECTED_EVENTS, params: [practice, rows, now, actor, requestId] },
    { sql: sql.UPDATE_CORRECTED, params: [practice, rows, now] },
    { sql: sql.AUDIT_CORRECTED, params: [practice, rows, auditIds[1], now, actor, requestId] },
  ];
}
