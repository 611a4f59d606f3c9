// The least work that the job can take: it looks up the key and inserts the claims. It does not validate, limit, seal,
// fingerprint, count, audit, log or retry. Text of the same length stands for sealed values and tags.

import { appealDue } from "../peer/deadline.ts";
import { uuids } from "../peer/ids.ts";
import { batch, CALLER_AND_DATA_KEY, CALLER_AND_STATUS, CLAIMS_OF_KEY, INSERT_CLAIMS } from "../peer/store.ts";

const encoder = new TextEncoder();
const TAG = "0".repeat(32);
/** A sealed text is `1.` and the base64 of a nonce (24 bytes), the confidential JSON, and a tag (16). */
const SEAL = "A".repeat(1 << 16);
const sealed = (bytes) => SEAL.slice(0, 2 + Math.ceil(((24 + bytes + 16) * 4) / 3));
/** A practice's first data key. */
const DATA_KEY = 1;

const uuid = () => uuids(1, Date.now())[0];

// wrangler.toml binds this class, but nothing calls it here.
export class Limiter {}

export default {
  async fetch(request, env) {
    const { pathname, searchParams } = new URL(request.url);
    const key = request.headers.get("Authorization")?.slice("Bearer ".length);
    if (key === undefined) return unauthorized();
    const hash = await keyHash(key);
    return pathname === "/api/v1/claims" ? send(request, env.DB_000, hash) : status(env.DB_000, hash, searchParams.get("claim_number"));
  },
};

const unauthorized = () => Response.json({ error: "a valid API key is required" }, { status: 401 });

async function keyHash(key) {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", encoder.encode(key))).toHex();
}

async function send(request, db, hash) {
  const body = await request.json();
  const items = body.claims ?? [body];
  const numbers = JSON.stringify(items.map(({ claim }) => claim.claim_number));
  const [sender, found] = await batch(db, [[CALLER_AND_DATA_KEY, hash], [CLAIMS_OF_KEY, hash, numbers]]);
  if (!sender.json) return unauthorized();
  const [[practice]] = sender.json;
  const known = new Map(found.json.map(([number, id, status]) => [number, { created: false, id, status }]));
  const created = items.filter(({ claim }) => !known.has(claim.claim_number));
  const submission = created.length > 0 ? uuid() : null;
  if (submission !== null) {
    const rows = created.map((item) => {
      const id = uuid();
      known.set(item.claim.claim_number, { created: true, id, status: "received" });
      return row(id, item);
    });
    await batch(db, [[INSERT_CLAIMS, practice, submission, Date.now(), JSON.stringify(rows)]]);
  }
  const claims = items.map(({ claim: { claim_number } }) => ({ claim_number, ...known.get(claim_number) }));
  return Response.json({ claims, submission_id: submission }, { status: submission === null ? 200 : 201 });
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

/** One bit for each optional part that was sent. */
function present({ account_number, member_id }, { denial_date, plan_type, denial_codes, denial_reason, diagnosis_codes }) {
  const parts = [denial_date, plan_type, denial_codes?.length, denial_reason, diagnosis_codes?.length, account_number, member_id];
  return parts.reduce((bits, part, n) => (part ? bits | (1 << n) : bits), 0);
}

const cents = (amount) => amount && Math.round(Number(amount) * 100);

async function status(db, hash, number) {
  const [{ json }] = await batch(db, [[CALLER_AND_STATUS, hash, number]]);
  if (!json) return unauthorized();
  const [caller, claim] = json;
  if (!claim) return Response.json({ error: "no claim with that claim_number" }, { status: 404 });
  const [id, status, signing] = claim;
  const appeal_button = caller.at(-1) === 1;
  return Response.json({ claim: { claim_number: number, id, status, signing: { status: signing, appeal_button } } });
}
