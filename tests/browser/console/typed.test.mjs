// What a person typed and did not send: it outlasts a wrong click, a reload by accident and the end of the session.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { formsOfSource } from "./dialog_sources.mjs";
import { assertScreen, demo, endRoutes, freshCode, heading, screens, signIn } from "./harness.mjs";
import { assertNoTrace, claim, day, person, send, work } from "./practice_data.mjs";
import { file, payment, remittance } from "./remittance_data.mjs";
import { claimPath, PATIENT, PRACTICE, signInColleague, toast } from "./staff_data.mjs";

const open = screens();
const TEXT = "Canarythought";

/** Ends the sessions of this browser, and makes the page notice it as other tabs tell it. */
async function endSession(page, why = "idle") {
  await page.context().clearCookies({ name: /session/ });
  await page.evaluate((why) => new BroadcastChannel("overturn-session").postMessage(why), why);
}

const again = (page) => page.getByRole("dialog", { name: "Sign in again" });

/** Enters the password and a code in the dialog over the page. */
async function signInAgain(page, role) {
  await again(page).getByLabel("Password").fill(demo.users[role].password);
  await again(page).getByRole("button", { name: "Sign in", exact: true }).click();
  const code = again(page).getByLabel("Code", { exact: true });
  await code.waitFor();
  for (let tries = 0; tries < 8 && (await code.count()) > 0; tries += 1) {
    await code.fill(await freshCode(role));
    await again(page).getByRole("button", { name: "Sign in", exact: true }).click();
    // Another test may have used this code.
    const refused = again(page).getByRole("alert");
    await Promise.race([refused.waitFor(), again(page).waitFor({ state: "detached" })]).catch(() => {});
  }
  await again(page).waitFor({ state: "detached" });
}

/** Reloads the page, and says no to the browser's question. Fails if the browser does not ask. */
async function reloadAndStay(page) {
  const asked = page.waitForEvent("dialog");
  const stay = (question) => void question.dismiss();
  page.once("dialog", stay);
  await page.evaluate(() => void setTimeout(() => location.reload(), 0));
  assert.equal((await asked).type(), "beforeunload");
}

const clicks = (name) => (page) => page.getByRole("button", { name, exact: true }).click();

const PAYER = `Typed ${process.pid}`;
const newClaim = async () => (await send([claim({ payer_name: PAYER }, PATIENT)]))[0].id;
const aClaim = async () => claimPath(await newClaim());
const aQueue = async () => (await newClaim(), `/queue?payer=${encodeURIComponent(PAYER)}`);

/** A claim in review, and what its person does with it. */
async function inReview(page, payer) {
  const [{ id }] = await send([claim({ payer_name: payer ?? PAYER }, PATIENT)]);
  const call = await person(page, "staff");
  const staff = work(call);
  await staff.take(id);
  return { id, call, staff };
}

/** A claim in appeal and its case. The first level has what `level` says. */
async function inAppeal(page, level) {
  const { id, call, staff } = await inReview(page);
  const opened = await staff.appeal([id]);
  const path = `/api/v1/staff/practices/${PRACTICE}/cases/${opened.id}`;
  if (level) await call("PATCH", `${path}/levels/1`, level, (await call("GET", path)).version);
  return { id, case: opened.id, staff };
}
const anAppeal = async (page) => claimPath((await inAppeal(page)).id);
const aCase = (level) => async (page) => `/work/${PRACTICE}/cases/${(await inAppeal(page, level)).case}`;
const FILED = { filed_on: day(-3) };
const DECIDED = { ...FILED, outcome: "upheld", decided_on: day(-2) };

async function aPaidClaim(page) {
  const { id, staff } = await inAppeal(page, FILED);
  await staff.recover(id, "80.00");
  return claimPath(id);
}

/** A queue with one claim, which is in review. */
async function aQueueInReview(page) {
  const payer = `Typed Review ${process.pid}`;
  await inReview(page, payer);
  return `/queue?payer=${encodeURIComponent(payer)}`;
}

/** A field of when a level is due. */
const DUE = { field: "Due on (optional)", kind: "date", text: day(20) };

