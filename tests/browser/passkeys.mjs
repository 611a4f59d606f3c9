// A person with passkeys in a browser with a virtual authenticator: `node passkeys.mjs HOW`, where HOW is one of WAYS.
//
//   PASSKEY_ACCOUNT  JSON: origin, email, password and codes (recovery codes) of an account
//
// There is no page for passkeys yet, so the steps run in a page of the service's origin. A line on standard output asks the test
// for a change of the database. An empty line on standard input says that it is done.

import assert from "node:assert/strict";
import { createServer, request } from "node:http";
import { createInterface } from "node:readline";
import { withBrowser } from "./browser.mjs";

const { origin, email, password, codes } = JSON.parse(process.env.PASSKEY_ACCOUNT);
const SESSION = "/api/v1/auth/session";
const PASSKEYS = "/api/v1/auth/passkeys";
const SIGN_IN = `${SESSION}/passkey`;
const SECOND = `${SESSION}/2fa`;
const CEREMONY = "__Host-passkey";

const answers = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

/** Asks the test for a change of the database, and waits until it is done. */
async function ask(change) {
  console.log(change);
  await answers.next();
}

/** What the steps call in the page. */
function helpers() {
  const cookie = (name) => document.cookie.split("; ").find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
  const call = async (method, path, body) => {
    const headers = { "Content-Type": "application/json" };
    const csrf = cookie("csrf_token");
    if (csrf) headers["X-CSRF-Token"] = csrf;
    const answer = await fetch(path, { method, headers, body: body && JSON.stringify(body) });
    const text = await answer.text();
    return { status: answer.status, json: text ? JSON.parse(text) : null };
  };
  const options = async (path, body) => (await call("POST", path, body)).json.options;
  const create = async () => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(await options("/api/v1/auth/passkeys/options"));
    return (await navigator.credentials.create({ publicKey })).toJSON();
  };
  const get = async (path, body, more = {}) => {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(await options(path, body));
    return (await navigator.credentials.get({ publicKey, ...more })).toJSON();
  };
  window.service = { call, create, get };
}

/** A page of the service in a browser of its own, with a virtual authenticator. */
async function open(browser, authenticator = {}) {
  // The policy of `/health` lets a page make no calls, and these tests make theirs there.
  const context = await browser.newContext({ bypassCSP: true });
  await context.addInitScript(helpers);
  const page = await context.newPage();
  await page.goto(`${origin}/health`);
  const devtools = await context.newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  const options = {
    protocol: "ctap2",
    transport: "internal",
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
    ...authenticator,
  };
  const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", { options });
  const call = (...args) => page.evaluate((args) => window.service.call(...args), args);
  const get = (...args) => page.evaluate((args) => window.service.get(...args), args);
  const create = () => page.evaluate(() => window.service.create());
  const send = (method, params = {}) => devtools.send(`WebAuthn.${method}`, { authenticatorId, ...params });
  return { context, page, call, get, create, send };
}

async function enrol({ call, create }, name = "Laptop") {
  const enrolled = await call("POST", PASSKEYS, { name, credential: await create() });
  assert.equal(enrolled.status, 201, JSON.stringify(enrolled.json));
  return enrolled.json;
}

async function signIn({ call, get }) {
  return call("POST", SIGN_IN, { credential: await get(`${SIGN_IN}/options`) });
}

/** Signs in with the password and a recovery code, and enrolls a passkey. */
async function enrolled(browser, authenticator) {
  const page = await open(browser, authenticator);
  const asked = await page.call("POST", SESSION, { email, password });
  assert.equal(asked.status, 402);
  const { continuation_token } = asked.json;
  const shown = await page.call("POST", SECOND, { continuation_token, code: codes.shift() });
  assert.equal(shown.status, 200);
  return { ...page, passkey: await enrol(page) };
}

/** The first second factor, and every way to use it. */
async function whole(browser) {
  const page = await open(browser);
  const { call, get } = page;
  const begun = await call("POST", SESSION, { email, password });
  assert.equal(begun.json.session.kind, "enrolment");
  const passkey = await enrol(page);
  assert.equal(passkey.recovery_codes.length, 10);
  const [known] = (await page.send("getCredentials")).credentials;
  assert.deepEqual([known.rpId, known.isResidentCredential], ["localhost", true]);
  assert.equal((await call("GET", SESSION)).json.session.kind, "full");
  assert.equal((await call("POST", `${SESSION}/logout`)).status, 204);

  const alone = await signIn(page);
  assert.deepEqual([alone.status, alone.json.user.email, alone.json.session.kind], [200, email, "full"]);
  assert.equal((await call("POST", `${SESSION}/logout`)).status, 204);

  const { continuation_token } = (await call("POST", SESSION, { email, password })).json;
  const credential = await get(`${SECOND}/passkey/options`, { continuation_token });
  const both = await call("POST", SECOND, { continuation_token, passkey: { credential } });
  assert.deepEqual([both.status, both.json.session.kind], [200, "full"]);
  const [listed] = (await call("GET", PASSKEYS)).json.passkeys;
  assert.ok(listed.last_used_at);
  // The same authenticator is excluded.
  await assert.rejects(page.create(), /InvalidStateError/);
}

