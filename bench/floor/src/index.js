// The least work that the job can take: it looks up the key and writes the same rows. It does not validate, limit,
// seal, fingerprint, log or retry. Text of the same length stands for sealed values and tags.

import { appealDue } from "../../peer/src/deadline.ts";
import { uuids } from "../../peer/src/ids.ts";
import { CLAIMS_OF_KEY, CREDENTIAL_TO_SEND, STATUS_OF_KEY } from "../../peer/src/sql.ts";
import { COUNT_CLAIMS, INSERT_CLAIMS, INSERT_PAYERS } from "../../peer/src/sql.ts";
import { AUDIT_SUBMISSION } from "../../peer/src/sql/trail.ts";

const encoder = new TextEncoder();
const TAG = "0".repeat(32);
/** A sealed text is `2.` and the base64 of a nonce (24 bytes), the confidential JSON, and a tag (16). */
const SEAL = "A".repeat(1 << 16);
const sealed = (bytes) => SEAL.slice(0, 2 + Math.ceil(((24 + bytes + 16) * 4) / 3));
/** A practice's first data key. */
const DATA_KEY = -1;
/** A MAC is the key's version and the base64url of 16 bytes. */
const MAC = `1:${"A".repeat(22)}`;

const uuid = () => uuids(1, Date.now())[0];

// wrangler.toml binds this class, but nothing calls it here.
export class Limiter {}

export default {
  async fetch(request, env) {
    const { pathname, searchParams } = new URL(request.url);
    const key = request.headers.get("Authorization")?.slice("Bearer ".length);
    if (key === undefined) return unauthorized();
    const hash = await keyHash(key);
    return pathname === "/api/v1/claims" ? send(request, env.DB, hash) : status(env.DB, hash, searchParams.get("claim_number"));
  },
};

const unauthorized = () => Response.json({ error: "a valid API key is required" }, { status: 401 });

async function keyHash(key) {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", encoder.encode(key))).toHex();
}

/** Reads in one batch. Returns the first row of each statement as JSON. */
async function read(db, ...statements) {
  const results = await db.batch(statements.map(([sql, ...params]) => db.prepare(sql).bind(...params)));
  return results.map(({ results }) => results[0] && JSON.parse(results[0].json));
}

async function send(request, db, hash) {
  const body = await request.json();
  const items = body.claims ?? [body];
  const numbers = JSON.stringify(items.map(({ claim }) => claim.claim_number));
  const today = new Date().toISOString().slice(0, 10);
  const [sender, found] = await read(db, [CREDENTIAL_TO_SEND, hash], [CLAIMS_OF_KEY, hash, numbers, today]);
  if (!sender) return unauthorized();
  const [[credential], [stored]] = [sender, found];
  const known = new Map(stored.map(([number, id, status]) => [number, { id, status }]));
  const created = items.filter(({ claim }) => !known.has(claim.claim_number));
  const submission = created.length > 0 ? uuid() : null;
  if (submission !== null) {
    await insert(db, credential, submission, created, known, request.headers.get("CF-Connecting-IP"));
  }
  const isNew = new Set(created);
  const claims = items.map((item) => {
    const { claim_number } = item.claim;
    const { id, status } = known.get(claim_number);
    return { claim_number, created: isNew.has(item), id, status };
  });
  return Response.json({ claims, submission_id: submission }, { status: submission === null ? 200 : 201 });
}

async function insert(db, [practice, key], submission, items, known, address) {
  const now = Date.now();
  const actor = `api_key:${key}`;
  const requestId = uuid();
  const rows = items.map((item) => {
    const id = uuid();
    known.set(item.claim.claim_number, { id, status: "received" });
    return row(id, item);
  });
  const numbers = JSON.stringify(items.map(({ claim }) => claim.claim_number));
  const payers = JSON.stringify([...new Set(items.map(({ claim }) => claim.payer_name))]);
  const run = (sql, ...params) => db.prepare(sql).bind(...params);
  await db.batch([
    run(COUNT_CLAIMS, practice, JSON.stringify(rows.map(counted))),
    run(INSERT_CLAIMS, practice, submission, now, JSON.stringify(rows)),
    run(INSERT_PAYERS, practice, payers),
    run(AUDIT_SUBMISSION, practice, submission, now, actor, requestId, "submission.received", address, null, MAC, numbers),
  ]);
}

function row(id, { patient, claim }) {
  const { denial_codes, denial_reason, diagnosis_codes, procedure_code } = claim;
  const confidential = JSON.stringify({ patient, procedure_code, denial_codes, denial_reason, diagnosis_codes });
  // In the order of the columns of INSERT_CLAIMS.
  return [
    claim.claim_number,
    id,
    claim.payer_claim_number,
    claim.payer_name,
    claim.date_of_service,
    claim.denial_date,
    claim.plan_type,
    cents(claim.billed_amount),
    cents(claim.denied_amount),
    denial_codes ?? [],
    TAG,
    procedure_code && TAG,
    DATA_KEY,
    sealed(encoder.encode(confidential).length),
    appealDue(claim.plan_type, claim.denial_date),
    present(patient, claim),
  ];
}

/** The parts of a row that COUNT_CLAIMS takes: number, deadline and amounts. */
const counted = (row) => [row[0], row[14], row[7], row[8]];

/** One bit for each optional part that was sent. */
function present({ account_number, member_id }, { denial_date, plan_type, denial_codes, denial_reason, diagnosis_codes }) {
  const parts = [denial_date, plan_type, denial_codes?.length, denial_reason, diagnosis_codes?.length, account_number, member_id];
  return parts.reduce((bits, part, n) => (part ? bits | (1 << n) : bits), 0);
}

const cents = (amount) => amount && Math.round(Number(amount) * 100);

async function status(db, hash, number) {
  const [row] = await read(db, [STATUS_OF_KEY, hash, number]);
  if (!row) return unauthorized();
  const [credential, claim] = row;
  if (!claim) return Response.json({ error: "no claim with that claim_number" }, { status: 404 });
  const [id, status, signing] = claim;
  const appeal_button = credential.at(-1) === 1;
  return Response.json({ claim: { claim_number: number, id, status, signing: { status: signing, appeal_button } } });
}
