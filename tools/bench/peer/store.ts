// The statements, their rows, and who may make a call. One batch is one round trip and one transaction.

import { Refusal } from "./refusal.ts";

/** SQL and its parameters. */
export type Statement = [sql: string, ...params: (string | number | null)[]];

/** Runs a batch. Returns the JSON that each statement read, if any, and how many rows it changed. */
export async function batch(db: D1Database, statements: Statement[]): Promise<{ json: unknown; changes: number }[]> {
  const results = await db.batch<{ json: string }>(statements.map(([sql, ...params]) => db.prepare(sql).bind(...params)));
  return results.map(({ results: [row], meta }) => ({ json: row && JSON.parse(row.json), changes: meta.changes }));
}

const CALLER = `json_array(k.practice_id, k.scopes, k.expires_at, k.revoked_at IS NOT NULL, p.state,
  EXISTS (SELECT 1 FROM agreements a WHERE a.practice_id = p.id AND a.kind = 'baa' AND a.ended_at IS NULL), p.appeal_button)`;
const OF_KEY = "FROM api_keys k JOIN practices p ON p.id = k.practice_id WHERE k.hash = ?1";

export const CALLER_AND_DATA_KEY = `SELECT json_array(${CALLER}, json((SELECT json_array(dk.version, dk.id, dk.key_version,
  dk.wrapped) FROM practice_keys dk WHERE dk.practice_id = k.practice_id ORDER BY dk.version DESC LIMIT 1))) AS json ${OF_KEY}`;

export const CALLER_AND_STATUS = `SELECT json_array(${CALLER}, json((SELECT json_array(c.id, c.status, c.signing_status)
  FROM claims c WHERE c.practice_id = k.practice_id AND c.claim_number = ?2))) AS json ${OF_KEY}`;

export const CLAIMS_OF_KEY = `SELECT json_group_array(json_array(c.claim_number, c.id, c.status, c.patient_tag,
  c.procedure_tag, c.date_of_service)) AS json FROM api_keys k JOIN claims c
  ON c.practice_id = k.practice_id AND c.claim_number IN (SELECT value FROM json_each(?2)) WHERE k.hash = ?1`;

export const INSERT_DATA_KEY = `INSERT INTO practice_keys (practice_id, version, id, key_version, wrapped, created_at)
  VALUES (?1, 1, ?2, ?3, ?4, ?5) ON CONFLICT DO NOTHING`;

/** Fails the batch unless the claims in it are sealed under the practice's data key. */
export const GUARD_DATA_KEY = `INSERT INTO guards (failed) SELECT 'data_key' WHERE NOT EXISTS (
  SELECT 1 FROM practice_keys WHERE practice_id = ?1 AND id = ?2 AND destroyed_at IS NULL)`;

export const INSERT_CLAIMS = `
  WITH f AS MATERIALIZED (SELECT jsonb(value) AS claim, key + 1 AS n FROM json_each(?4)),
  base AS MATERIALIZED (SELECT coalesce((SELECT changed FROM claims
  WHERE practice_id = ?1 ORDER BY changed DESC LIMIT 1), 0) AS n)
  INSERT INTO claims (practice_id, submission_id, received_at, updated_at, claim_number, id, payer_claim_number,
  payer_name, date_of_service, denial_date, plan_type, billed_cents, denied_cents, adjustment_codes, patient_tag,
  procedure_tag, key_version, sealed, appeal_due, appeal_due_from, present, changed)
  SELECT ?1, ?2, ?3, ?3, claim ->> 0, claim ->> 1, claim ->> 2, claim ->> 3, claim ->> 4, claim ->> 5, claim ->> 6,
  claim ->> 7, claim ->> 8, claim -> 9, claim ->> 10, claim ->> 11, claim ->> 12, claim ->> 13,
  claim ->> 14, iif(claim ->> 14 IS NULL, NULL, 'rule'), claim ->> 15, base.n + f.n
  FROM base, f WHERE true
  ON CONFLICT (practice_id, claim_number) DO NOTHING`;

export interface Caller {
  practice: string;
  appealButton: boolean;
}

/** The caller of a row, if the key may make the call. */
export function authorise(row: unknown, scope: "claims:write" | "claims:read", now: number): Caller {
  if (row === undefined) throw Refusal.notAuthenticated();
  const [practice, scopes, expiresAt, revoked, state, baa, appealButton] =
    row as [string, string, number, number, string, number, number];
  if (revoked !== 0 || now >= expiresAt) throw Refusal.notAuthenticated();
  if (!scopes.split(" ").includes(scope)) throw Refusal.forbidden(`the API key lacks the permission ${scope}`);
  if (state !== "active") throw Refusal.forbidden("the organization is not an active practice");
  if (baa === 0) throw Refusal.forbidden("a signed business associate agreement is required", "baa_required");
  return { practice, appealButton: appealButton !== 0 };
}
