// Lost answers, and two people on one report or case, against the real Worker.

import assert from "node:assert/strict";
import { test } from "node:test";
import { assertScreen, database, endRoutes, heading, screens, signIn } from "./harness.mjs";
import { claim, day, person, send } from "./practice_data.mjs";
import { claimPath, PATIENT, PRACTICE, signInColleague, toast, until } from "./staff_data.mjs";

const open = screens();
const BASE = `/api/v1/staff/practices/${PRACTICE}`;

/** Loses the answers of the calls to `path`, after the service got them. Gives their keys. */
async function loseAnswers(page, path) {
  const keys = [];
  await page.route(path, async (route) => {
    keys.push(route.request().headers()["idempotency-key"]);
    await route.fetch();
    await route.abort();
  });
  return keys;
}

const events = (id) => database(["SELECT kind FROM claim_events WHERE claim_id = ?", id]).then(([found]) => (found.results ?? found).length);

test("another press after a lost answer is the same change", async () => {
  const [{ id, claim_number: number }] = await send([claim({}, PATIENT)]);
  const { page, wrong } = await open();
  await signIn(page, "staff");
  await page.goto(claimPath(id));
  await heading(page, number);
  const keys = await loseAnswers(page, "**/signing");
  await page.getByRole("button", { name: "Not needed" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Not needed" }).click();
  await page.getByText("The service could not be reached.").waitFor();
  await assertScreen(page);
  await endRoutes(page);
  const before = await events(id);
  const sent = page.waitForRequest("**/signing");
  await page.getByRole("button", { name: "Not needed" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Not needed" }).click();
  assert.deepEqual(new Set([...keys, (await sent).headers()["idempotency-key"]]).size, 1, "each try has one key");
  await toast(page, "No signature is needed.");
  assert.equal(await events(id), before, "the claim was changed once");
  // The browser reports each call that was cut off.
  wrong.splice(0);
});

test("a document is stored once, although attaching it failed", async () => {
  const [{ id }] = await send([claim({}, PATIENT)]);
  const { page, wrong } = await open();
  const call = await person(page, "staff");
  await call("POST", `${BASE}/claims/${id}/take`, undefined, 1);
  const { id: report } = await call("POST", `${BASE}/reports`, { claims: [{ id, version: 2 }] });
  await page.goto(`/work/${PRACTICE}/reports/${report}`);
  await heading(page, "Report for");
  let uploads = 0;
  page.on("request", (request) => (uploads += request.method() === "POST" && request.url().endsWith("/api/v1/documents") ? 1 : 0));
  const attaching = `**/reports/${report}/documents`;
  await page.route(attaching, (route) => route.abort());
  await page.locator("input[type=file]").setInputFiles({ name: "letter.txt", mimeType: "text/plain", buffer: Buffer.from(`A letter for ${id}.\n`) });
  await page.getByText("The service could not be reached.").waitFor();
  await page.getByRole("button", { name: /^Attach / }).waitFor();
  await endRoutes(page);
  wrong.splice(0);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("Attached", { exact: true }).waitFor();
  assert.equal(uploads, 1);
  assert.equal(await page.getByRole("button", { name: /^Download / }).count(), 1);
});

test("a report and a case of claims that a colleague changed: what was entered stays, and the changes are shown", async () => {
  const patient = { ...PATIENT, first_name: `Two${process.pid}` };
  const sent = await send([claim({}, patient), claim({}, patient), claim({}, patient)]);
  const [{ id }, second, third] = sent;
  const { page } = await open();
  const { page: other } = await open();
  const call = await person(page, "staff");
  for (const one of sent) await call("POST", `${BASE}/claims/${one.id}/take`, undefined, 1);
  const robin = await signInColleague(other);
  await page.goto(claimPath(id));
  await page.getByRole("button", { name: "Open a case" }).click();
  const dialog = page.getByRole("dialog", { name: "Open a case" });
  await dialog.getByLabel("First step").selectOption("internal_appeal");
  await dialog.getByLabel("Due on").fill("2031-02-03");
  await dialog.getByLabel(second.claim_number).check();
  await dialog.getByLabel(third.claim_number).check();

  await other.goto(claimPath(second.id));
  await other.getByRole("button", { name: "Take" }).click();
  await other.getByRole("button", { name: "Take it" }).click();
  await toast(other, `You have ${second.claim_number}.`);
  await other.getByRole("button", { name: "Deliver a report" }).click();
  await other.getByRole("button", { name: "Deliver the report" }).click();
  await heading(other, "Report for");

  await dialog.getByRole("button", { name: "Open the case" }).click();
  const conflict = page.getByRole("dialog", { name: "changed in the meantime" });
  await conflict.getByText(`${second.claim_number}: in a report, taken by ${robin}`).waitFor();
  await assertScreen(page);
  await conflict.getByRole("button", { name: "Go back and look" }).click();
  assert.equal(await dialog.getByLabel("Due on").inputValue(), "2031-02-03");
  assert.equal(await dialog.getByLabel(third.claim_number).isChecked(), true);
  await dialog.getByRole("button", { name: "Open the case" }).click();
  await heading(page, "Appeal to");
});

test("a double press takes a claim once, and the focus stays on the screen", async () => {
  const [{ id, claim_number: number }] = await send([claim({}, PATIENT)]);
  const { page } = await open();
  await signIn(page, "staff");
  const taking = [];
  page.on("request", (request) => request.url().endsWith("/take") && taking.push(request.url()));
  await page.goto(claimPath(id));
  await heading(page, number);
  await page.getByRole("button", { name: "Take" }).dblclick();
  await toast(page, `You have ${number}.`);
  await page.getByRole("button", { name: "Let go" }).waitFor();
  await page.locator("h1:focus", { hasText: number }).waitFor();
  assert.equal(taking.length, 1);
  assert.equal(await page.getByRole("dialog").count(), 0);
  await page.getByRole("button", { name: "Undo" }).click();
  await toast(page, "Undone: ");
  await page.locator("h1:focus", { hasText: number }).waitFor();
  await page.getByRole("button", { name: "Take", exact: true }).waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog").locator("input").fill("take");
  await page.getByRole("option", { name: /^Take\b/ }).waitFor();
});

test("an undo leaves the focus on the row of the claim, or on its heading", async () => {
  const payer = `Undo Payer ${process.pid}`;
  const [{ id, claim_number: number }] = await send([claim({ payer_name: payer }, PATIENT)]);
  const { page } = await open();
  await signIn(page, "staff");
  await page.goto(`/queue?payer=${encodeURIComponent(payer)}`);
  await page.getByRole("link", { name: number }).waitFor();
  await until(page, "j", "th a:focus");
  await page.keyboard.press("t");
  await toast(page, `${number} taken.`);
  await page.getByRole("button", { name: "Undo" }).click();
  await toast(page, "Undone: ");
  await page.locator("tr", { hasText: number }).getByText("Received").waitFor();
  await page.locator("th a:focus", { hasText: number }).waitFor();
  await page.goto(claimPath(id));
  await heading(page, number);
  await page.getByRole("button", { name: "Take" }).click();
  await page.getByRole("button", { name: "Undo" }).press("Enter");
  await page.locator("h1", { hasText: "Received" }).waitFor();
  await page.locator("h1:focus").waitFor();
});

test("a case begins with the usual step and the earliest deadline, and asks about odd ones", async () => {
  const patient = { ...PATIENT, first_name: `Usual${process.pid}` };
  const sent = await send([claim({ plan_type: "medicare" }, patient), claim({ plan_type: "medicare", denial_date: day(-90) }, patient)]);
  const { page } = await open();
  const call = await person(page, "staff");
  for (const one of sent) await call("POST", `${BASE}/claims/${one.id}/take`, undefined, 1);
  const deadlines = [];
  for (const one of sent) deadlines.push((await call("GET", `${BASE}/claims/${one.id}`)).deadline.date);
  await page.goto(claimPath(sent[0].id));
  await page.getByRole("button", { name: "Open a case" }).click();
  const dialog = page.getByRole("dialog", { name: "Open a case" });
  assert.equal(await dialog.getByLabel("First step").inputValue(), "redetermination");
  assert.equal(await dialog.getByLabel("Due on").inputValue(), deadlines[0]);
  await dialog.getByLabel(sent[1].claim_number).check();
  assert.equal(await dialog.getByLabel("Due on").inputValue(), deadlines[1]);
  await dialog.getByLabel("First step").selectOption("reconsideration");
  await dialog.getByRole("button", { name: "Open the case" }).click();
  const question = page.getByRole("dialog", { name: "Open the case like this?" });
  await question.getByText("Reconsideration is not the usual first step for Medicare.").waitFor();
  await assertScreen(page);
  await question.getByRole("button", { name: "Cancel" }).click();
  await dialog.getByLabel("First step").selectOption("redetermination");
  await dialog.getByLabel("Due on").fill(day(9));
  await dialog.getByRole("button", { name: "Open the case" }).click();
  await heading(page, "Appeal to");
  await page.getByRole("button", { name: "Filed today" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Filed today" }).click();
  await page.getByText("The payer must decide by").first().waitFor();
  await page.getByText("nothing due now").first().waitFor();
  await assertScreen(page);

  // The level is filed, so that another claim needs a case of its own.
  const [late] = await send([claim({ plan_type: "medicare" }, patient)]);
  await call("POST", `${BASE}/claims/${late.id}/take`, undefined, 1);
  await page.goto(claimPath(late.id));
  await page.getByRole("button", { name: "Join a case" }).click();
  await page.getByText("is filed already").waitFor();
  await assertScreen(page);
  await page.getByRole("button", { name: "Open a case instead" }).click();
  await dialog.waitFor();
});
