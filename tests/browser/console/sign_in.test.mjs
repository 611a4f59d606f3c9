// Signing in, in every way that the sign-in screen offers.

import assert from "node:assert/strict";
import { test } from "node:test";
import { assertScreen, database, demo, freshCode, heading, origin, screens, signIn } from "./harness.mjs";
import { signInColleague } from "./staff_data.mjs";

const open = screens();
const { owner } = demo.users;

async function givePassword(page, { email, password } = owner) {
  await page.getByLabel("Email address").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

const arrived = (page, path) => page.waitForURL((url) => url.pathname === path);

async function giveCode(page) {
  await heading(page, "Enter your code");
  await page.getByLabel("Code").fill(await freshCode("owner"));
  await page.getByRole("button", { name: "Sign in" }).click();
}

test("with password and code, back to the screen that was asked for", async () => {
  const { page } = await open();
  await page.goto("/settings/keys");
  await assertScreen(page, "Sign in");
  assert.equal(new URL(page.url()).pathname, "/sign-in");
  await givePassword(page);
  await assertScreen(page, "Enter your code");
  await giveCode(page);
  await heading(page, "API keys");
  assert.equal(new URL(page.url()).pathname, "/settings/keys");
  assert.equal(await page.title(), "API keys – Overturn");
  await assertScreen(page, "API keys");
});

test("a wrong password and missing entries are said beside the fields, and in a summary with the focus", async () => {
  const { page } = await open();
  await page.goto("/sign-in");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("alert").filter({ hasText: "2 entries need a change" }).waitFor();
  await page.waitForFunction(() => document.activeElement?.matches(".summary"));
  await assertScreen(page);
  await page.getByRole("link", { name: "Email address is required." }).click();
  await page.getByLabel("Email address").and(page.locator(":focus")).waitFor();
  await givePassword(page, { email: owner.email, password: "not the password at all" });
  await page.getByRole("alert").filter({ hasText: "The email address or the password is wrong." }).waitFor();
  await assertScreen(page);
  assert.equal(await page.getByLabel("Email address").inputValue(), owner.email, "nothing is lost");
});

test("a path of another site is not returned to", async () => {
  for (const path of ["//evil.example/x", "https://evil.example", "/\\evil.example"]) {
    const { page } = await open();
    await signIn(page, "owner");
    await page.goto(`/sign-in?return=${encodeURIComponent(path)}`);
    await arrived(page, "/home");
    assert.equal(new URL(page.url()).origin, origin);
  }
});

/** A virtual authenticator with a passkey of the owner. */
async function withPasskey(page) {
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
  await devtools.send("WebAuthn.addVirtualAuthenticator", { options });
  const enroll = async () => {
    await signIn(page, "admin");
    // A page without calls of its own.
    await page.goto("/health");
    return page.evaluate(makePasskey);
  };
  // Other tests sign in as the same person, and a limit may refuse this one for a moment.
  const enrolled = await enroll().catch(async () => {
    await page.context().clearCookies();
    return enroll();
  });
  await page.context().clearCookies();
  return enrolled;
}

/** Runs in the page. */
async function makePasskey() {
  const csrf = document.cookie.match(/(?:^|; )csrf_token=([^;]*)/)[1];
  const post = async (path, body) => {
    const headers = { "Content-Type": "application/json", "X-CSRF-Token": csrf };
    return (await fetch(path, { method: "POST", headers, body: body && JSON.stringify(body) })).json();
  };
  const { options, ...refused } = await post("/api/v1/auth/passkeys/options");
  if (options === undefined) throw new Error(JSON.stringify(refused));
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const credential = (await navigator.credentials.create({ publicKey })).toJSON();
  return (await post("/api/v1/auth/passkeys", { name: "Test", credential })).id;
}

test("with a passkey, which the browser offers in the field for the address", async () => {
  // The passkey is made on a page whose policy lets it make no calls.
  const { page, context } = await open({ bypassCSP: true });
  const id = await withPasskey(page);
  assert.ok(id);
  await page.goto("/sign-in");
  await arrived(page, "/home");
  await page.goto("/health");
  await context.clearCookies();
  await page.goto("/sign-in");
  await arrived(page, "/home");
  await database(["DELETE FROM passkeys WHERE id = ?", id]);
});

test("help without the password, by email", async () => {
  const { page } = await open();
  await page.goto("/sign-in");
  await page.getByRole("link", { name: "Forgot your password?" }).click();
  await assertScreen(page, "Reset your password");
  await page.getByLabel("Email address").fill("nobody@cedar-hill.example");
  await page.getByRole("button", { name: "Email me a link" }).click();
  await page.getByText("the email is on its way").waitFor();
  await assertScreen(page);
  await page.goBack();
  await heading(page, "Sign in");
});

test("signing out empties the page in every tab", async () => {
  const { page, context } = await open();
  await signIn(page, "member");
  await page.goto("/home");
  const other = await context.newPage();
  await other.goto("/claims");
  await other.locator("details.account").waitFor();
  await page.locator("summary").filter({ hasText: demo.users.member.name ?? "" }).first().click();
  await assertScreen(page);
  await page.locator("details.account").evaluate((menu) => (menu.open = true));
  await page.getByRole("button", { name: "Sign out" }).click();
  for (const tab of [page, other]) {
    await heading(tab, "Sign in");
    await tab.getByText("You are signed out.").waitFor();
  }
});

test("a tab of one person does not act as the next person who signs in", async () => {
  const { page, context } = await open();
  await signIn(page, "owner");
  await page.goto("/home");
  await arrived(page, "/home");
  // A call without the session would end it here first.
  await page.waitForLoadState("networkidle");
  await context.clearCookies();
  await signIn(page, "staff");
  const other = await context.newPage();
  await other.goto("/queue");
  await arrived(page, "/queue");
});

test("people of a practice and staff begin where they work, and a screen of the others leads there", async () => {
  const { page } = await open();
  await signIn(page, "staff");
  await page.goto("/settings/keys");
  await assertScreen(page, "Queue");
  await page.keyboard.press("g");
  await page.keyboard.press("p");
  await assertScreen(page, "Practices");
  await page.waitForFunction(() => document.activeElement?.matches("h1"));
  await page.keyboard.press("Control+k");
  await assertScreen(page);
  await page.getByRole("combobox", { name: "Command" }).fill("queue");
  await page.keyboard.press("Enter");
  await heading(page, "Queue");
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await assertScreen(page);
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.goBack();
  await heading(page, "Practices");
});

test("an auditor, who works on no claims, is led to the staff's audit trail", async () => {
  const { page } = await open();
  const name = await signInColleague(page);
  await database(["UPDATE users SET role = 'auditor' WHERE name = ?", name]);
  await page.goto("/queue");
  await arrived(page, "/audit");
  const menu = page.getByRole("navigation", { name: "Main" }).getByRole("link");
  assert.deepEqual(await menu.allInnerTexts(), ["Audit trail"]);
  await page.getByRole("rowheader").first().waitFor();
  await assertScreen(page, "Audit trail");
});