/** The agreement as a practice sees it that has not signed the newest one. */
async function unsigned(page) {
  await page.route("**/api/v1/settings/agreements", async (route) => {
    const answer = await (await route.fetch()).json();
    await route.fulfill({ json: { ...answer, agreements: answer.agreements.map((one) => ({ ...one, version: `${one.version}.1` })) } });
  });
}

/** A passkey that the account does not have. */
async function passkey(page) {
  const one = { id: "01980000-0000-7000-8000-000000000001", name: "Laptop", created_at: new Date().toISOString(), last_used_at: null, backed_up: true };
  await page.route("**/api/v1/auth/passkeys", (route) => route.fulfill({ json: { passkeys: [one] } }));
}

/** A sandbox that the practice does not have. */
async function sandbox(page) {
  const limits = { claims: 5000, document_bytes: 1_000_000, calls_per_minute: 30 };
  const one = { id: "01980000-0000-7000-8000-000000000005", created_at: new Date().toISOString(), ahead_seconds: 0, claims: 0, emptying: false, limits, keys: [], tokens: [] };
  await page.route("**/api/v1/settings/sandbox", (route) => route.fulfill({ json: { sandbox: one } }));
}

/** A webhook that the practice does not have. */
async function webhook(page) {
  const one = {
    id: "01980000-0000-7000-8000-000000000004", url: "https://hooks.example/", events: ["report.delivered"], state: "active", version: 1,
    created_at: new Date().toISOString(), disabled_at: null, failing_since: null, old_secret_until: null,
  };
  await page.route("**/api/v1/settings/webhooks*", (route) => route.fulfill({ json: { webhooks: [one], next_cursor: null } }));
}

/** A SAML provider that the practice does not have. */
async function provider(page) {
  const one = {
    id: "01980000-0000-7000-8000-000000000002", kind: "saml", provider: null, name: "Okta", contexts: [], idp_initiated: false,
    certificates: [], sign_in_url: null, metadata_url: null, acs_url: null, version: 1, created_at: new Date().toISOString(),
  };
  await page.route("**/api/v1/settings/sso", async (route) => {
    const answer = await (await route.fetch()).json();
    await route.fulfill({ json: { ...answer, providers: [one] } });
  });
}

/** A filter that the person did not save. */
async function savedFilter(page) {
  const json = { filters: [{ id: "01980000-0000-7000-8000-000000000003", name: "Mine", query: "taken_by=me" }] };
  await page.route("**/api/v1/staff/filters", (route) => route.fulfill({ json }));
}

/** The screen of agreements of a practice that has ended its own. */
async function afterTheEnd(page) {
  await page.route("**/api/v1/auth/session", async (route) => {
    const response = await route.fetch();
    if (route.request().method() !== "GET" || !response.ok()) return route.fulfill({ response });
    const answer = await response.json();
    return route.fulfill({ response, json: { ...answer, practice: { ...answer.practice, agreement: "ended" } } });
  });
  return "/settings/agreements";
}

/** A field of what the payer's letter says. */
const LETTER = { field: "Last day to appeal (optional)", kind: "date", text: day(20) };

