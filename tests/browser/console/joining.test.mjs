// From the invitation in an email to a protected account.

import assert from "node:assert/strict";
import { test } from "node:test";
import { assertScreen, heading, screens, totp } from "./harness.mjs";
import { assertForgotten, atHome, authenticator, giveCode, givePassword, invited, PASSWORD } from "./people.mjs";

const open = screens();

async function accept(page, password = PASSWORD) {
  await page.getByLabel("Your name").fill("Ann Example");
  await page.getByLabel("New password").fill(password);
  await page.getByRole("button", { name: "Accept the invitation" }).click();
}

/** Reads the key of the app from the screen, as a person who cannot scan it. */
async function readKey(page) {
  await page.getByText("I cannot scan it").click();
  return (await page.locator("details .secret code").textContent()).replaceAll(" ", "");
}

test("a new owner accepts, is signed in, sets an app up and stores the codes", async () => {
  const { page } = await open({ permissions: ["clipboard-read", "clipboard-write"] });
  const { email, link } = await invited("owner");
  await page.goto(link);
  await assertScreen(page, "Accept your invitation");
  await assertForgotten(page, link);
  assert.equal(new URL(page.url()).hash, "");
  assert.equal(await page.getByLabel("Email address").inputValue(), email);
  // What is wrong is said at the field, and nothing is lost.
  await accept(page, "short");
  await page.getByText("New password must have at least 12 characters.").first().waitFor();
  await assertScreen(page);
  await accept(page, "passwordpassword");
  await page.getByText("New password is too common.").first().waitFor();
  assert.equal(await page.getByLabel("Your name").inputValue(), "Ann Example");
  await accept(page);

  await assertScreen(page, "Protect your account");
  // No other screen opens before that.
  await page.goto("/settings/keys");
  await heading(page, "Protect your account");
  await page.getByRole("button", { name: "Use an app" }).click();
  await assertScreen(page, "Set up an authenticator app");
  const key = await readKey(page);
  assert.match(key, /^[A-Z2-7]{32}$/);
  await giveCode(page, "12", "Confirm");
  await page.getByRole("alert").waitFor();
  await assertScreen(page);
  const code = totp(key);
  await giveCode(page, `${code.slice(0, 3)} ${code.slice(3)}`, "Confirm");

  await assertScreen(page, "Store your recovery codes");
  const codes = await page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem").allTextContents();
  assert.equal(codes.length, 10);
  await page.getByRole("button", { name: "Copy", exact: true }).click();
  await page.getByText("Copied").waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), codes.join("\n"));
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Save as a file" }).click(),
  ]);
  assert.equal(download.suggestedFilename(), "overturn-recovery-codes.txt");
  // Leaving asks first, in the console and by a reload.
  await page.getByRole("link", { name: "Overturn" }).click();
  await page.getByRole("dialog", { name: "Leave without your recovery codes?" }).waitFor();
  await assertScreen(page);
  await page.getByRole("button", { name: "Cancel" }).click();
  await heading(page, "Store your recovery codes");
  const asked = page.waitForEvent("dialog");
  await page.evaluate(() => setTimeout(() => location.reload()));
  const question = await asked;
  assert.equal(question.type(), "beforeunload");
  await question.dismiss();
  await heading(page, "Store your recovery codes");
  assert.equal(await page.getByRole("button", { name: "Go on" }).isDisabled(), true);
  await page.getByLabel("I stored the codes in a safe place").check();
  await page.getByRole("button", { name: "Go on" }).click();
  await atHome(page);

  // The link is used up, and a recovery code signs in.
  const again = await open();
  await again.page.goto(link);
  await assertScreen(again.page, "This link does not work");
  await again.page.goto("/sign-in");
  await givePassword(again.page, { email, password: PASSWORD });
  await heading(again.page, "Enter your code");
  await giveCode(again.page, codes[3]);
  await atHome(again.page);
});

test("a reload in the middle forgets the link, which then still works", async () => {
  const { page } = await open();
  const { link } = await invited();
  await page.goto(link);
  await heading(page, "Accept your invitation");
  await page.getByLabel("Your name").waitFor();
  await page.reload();
  await page.getByText("Open it again in the email.").waitFor();
  await assertScreen(page, "Accept your invitation");
  await page.goto("about:blank");
  await page.goto(link);
  await accept(page);
  await heading(page, "Protect your account");
  // A reload during the setup begins it again.
  await page.getByRole("button", { name: "Use an app" }).click();
  const first = await readKey(page);
  page.once("dialog", (dialog) => dialog.accept());
  await page.reload();
  await heading(page, "Protect your account");
  await page.getByRole("button", { name: "Use an app" }).click();
  assert.notEqual(await readKey(page), first);
  // Leaving is asked about, too.
  await page.getByRole("link", { name: "Overturn" }).click();
  await page.getByRole("dialog", { name: "Leave before the app is confirmed?" }).waitFor();
  await page.getByRole("button", { name: "Leave", exact: true }).click();
  await heading(page, "Protect your account");
});

test("a person enrolls a passkey instead, which then signs in alone", async () => {
  const { page, context } = await open();
  await authenticator(page);
  const { link } = await invited();
  await page.goto(link);
  await accept(page);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await assertScreen(page, "Make a passkey");
  await page.getByRole("button", { name: "Make a passkey" }).click();
  await heading(page, "Store your recovery codes");
  await page.getByLabel("I stored the codes in a safe place").check();
  await page.getByRole("button", { name: "Go on" }).click();
  await atHome(page);
  await context.clearCookies();
  // The browser offers it in the field for the address, and this authenticator says yes.
  await page.goto("/sign-in");
  await atHome(page);
});
