// The person's own account: sessions, password, second factors, passkeys, recovery codes.

import assert from "node:assert/strict";
import { test } from "node:test";
import { assertScreen, heading, screens, totp } from "./harness.mjs";
import { age, atHome, authenticator, codeOf, giveCode, givePassword, PASSWORD, person } from "./people.mjs";

const open = screens();
const NEW = "nine small boats return";

/** A person at their account, signed in with a recovery code. */
async function atAccount(page, robin, code) {
  await page.goto("/me");
  await givePassword(page, robin);
  await giveCode(page, code);
  await heading(page, "Your account");
}

const toast = (page, text) => page.getByRole("status").getByText(text).waitFor();
const dialog = (page, name) => page.getByRole("dialog", { name });

test("sessions are listed with the one in use, and end one by one or all others", async () => {
  const { page } = await open();
  const robin = await person();
  await atAccount(page, robin, robin.codes[0]);
  const rows = page.getByRole("list", { name: "Sessions" }).getByRole("listitem");
  await rows.nth(1).waitFor();
  await assertScreen(page);
  assert.equal(await rows.count(), 2);
  assert.equal(await rows.filter({ hasText: "This one" }).count(), 1);
  await page.getByRole("button", { name: /^End the session/ }).click();
  await toast(page, "The session has ended.");
  await robin.client.call("GET", "/api/v1/auth/session", undefined, 401);

  const other = await open();
  await atAccount(other.page, robin, robin.codes[1]);
  await page.reload();
  await page.getByRole("button", { name: "End all others" }).click();
  await assertScreen(page);
  await dialog(page, "End all other sessions?").getByRole("button", { name: "End the others" }).click();
  await toast(page, "All other sessions have ended.");
  await other.page.reload();
  await heading(other.page, "Sign in");
  // The current one ends by signing out.
  await rows.getByRole("button", { name: "Sign out" }).click();
  await page.getByText("You are signed out.").waitFor();
});

test("the password changes after the second factor is shown again, under the same entries", async () => {
  const { page } = await open();
  const robin = await person();
  await atAccount(page, robin, robin.codes[0]);
  const current = page.getByLabel("Current password");
  const change = page.getByRole("button", { name: "Change the password" });
  await current.fill("not the password");
  await page.getByLabel("New password").fill(NEW);
  await change.click();
  await page.getByText(/Current password/).nth(1).waitFor();
  await assertScreen(page);
  await age(robin);
  await current.fill(PASSWORD);
  await change.click();
  const again = dialog(page, "Confirm that it is you");
  await again.waitFor();
  // A wrong code is no end of the session.
  await again.getByLabel("Code").fill("000000");
  await again.getByRole("button", { name: "Confirm" }).click();
  await again.getByRole("alert").filter({ hasText: "Code is not right." }).waitFor();
  await assertScreen(page);
  await again.getByLabel("Code").fill(await codeOf(robin));
  await again.getByRole("button", { name: "Confirm" }).click();
  await toast(page, "Your password is changed.");
  assert.equal(await current.inputValue(), "", "no password stays in a field");
  await page.getByRole("button", { name: "Sign out" }).first().click();
  await heading(page, "Sign in");
  await givePassword(page, { ...robin, password: NEW });
  await giveCode(page, robin.codes[1]);
  await atHome(page);
});

test("a passkey is added, renamed, used as second factor and alone, and removed", async () => {
  const { page, context } = await open();
  const send = await authenticator(page);
  const robin = await person();
  await atAccount(page, robin, robin.codes[0]);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  const adding = dialog(page, "Add a passkey");
  await adding.getByLabel("Name").fill("Desk");
  await assertScreen(page);
  await adding.getByRole("button", { name: "Make a passkey" }).click();
  await toast(page, "The passkey was added.");
  await page.getByRole("button", { name: "Rename Desk" }).click();
  await assertScreen(page);
  await dialog(page, "Rename the passkey").getByLabel("Name").fill("Front desk");
  await dialog(page, "Rename the passkey").getByRole("button", { name: "Rename", exact: true }).click();
  await page.getByRole("button", { name: "Remove Front desk" }).waitFor();
  await assertScreen(page);

  // In place of the code. Until the field offers it no more, the authenticator does not answer.
  await send("setUserVerified", { isUserVerified: false });
  await context.clearCookies();
  await page.goto("/sign-in");
  await givePassword(page, robin);
  await heading(page, "Enter your code");
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await page.getByRole("alert").filter({ hasText: "No passkey was used." }).waitFor();
  await assertScreen(page);
  await send("setUserVerified", { isUserVerified: true });
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await atHome(page);
  // Alone, from the field for the address.
  await context.clearCookies();
  await page.goto("/sign-in");
  await atHome(page);

  await page.goto("/me");
  await page.getByRole("button", { name: "Remove Front desk" }).click();
  await assertScreen(page);
  await dialog(page, "Remove the passkey?").getByRole("button", { name: "Remove" }).click();
  await toast(page, "The passkey was removed.");
  await page.getByText("You have none yet.").waitFor();
});

test("a new app and new recovery codes take the place of the old ones", async () => {
  const { page } = await open();
  const robin = await person();
  await atAccount(page, robin, robin.codes[0]);
  await page.getByRole("button", { name: "Set up a new app" }).click();
  const setup = dialog(page, "Set up an authenticator app");
  await setup.getByText("I cannot scan it").click();
  await assertScreen(page);
  const secret = (await setup.locator("details .secret code").textContent()).replaceAll(" ", "");
  await setup.getByLabel("Code", { exact: true }).fill(totp(secret));
  await setup.getByRole("button", { name: "Confirm" }).click();
  await toast(page, "Your authenticator app is set up.");
  const codes = dialog(page, "Your new recovery codes");
  await codes.waitFor();
  await assertScreen(page);
  await page.keyboard.press("Escape");
  await codes.waitFor();
  await codes.getByLabel("I stored the codes in a safe place").check();
  await codes.getByRole("button", { name: "Done" }).click();
  await codes.waitFor({ state: "detached" });

  await page.getByRole("button", { name: "Make new codes" }).click();
  await dialog(page, "Make new recovery codes?").getByRole("button", { name: "Make new codes" }).click();
  await codes.waitFor();
  const given = await codes.getByRole("listitem").allTextContents();
  assert.equal(given.length, 10);
  assert.ok(!given.some((code) => robin.codes.includes(code)));
  await codes.getByLabel("I stored the codes in a safe place").check();
  await codes.getByRole("button", { name: "Done" }).click();
  await page.getByRole("button", { name: "Sign out" }).first().click();
  await heading(page, "Sign in");
  await givePassword(page, robin);
  await giveCode(page, robin.codes[2]);
  await page.getByRole("alert").filter({ hasText: "Code is not right." }).waitFor();
  await giveCode(page, given[0]);
  await atHome(page);
});

test("single keys can be switched off, and stay off in this browser", async () => {
  const { page } = await open();
  const robin = await person();
  await atAccount(page, robin, robin.codes[0]);
  const box = page.getByLabel(/^Use single keys as shortcuts/);
  await box.uncheck();
  await page.locator("h1").click();
  await page.keyboard.press("?");
  await page.reload();
  await heading(page, "Your account");
  assert.equal(await box.isChecked(), false);
  assert.equal(await page.getByRole("dialog").count(), 0);
  await box.check();
  await page.locator("h1").click();
  await page.keyboard.press("?");
  await dialog(page, "Keyboard shortcuts").waitFor();
});
