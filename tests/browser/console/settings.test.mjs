// The settings of a practice, as owners, admins and members see them.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { DOCUMENT, shows } from "./answers.mjs";
import { assertScreen, database, demo, endRoutes, heading, screens, signIn } from "./harness.mjs";
import { assertNoTrace, claim, send } from "./practice_data.mjs";
import { claimPath, signInColleague } from "./staff_data.mjs";

const open = screens();

const SCREENS = [
  ["practice", "Practice"],
  ["agreements", "Agreements"],
  ["members", "Members"],
  ["keys", "API keys"],
  ["tokens", "API tokens"],
  ["webhooks", "Webhooks"],
  ["sandbox", "Sandbox"],
  ["sso", "Single sign-on"],
  ["audit", "Audit trail"],
];

const dialog = (page, name) => page.getByRole("dialog", { name });
const row = (page, name) => page.getByRole("row").filter({ hasText: name });

test("every screen of the settings is accessible in every look", async () => {
  const { page } = await open();
  await signIn(page, "owner");
  for (const [path, name] of SCREENS) {
    await page.goto(`/settings/${path}`);
    await heading(page, name);
    await page.waitForFunction(() => document.querySelector(".loading") === null);
    await assertScreen(page, name);
    assert.equal(await page.title(), `${name} – Overturn`);
  }
});

test("an owner makes a key, sees it once, and revokes it", async () => {
  const { page } = await open();
  await signIn(page, "owner");
  await page.goto("/settings/practice");
  await page.getByRole("link", { name: "API keys" }).click();
  await page.getByRole("button", { name: "Make a key" }).click();
  await assertScreen(page);
  await page.getByRole("button", { name: "Make the key" }).click();
  await page.getByText("One entry needs a change").waitFor();
  await page.getByRole("checkbox", { name: "Send claims" }).uncheck();
  await page.getByRole("checkbox", { name: "Read the status of claims" }).uncheck();
  await page.getByRole("button", { name: "Make the key" }).click();
  await page.getByText("2 entries need a change").waitFor();
  await assertScreen(page);
  const name = `Billing ${Date.now()}`;
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByRole("checkbox", { name: "Send claims" }).check();
  await page.getByRole("button", { name: "Make the key" }).click();

  const secret = dialog(page, "Your new API key");
  await secret.waitFor();
  await assertScreen(page);
  const key = await secret.locator(".secret").innerText();
  assert.match(key, /^ovt_test_[0-9A-Za-z]{39}$/);
  await page.keyboard.press("Escape");
  assert.ok(await secret.isVisible(), "only a person who stored it closes it");
  // Leaving asks first: by the browser's Back, and by a reload or a closed tab.
  await page.evaluate(() => history.back());
  const question = dialog(page, "Leave before you stored it?");
  await question.waitFor();
  await assertScreen(page);
  await question.getByRole("button", { name: "Cancel" }).click();
  assert.equal(new URL(page.url()).pathname, "/settings/keys");
  assert.equal(await secret.locator(".secret").innerText(), key);
  const asked = page.waitForEvent("dialog");
  await page.evaluate(() => setTimeout(() => location.reload()));
  await (await asked).dismiss();
  await secret.getByRole("checkbox").check();
  await secret.getByRole("button", { name: "Done" }).click();
  await row(page, name).getByText("Works until").waitFor();
  assert.ok(!(await page.content()).includes(key), "the page does not keep it");
  const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]));
  assert.ok(!stored.includes(key));

  await row(page, name).getByRole("button", { name: "Revoke" }).click();
  await assertScreen(page);
  await page.getByRole("button", { name: "Revoke the API key" }).click();
  await row(page, name).getByText("Revoked").waitFor();
  const refused = await page.request.get("/api/v1/claims/status?claim_number=x", { headers: { Authorization: `Bearer ${key}` } });
  assert.equal(refused.status(), 401);
});

