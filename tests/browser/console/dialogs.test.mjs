// Dialogs of the console, opened and scanned. One that asks what a person typed, or shows a secret once, comes with the screen
// that it belongs to.

import assert from "node:assert/strict";
import { test } from "node:test";
import { assertDialog, endRoutes, heading, screens, signIn } from "./harness.mjs";
import { claim, day, person, send, work } from "./practice_data.mjs";
import { claimPath, PATIENT, PRACTICE, signInColleague } from "./staff_data.mjs";

const open = screens();

const BASE = `/api/v1/staff/practices/${PRACTICE}`;
const clicks = (name) => (page) => page.getByRole("main").getByRole("button", { name }).first().click();
const presses = (keys) => (page) => page.keyboard.press(keys);

/** Opens each dialog of a screen, scans it, and closes it with Escape. */
async function scanAll(page, path, dialogs) {
  await page.goto(path);
  await page.locator("h1").waitFor();
  for (const [opens, name] of dialogs) {
    await opens(page);
    await assertDialog(page, name).catch((error) => {
      throw new Error(`${path}, ${name}: ${error.message}`, { cause: error });
    });
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  }
}

/** Answers a read with what the demo does not have. */
const shows = (page, url, json) => page.route(url, (route) => (route.request().method() === "GET" ? route.fulfill({ json }) : route.fallback()));

const ID = "01980000-0000-7000-8000-000000000001";
const NOW = new Date().toISOString();
const LATER = new Date(Date.now() + 9e8).toISOString();

test("the dialogs of an owner", async () => {
  const { page } = await open();
  const call = await person(page, "owner");
  await call("POST", "/api/v1/settings/api_tokens", { name: `Scan ${process.pid}`, scopes: ["denials:read"], expires_in_days: 30 });
  await scanAll(page, "/home", [
    [presses("?"), "Keyboard shortcuts"],
    [presses("Control+k"), "What do you want to do?"],
  ]);
  await scanAll(page, "/settings/keys", [
    [clicks("Make a key"), "Make a key"],
    [clicks(/^Revoke/), /^Revoke/],
  ]);
  await scanAll(page, "/settings/tokens", [
    [clicks("Make a token"), "Make a token"],
    [clicks(/^Replace/), /^Replace/],
    [clicks(/^Revoke/), /^Revoke/],
  ]);
  await scanAll(page, "/settings/webhooks", [[clicks("Add a webhook"), "Add a webhook"]]);
  await scanAll(page, "/settings/members", [
    [clicks("Invite a person"), "Invite a person"],
    [clicks(/^Role/), /^Role of/],
    [clicks(/^Sign out/), /^Sign .* out/],
    [clicks(/^Remove/), /^Remove/],
  ]);
  await scanAll(page, "/settings/sso", [
    [clicks("Add a SAML provider"), "Add a SAML provider"],
    [clicks("Require it"), "Require single sign-on?"],
  ]);
  await scanAll(page, "/settings/agreements", [
    [clicks("End the agreement"), "End the agreement?"],
    [clicks("Take a copy"), "Take a copy of all data?"],
  ]);
  const [{ id }] = await send([claim()]);
  await scanAll(page, `/claims/${id}`, [[clicks("Set the date of the letter"), "Set the date of the letter"]]);
  const passkey = { id: ID, name: "Laptop", created_at: NOW, last_used_at: null, backed_up: true };
  await shows(page, "**/api/v1/auth/passkeys", { passkeys: [passkey] });
  await scanAll(page, "/me", [
    [clicks("Set up a new app"), "Set up an authenticator app"],
    [clicks("Make new codes"), "Make new recovery codes?"],
    [clicks("Add a passkey"), "Add a passkey"],
    [clicks("Rename Laptop"), "Rename the passkey"],
    [clicks("Remove Laptop"), "Remove the passkey?"],
  ]);
  await endRoutes(page);
});

test("the dialogs of staff", async () => {
  const payer = `Scanned ${process.pid}`;
  const [fresh, asked, appealed, ended, paid] = (await send([1, 2, 3, 4, 5].map(() => claim({ payer_name: payer }, PATIENT)))).map(({ id }) => id);
  const { page } = await open();
  const call = await person(page, "staff");
  const staff = work(call);
  for (const id of [asked, appealed, ended, paid]) await staff.take(id);
  await staff.sign(asked, "needed");
  const { id: opened } = await staff.appeal([appealed]);
  await staff.close(ended, "no_grounds");
  await staff.appeal([paid]);
  await staff.recover(paid, "80.00");

  await scanAll(page, `/queue?payer=${encodeURIComponent(payer)}`, [
    [async () => (await page.locator("th a").first().focus(), page.keyboard.press("n")), "Write a note"],
    [presses("d"), "Set the date of the letter"],
    [async () => (await page.getByLabel("Select all rows").check(), clicks("Signature needed")(page)), /signature for \d claims/],
    [clicks("Not needed"), /^No signature for/],
    [clicks("Deliver a report"), "Deliver a report"],
    [clicks("Open a case"), "Open a case"],
    [clicks("Give to a colleague"), /to a colleague$/],
    [clicks("Find a patient"), "Find a patient"],
  ]);
  await scanAll(page, claimPath(fresh), [
    [clicks("Set the date of the letter"), "Set the date of the letter"],
    [clicks("Signature needed"), "Ask for the patient’s signature?"],
    [clicks("Not needed"), "No signature needed?"],
  ]);
  await scanAll(page, claimPath(asked), [
    [clicks("Make a new link"), "Make a new signing link?"],
    [clicks("Revoke the link"), "Revoke the signing link?"],
    [clicks("Deliver a report"), "Deliver a report"],
    [clicks("Open a case"), "Open a case"],
    [clicks("Close"), "Close the claim"],
    [clicks("Give to a colleague"), "Give the claim to a colleague"],
    [presses("s"), "Patient’s signature"],
    [presses("c"), "Case"],
  ]);
  await scanAll(page, claimPath(appealed), [
    [clicks("Recovered"), "Recovered"],
    [clicks("Close"), "Close the claim"],
    [presses("r"), "Result"],
  ]);
  await scanAll(page, claimPath(ended), [
    [clicks("Review again"), "Review the claim again?"],
    [clicks("Appeal again"), /./],
  ]);
  await scanAll(page, `/work/${PRACTICE}/cases/${opened}`, [
    [clicks("Edit level 1"), "Level 1"],
    [clicks("Filed today"), /filed today\?$/],
  ]);
  const { version } = await call("GET", `${BASE}/cases/${opened}`);
  await call("PATCH", `${BASE}/cases/${opened}/levels/1`, { filed_on: day(-1) }, version);
  await scanAll(page, `/work/${PRACTICE}/cases/${opened}`, [[clicks("A decision arrived"), "A decision arrived"]]);
  const decided = await call("GET", `${BASE}/cases/${opened}`);
  await call("PATCH", `${BASE}/cases/${opened}/levels/1`, { outcome: "upheld", decided_on: day(0) }, decided.version);
  await scanAll(page, `/work/${PRACTICE}/cases/${opened}`, [[clicks("Begin the next level"), /level/]]);
  await scanAll(page, claimPath(paid), [[clicks("Correct the amount"), "Correct the amount"]]);

  const { page: other } = await open();
  await signInColleague(other);
  await scanAll(other, claimPath(asked), [[clicks("Take"), /^Take the claim from/]]);
});