/** Every form in which a person can enter something, how to get there, and a field of it. */
const FORMS = {
  owner: [
    { path: "/settings/practice", field: "Name of the practice" },
    { path: "/settings/practice", field: "Days to keep a document", kind: "spinbutton", text: "4321" },
    { path: "/settings/practice", field: "Suite or floor (optional)" },
    { path: "/settings/keys", opens: clicks("Make a key"), field: "Name" },
    { path: "/settings/tokens", opens: clicks("Make a token"), field: "Name" },
    { path: "/settings/webhooks", opens: clicks("Add a webhook"), field: "Address" },
    { path: "/settings/webhooks", arrange: webhook, opens: (page) => page.getByRole("button", { name: /^Edit/ }).click(), field: "Address" },
    { path: "/settings/sandbox", arrange: sandbox, opens: clicks("Make a sandbox key"), field: "Name" },
    { path: "/settings/sandbox", arrange: sandbox, opens: clicks("Make a sandbox token"), field: "Name" },
    { path: "/settings/members", opens: clicks("Invite a person"), field: "Email address" },
    { path: "/settings/sso", field: "Domain" },
    { path: "/settings/sso", opens: clicks("Add a SAML provider"), field: "Metadata" },
    { path: "/settings/sso", arrange: provider, opens: (page) => page.getByRole("button", { name: /^Edit/ }).click(), field: "Name" },
    { path: "/settings/agreements", arrange: unsigned, field: "Your title" },
    { path: afterTheEnd, opens: clicks("Have all data destroyed"), field: "Name of the practice" },
    { path: "/documents", opens: choose, field: "Claim number (optional)" },
    { path: "/claims/remittances", opens: readRemittance, field: "Canarybird, Typed", question: "Leave this page?" },
    { path: async () => `/claims/${await newClaim()}`, opens: clicks("Set the date of the letter"), ...LETTER },
    { path: "/me", arrange: passkey, opens: (page) => page.getByRole("button", { name: "Rename" }).click(), field: "Name" },
    { path: "/me", opens: clicks("Add a passkey"), field: "Name" },
  ],
  staff: [
    { path: aClaim, field: "New note" },
    { path: aQueue, opens: key("n"), field: "Note" },
    { path: aQueue, opens: key("d"), ...LETTER },
    { path: aQueue, opens: clicks("Find a patient"), field: "First name" },
    { path: aQueue, opens: clicks("Save these filters"), field: "Name" },
    {
      path: aQueue,
      arrange: savedFilter,
      opens: async (page) => (await clicks("Edit saved filters")(page), clicks("Rename Mine")(page)),
      field: "Name",
    },
    { path: aClaim, opens: clicks("Set the date of the letter"), ...LETTER },
    { path: anAppeal, opens: clicks("Recovered"), field: "Amount recovered" },
    { path: aPaidClaim, opens: clicks("Correct the amount"), field: "All that the payer has paid so far" },
    { path: aCase(), opens: clicks("Edit level 1"), ...DUE },
    { path: aCase(DECIDED), opens: clicks("Begin the next level"), ...DUE },
    { path: aCase(FILED), opens: clicks("A decision arrived"), field: "Decided on", kind: "date", text: day(-1) },
    { path: async (page) => claimPath((await inReview(page)).id), opens: clicks("Open a case"), ...DUE },
    { path: aQueueInReview, opens: key("c"), ...DUE },
  ],
};

/** Follows a link within the console, so that the browser's back leads to the screen before. */
async function follow(page, to) {
  const before = await page.locator("h1").textContent();
  await page.evaluate((to) => {
    const link = Object.assign(document.createElement("a"), { href: to });
    document.body.append(link);
    link.click();
    link.remove();
  }, to);
  await page.waitForFunction((before) => document.querySelector("h1")?.textContent !== before, before);
}

async function choose(page) {
  await page.locator("input[type=file]").first().setInputFiles({ name: "letter.txt", mimeType: "text/plain", buffer: Buffer.from("A letter.\n") });
}

/** Reads a remittance with a patient whose date of birth no file has. */
async function readRemittance(page) {
  await page.getByLabel("Choose files").setInputFiles(file("typed.835", remittance([payment({ first: "Typed" })])));
  await page.getByRole("button", { name: "Read 1 file" }).click();
  await page.getByRole("heading", { name: "What the files say" }).waitFor();
}

/** Presses a key on the first row of the queue. */
function key(of) {
  return async (page) => {
    await page.locator("th a").first().focus();
    await page.keyboard.press("j");
    await page.locator("th a:focus").waitFor();
    await page.keyboard.press(of);
  };
}

/** What tells the forms apart that were typed into: the screen, the title of the dialog, the button, and the place among the screen's forms. */
const survived = new Set();

async function note(page, typed) {
  const form = await typed.evaluate(({ form }) => [
    form.closest("dialog")?.querySelector("h2").textContent ?? null,
    form.querySelector("[type=submit]").textContent.trim(),
    [...document.forms].indexOf(form),
  ]);
  const screen = new URL(page.url()).pathname.replaceAll(/[\da-f-]{36}/g, "…");
  survived.add(JSON.stringify([screen, ...form]));
}