test("a secret whose answer was lost is not shown, and the person reads what to do", async () => {
  const { page } = await open();
  await signIn(page, "owner");
  const name = `Lost ${Date.now()}`;
  const lost = async (path, value) => {
    await page.route(`**/api/v1/settings/${path}`, async (route) => {
      const response = await route.fetch();
      const isNew = route.request().method() === "POST" && response.status() === 201;
      await route.fulfill({ response, ...(isNew && { json: { ...(await response.json()), [value]: null } }) });
    });
  };
  await lost("api_keys", "key");
  await page.goto("/settings/keys");
  await page.getByRole("button", { name: "Make a key" }).click();
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByRole("button", { name: "Make the key" }).click();
  const status = page.getByRole("status");
  await status.getByText("The API key was made, but its value was lost on the way. Revoke it, and make another one.").waitFor();
  await row(page, name).getByRole("button", { name: "Revoke" }).waitFor();
  assert.equal(await page.getByRole("dialog").count(), 0);

  await lost("webhooks", "secret");
  await page.goto("/settings/webhooks");
  await page.getByRole("button", { name: "Add a webhook" }).click();
  const url = `https://hooks.example/${Date.now()}`;
  await page.getByLabel("Address").fill(url);
  await page.getByRole("button", { name: "Add the webhook" }).click();
  await status.getByText("The webhook secret was made, but its value was lost on the way. Make another one.").waitFor();
  await endRoutes(page);
  await row(page, url).getByRole("button", { name: "Remove" }).click();
  await dialog(page, "Remove the webhook?").getByRole("button", { name: "Remove the webhook" }).click();
  await row(page, url).waitFor({ state: "detached" });
});

test("a step-up repeats the very request, and canceling it changes nothing", async () => {
  const { page } = await open();
  await signIn(page, "admin");
  const { email } = demo.users.admin;
  const age = () =>
    database(["UPDATE sessions SET verified_at = 0 WHERE user_id = (SELECT id FROM users WHERE email = ?)", email]);
  await page.goto("/settings/keys");
  await heading(page, "API keys");
  const keys = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().endsWith("/api_keys")) keys.push(request.headers()["idempotency-key"]);
  });
  const name = `Step-up ${Date.now()}`;
  await page.getByRole("button", { name: "Make a key" }).click();
  await page.getByLabel("Name", { exact: true }).fill(name);
  await age();
  await page.getByRole("button", { name: "Make the key" }).click();
  await page.getByRole("dialog").filter({ has: page.getByLabel(/code/i) }).waitFor();
  await assertScreen(page);
  await page.keyboard.press("Escape");
  await page.getByLabel("Name", { exact: true }).waitFor();
  assert.equal(await page.getByLabel("Name", { exact: true }).inputValue(), name, "nothing that was typed is lost");

  await age();
  await page.getByRole("button", { name: "Make the key" }).click();
  const { freshCode } = await import("./harness.mjs");
  await page.getByRole("dialog").filter({ has: page.getByLabel(/code/i) }).waitFor();
  await page.getByLabel(/code/i).fill(await freshCode("admin"));
  await page.keyboard.press("Enter");
  await dialog(page, "Your new API key").waitFor();
  assert.equal(keys.length, 3);
  assert.equal(keys[1], keys[2], "the same request under the same key");
});

test("a member sees what a member may see, and no more", async () => {
  const { page } = await open();
  await signIn(page, "member");
  await page.goto("/settings/keys");
  await heading(page, "API keys");
  const menu = await page.getByRole("navigation", { name: "Settings" }).getByRole("link").allInnerTexts();
  assert.ok(menu.includes("Practice") && !menu.includes("Audit trail"), menu.join());
  assert.equal(await page.getByRole("button", { name: "Make a key" }).count(), 0);
  await page.goto("/settings/audit");
  await page.getByText("Your role does not include this").waitFor();
  await assertScreen(page);
});

test("the last owner stays, and the page says why", async () => {
  const { page } = await open();
  // Other tests invite owners to the first practice.
  await signIn(page, "other_owner");
  await page.goto("/settings/members");
  const self = row(page, demo.users.other_owner.email);
  await self.waitFor();
  await page.getByRole("button", { name: "Invite a person" }).click();
  await assertScreen(page);
  const invited = `new-${Date.now()}@example.com`;
  await page.getByLabel("Email address").fill(invited);
  await page.getByRole("button", { name: "Send the invitation" }).click();
  await row(page, invited).getByText("Invited").waitFor();
  await row(page, invited).getByRole("button", { name: "Remove" }).click();
  await page.getByRole("button", { name: "Remove the member" }).click();
  await row(page, invited).waitFor({ state: "detached" });
  await self.getByRole("button", { name: "Leave" }).click();
  // Nothing is asked that the service would refuse.
  await self.getByRole("alert").getByText("First make another person an owner").waitFor();
  assert.equal(await page.getByRole("dialog").count(), 0);
  await assertScreen(page);
});

