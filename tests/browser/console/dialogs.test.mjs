// Every dialog of the console, opened and scanned, with the focus at its start. A dialog of the source that is not here fails.

import assert from "node:assert/strict";
import { test } from "node:test";
import { changes, DOCUMENT, ID, NOW, RECOVERY_CODES, shows, SIGNATURE, signs, wantsFactor } from "./answers.mjs";
import { dialogsOfSource } from "./dialog_sources.mjs";
import { assertDialog, endRoutes, heading, screens, signIn } from "./harness.mjs";
import { givePassword, person as newPerson } from "./people.mjs";
import { claim, day, person, send, work } from "./practice_data.mjs";
import { file, payment, remittance, submission } from "./remittance_data.mjs";
import { claimPath, PATIENT, PRACTICE, signInColleague } from "./staff_data.mjs";

const open = screens();
const BASE = `/api/v1/staff/practices/${PRACTICE}`;
/** The titles of the dialogs that were scanned. */
const scanned = [];

// What opens a dialog.
const clicks = (name) => (page) => page.getByRole("main").getByRole("button", { name }).first().click();
const presses = (keys) => (page) => page.keyboard.press(keys);
/** A button of the dialog that is open, after some entries by the labels of their fields. */
const answers = (name, entries = {}) => async (page) => {
  const dialog = page.locator("dialog:modal").last();
  for (const [label, value] of Object.entries(entries)) await dialog.getByLabel(label, { exact: true }).fill(value);
  await dialog.getByRole("button", { name, exact: true }).click();
};
/** A way out of the screen within the console. The address is not quite that of the account, which asks before it is left, too. */
const leaves = (page) =>
  page.evaluate(() => {
    const link = Object.assign(document.createElement("a"), { href: "/me?" });
    document.body.append(link);
    link.click();
    link.remove();
  });

// What follows once a dialog was scanned. Otherwise it is closed with Escape.
const stays = () => {};
const stored = async (page) => {
  if ((await page.locator("dialog:modal").count()) > 1) await page.keyboard.press("Escape");
  await page.getByRole("checkbox", { name: /^I stored/ }).check();
  await answers("Done")(page);
};

/** Closes all dialogs, and drops what was entered. */
async function closeAll(page) {
  const all = page.locator("dialog:modal");
  for (let count = await all.count(); count > 0; count = await all.count()) {
    const drop = page.getByRole("button", { name: "Drop it" });
    if (await drop.isVisible()) await drop.click();
    else await page.keyboard.press("Escape");
    await page.waitForFunction((count) => document.querySelectorAll("dialog:modal").length !== count, count);
  }
}

/** Opens each dialog of a screen, `[opens, name, then]`, and scans it. */
async function scanAll(page, path, dialogs) {
  if (path) {
    await page.goto(path);
    await page.locator("h1").waitFor();
  }
  for (const [opens, name, then = closeAll] of dialogs) {
    try {
      await opens(page);
      scanned.push(await assertDialog(page, name));
      await then(page);
    } catch (error) {
      throw new Error(`${page.url()}, ${name}: ${error.message}`, { cause: error });
    }
  }
}

/** A page that may be left although something is typed. */
async function opened() {
  const { page, context } = await open();
  page.on("dialog", (question) => void question.accept());
  return { page, context };
}

