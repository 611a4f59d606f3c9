// The client in TypeScript, as it is installed, against the service and its faults.
//
//   DEMO   the file of the demo data
//   PROXY  the address of proxy.mjs

import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as overturn from "@overturn/client";
import { Client, LostAnswerError, OverturnError, SendError, SignatureError, verifyWebhook } from "@overturn/client";
import { totp } from "./totp.mjs";

const demo = JSON.parse(readFileSync(process.env["DEMO"] ?? "", "utf8"));
const baseUrl = process.env["PROXY"] ?? "";
const practice = demo.practices.active;
// Of the right form, and nobody's.
const KEY = "ovt_test_3UeuGdlKTJieoGJrUHcY7S8yUfegzRh40nSetp0";
const TOKEN = "ovu_test_3UeuGdlKTJieoGJrUHcY7S8yUfegzRh4066vfO2";

/** A client whose waits take no time, and the waits. */
function made(credentials: { apiKey?: string; apiToken?: string }) {
  const waits: number[] = [];
  const sleep = async (ms: number) => void waits.push(Math.round(ms));
  return { client: new Client({ baseUrl, sleep, ...credentials }), waits };
}

const faults = (...all: unknown[]) => fetch(`${baseUrl}/faults`, { method: "POST", body: JSON.stringify(all) });
type Seen = { method: string; url: string; key?: string; body: string };
const seen = async (): Promise<Seen[]> => (await fetch(`${baseUrl}/seen`)).json();
const refused = (type: abstract new (...args: never[]) => Error, fields: object) => (error: unknown) => {
  assert.ok(error instanceof type, String(error));
  for (const [key, value] of Object.entries(fields)) assert.deepEqual(error[key as keyof Error], value, key);
  return true;
};

const item = (claim_number: string, more: object = {}) => ({
  patient: { first_name: "Dana", last_name: "Whitfield", date_of_birth: "1984-06-02" },
  claim: {
    claim_number,
    payer_claim_number: "25014XK8831",
    payer_name: "Blue Prairie Health",
    date_of_service: "2025-01-14",
    billed_amount: "245.00",
    denial_codes: ["CO-50"],
    ...more,
  },
});

let owner: Client;

test("a person signs in and makes a token, whose answer is lost", async () => {
  owner = made({}).client;
  const { email, password, totp_secret } = demo.users.owner;
  await assert.rejects(owner.signIn(email, password), (error) => error instanceof overturn.TwoFactorRequiredError && /give signIn a `code`/.test(error.message));
  await owner.signIn(email, password, () => totp(totp_secret));
  const body = { name: "Client", scopes: ["denials:read", "documents:write"] as ("denials:read" | "documents:write")[], expires_in_days: 1 };
  await faults("lose");
  const repeated = await owner.apiTokens.createApiToken(body);
  assert.equal(repeated.token, null);
  const [first, second, ...more] = await seen();
  assert.deepEqual([first, more], [second, []]);
  assert.match(first!.key ?? "", /^[0-9a-f-]{36}$/);
  await owner.apiTokens.revokeApiToken(repeated.id);
});

test("any number of items is sent, and each gets its answer, whatever is lost", async () => {
  const { client, waits } = made({ apiKey: practice.keys.full });
  await client.claims.sendClaims(item("TS-taken"));
  const other = { ...item("TS-taken"), patient: { first_name: "Jane", last_name: "Doe", date_of_birth: "1980-02-29" } };
  const items = [...Array.from({ length: 230 }, (_, n) => item(`TS-${n}`)), item("TS-0", { billed_amount: "250.00" }), item("TS-bad", { billed_amount: "2" }), other];
  await faults("lose", { status: 503, retry_after: 2 }, "pass", { status: 429, retry_after: 3, body: { error: "too many requests", retry_after: 3 } }, "drop");
  const results = await client.claims.send(items);
  assert.deepEqual(results.map((one) => one.index), items.map((_, n) => n));
  assert.deepEqual(results.filter((one) => one.errors.length > 0).map((one) => [one.claim_number, one.errors]), [
    ["TS-bad", ["claim.billed_amount must be a positive amount as text with two decimals"]],
    ["TS-taken", ["claim.claim_number is already used for a different patient"]],
  ]);
  assert.equal(new Set(results.slice(0, 230).map((one) => one.id)).size, 230);
  assert.equal(results[230]!.id, results[0]!.id);
  const sent = await seen();
  assert.equal(new Set(sent.slice(0, 3).map((one) => one.body)).size, 1);
  assert.ok(sent.every((one) => one.url === "/api/v1/claims"));
  assert.deepEqual(waits.map((ms) => Math.floor(ms / 500) / 2), [0.5, 2, 3, 0.5]);
});

