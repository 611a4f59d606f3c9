// Signing in at real providers. They are at localhost and the service is at 127.0.0.1, which are two sites.

import assert from "node:assert/strict";
import { test } from "node:test";
import { assertScreen, demo, heading, origin, screens } from "./harness.mjs";
import { address, age, atProviders, codeOf, giveCode, givePassword, person } from "./people.mjs";

const screen = screens();
/** A page at the service's other site. */
async function open() {
  const opened = await screen({ baseURL: SERVICE });
  // The providers have no icon, which the browser would report.
  await opened.context.route("**/favicon.ico", (route) => route.fulfill({ status: 204 }));
  return opened;
}
const SERVICE = origin.replace("localhost", "127.0.0.1");
const OIDC = "/api/v1/auth/oauth/demo";
const SAML = new URL(demo.sso.saml).pathname;

/** Begins a sign-in, and chooses a person at the provider. Everybody there has the same name, so the button is found by its value. */
async function choose(page, path, { id }) {
  await page.goto(path);
  assert.equal(new URL(page.url()).hostname, "localhost", "the provider is another site");
  await page.locator(`button[value="${id}"]`).click();
}

const names = async (context) => (await context.cookies(SERVICE)).map(({ name }) => name);

for (const [what, path] of [
  ["an OpenID provider", OIDC],
  ["the practice's SAML provider, which posts from its own site", SAML],
]) {
  test(`a person connects the identity at ${what}, and signs in with it from then on`, async () => {
    const { page, context } = await open();
    const robin = await person();
    const there = await atProviders(robin.email);
    await choose(page, path, there);
    await assertScreen(page, "Not connected yet");
    assert.equal(page.url(), `${SERVICE}/sign-in/connect`);
    await page.reload();
    await heading(page, "Not connected yet");
    await page.getByRole("link", { name: "Sign in to my account" }).click();
    await givePassword(page, robin);
    await giveCode(page, robin.codes[0]);
    await assertScreen(page, "Connect your sign-in");
    await page.getByText(robin.email, { exact: true }).waitFor();
    await page.reload();
    await heading(page, "Connect your sign-in");
    // The second factor is too old by now, so the console asks for it again.
    await age(robin);
    await page.getByRole("button", { name: "Connect" }).click();
    const again = page.getByRole("dialog", { name: "Confirm that it is you" });
    await again.waitFor();
    await assertScreen(page);
    await again.getByLabel("Code").fill(robin.codes[1]);
    await again.getByRole("button", { name: "Confirm" }).click();
    await heading(page, "Your account");
    await page.getByRole("list", { name: "Sign-ins at providers" }).getByText(robin.email, { exact: true }).waitFor();
    assert.ok(!(await names(context)).includes("__Host-identity"));

    // Another browser: the provider is the first factor, and the code the second. It ends where the person wanted to go.
    const other = await open();
    await other.page.goto("/claims?status=received");
    await heading(other.page, "Sign in");
    await other.page.getByLabel("Email address").fill(demo.users.owner.email);
    await other.page.getByLabel("Email address").blur();
    await other.page.locator(`a[href="${path}"]`).click();
    await other.page.locator(`button[value="${there.id}"]`).click();
    await heading(other.page, "Enter your code");
    assert.equal(other.page.url(), `${SERVICE}/sign-in`, "no token in the address");
    await assertScreen(other.page);
    await giveCode(other.page, "000000");
    await other.page.getByRole("alert").filter({ hasText: "Code is not right." }).waitFor();
    await giveCode(other.page, await codeOf(robin));
    await heading(other.page, "Denials");
    assert.equal(other.page.url(), `${SERVICE}/claims?status=received`);
    const cookies = await other.context.cookies(SERVICE);
    const session = cookies.find(({ name }) => name === "__Host-session");
    assert.deepEqual([session.sameSite, session.httpOnly], ["Strict", true]);
    assert.ok(!cookies.some(({ name }) => ["__Host-oauth", "__Host-saml"].includes(name)));
    // A reload at the code begins again.
    const third = await open();
    await choose(third.page, path, there);
    await heading(third.page, "Enter your code");
    await third.page.reload();
    await heading(third.page, "Sign in");
  });
}

test("a person of the practice's domain becomes a member, and enrolls a second factor", async () => {
  const { page } = await open();
  const there = await atProviders(address());
  await choose(page, SAML, there);
  await heading(page, "Protect your account");
  const answer = await page.context().request.get("/api/v1/auth/session");
  const { user, practice } = await answer.json();
  assert.equal(user.email, there.email);
  assert.ok(practice.id);
});

test("the sign-in screen offers the provider of the address's domain", async () => {
  const { page } = await open();
  await page.goto("/sign-in");
  await page.getByRole("link", { name: "Sign in with Demo provider", exact: true }).waitFor();
  await page.getByLabel("Email address").fill(demo.users.owner.email);
  await page.getByLabel("Email address").blur();
  const own = page.getByRole("link", { name: "Sign in with Demo provider (SAML)" });
  await own.waitFor();
  await assertScreen(page);
  assert.equal(new URL(await own.getAttribute("href"), SERVICE).pathname, SAML);
});

test("a refusal says what to do, with the id of the request, and shows nothing else of the address", async () => {
  const { page } = await open();
  const there = await atProviders(address(), { email_verified: false });
  await choose(page, OIDC, there);
  await page.getByRole("alert").filter({ hasText: "We did not accept what the provider said." }).waitFor();
  assert.equal(page.url(), `${SERVICE}/sign-in`);
  const id = await page.locator(".request-id code").textContent();
  assert.match(id, /^[\da-f-]{36}$/);
  await assertScreen(page, "Sign in");
  // A callback that this browser did not begin.
  await page.goto(`${OIDC}/callback?code=x&state=y`);
  await page.getByRole("alert").filter({ hasText: "Begin it again here." }).waitFor();
  await page.goto("about:blank");
  await page.goto("/sign-in#refused=Call+555-0100&request=Call+555-0100");
  await page.getByRole("alert").filter({ hasText: "We did not accept what the provider said." }).waitFor();
  assert.ok(!(await page.content()).includes("555-0100"));
});