test("the dialogs of keys, tokens, webhooks and members", async () => {
  const { page } = await opened();
  await signIn(page, "owner");
  await scanAll(page, "/home", [
    [presses("?"), "Keyboard shortcuts"],
    [presses("Control+k"), "What do you want to do?"],
  ]);
  await scanAll(page, "/settings/keys", [
    [clicks(/^Revoke/), /^Revoke/],
    [clicks("Make a key"), "Make a key", stays],
    [answers("Make the key", { Name: `Scan ${process.pid}` }), "Your new API key", stays],
    [leaves, "Leave before you stored it?", stored],
  ]);
  await wantsFactor(page, "**/api/v1/settings/api_keys");
  await scanAll(page, "/settings/keys", [
    [clicks("Make a key"), "Make a key", stays],
    [answers("Make the key", { Name: "Scan" }), "Confirm that it is you"],
  ]);
  await scanAll(page, "/settings/tokens", [
    [clicks("Make a token"), "Make a token", (page) => page.getByRole("checkbox", { name: "Read denials" }).check()],
    [answers("Make the token", { Name: `Scan ${process.pid}` }), "Your new API token", stored],
    [clicks(/^Replace/), /^Replace/],
    [clicks(/^Revoke/), /^Revoke/],
  ]);
  const webhook = {
    id: ID, url: "https://hooks.example/", events: ["report.delivered"], state: "active", version: 1, created_at: NOW,
    disabled_at: null, failing_since: null, old_secret_until: null,
  };
  await shows(page, "**/api/v1/settings/webhooks", { webhooks: [webhook], next_cursor: null });
  await shows(page, "**/rotate_secret", { ...webhook, secret: "whsec_0123456789" }, "POST");
  await scanAll(page, "/settings/webhooks", [
    [clicks("Add a webhook"), "Add a webhook"],
    [clicks(/^Edit/), "Edit the webhook"],
    [clicks(/^Remove/), "Remove the webhook?"],
    [clicks(/^New secret/), "Make a new secret?", stays],
    [answers("Make the secret"), "Your new webhook secret", stored],
  ]);
  const delivery = {
    id: ID, type: "report.delivered", created_at: NOW, state: "delivered", attempts: 1, last_status: 200, last_error: null, next_attempt_at: null, delivered_at: NOW,
  };
  const attempt = {
    at: NOW, url: "https://hooks.example/", headers: { "webhook-timestamp": "1" }, status: 200, error: null, took_ms: 12, answer: "ok",
  };
  await shows(page, `**/api/v1/settings/webhooks/${ID}`, webhook);
  await shows(page, "**/deliveries?*", { deliveries: [delivery], next_cursor: null });
  await shows(page, "**/deliveries", { deliveries: [delivery], next_cursor: null });
  await shows(page, `**/deliveries/${ID}`, { delivery, body: "{}", log: [attempt] });
  await scanAll(page, `/settings/webhooks?deliveries=${ID}`, [
    [clicks("Send a test of an event"), "Send a test of an event"],
    [clicks("Log"), "Log of the message"],
  ]);
  const credential = {
    id: ID, name: "Scan", prefix: "ovt_test_7Qb2", scopes: ["claims:read"], created_at: NOW, expires_at: "2999-01-01T00:00:00.000Z",
    revoked_at: null, last_used_at: null, created_by: null, maker_removed: false, replaced_by: null,
  };
  const limits = { claims: 5000, document_bytes: 1_000_000, calls_per_minute: 30 };
  const sandbox = { id: ID, created_at: NOW, ahead_seconds: 0, claims: 1, emptying: false, limits, keys: [credential], tokens: [] };
  await shows(page, "**/api/v1/settings/sandbox", { sandbox });
  await shows(page, "**/api/v1/settings/sandbox/keys", { ...credential, key: "ovt_test_0123456789" }, "POST");
  await scanAll(page, "/settings/sandbox", [
    [clicks("Make a sandbox key"), "Make a sandbox key", stays],
    [answers("Make the key", { Name: `Scan ${process.pid}` }), "Your new sandbox key", stored],
    [clicks("Make a sandbox token"), "Make a sandbox token"],
    [clicks(/^Revoke/), /^Revoke/],
    [clicks("Empty the sandbox"), "Empty the sandbox?"],
  ]);
  await scanAll(page, "/settings/members", [
    [clicks("Invite a person"), "Invite a person"],
    [clicks(/^Role/), /^Role of/],
    [clicks(/^Sign out/), /^Sign .* out/],
    [clicks(/^Remove/), /^Remove/],
  ]);
  await endRoutes(page);
  const { page: admin } = await open();
  await signIn(admin, "admin");
  await scanAll(admin, "/settings/members", [[clicks(/^Leave/), "Leave the practice?"]]);
});