test("items that the service refuses do not hold up the others", async () => {
  const { client } = made({ apiKey: practice.keys.full });
  const stopped = "claim.claim_number cannot be sent again until 00:00 UTC, because too many resends of today were for a different patient or claim";
  await faults(
    { status: 422, body: { error: "Invalid request", errors: ["claims[1]: claim.date_of_service is wrong", "claims[1]: claim.payer_name is wrong"] } },
    { status: 429, retry_after: 80_000, body: { error: `claims[0], claims[2]: ${stopped}`, retry_after: 80_000 } },
  );
  const results = await client.claims.send(["A", "B", "C", "D"].map((name) => item(`TS-part-${name}`)));
  assert.deepEqual(results.map(({ created, errors }) => [created, errors]), [
    [false, [stopped]],
    [false, ["claim.date_of_service is wrong", "claim.payer_name is wrong"]],
    [true, []],
    [false, [stopped]],
  ]);
});

test("the advice of a sandbox comes with the item, after that of the rules", async () => {
  await faults();
  await owner.sandbox.makeSandbox();
  const { key } = await owner.sandbox.createSandboxKey({ name: "Client", scopes: ["claims:write"] });
  const { client } = made({ apiKey: key! });
  const madeUp = { ...item("TS-made-up"), patient: { first_name: "Jane", last_name: "Doe", date_of_birth: "1980-02-29" } };
  const results = await client.claims.send([madeUp, item("TS-real")]);
  const missing = [[0, "denial_date_missing", "claim.denial_date"], [0, "plan_type_missing", "claim.plan_type"]];
  const told = results.map(({ advice }) => advice.map(({ index, code, field }) => [index, code, field]));
  assert.deepEqual(told, [missing, [...missing, [0, "not_made_up", undefined]]]);
});

test("a send that ends early has the answers that came before", async () => {
  const { client } = made({ apiKey: practice.keys.full });
  await faults("pass", ...Array(7).fill({ status: 500 }));
  const items = Array.from({ length: 150 }, (_, n) => item(`TS-end-${n}`));
  await assert.rejects(client.claims.send(items), (error) => {
    assert.ok(error instanceof SendError && error.cause instanceof overturn.InternalErrorError);
    assert.match(error.message, /send all items again: nothing is doubled/);
    assert.equal(error.cause.status, 500);
    return error.results.length === 100;
  });
  assert.equal((await seen()).length, 8);
});

test("large items are split by bytes", async () => {
  const { client } = made({ apiKey: practice.keys.full });
  await faults();
  const items = Array.from({ length: 5 }, (_, n) => ({ ...item(`TS-large-${n}`), note: "é".repeat(450_000) }));
  assert.deepEqual((await client.claims.send(items)).map((one) => one.created), Array(5).fill(true));
  assert.equal((await seen()).length, 3);
});

test("what cannot be repeated safely is not repeated", async () => {
  const { client } = made({});
  for (const fault of ["lose", { status: 503, retry_after: 1 }]) {
    await faults(fault);
    const failed = client.links.sendMagicLink({ email: "nobody@example.test" });
    await assert.rejects(failed, typeof fault === "string" ? LostAnswerError : overturn.UnavailableError);
    assert.equal((await seen()).length, 1);
  }
});

test("a refusal has the class of its code", async () => {
  const { client } = made({ apiKey: practice.keys.full });
  await faults();
  await assert.rejects(made({ apiKey: KEY }).client.claims.readClaimStatus({ claim_number: "TS-0" }), refused(overturn.NotAuthenticatedError, { status: 401, code: "not_authenticated" }));
  await assert.rejects(client.claims.readClaimStatus({ claim_number: "TS-none" }), refused(overturn.NotFoundError, { status: 404 }));
  await assert.rejects(client.claims.sendClaims({ claims: [] }), refused(overturn.ValidationFailedError, { problems: ["claims must have 1 to 100 items"] }));
  await assert.rejects(made({ apiKey: demo.practices.no_baa.keys.full }).client.claims.sendClaims(item("TS-0")), refused(overturn.NotAuthorizedError, { reason: "baa_required" }));
  await assert.rejects(owner.webhooks.createWebhook({ url: "http://example.com", events: [] }), refused(overturn.ValidationFailedError, { status: 422 }));
  await faults({ status: 302 });
  await assert.rejects(client.claims.readClaimStatus({ claim_number: "TS-0" }), /redirect/);
  await assert.rejects(client.claims.readClaimStatus({ claim_number: "TS-0" }, { signal: AbortSignal.abort() }), /abort/i);
  assert.throws(() => new Client({ baseUrl: "http://app.overturn.example" }), /https/);
});

