// The built identity Worker, in workerd.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startIdentity } from "./workers.mjs";

const lines = [];
let worker;

before(async () => {
  worker = await startIdentity(lines);
});

after(() => worker.dispose());

const client = {
  issuer: "https://login.example",
  client_id: "us",
  redirect_uri: "https://overturn.example/callback",
  algorithms: ["RS256"],
  scopes: ["email"],
  verified_claim: "email_verified",
  local: true,
};
const rp = { id: "overturn.example", origins: ["https://overturn.example"] };
const user_id = "01890a5d-ac96-774b-bcce-b302099a8057";
const sp = { entity_id: "https://overturn.example/m", acs: "https://overturn.example/acs", keys: [] };
const stored = { id: "AA", public_key: "AA", sign_count: 0, backup_eligible: false, backed_up: false, transports: [] };
const now = Date.now();

const QUESTIONS = {
  "/oidc/begin": { client, discovery: {} },
  "/oidc/check": { client, keys: { keys: [] }, id_token: "a.b.c", nonce: "n", now },
  "/passkeys/begin_registration": { rp, user_id, name: "a@b.example", display_name: "A", exclude: [] },
  "/passkeys/check_registration": { rp, user_id, state: "AA", credential: {} },
  "/passkeys/begin_assertion": { rp, allow: [] },
  "/passkeys/check_assertion": { rp, user_id, state: "AA", credential: {}, stored, named: true },
  "/saml/describe": { metadata: "<a/>", now, local: true },
  "/saml/begin": { sp, metadata: "<a/>", relay_state: "r", now },
  "/saml/check": { sp, metadata: "<a/>", response: "AA==", request_id: "_1", now },
  "/saml/metadata": { sp },
};

test("every kind of question has facts or a refusal as its answer", async () => {
  for (const [path, question] of Object.entries(QUESTIONS)) {
    const answer = await worker.post(path, JSON.stringify(question));
    assert.equal(answer.status, 200, path);
    const [[verdict, content], ...rest] = Object.entries(await answer.json());
    assert.ok(["accepted", "refused"].includes(verdict) && rest.length === 0, path);
    if (verdict === "refused") assert.deepEqual(Object.keys(content).sort(), ["detail", "reason"], path);
  }
  assert.deepEqual(lines, []);
});

test("anything else has a status and no text", async () => {
  const question = JSON.stringify(QUESTIONS["/saml/describe"]);
  for (const [path, body, status] of [
    ["/saml/describe", "", 400],
    ["/saml/describe", "junk", 400],
    ["/saml/describe", new Uint8Array([0xff, 0, 1]), 400],
    ["/saml/describe", "{}", 400],
    ["/saml/describe", `${question}1`, 400],
    ["/saml/describe", question.padEnd(1 << 20), 200],
    ["/saml/describe", question.padEnd((1 << 20) + 1), 413],
    ["/", question, 404],
    ["/saml", question, 404],
    ["/saml/describe/", question, 404],
    ["/%ff", question, 404],
  ]) {
    const answer = await worker.post(path, body);
    assert.equal(answer.status, status, path);
    const text = await answer.text();
    assert.ok(status === 200 || text === "", path);
  }
  const answer = await worker.fetch("/saml/describe");
  assert.equal(answer.status, 405);
  assert.deepEqual(lines, []);
});