test("typed settings are not lost by a click on a link", async () => {
  const { page } = await open();
  await signIn(page, "admin");
  await page.goto("/settings/practice");
  await page.getByLabel("Name of the practice").fill("Half typed");
  await page.getByRole("link", { name: "Home" }).click();
  const question = dialog(page, "Leave without saving?");
  await question.getByRole("button", { name: "Cancel" }).click();
  assert.equal(await page.getByLabel("Name of the practice").inputValue(), "Half typed");
  await page.getByRole("link", { name: "Home" }).click();
  await question.getByRole("button", { name: "Leave without saving" }).click();
  await page.waitForURL("**/home");
});

test("the audit trail is filtered, checked and downloaded", async () => {
  const { page } = await open();
  await signIn(page, "owner");
  await page.goto("/settings/audit");
  await page.getByLabel("What", { exact: true }).selectOption("Signed in");
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  await page.waitForURL(/action=session\.created/);
  await page.waitForFunction(() => {
    const said = [...document.querySelectorAll("tbody tr td:nth-child(3)")].map((cell) => cell.textContent);
    return said.length > 0 && said.every((what) => what === "Signed in");
  });
  await page.getByRole("button", { name: "Check the trail" }).click();
  await page.getByText("all unchanged").waitFor();
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download as CSV" }).click()]);
  assert.match(file.suggestedFilename(), /^audit-\d{4}-\d\d-\d\d\.csv$/);
  await page.getByLabel("What", { exact: true }).selectOption("Ended the agreement");
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  await page.getByText(/Nothing matches|No match so far/).waitFor();
  await page.goBack();
  await page.getByRole("rowheader").first().waitFor();
  await assertScreen(page);
});

test("a claim number that is typed while the list is loaded stays", async () => {
  const { page } = await open();
  await signIn(page, "owner");
  let answer = () => {};
  const held = new Promise((resolve) => {
    answer = resolve;
  });
  await page.route("**/api/v1/settings/audit?**", async (route) => {
    await held;
    await route.continue();
  });
  await page.goto("/settings/audit");
  await page.getByLabel("Claim number").fill("TYPED-1");
  answer();
  await page.getByRole("rowheader").first().waitFor();
  assert.equal(await page.getByLabel("Claim number").inputValue(), "TYPED-1");
});

test("the audit trail says who looked at a claim, whose number is in no address", async () => {
  const [{ id, claim_number: number }, other] = await send([claim(), claim()]);
  const { page: desk } = await open();
  await signInColleague(desk);
  for (const one of [id, other.id]) {
    await desk.goto(claimPath(one));
    await desk.getByRole("button", { name: "Take" }).waitFor();
  }
  const { page } = await open();
  await signIn(page, "owner");
  await page.goto("/settings/audit");
  // Neither spaces nor the case of the letters matter.
  await page.getByLabel("Claim number").fill(` ${number.toLowerCase()} `);
  await page.getByRole("button", { name: "Find", exact: true }).click();
  // Nothing of the other claim.
  await page.waitForFunction(() => document.querySelectorAll("tbody tr").length === 2);
  await row(page, number).filter({ hasText: "Overturn staff" }).getByText("Opened the claim").waitFor();
  await row(page, "The submission").getByText("Sent claims").waitFor();
  assert.ok(!page.url().includes(number));
  await assertNoTrace(page, number);
  await assertScreen(page, "Audit trail");
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download as CSV" }).click()]);
  const lines = (await readFile(await download.path(), "utf8")).trim().split("\n");
  assert.deepEqual(lines.slice(1).map((line) => /claim\.read|submission\.received/.exec(line)?.[0]), ["claim.read", "submission.received"]);
  await page.getByLabel("Claim number").fill("CH-0000");
  await page.getByRole("button", { name: "Find", exact: true }).click();
  await page.getByText("Nothing matches these filters").waitFor();
  await page.getByRole("button", { name: "Clear the filters" }).click();
  await page.getByRole("row").nth(3).waitFor();
});

