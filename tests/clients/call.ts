// A developer's use of the types that openapi-typescript generates from the descriptions: send a claim, read its status, and
// handle refusals by their type.
//
//   CONTRACT_DEMO  the file of the demo data

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import createClient from "openapi-fetch";
import type { paths as Accounts } from "generated/accounts";
import type { components, paths as Claims } from "generated/claims";

type Item = components["schemas"]["Item"];
type Refusal = components["schemas"]["ErrorResponse"];

const demo = JSON.parse(readFileSync(process.env["CONTRACT_DEMO"] ?? "", "utf8"));
const baseUrl: string = demo.base_url;
const key: string = demo.practices.active.keys.full;
const authorized = { Authorization: `Bearer ${key}` };
const client = createClient<Claims>({ baseUrl, headers: authorized });

const item: Item = {
  patient: { first_name: "Dana", last_name: "Whitfield", date_of_birth: "1984-06-02" },
  claim: {
    claim_number: "TS-2025-00417",
    payer_claim_number: "25014XK8831",
    payer_name: "Blue Prairie Health",
    date_of_service: "2025-01-14",
    billed_amount: "245.00",
    denial_codes: ["CO-50", "N130"],
  },
};

const sent = await client.POST("/api/v1/claims", { body: { claims: [item] } });
assert.equal(sent.response.status, 201, JSON.stringify(sent.error));
const [result] = sent.data?.claims ?? [];
const created: boolean | undefined = result?.created;
assert.equal(created, true);
assert.equal(typeof sent.data?.submission_id, "string");

const again = await client.POST("/api/v1/claims", { body: item });
assert.deepEqual([again.response.status, again.data?.submission_id], [200, null]);

const query = { claim_number: item.claim.claim_number };
const status = await client.GET("/api/v1/claims/status", { params: { query } });
const stands: components["schemas"]["ClaimStatus"] | undefined = status.data?.claim.status;
assert.deepEqual([stands, status.data?.claim.id], ["received", result?.id]);

const invalid = await client.POST("/api/v1/claims", { body: { ...item, claim: { ...item.claim, billed_amount: null } } });
const wrong: Refusal | undefined = invalid.error;
assert.equal(invalid.response.status, 422);
assert.deepEqual(wrong?.errors, ["claim.billed_amount or claim.denied_amount is required"]);

const stranger = createClient<Claims>({ baseUrl });
const refused = await stranger.GET("/api/v1/claims/status", { params: { query } });
const why: Refusal | undefined = refused.error;
assert.deepEqual([refused.response.status, why?.error], [401, "a valid API key is required"]);
assert.equal(refused.response.headers.get("WWW-Authenticate"), "Bearer");

const accounts = createClient<Accounts>({ baseUrl, headers: authorized });
const denied = await accounts.GET("/api/v1/denials", { params: { query: { limit: 5 } } });
const code: "not_authenticated" | undefined = denied.response.status === 401 ? (denied.error?.error.code as "not_authenticated") : undefined;
assert.equal(code, "not_authenticated");
assert.match(denied.error?.error.message ?? "", /^this takes a session or an API token/);
console.log("a claim was sent and read, 422 and 401 were typed");
