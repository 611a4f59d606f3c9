// The identity Worker with a certified OpenID provider, and with answers of it that were changed.

import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { Browser } from "./browser.mjs";
import { startIdentity, startProviders } from "./workers.mjs";

const HOME = "http://127.0.0.1:1/";
const OLIVIA = { id: "olivia", name: "Olivia Owner", email: "olivia@practice.example", amr: ["mfa", "otp"], acr: "urn:strong" };
const UMA = { id: "uma", name: "Uma", email: "uma@practice.example", email_verified: false, personal: true };

let identity;
let providers;
let client;

before(async () => {
  [identity, providers] = await Promise.all([startIdentity(), startProviders([OLIVIA, UMA])]);
  client = {
    issuer: providers.oidc.issuer,
    client_id: providers.oidc.client_id,
    redirect_uri: `${HOME}api/v1/auth/oauth/demo/callback`,
    algorithms: ["RS256"],
    scopes: ["email", "profile"],
    verified_claim: "email_verified",
    domain_claim: "hd",
    local: true,
  };
});

beforeEach(() => providers.answers({}));

after(() => Promise.all([identity.dispose(), providers.stop()]));

const json = async (address, init) => (await fetch(address, init)).json();

/** Signs in at the provider. Returns what came back to the service. */
async function signIn(person = OLIVIA) {
  const discovery = await json(`${client.issuer}/.well-known/openid-configuration`);
  const begun = await identity.ask("/oidc/begin", { client, discovery });
  assert.equal(typeof begun, "object", begun);
  const browser = new Browser(HOME);
  const page = await browser.open(begun.url);
  assert.match(page.text, /Olivia Owner/);
  const back = await browser.submit(page, { person: person.id });
  return { discovery, begun, back: Object.fromEntries(back.url.searchParams) };
}

/** Redeems a code. */
function redeem({ discovery, begun }, code) {
  const { client_id, client_secret } = providers.oidc;
  const body = { grant_type: "authorization_code", code, redirect_uri: client.redirect_uri, code_verifier: begun.verifier };
  return fetch(discovery.token_endpoint, {
    method: "POST",
    headers: { Authorization: `Basic ${btoa(`${client_id}:${client_secret}`)}` },
    body: new URLSearchParams(body),
  });
}

/** The identity Worker's word on the ID token of a whole sign-in. `keys` may be an older key set. */
async function check(person, keys) {
  const signedIn = await signIn(person);
  const redeemed = await redeem(signedIn, signedIn.back.code);
  const { id_token } = await redeemed.json();
  const { discovery, begun } = signedIn;
  const known = keys ?? (await json(discovery.jwks_uri));
  return identity.ask("/oidc/check", { client, keys: known, id_token, nonce: begun.nonce, now: Date.now() });
}

test("a person who signs in is known by the provider's facts", async () => {
  const { begun, back } = await signIn();
  assert.deepEqual([back.state, back.iss], [begun.state, client.issuer]);
  const claims = await check(OLIVIA);
  assert.equal(typeof claims, "object", claims);
  const { subject, email, email_verified, name, contexts } = claims;
  assert.deepEqual([subject, email, email_verified, name], ["olivia", OLIVIA.email, true, "Olivia Owner"]);
  assert.deepEqual(contexts.sort(), ["mfa", "otp", "urn:strong"]);
  assert.equal(claims.owns_domain, true);
  const age = Date.now() - claims.authenticated_at;
  assert.ok(Math.abs(age) < 60_000, `the provider says when the person signed in: ${age}`);
  const uma = await check(UMA);
  assert.deepEqual([uma.email_verified, uma.owns_domain], [false, false]);
});

test("a code is redeemed once, and only with the verifier of its browser", async () => {
  const first = await signIn();
  assert.equal((await redeem(first, first.back.code)).status, 200);
  assert.equal((await redeem(first, first.back.code)).status, 400);
  const [second, other] = [await signIn(), await signIn()];
  assert.equal((await redeem({ ...second, begun: other.begun }, second.back.code)).status, 400);
});

test("an ID token that was changed is refused", async () => {
  const now = Math.floor(Date.now() / 1000);
  const accounts = "https://accounts.google.com";
  for (const [reason, changes] of [
    ["audience", { claims: { aud: "other" } }],
    ["audience", { claims: { aud: ["overturn", "other"] } }],
    ["audience", { claims: { aud: ["overturn", "other"], azp: "other" } }],
    ["issuer", { claims: { iss: accounts } }],
    ["malformed", { claims: { iss: null } }],
    ["nonce", { claims: { nonce: "other" } }],
    ["nonce", { claims: { nonce: null } }],
    ["expired", { claims: { exp: now - 3600, iat: now - 7200 } }],
    ["malformed", { claims: { exp: null } }],
    ["subject", { claims: { sub: "" } }],
    ["algorithm", { sign: "none" }],
    ["algorithm", { sign: "HS256" }],
    ["signature", { sign: "broken" }],
    ["unknown_key", { sign: "stranger" }],
  ]) {
    await providers.answers(changes);
    assert.equal(await check(OLIVIA), reason, JSON.stringify(changes));
  }
});

test("a new key is found in a newer key set", async () => {
  const old = await json(`${client.issuer}/jwks`);
  await providers.answers({ rotate: true });
  assert.equal(await check(OLIVIA, old), "unknown_key");
  assert.equal((await check(OLIVIA)).subject, "olivia");
});

test("a discovery document of another issuer begins no sign-in", async () => {
  await providers.answers({ discovery: { issuer: "https://accounts.google.com" } });
  const discovery = await json(`${client.issuer}/.well-known/openid-configuration`);
  assert.equal(typeof (await identity.ask("/oidc/begin", { client, discovery })), "string");
});