test("the dialogs of single sign-on, the practice and its agreement", async () => {
  const { page } = await opened();
  await signIn(page, "owner");
  const provider = {
    id: ID, kind: "saml", provider: null, name: "Okta", contexts: [], idp_initiated: false, certificates: [], sign_in_url: null,
    metadata_url: null, acs_url: null, version: 1, created_at: NOW,
  };
  const domain = { id: ID, domain: "cedarhill.example", verified_at: null, txt_name: "_overturn", txt_value: "overturn=1", created_at: NOW };
  let required = false;
  const available = [{ id: "google", name: "Google" }];
  await changes(page, "**/api/v1/settings/sso", () => ({ required, available, saml_available: true, providers: [provider], domains: [domain] }));
  await scanAll(page, "/settings/sso", [
    [clicks("Add a SAML provider"), "Add a SAML provider"],
    [clicks("Add a provider by name"), "Add a provider"],
    [clicks("Edit Okta"), "Edit “Okta”"],
    [clicks("Remove Okta"), "Remove “Okta”?"],
    [clicks("Remove cedarhill.example"), "Remove cedarhill.example?"],
    [clicks("Require it"), "Require single sign-on?"],
  ]);
  required = true;
  await scanAll(page, "/settings/sso", [[clicks("Stop requiring it"), "Stop requiring single sign-on?"]]);

  await changes(page, "**/api/v1/settings/documents", () => ({ legal_hold: true }));
  await scanAll(page, "/settings/practice", [
    [
      async () => {
        await page.getByRole("checkbox", { name: "Legal hold" }).uncheck();
        await page.getByRole("region", { name: "Documents" }).getByRole("button", { name: "Save" }).click();
      },
      "Lift the legal hold?",
    ],
    [leaves, "Leave without saving?"],
  ]);
  await scanAll(page, "/settings/agreements", [
    [clicks("End the agreement"), "End the agreement?"],
    [clicks("Take a copy"), "Take a copy of all data?"],
  ]);
  await changes(page, "**/api/v1/auth/session", ({ practice }) => ({ practice: { ...practice, agreement: "ended" } }));
  await scanAll(page, "/settings/agreements", [[clicks("Have all data destroyed"), "Have all data destroyed"]]);
  await endRoutes(page);
});

test("the dialogs of an account", async () => {
  const { page } = await opened();
  await signIn(page, "owner");
  // The first session goes on.
  await signIn(page, "owner");
  const passkey = { id: ID, name: "Laptop", created_at: NOW, last_used_at: null, backed_up: true };
  await shows(page, "**/api/v1/auth/passkeys", { passkeys: [passkey] });
  const identity = { id: ID, provider: "google", provider_name: "Google", email: "dana@cedarhill.example", created_at: NOW, last_used_at: null };
  await shows(page, "**/api/v1/auth/identities", { identities: [identity] });
  await shows(page, "**/2fa/recovery_codes", RECOVERY_CODES, "POST");
  await scanAll(page, "/me", [
    [clicks("End all others"), "End all other sessions?"],
    [clicks("Set up a new app"), "Set up an authenticator app"],
    [clicks("Add a passkey"), "Add a passkey"],
    [clicks("Rename Laptop"), "Rename the passkey"],
    [clicks("Remove Laptop"), "Remove the passkey?"],
    [clicks("Remove Google"), "Remove the sign-in?"],
    [clicks("Make new codes"), "Make new recovery codes?", stays],
    [answers("Make new codes"), "Your new recovery codes", stays],
    [leaves, "Leave without your recovery codes?", stored],
  ]);
  await endRoutes(page);

  const { page: fresh } = await opened();
  const robin = await newPerson({ isEnrolled: false });
  await fresh.goto("/sign-in");
  await givePassword(fresh, robin);
  await heading(fresh, "Protect your account");
  await fresh.getByRole("button", { name: "Use an app" }).click();
  await fresh.getByLabel("Code", { exact: true }).waitFor();
  await scanAll(fresh, undefined, [[leaves, "Leave before the app is confirmed?"]]);
});

test("the dialogs of a session that ends", async () => {
  const { page, context } = await opened();
  await signIn(page, "owner");
  await page.goto("/settings/practice");
  await page.getByLabel("Name of the practice").fill("Scanned");
  await context.clearCookies({ name: /session/ });
  await scanAll(page, undefined, [
    [() => page.evaluate(() => new BroadcastChannel("overturn-session").postMessage("idle")), "Sign in again", stays],
    [answers("I am somebody else"), "Drop what was typed?", stays],
  ]);

  const { page: idle } = await open();
  await signIn(idle, "owner");
  const soon = new Date(Date.now() + 100_000).toISOString();
  await changes(idle, "**/api/v1/auth/session", ({ session }) => ({ session: { ...session, idle_ends_at: soon } }));
  await scanAll(idle, "/home", [[() => {}, "Are you still there?", stays]]);
  await endRoutes(idle);
});

