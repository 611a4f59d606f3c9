// What people of the demo practice do before and after a move to another host.
//
//   SIGN_IN=… node tools/dev/moved.mjs sign-in URL               signs its owner in: {"email", "password", "code"}; prints the cookies
//   COOKIES=… node tools/dev/moved.mjs see URL [CHECKED_TO]      prints what the owner sees: {"denials", "documents", "checked_to"}
//   API_KEY=… node tools/dev/moved.mjs send URL NUMBER           sends a claim with this number; prints the answer
//
// `see` verifies the audit trail, from the last row of an earlier `see` if it is given, and downloads every document.

import { createHash } from "node:crypto";

const [action, base, ...words] = process.argv.slice(2);

async function call(path, headers, body) {
  const response = await fetch(new URL(path, base), {
    method: body === undefined ? "GET" : "POST",
    headers: body === undefined ? headers : { ...headers, "content-type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  if (!response.ok && response.status !== 402) throw new Error(`${path.split("?")[0]} was answered with ${response.status}`);
  return response;
}

async function signIn() {
  const { email, password, code } = JSON.parse(process.env.SIGN_IN);
  const { continuation_token } = await (await call("/api/v1/auth/session", {}, { email, password })).json();
  const signed = await call("/api/v1/auth/session/2fa", {}, { continuation_token, code });
  return signed.headers.getSetCookie().map((cookie) => cookie.split(";")[0]).join("; ");
}

/** All rows of a list. */
async function all(name, headers) {
  const rows = [];
  let cursor = "";
  do {
    const page = await (await call(`/api/v1/${name}?cursor=${encodeURIComponent(cursor)}`, headers)).json();
    rows.push(...page[name]);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return rows;
}

async function see(from = "") {
  const headers = { cookie: process.env.COOKIES };
  const trail = await (await call(`/api/v1/settings/audit/verify?cursor=${from}`, headers)).json();
  if (!trail.intact || trail.next_cursor !== null) throw new Error("the audit trail is not intact");
  const denials = await all("denials", headers);
  const documents = await all("documents", headers);
  for (const document of documents) {
    const content = await call(`/api/v1/documents/${document.id}/content`, headers);
    const digest = createHash("sha256").update(Buffer.from(await content.arrayBuffer())).digest("hex");
    if (digest !== document.sha256) throw new Error("a document has other bytes than its digest says");
  }
  const { sequence, digest } = trail.checked_to;
  return { denials, documents, checked_to: `${sequence}_${digest}` };
}

async function send(claim_number) {
  const headers = { authorization: `Bearer ${process.env.API_KEY}` };
  const claim = {
    claim_number,
    payer_claim_number: claim_number,
    payer_name: "Moved",
    date_of_service: "2026-01-15",
    denial_date: "2026-02-02",
    plan_type: "erisa",
    billed_amount: "100.00",
    denial_codes: ["CO-50"],
  };
  const patient = { first_name: "Moved", last_name: "House", date_of_birth: "1980-01-01" };
  return (await call("/api/v1/claims", headers, { patient, claim })).json();
}

const actions = { "sign-in": signIn, see, send };
try {
  process.stdout.write(`${JSON.stringify(await actions[action](...words))}\n`);
} catch (error) {
  process.stderr.write(`moved: ${error.message}\n`);
  process.exitCode = 1;
}