test("saving other settings leaves a legal hold of another person alone", async () => {
  const { page } = await open();
  await signIn(page, "owner");
  await page.goto("/settings/practice");
  const days = page.getByLabel("Days to keep a document");
  await days.waitFor();
  const { page: other } = await open();
  await signIn(other, "admin");
  await other.goto("/settings/practice");
  const hold = () => page.request.get("/api/v1/settings/documents").then((answer) => answer.json());
  const saveDocuments = (on) => on.getByRole("region", { name: "Documents" }).getByRole("button", { name: "Save" }).click();
  await other.getByRole("checkbox", { name: "Legal hold" }).check();
  await saveDocuments(other);
  await other.getByText("Saved.").waitFor();
  await days.fill(String(2600 + Math.floor(Math.random() * 900)));
  await saveDocuments(page);
  await page.getByRole("button", { name: "Apply my change to the new version" }).click();
  await page.getByText("Saved.").waitFor();
  assert.equal((await hold()).legal_hold, true);
  await other.getByRole("checkbox", { name: "Legal hold" }).uncheck();
  await saveDocuments(other);
  await assertScreen(other);
  await other.getByRole("button", { name: "Lift the hold" }).click();
  await other.getByRole("button", { name: "Apply my change to the new version" }).click();
  for (let tries = 0; (await hold()).legal_hold; tries += 1) assert.ok(tries < 50, "the hold stays");
});

test("a copy of all data is whole, although answers were lost", async () => {
  const { page, context, wrong } = await open();
  await signIn(page, "owner");
  await page.goto("/settings/agreements");
  await page.getByRole("button", { name: "Take a copy" }).click();
  await page.getByRole("button", { name: "Make the copy" }).click();
  const download = page.getByRole("button", { name: "Download", exact: true });
  await download.waitFor();
  // The service counts the page, and the browser never sees it.
  let lost = 3;
  await context.route("**/records*", async (route) => {
    if (lost === 0) return route.continue();
    lost -= 1;
    await route.fetch();
    return route.abort();
  });
  await download.click();
  const again = page.getByRole("button", { name: "Try again" });
  await again.waitFor();
  // All that the other tests made in this practice is in it, which takes its time on a busy machine.
  const made = page.waitForEvent("download", { timeout: 300_000 });
  await again.click();
  const file = await made;
  assert.match(file.suggestedFilename(), /^overturn-data-\d{4}-\d\d-\d\d\.ndjson$/);
  await page.getByText("SHA-256 of the file").first().waitFor();
  assert.deepEqual([...new Set(wrong.splice(0))], ["Failed to load resource: net::ERR_FAILED"]);
});

test("on a narrow screen, each row is a card with everything in sight", async () => {
  const { page } = await open();
  await signIn(page, "owner");
  await send([claim()]);
  await shows(page, "**/api/v1/documents?*", { documents: [DOCUMENT], next_cursor: null });
  await page.setViewportSize({ width: 320, height: 800 });
  for (const path of ["/claims", "/settings/members", "/settings/keys", "/documents", "/settings/audit"]) {
    await page.goto(path);
    await page.locator("tbody tr").first().waitFor();
    const { outside, actions, labels } = await page.evaluate(() => {
      const parts = [...document.querySelectorAll(".table-frame :is(td, tbody th, td *, tbody th *)")].filter((one) => !one.closest(".hidden"));
      const isOutside = (one) => {
        const { left, right } = one.getBoundingClientRect();
        return left < 0 || right > 320;
      };
      return {
        outside: parts.filter(isOutside).map(({ outerHTML }) => outerHTML),
        actions: document.querySelectorAll("tbody :is(a, button)").length,
        labels: [...document.querySelectorAll("tbody tr:first-child td")].map((one) => getComputedStyle(one, "::before").content),
      };
    });
    assert.deepEqual(outside, [], path);
    assert.ok(actions > 0, path);
    assert.ok(labels.length > 0 && labels.every((label) => /^"\w/.test(label)), `${path}: ${labels}`);
    // The rows are still rows of a table for a screen reader.
    assert.ok((await page.getByRole("columnheader").count()) > 3, path);
    assert.ok((await page.getByRole("cell").count()) > 3, path);
  }
});

test("a person who leaves a secret unstored takes no dialog along, and the next change works", async () => {
  const { page } = await open();
  await signIn(page, "owner");
  await page.goto("/settings/practice");
  await page.getByRole("link", { name: "API keys" }).click();
  await page.getByRole("button", { name: "Make a key" }).click();
  await page.getByLabel("Name", { exact: true }).fill(`Left ${Date.now()}`);
  await page.getByRole("button", { name: "Make the key" }).click();
  await dialog(page, "Your new API key").waitFor();
  await page.goBack();
  await dialog(page, "Leave before you stored it?").getByRole("button", { name: "Leave without it" }).click();
  await heading(page, "Practice");
  assert.equal(await page.getByRole("dialog").count(), 0);
  await page.getByRole("link", { name: "API keys" }).click();
  await page.getByRole("button", { name: "Make a key" }).click();
  await dialog(page, "Make a key").waitFor();
});