/** Types into a form, and does what would lose it. The session ends, and begins again with `enter`. */
async function survives(page, { path, arrange, opens, field, kind = "textbox", text = TEXT, question: asked }, enter) {
  const at = typeof path === "string" ? path : await path(page);
  await page.goto(at === "/me" ? "/settings/keys" : "/me");
  await page.locator("h1").waitFor();
  await arrange?.(page);
  await follow(page, at);
  await opens?.(page);
  const typed = kind === "date" ? page.getByLabel(field, { exact: true }) : page.getByRole(kind, { name: field, exact: true });
  await typed.click();
  await typed.fill(text);
  await note(page, typed);
  const stays = async (why) => assert.equal(await typed.inputValue(), text, why);

  const dialogs = await page.getByRole("dialog").count();
  if (dialogs > 0) await page.keyboard.press("Escape");
  else await page.getByRole("navigation", { name: "Main" }).getByRole("link").first().click();
  const question = page.getByRole("dialog", { name: asked ?? (dialogs > 0 ? "Drop what you entered?" : "Leave without saving?") });
  await question.getByRole("button", { name: "Cancel" }).click();
  await stays("the wrong click");
  await page.evaluate(() => history.back());
  await question.getByRole("button", { name: "Cancel" }).click();
  await stays("the browser's back");
  await reloadAndStay(page);
  await stays("a reload");

  await endSession(page);
  await again(page).waitFor();
  const shown = await page.locator("input, textarea").evaluateAll((fields) => fields.map(({ value }) => value));
  assert.ok(!shown.includes(text));
  assert.equal(await page.getByText(PATIENT.last_name).count(), 0, "nothing of the page can be seen");
  await assertNoTrace(page, text);
  await reloadAndStay(page);
  await page.keyboard.press("Escape");
  await page.evaluate(() => history.back());
  await enter(page);
  await again(page).waitFor({ state: "detached" });
  await stays("the end of the session");
  assert.equal(await page.getByRole("dialog").count(), dialogs);
  assert.equal(new URL(page.url()).pathname, new URL(at, page.url()).pathname);
  if (kind !== "textbox") return;
  await typed.press("End");
  await typed.pressSequentially("!");
  assert.equal(await typed.inputValue(), `${text}!`, "the form can be used");
}

/** Signs in as another tab of the browser would. */
async function enterInAnotherTab(page, role) {
  await signIn(page, role);
  const { user } = await (await page.context().request.get("/api/v1/auth/session")).json();
  await page.evaluate((user) => new BroadcastChannel("overturn-session").postMessage({ user }), user.id);
}

for (const [role, forms] of Object.entries(FORMS)) {
  test(`what is typed survives, in every form of ${role}`, async () => {
    const { page: first, context } = await open();
    await signIn(first, role);
    for (const [n, form] of forms.entries()) {
      const page = await context.newPage();
      // The person signs in on the page itself once.
      const enter = n === 0 ? signInAgain : enterInAnotherTab;
      await survives(page, form, (page) => enter(page, role)).catch((error) => {
        throw new Error(`${n}, ${form.field}: ${error.message}`, { cause: error });
      });
      await endRoutes(page);
      await page.close({ runBeforeUnload: false });
    }
  });
}

test("a note whose session has ended is saved after the sign-in, once", async () => {
  const [{ id }] = await send([claim({}, PATIENT)]);
  const { page, context } = await open();
  await signIn(page, "staff");
  await page.goto(claimPath(id));
  await page.getByLabel("New note").fill(TEXT);
  await context.clearCookies({ name: /session/ });
  await page.getByLabel("New note").press("Control+Enter");
  await again(page).getByText("Your session has ended.").waitFor();
  await assertScreen(page);
  await signInAgain(page, "staff");
  await toast(page, "The note was saved.");
  await page.locator(".notes").getByText(TEXT).waitFor();
  assert.equal(await page.locator(".notes li").count(), 1);
  await page.getByRole("link", { name: "Overview" }).click();
  await heading(page, "Overview");
});