test("the dialogs of denials, documents and remittances", async () => {
  const { page } = await opened();
  await signIn(page, "owner");
  const [{ id }] = await send([claim()]);
  await signs(page, id);
  await scanAll(page, `/claims/${id}`, [
    [clicks("Set the date of the letter"), "Set the date of the letter"],
    [clicks("Show the link for the patient"), "Link for the patient"],
  ]);
  await shows(page, "**/api/v1/documents?*", { documents: [DOCUMENT], next_cursor: null });
  await scanAll(page, "/documents", [[clicks(/^Delete/), "Delete the document?"]]);

  const all = [payment(), payment()];
  await page.goto("/claims/remittances");
  await page.getByLabel("Choose files").setInputFiles([file("march.835", remittance(all)), file("sent.837", submission(all.slice(0, 1)))]);
  await page.getByRole("button", { name: "Read 2 files" }).click();
  await page.getByLabel(`Canarybird, ${all[1].first}`).fill("6/2/1984");
  await scanAll(page, undefined, [
    [clicks("Send 1 claim"), "Send 1 claim?"],
    [leaves, "Leave this page?"],
  ]);
  await endRoutes(page);
});

test("the dialogs of the queue", async () => {
  const payer = `Scanned ${process.pid}`;
  const [fresh, given] = await send([1, 2].map(() => claim({ payer_name: payer }, PATIENT)));
  const { page: other } = await open();
  const robin = await signInColleague(other);
  await other.goto(claimPath(given.id));
  await other.getByRole("button", { name: "Take" }).click();
  await other.getByRole("button", { name: "Let go" }).waitFor();

  const { page } = await opened();
  const call = await person(page, "staff");
  await work(call).take(fresh.id);
  const selects = (name) => async () => {
    await page.getByLabel("Select all rows").check();
    await clicks(name)(page);
  };
  const focuses = (key) => async () => {
    await page.locator("th a").first().focus();
    await page.keyboard.press(key);
  };
  const { version } = await call("GET", `${BASE}/claims/${given.id}`);
  const refused = { id: given.id, status: "refused", reason: "version_conflict", message: null, claim: { id: given.id, status: "reviewing", taken_by: null, version } };
  await shows(page, "**/api/v1/staff/claims/take", { results: [refused] }, "POST");
  await scanAll(page, `/queue?payer=${encodeURIComponent(payer)}`, [
    [focuses("n"), "Write a note", (page) => page.getByRole("textbox", { name: "Note" }).fill("A thought")],
    [presses("Escape"), "Drop what you entered?"],
    [focuses("d"), "Set the date of the letter"],
    [focuses("s"), "Patient’s signature"],
    [clicks("Find a patient"), "Find a patient"],
    [selects("Signature needed"), "Ask for the patient’s signature for 2 claims?"],
    [selects("Not needed"), "No signature for 2 claims?"],
    [selects("Deliver a report"), "Deliver a report"],
    [selects("Open a case"), "Open a case"],
    [selects("Give to a colleague"), "Give 2 claims to a colleague"],
    [selects("Take"), `Take claims from ${robin}?`, stays],
    [answers("Take them"), "1 claim not changed"],
  ]);
  await endRoutes(page);

  await signInColleague(page);
  await page.goto(`/queue?payer=${encodeURIComponent(payer)}`);
  await scanAll(page, undefined, [
    [clicks("Save these filters"), "Save these filters", (page) => answers("Save", { Name: "Scanned" })(page)],
  ]);
  await scanAll(page, "/queue?taken=me", [
    [clicks("Edit saved filters"), "Saved filters", stays],
    [answers("Rename Scanned"), "Rename the saved filter", (page) => page.keyboard.press("Escape")],
    [answers("Replace Scanned"), "Replace “Scanned”?", (page) => page.keyboard.press("Escape")],
    [answers("Remove Scanned"), "Remove “Scanned”?"],
  ]);
});

