// What a person typed and did not send: it outlasts a wrong click, a reload by accident and the end of the session.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { assertScreen, demo, freshCode, heading, screens, signIn } from "./harness.mjs";
import { assertNoTrace, claim, send } from "./practice_data.mjs";
import { claimPath, PATIENT, signInColleague, toast } from "./staff_data.mjs";

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

/** The forms with free text that a person can open without more data, and where the text goes. */
const FORMS = [
  { role: "owner", path: "/settings/practice", field: "Name of the practice" },
  { role: "owner", path: "/settings/keys", opens: clicks("Make a key"), field: "Name" },
  { role: "owner", path: "/settings/tokens", opens: clicks("Make a token"), field: "Name" },
  { role: "owner", path: "/settings/webhooks", opens: clicks("Add a webhook"), field: "Address" },
  { role: "owner", path: "/settings/members", opens: clicks("Invite a person"), field: "Email address" },
  { role: "owner", path: "/settings/sso", field: "Domain" },
  { role: "owner", path: "/settings/sso", opens: clicks("Add a SAML provider"), field: "Metadata" },
  { role: "owner", path: "/documents", opens: choose, field: "Claim number", exact: false },
  { role: "staff", claim: true, field: "New note" },
  { role: "staff", queue: true, opens: (page) => note(page), field: "Note" },
];

/** Follows a link within the console, so that the browser's back leads to the screen before. */
async function follow(page, to) {
  await page.evaluate((to) => {
    const link = Object.assign(document.createElement("a"), { href: to });
    document.body.append(link);
    link.click();
    link.remove();
  }, to);
  await page.waitForFunction(() => !document.querySelector("h1")?.textContent.includes("Your account"));
}

async function choose(page) {
  await page.locator("input[type=file]").first().setInputFiles({ name: "letter.txt", mimeType: "text/plain", buffer: Buffer.from("A letter.\n") });
}

async function note(page) {
  await page.locator("th a").first().focus();
  await page.keyboard.press("j");
  await page.locator("th a:focus").waitFor();
  await page.keyboard.press("n");
}

for (const { role, path, opens, field, ...where } of FORMS) {
  test(`what is typed survives: ${where.claim ? "a claim" : where.queue ? "the queue" : path}, ${field}`, async () => {
    const { page } = await open();
    let at = path;
    if (where.claim || where.queue) {
      const payer = `Typed ${process.pid} ${field}`;
      const [{ id }] = await send([claim({ payer_name: payer }, PATIENT)]);
      at = where.claim ? claimPath(id) : `/queue?payer=${encodeURIComponent(payer)}`;
    }
    await signIn(page, role);
    await page.goto("/me");
    await heading(page, "Your account");
    await follow(page, at);
    await opens?.(page);
    const typed = page.getByRole("textbox", { name: field, exact: where.exact ?? true });
    await typed.click();
    await typed.fill(TEXT);
    const stays = async (why) => assert.equal(await typed.inputValue(), TEXT, why);

    const dialogs = await page.getByRole("dialog").count();
    if (dialogs > 0) await page.keyboard.press("Escape");
    else await page.getByRole("navigation", { name: "Main" }).getByRole("link").first().click();
    const question = page.getByRole("dialog", { name: dialogs > 0 ? "Drop what you entered?" : "Leave without saving?" });
    await question.getByRole("button", { name: "Cancel" }).click();
    await stays("the wrong click");
    if (dialogs === 0) {
      await page.evaluate(() => history.back());
      await question.getByRole("button", { name: "Cancel" }).click();
      await stays("the browser's back");
    }
    await reloadAndStay(page);
    await stays("a reload");

    await endSession(page);
    await again(page).waitFor();
    const shown = await page.locator("input, textarea").evaluateAll((fields) => fields.map(({ value }) => value));
    assert.ok(!shown.includes(TEXT));
    assert.equal(await page.getByText(PATIENT.last_name).count(), 0, "nothing of the page can be seen");
    await assertNoTrace(page, TEXT);
    await reloadAndStay(page);
    await page.keyboard.press("Escape");
    await page.evaluate(() => history.back());
    await signInAgain(page, role);
    await stays("the end of the session");
    assert.equal(await page.getByRole("dialog").count(), dialogs);
    assert.equal(new URL(page.url()).pathname, new URL(at, page.url()).pathname);
    await typed.press("End");
    await typed.pressSequentially("!");
    assert.equal(await typed.inputValue(), `${TEXT}!`, "the form can be used");
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

test("after a busy service, Ctrl+Enter sends the same change again from where the focus is", async () => {
  const payer = `Busy ${process.pid}`;
  const [{ id }] = await send([claim({ payer_name: payer }, PATIENT)]);
  for (const at of [claimPath(id), `/queue?payer=${encodeURIComponent(payer)}`]) {
    const { page, wrong } = await open();
    await signIn(page, "staff");
    await page.goto(at);
    await page.locator("h1").waitFor();
    if (at.startsWith("/queue")) await note(page);
    const keys = new Set();
    let isBusy = true;
    await page.route("**/notes", async (route) => {
      if (route.request().method() !== "POST") return route.fallback();
      keys.add(route.request().headers()["idempotency-key"]);
      const error = { code: "unavailable", message: "Try again.", request_id: "r" };
      return isBusy ? route.fulfill({ status: 503, headers: { "Retry-After": "60" }, json: { error } }) : route.continue();
    });
    const field = page.getByLabel(/^(New note|Note)$/);
    await field.fill(TEXT);
    await field.press("Control+Enter");
    await page.locator(".summary:focus").getByText("The service is busy").waitFor();
    isBusy = false;
    await page.keyboard.press("Control+Enter");
    await toast(page, "The note was saved.");
    assert.equal(keys.size, 1, "one change");
    wrong.splice(0, wrong.length, ...wrong.filter((text) => !text.includes("503")));
  }
});

test("keys and the browser's back reach the newest dialog at once, wherever the focus is", async () => {
  const payer = `Swift ${process.pid}`;
  await send([claim({ payer_name: payer }, PATIENT)]);
  const { page } = await open();
  await signIn(page, "staff");
  await page.goto("/overview");
  await heading(page, "Overview");
  await follow(page, `/queue?payer=${encodeURIComponent(payer)}`);
  await note(page);
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
  // Searches and filters, which the address keeps, and the dates of birth, which have a question of their own.
  const others = ["pages/audit/trail.tsx", "pages/remittances/missing_births.tsx", "pages/staff/practices.tsx", "ui/number_search.tsx"];
  assert.deepEqual(having(/<form/), [...others, "ui/form.tsx"].sort());
});