test("another person gets an empty page, and so does one who agrees to drop what was typed", async () => {
  for (const other of [true, false]) {
    const [{ id }] = await send([claim({}, PATIENT)]);
    const { page, context } = await open();
    await signIn(page, "staff");
    await page.goto(claimPath(id));
    await page.getByLabel("New note").fill(TEXT);
    await page.evaluate(() => (window.remembered = true));
    await endSession(page, "signed-out");
    await again(page).getByText("You signed out in another tab.").waitFor();
    if (other) {
      const tab = await context.newPage();
      await signInColleague(tab);
      await tab.goto("/overview");
    } else {
      await again(page).getByRole("button", { name: "I am somebody else" }).click();
      const question = page.getByRole("dialog", { name: "Drop what was typed?" });
      await assertScreen(page);
      await question.getByRole("button", { name: "Cancel" }).click();
      await again(page).getByRole("button", { name: "I am somebody else" }).click();
      await question.getByRole("button", { name: "Drop it" }).click();
      await heading(page, "Sign in");
    }
    await page.waitForFunction(() => window.remembered === undefined);
    await page.locator("h1").waitFor();
    assert.equal(await page.getByText(TEXT).count(), 0);
  }
});

test("a sign-in in another tab brings the page back", async () => {
  const [{ id }] = await send([claim({}, PATIENT)]);
  const { page, context } = await open();
  await signIn(page, "staff");
  await page.goto(claimPath(id));
  await page.getByLabel("New note").fill(TEXT);
  await endSession(page);
  await again(page).waitFor();
  const tab = await context.newPage();
  await signIn(tab, "staff");
  await tab.goto("/overview");
  await again(page).waitFor({ state: "detached" });
  assert.equal(await page.getByLabel("New note").inputValue(), TEXT);
});

/** Forms of each kind: on a page, in a dialog, and one that asks another question before it is sent. */
const SENDING = [
  { role: "staff", path: aClaim, field: "New note", call: "**/notes" },
  { role: "staff", path: aQueue, opens: key("n"), field: "Note", call: "**/notes" },
  { role: "staff", path: anAppeal, opens: clicks("Recovered"), field: "Amount recovered", text: "12.00", confirms: "Record it", call: "**/moves" },
  { role: "owner", path: "/settings/practice", field: "Name of the practice", call: "**/settings/practice" },
  { role: "owner", path: "/settings/webhooks", opens: clicks("Add a webhook"), field: "Address", text: "https://hooks.example", call: "**/settings/webhooks" },
];

test("after a busy service, Ctrl+Enter sends the same change again from where the focus is", async () => {
  for (const { role, path, opens, field, text = TEXT, confirms, call } of SENDING) {
    const { page, wrong } = await open();
    await signIn(page, role);
    await page.goto(typeof path === "string" ? path : await path(page));
    await page.locator("h1").waitFor();
    await opens?.(page);
    const keys = new Set();
    let tries = 0;
    await page.route(call, async (route) => {
      if (route.request().method() === "GET") return route.fallback();
      keys.add(route.request().headers()["idempotency-key"]);
      tries += 1;
      const error = { code: "unavailable", message: "Try again.", request_id: "r" };
      return route.fulfill({ status: 503, headers: { "Retry-After": "60" }, json: { error } });
    });
    const typed = page.getByRole("textbox", { name: field, exact: true });
    await typed.fill(text);
    await typed.press("Control+Enter");
    for (const count of [1, 2]) {
      if (confirms) await page.getByRole("button", { name: confirms }).click();
      await page.locator(".summary:focus").getByText("The service is busy").waitFor();
      assert.equal(tries, count, field);
      if (count === 1) await page.keyboard.press("Control+Enter");
    }
    assert.equal(keys.size, 1, `one change: ${field}`);
    wrong.splice(0, wrong.length, ...wrong.filter((text) => !text.includes("503")));
  }
});

test("a note that a busy service did not take is saved at last, once", async () => {
  const { page, wrong } = await open();
  await signIn(page, "staff");
  await page.goto(await aClaim());
  let isBusy = true;
  await page.route("**/notes", (route) => {
    const error = { code: "unavailable", message: "Try again.", request_id: "r" };
    return isBusy ? route.fulfill({ status: 503, headers: { "Retry-After": "60" }, json: { error } }) : route.continue();
  });
  const field = page.getByLabel("New note");
  await field.fill(TEXT);
  await field.press("Control+Enter");
  await page.locator(".summary:focus").getByText("The service is busy").waitFor();
  isBusy = false;
  await page.keyboard.press("Control+Enter");
  await toast(page, "The note was saved.");
  wrong.splice(0, wrong.length, ...wrong.filter((text) => !text.includes("503")));
});