test("the dialogs of staff about a claim and its case", async () => {
  const payer = `Scanned claim ${process.pid}`;
  const [fresh, asked, appealed, ended, paid] = (await send([1, 2, 3, 4, 5].map(() => claim({ payer_name: payer }, PATIENT)))).map(({ id }) => id);
  const { page } = await opened();
  const call = await person(page, "staff");
  const staff = work(call);
  for (const id of [asked, appealed, ended, paid]) await staff.take(id);
  await staff.sign(asked, "needed");
  const { id: opening } = await staff.appeal([appealed]);
  await staff.close(ended, "no_grounds");
  await staff.appeal([paid]);
  await staff.recover(paid, "80.00");

  await scanAll(page, claimPath(fresh), [
    [clicks("Set the date of the letter"), "Set the date of the letter"],
    [clicks("Signature needed"), "Ask for the patient’s signature?"],
    [clicks("Not needed"), "No signature needed?", () => staff.take(fresh)],
    [answers("Not needed"), "This claim was changed in the meantime"],
  ]);
  await scanAll(page, claimPath(asked), [
    [clicks("Make a new link"), "Make a new signing link?"],
    [clicks("Revoke the link"), "Revoke the signing link?"],
    [clicks("Deliver a report"), "Deliver a report"],
    [clicks("Open a case"), "Open a case", (page) => page.getByLabel("First step").selectOption("external_review")],
    [answers("Open the case"), "Open the case like this?"],
    [clicks("Join a case"), "Join an open case"],
    [clicks("Close"), "Close the claim"],
    [clicks("Give to a colleague"), "Give the claim to a colleague"],
    [presses("s"), "Patient’s signature"],
    [presses("c"), "Case"],
  ]);
  await scanAll(page, claimPath(appealed), [
    [clicks("Recovered"), "Recovered", stays],
    [answers("Continue", { "Amount recovered": "80.00" }), "Record $80.00 as recovered?"],
    [clicks("Close"), "Close the claim"],
    [presses("r"), "Result"],
  ]);
  await scanAll(page, claimPath(ended), [
    [clicks("Review again"), "Review the claim again?"],
    [clicks("Appeal again"), "Appeal again"],
  ]);
  const at = `/work/${PRACTICE}/cases/${opening}`;
  const level = async (body) => call("PATCH", `${BASE}/cases/${opening}/levels/1`, body, (await call("GET", `${BASE}/cases/${opening}`)).version);
  await scanAll(page, at, [
    [clicks("Edit level 1"), "Level 1"],
    [clicks("Filed today"), "Level 1: filed today?"],
  ]);
  await level({ filed_on: day(-1) });
  await scanAll(page, at, [[clicks("A decision arrived"), "A decision arrived"]]);
  await level({ outcome: "upheld", decided_on: day(0) });
  await scanAll(page, at, [[clicks("Begin the next level"), "Begin the next level"]]);
  await scanAll(page, claimPath(paid), [
    [clicks("Correct the amount"), "Correct the amount"],
    [clicks("Appeal again"), "Appeal again"],
  ]);

  await changes(page, `**${BASE}/claims/${asked}`, () => ({ signing_status: "signed" }));
  await shows(page, "**/signature", SIGNATURE);
  await shows(page, `**${BASE}/documents?*`, { documents: [DOCUMENT], next_cursor: null });
  await scanAll(page, claimPath(asked), [
    [clicks("Show the signature"), "Signature"],
    [clicks(/^Delete Denial letter/), "Delete this document (denial letter)?"],
  ]);
  await endRoutes(page);

  const { page: other } = await open();
  await signInColleague(other);
  await scanAll(other, claimPath(asked), [[clicks("Take"), /^Take the claim from/]]);
});

test("these are all dialogs of the source", () => {
  const source = dialogsOfSource();
  assert.ok(source.length > 80);
  const length = ([, pattern]) => pattern.source.length;
  const best = scanned.map((title) => {
    const fitting = source.filter(([, pattern]) => pattern.test(title)).toSorted((a, b) => length(b) - length(a));
    assert.ok(fitting.length > 0, `${title} is in no source`);
    return fitting[0][1].source;
  });
  const count = (all, pattern) => all.filter((one) => one === pattern).length;
  const patterns = source.map(([, pattern]) => pattern.source);
  const missing = source.filter(([, { source }]) => count(best, source) < count(patterns, source));
  assert.deepEqual(missing, [], "these dialogs are not opened here, or not in each place that has them");
});