/** The browser offers passkeys in the field for the address. */
async function conditional(browser) {
  const page = await enrolled(browser);
  assert.ok(await page.page.evaluate(() => PublicKeyCredential.isConditionalMediationAvailable()));
  const credential = await page.get(`${SIGN_IN}/options`, undefined, { mediation: "conditional" });
  assert.equal((await page.call("POST", SIGN_IN, { credential })).status, 200);
}

/** A sensitive action asks for the passkey again. */
async function again(browser) {
  const { call, get } = await enrolled(browser);
  await ask("age");
  const body = { name: "Billing", scopes: ["claims:read"] };
  const keys = "/api/v1/settings/api_keys";
  const asked = await call("POST", keys, body);
  assert.equal(asked.status, 402);
  const { continuation_token } = asked.json;
  const credential = await get(`${SECOND}/passkey/options`, { continuation_token });
  assert.equal((await call("POST", SECOND, { continuation_token, passkey: { credential } })).status, 204);
  assert.equal((await call("POST", keys, body)).status, 201);
}

/** A page of another origin relays everything to the service. */
async function phishing(browser) {
  const page = await enrolled(browser);
  const service = new URL(origin);
  const relay = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, host: service.host };
    const { method, url: path } = incoming;
    const onward = request({ host: "127.0.0.1", port: service.port, path, method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(onward);
  });
  await new Promise((resolve) => relay.listen(0, "127.0.0.1", resolve));
  try {
    await page.page.goto(`http://localhost:${relay.address().port}/health`);
    const refused = await signIn(page);
    assert.deepEqual([refused.status, refused.json.error.message], [401, "the sign-in failed"]);
    console.log(`refused ${refused.json.error.request_id}`);
    // The browser itself keeps the passkeys from other sites.
    await page.page.goto(`http://127.0.0.1:${service.port}/health`);
    await assert.rejects(page.get(`${SIGN_IN}/options`), /SecurityError/);
  } finally {
    relay.close();
  }
  await page.page.goto(`${origin}/health`);
  assert.equal((await signIn(page)).status, 200);
}

/** A response is sent again with the cookie of its ceremony. */
async function replayed(browser) {
  const { context, call, get } = await enrolled(browser);
  const credential = await get(`${SIGN_IN}/options`);
  const cookies = (await context.cookies()).filter(({ name }) => name === CEREMONY);
  assert.deepEqual([cookies.length, cookies[0].httpOnly, cookies[0].sameSite], [1, true, "Strict"]);
  assert.equal((await call("POST", SIGN_IN, { credential })).status, 200);
  assert.equal((await context.cookies()).filter(({ name }) => name === CEREMONY).length, 0);
  assert.equal((await call("POST", SIGN_IN, { credential })).status, 401);
  await context.addCookies(cookies);
  assert.equal((await call("POST", SIGN_IN, { credential })).status, 401);
  // Another browser does not have the cookie.
  const other = await get(`${SIGN_IN}/options`);
  const elsewhere = await open(browser);
  assert.equal((await elsewhere.call("POST", SIGN_IN, { credential: other })).status, 401);
  assert.equal((await call("POST", SIGN_IN, { credential: other })).status, 200);
}

/** A copy of the passkey has a lower counter. */
async function cloned(browser) {
  const page = await enrolled(browser);
  const [copy] = (await page.send("getCredentials")).credentials;
  assert.equal((await signIn(page)).status, 200);
  const [original] = (await page.send("getCredentials")).credentials;
  assert.ok(original.signCount > copy.signCount, "this authenticator counts");
  const { credentialId } = copy;
  const become = async (credential) => {
    await page.send("removeCredential", { credentialId });
    await page.send("addCredential", { credential });
  };
  await become(copy);
  assert.equal((await signIn(page)).status, 401);
  await become(original);
  assert.equal((await signIn(page)).status, 200, "the passkey still works");
}

/** A passkey is removed while the authenticator still has it. */
async function removed(browser) {
  const page = await enrolled(browser);
  const { call, get, passkey } = page;
  const credential = await get(`${SIGN_IN}/options`);
  assert.equal((await call("DELETE", `${PASSKEYS}/${passkey.id}`)).status, 204);
  assert.equal((await call("POST", SIGN_IN, { credential })).status, 401);
  assert.equal((await signIn(page)).status, 401);
  assert.equal((await call("GET", SESSION)).status, 200, "the session of the removal goes on");
}

/** One response is sent twice at the same time. */
async function twice(browser) {
  const page = await enrolled(browser);
  const credential = await page.get(`${SIGN_IN}/options`);
  const sent = await page.page.evaluate(
    ([path, body]) => Promise.all([window.service.call("POST", path, body), window.service.call("POST", path, body)]),
    [SIGN_IN, { credential }],
  );
  assert.deepEqual(sent.map(({ status }) => status).sort(), [200, 401]);
}

/** An authenticator that does not verify the person. */
async function unverified(browser) {
  const page = await enrolled(browser);
  await page.send("setUserVerified", { isUserVerified: false });
  await assert.rejects(page.get(`${SIGN_IN}/options`), /NotAllowedError/);
}

const WAYS = { whole, conditional, again, phishing, replayed, cloned, removed, twice, unverified };
const [how] = process.argv.slice(2);
await withBrowser((browser) => WAYS[how](browser));
process.exit();