test("keys and the browser's back reach the newest dialog at once, wherever the focus is", async () => {
  const payer = `Swift ${process.pid}`;
  await send([claim({ payer_name: payer }, PATIENT)]);
  const { page } = await open();
  await signIn(page, "staff");
  await page.goto("/overview");
  await heading(page, "Overview");
  await follow(page, `/queue?payer=${encodeURIComponent(payer)}`);
  await key("n")(page);
  const field = page.getByRole("textbox", { name: "Note" });
  await field.fill(TEXT);
  // The browser draws nothing in between.
  const seen = await page.evaluate(async () => {
    const escape = async () => {
      document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true, cancelable: true }));
      for (let n = 0; n < 50; n += 1) await null;
      return [document.querySelectorAll("dialog:modal").length, document.activeElement.tagName];
    };
    return [await escape(), await escape(), await escape(), await escape()];
  });
  assert.deepEqual(seen, [[2, "BUTTON"], [1, "TEXTAREA"], [2, "BUTTON"], [1, "TEXTAREA"]]);

  const question = page.getByRole("dialog", { name: "Drop what you entered?" });
  for (const leave of [
    () => page.keyboard.press("Escape"),
    () => page.evaluate(() => history.back()),
    // As a browser does that takes a second gesture for its own.
    () => page.evaluate(() => document.querySelector("dialog").close()),
  ]) {
    await page.evaluate(() => document.activeElement.blur());
    await leave();
    await question.getByRole("button", { name: "Cancel" }).click();
    await question.waitFor({ state: "detached" });
    assert.equal(await field.inputValue(), TEXT);
  }
});

test("every form is one that keeps what is typed", () => {
  const folder = new URL("../../../console/src/", import.meta.url);
  const files = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".tsx"));
  const texts = files.map((name) => [name.replaceAll("\\", "/"), readFileSync(new URL(name, folder), "utf8")]);
  const having = (pattern) => texts.filter(([, text]) => pattern.test(text)).map(([name]) => name).sort();
  assert.deepEqual(having(/<textarea/), ["ui/field.tsx"]);
  // Searches and filters, which the address keeps, and the dates of birth, which have a question of their own and a row.
  const others = ["pages/audit/trail.tsx", "pages/remittances/missing_births.tsx", "pages/staff/practices.tsx", "ui/number_search.tsx"];
  assert.deepEqual(having(/<form/), [...others, "ui/form.tsx"].sort());
});

/** Forms of the source that need no row: a screen that has no session yet, and a dialog that has the text field only as a case. */
const WITHOUT_ROW = ["pages/auth/invitation.tsx Accept the invitation", "pages/staff/queue_report_or_case.tsx Deliver a report"];

test("every form of the source with a text field has a row of its own", () => {
  const words = ({ name, title, submit }) => `${name} ${(title ?? submit).source.replaceAll(/[$()^]/g, "")}`;
  const all = formsOfSource();
  assert.ok(all.length > 25);
  const source = all.filter((form) => !WITHOUT_ROW.includes(words(form)));
  assert.equal(source.length, all.length - WITHOUT_ROW.length, "each exception is in the source");
  const rows = [...survived].map((row) => JSON.parse(row));
  const fits = ({ title, submit }, [, ofDialog, button]) => submit.test(button) && (title?.test(ofDialog) ?? true);
  const isOfDialog = (row) => source.some((form) => form.title && fits(form, row));
  const fitting = (form) => rows.filter((row) => fits(form, row) && (form.title || !isOfDialog(row)));
  // What fits fewest rows takes one first.
  const ordered = source.toSorted((a, b) => fitting(a).length - fitting(b).length);
  const taken = new Set();
  const missing = ordered.filter((form) => {
    const row = fitting(form).find((one) => !taken.has(one));
    if (row) taken.add(row);
    return !row;
  });
  assert.deepEqual(missing.map(words), []);
});