test("a mistake of the setup is said before anything is sent, and no key is repeated", async () => {
  await faults();
  const said = (options: object) => {
    try {
      new Client({ baseUrl, ...options });
    } catch (error) {
      assert.ok(error instanceof OverturnError);
      return error.message;
    }
    return "nothing";
  };
  assert.match(said({ baseUrl: "" }), /set OVERTURN_URL, or give the address/);
  assert.equal(said({ baseUrl: "https://app.overturn.example:8443/" }), "nothing");
  for (const path of ["https://app.overturn.example/api/v1", `${baseUrl}/api`, "https://a?b", "https://ann:secret@a"]) {
    assert.match(said({ baseUrl: path }), /without a path/);
    assert.ok(!said({ baseUrl: path }).includes("secret"));
  }
  for (const [name, right, other] of [["apiKey", KEY, TOKEN], ["apiToken", TOKEN, KEY]] as const) {
    for (const [wrong, why] of [
      [`${right}\n`, /line break/],
      [`${right.slice(0, 20)} ${right.slice(20)}`, /space/],
      [right.slice(0, -1), /length/],
      [right.replace("3", "4"), /mistyped/],
      [other, /begin with ov/],
      ["secret", /begin with ov/],
    ] as const) {
      const message = said({ [name]: wrong });
      assert.match(message, why);
      assert.ok(message.startsWith(name) && !/UeuGdl|secret/.test(message), message);
    }
    assert.equal(said({ [name]: right }), "nothing");
  }
  const { client } = made({});
  await assert.rejects(client.claims.readClaimStatus({ claim_number: "TS-0" }), /set OVERTURN_API_KEY, or give apiKey/);
  await assert.rejects(client.claims.send([item("TS-0")]), /set OVERTURN_API_KEY, or give apiKey/);
  await assert.rejects(client.denials.listDenials(), /set OVERTURN_API_TOKEN, give apiToken, or sign in/);
  assert.deepEqual(await seen(), []);
});

test("records of all pages come one by one, and a document goes and comes back", async () => {
  await faults();
  const { token } = await owner.apiTokens.createApiToken({ name: "Client", scopes: ["denials:read", "documents:write"], expires_in_days: 1 });
  const { client } = made({ apiToken: token! });
  const numbers = new Set<string>();
  for await (const denial of client.denials.iterateDenials({ limit: 100, payer_name: "Blue Prairie Health" })) numbers.add(denial.claim_number);
  for (let n = 0; n < 230; n += 1) assert.ok(numbers.has(`TS-${n}`), String(n));
  await faults("lose");
  const content = "Dear practice, the claim is denied.";
  const form = { claim_number: "TS-0", kind: "denial_letter" as const, file: new File([content], "letter.txt") };
  const stored = await client.documents.uploadDocument(form);
  assert.equal(new Set((await seen()).map((one) => one.key)).size, 1);
  assert.equal(new TextDecoder().decode(await owner.documents.downloadDocument(stored.id)), content);
  const trail = [];
  for await (const row of owner.practice.exportAudit({ limit: 5 })) {
    trail.push(row);
    if (trail.length === 12) break;
  }
  assert.equal(trail.length, 12);
});

test("a webhook message is verified with every secret, in time and unchanged", async () => {
  const [old, fresh] = ["b".repeat(43), "c".repeat(43)].map((text) => `whsec_${text}=`);
  const now = new Date("2026-11-21T10:01:00Z");
  const body = '{"type":"claim.status_changed","timestamp":"2026-11-21T10:01:00.000Z","data":{"claim":{"id":"1","claim_number":"Ä-1","status":"recovered"}}}';
  const sign = (secret: string, text: string) => `v1,${createHmac("sha256", Buffer.from(secret.slice(6), "base64")).update(text).digest("base64")}`;
  const headers = { "webhook-id": "m1", "webhook-timestamp": "1795255260", "webhook-signature": `v1,x ${sign(fresh!, `m1.1795255260.${body}`)}` };
  for (const secrets of [fresh!, [old!, fresh!]]) {
    const event = await verifyWebhook(body, new Headers(headers), secrets, { now });
    assert.ok(event.type === "claim.status_changed" && event.data.claim.status === "recovered");
  }
  await verifyWebhook(Buffer.from(body), headers, fresh!, { now });
  const late = new Date(now.getTime() + 301_000);
  for (const [text, given, secret, at] of [
    [body, headers, old, now],
    [`${body} `, headers, fresh, now],
    [body, { ...headers, "webhook-id": "m2" }, fresh, now],
    [body, { ...headers, "webhook-timestamp": "x" }, fresh, now],
    [body, {}, fresh, now],
    [body, headers, fresh, late],
  ] as const) {
    await assert.rejects(verifyWebhook(text, given, secret!, { now: at }), SignatureError);
  }
  for (const secret of [undefined, null, "", "whsec_secret", fresh!.slice(6), `${fresh}\n`, [], [fresh, ""]]) {
    const failed = verifyWebhook(body, headers, secret as string, { now });
    await assert.rejects(failed, (error) => error instanceof OverturnError && !(error instanceof SignatureError) && /must be that of the webhook: whsec_/.test(error.message));
  }
});
