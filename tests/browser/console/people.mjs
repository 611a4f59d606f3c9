// People of the demo practice that a test makes for itself, the links in their emails, and their authenticators.
//
//   OVERTURN_PROVIDER  the origin of the OpenID provider, which has an entrance for tests (tools/dev/providers/tests.mjs)

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { database, demo, freshCode, origin, totp } from "./harness.mjs";

const MAIL = join(dirname(process.env.OVERTURN_CONSOLE), "mail");
export const PASSWORD = "seven quiet herons wade";

/** The calls of one person, with the cookies of a browser. */
class Client {
  #cookies = new Map();

  /** Calls the service, and gives the parsed answer. Without an expected status (`null`), any will do. */
  async call(method, path, body, expected = 200) {
    const headers = { Cookie: [...this.#cookies].map((pair) => pair.join("=")).join("; ") };
    if (body !== undefined) headers["Content-Type"] = "application/json";
    const csrf = this.#cookies.get("csrf_token");
    if (csrf) headers["X-CSRF-Token"] = csrf;
    const answer = await fetch(origin + path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
    for (const line of answer.headers.getSetCookie()) {
      const [name, value] = line.split(";")[0].split(/=(.*)/s);
      this.#cookies.set(name, value);
    }
    const text = await answer.text();
    if (expected !== null) assert.equal(answer.status, expected, `${path}: ${text}`);
    return text ? JSON.parse(text) : undefined;
  }
}

/** The demo's owner, signed in. */
async function owner() {
  const { email, password } = demo.users.owner;
  for (let tries = 0; tries < 8; tries += 1) {
    const client = new Client();
    const { continuation_token } = await client.call("POST", "/api/v1/auth/session", { email, password }, 402);
    const shown = { continuation_token, code: await freshCode("owner") };
    const session = await client.call("POST", "/api/v1/auth/session/2fa", shown, null);
    if (session?.user) return client;
    // Another test used this code between the two calls.
    await sleep(60 * (tries + 1));
  }
  assert.fail("the owner cannot sign in");
}

/** The link to a page of the console in the newest email to an address. */
export async function letter(email, page) {
  for (let tries = 0; tries < 100; tries += 1) {
    for (const name of readdirSync(MAIL).sort().reverse()) {
      const text = readFileSync(join(MAIL, name), "utf8");
      const [found] = text.match(new RegExp(`http\\S+${page}#\\S+`)) ?? [];
      if (found && text.split(/\r?\n/).includes(`To: ${email}`)) return found;
    }
    await sleep(50);
  }
  return assert.fail(`no email to ${email} leads to ${page}`);
}

const tokenOf = (link) => new URL(link).hash.slice(1);

/** A new address of the demo practice's domain. */
export const address = () => `p-${randomUUID()}@${demo.users.owner.email.split("@")[1]}`;

/** Invites a new person. Gives the address and the link in the email. */
export async function invited(role = "member", email = address()) {
  await (await owner()).call("POST", "/api/v1/settings/members", { email, role }, 201);
  return { email, link: await letter(email, "/invitation") };
}

/** A new person with a password, and with an authenticator app unless `isEnrolled` is false. */
export async function person({ role = "member", isEnrolled = true, email } = {}) {
  const { email: at, link } = await invited(role, email);
  const client = new Client();
  const joining = { token: tokenOf(link), name: "Robin Example", password: PASSWORD };
  await client.call("POST", "/api/v1/auth/invitation", joining, 204);
  if (!isEnrolled) return { email: at, password: PASSWORD, client };
  await client.call("POST", "/api/v1/auth/session", { email: at, password: PASSWORD });
  const begun = await client.call("POST", "/api/v1/auth/2fa/totp", undefined, 201);
  const confirmed = { factor_id: begun.factor_id, code: totp(begun.totp.secret) };
  const { recovery_codes: codes } = await client.call("POST", "/api/v1/auth/2fa/totp/confirm", confirmed);
  return { email: at, password: PASSWORD, secret: begun.totp.secret, codes, client };
}

/** Sends an email with a link, as the console does. */
export async function requestLink(kind, email) {
  await new Client().call("POST", `/api/v1/auth/${kind}`, { email }, 202);
}

/** A code of a person's app that works now, although each works once. */
export async function codeOf({ email, secret }) {
  const id = "(SELECT id FROM users WHERE email = ?)";
  await database([`UPDATE factors SET last_step = NULL WHERE user_id = ${id}`, email]);
  return totp(secret);
}

/** Makes the last second factor of a person's sessions too old for sensitive actions. */
export async function age({ email }) {
  await database(["UPDATE sessions SET verified_at = 1 WHERE user_id = (SELECT id FROM users WHERE email = ?)", email]);
}

/** Enters address and password on the sign-in screen. */
export async function givePassword(page, { email, password }) {
  await page.getByLabel("Email address").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** Enters a code. `button` sends it. */
export async function giveCode(page, code, button = "Sign in") {
  await page.getByLabel("Code", { exact: true }).fill(code);
  await page.getByRole("button", { name: button, exact: true }).click();
}

/** Waits for the first screen of a person of a practice. */
export async function atHome(page) {
  await page.waitForURL("**/home");
  await page.getByRole("heading", { level: 1 }).waitFor();
}

/** Adds an authenticator to the page's browser, which says yes to everything. Gives what sends it further commands. */
export async function authenticator(page) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  const options = {
    protocol: "ctap2",
    transport: "internal",
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  };
  const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", { options });
  return (command, more = {}) => devtools.send(`WebAuthn.${command}`, { authenticatorId, ...more });
}

/** Adds a person to both providers. `with` has more of what they say, such as `amr`. */
export async function atProviders(email, more = {}) {
  const known = { id: randomUUID(), name: "Pat Provider", email, email_verified: true, ...more };
  const added = await fetch(`${process.env.OVERTURN_PROVIDER}/.tests/people`, {
    method: "POST",
    body: JSON.stringify([known]),
  });
  assert.equal(added.status, 200);
  return known;
}

/** Fails if a secret is in the address or in what the browser stores, or can be reached by going back. */
export async function assertForgotten(page, link) {
  const secret = tokenOf(link);
  const kept = await page.evaluate(() =>
    JSON.stringify([location.href, history.state, { ...localStorage }, { ...sessionStorage }, document.title, document.referrer]),
  );
  assert.ok(!kept.includes(secret), kept);
  const devtools = await page.context().newCDPSession(page);
  const { entries } = await devtools.send("Page.getNavigationHistory");
  assert.ok(!JSON.stringify(entries.map(({ url }) => url)).includes(secret), "the history has no token");
}
