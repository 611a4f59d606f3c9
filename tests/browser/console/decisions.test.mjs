// A decision of the payer, from the queue to its results, and the payer's clock.

import assert from "node:assert/strict";
import { test } from "node:test";
import { assertScreen, heading, screens, signIn } from "./harness.mjs";
import { claim, day, person, send, work } from "./practice_data.mjs";
import { assertNotKept, claimPath, PATIENT, PRACTICE, press, reach, signInColleague, toast, until } from "./staff_data.mjs";

const open = screens();
const BASE = `/api/v1/staff/practices/${PRACTICE}`;

/** Claims of one patient in a case, filed some days ago. */
async function filed(call, count, daysAgo, more = {}) {
  const patient = { ...PATIENT, first_name: `Decided${process.pid}${daysAgo}` };
  const sent = await send(Array.from({ length: count }, () => claim({ plan_type: "erisa", ...more }, patient)));
  for (const { id } of sent) await call("POST", `${BASE}/claims/${id}/take`, undefined, 1);
  const claims = sent.map(({ id }) => ({ id, version: 2 }));
  const { id } = await call("POST", `${BASE}/cases`, { claims, kind: "internal_appeal", due_on: day(9) });
  await call("PATCH", `${BASE}/cases/${id}/levels/1`, { filed_on: day(-daysAgo) }, 1);
  return { id, sent, path: `/work/${PRACTICE}/cases/${id}` };
}

test("a decision with two results and a next level is one dialog, and the case says what is next", async () => {
  const { page } = await open();
  const call = await person(page, "staff");
  const { sent, path } = await filed(call, 2, 20);
  await page.goto(path);
  await heading(page, "Appeal to");
  await page.getByText("The payer must decide by").first().waitFor();
  await page.getByText("29 CFR 2560.503-1(i)(2)(iii)(A)").waitFor();
  await assertScreen(page);
  await until(page, "r", "dialog[open], [role=dialog]");
  const dialog = page.getByRole("dialog", { name: "A decision arrived" });
  await dialog.getByLabel("Outcome").selectOption("partly_overturned");
  const [first, second] = sent.map(({ claim_number: number }) => number).toSorted();
  assert.equal(await dialog.getByLabel(`Result of ${first}`).inputValue(), "recovered");
  await dialog.getByLabel(`Result of ${second}`).selectOption("in_appeal");
  await dialog.getByLabel("Next level for the claims that go on").selectOption("external_review");
  await dialog.getByLabel("Next level due on").fill(day(60));
  await assertScreen(page);
  await dialog.getByRole("button", { name: "Record the decision" }).click();
  await dialog.getByText("One entry needs a change").waitFor();
  await assertScreen(page);
  await dialog.getByLabel(`Paid so far for ${first}`).fill("80.00");
  await page.keyboard.press("Control+Enter");
  await toast(page, "The decision was recorded.");
  await page.getByText("Level 2, external review, must be filed by").waitFor();
  await page.getByText("$80.00 recovered in this case").waitFor();
  for (const wrong of ["waiting for the decision", "Every claim has its result"]) assert.equal(await page.getByText(wrong).count(), 0, wrong);
  await assertScreen(page);
  await assertNotKept(page, first);
});

test("a claim leads to the dialog of its decision, by keyboard", async () => {
  const { page } = await open();
  const call = await person(page, "staff");
  const { sent } = await filed(call, 1, 30, { denied_amount: "75.50" });
  const number = sent[0].claim_number;
  await page.goto(claimPath(sent[0].id));
  await heading(page, number);
  await reach(page, "A decision arrived");
  await press(page, "Enter");
  const dialog = page.getByRole("dialog", { name: "A decision arrived" });
  await dialog.waitFor();
  await dialog.locator("select:focus").waitFor();
  await press(page, "o");
  assert.equal(await dialog.getByLabel(`Paid so far for ${number}`).inputValue(), "75.50");
  await press(page, "Control+Enter");
  await toast(page, "The decision was recorded.");
  await page.getByText("Every claim has its result. Level 1, internal appeal, was the last level.").waitFor();
  assert.equal(await page.getByRole("button", { name: "A decision arrived" }).count(), 0);
  await assertScreen(page);
});

test("a decision about a level that is not filed says what comes first, and no dialog opens later by itself", async () => {
  const { page } = await open();
  const call = await person(page, "staff");
  const staff = work(call);
  const [{ id, claim_number: number }] = await send([claim({}, PATIENT)]);
  await staff.take(id);
  await staff.appeal([id]);
  await page.goto(claimPath(id));
  await heading(page, number);
  await until(page, "r", "dialog[open], [role=dialog]");
  const first = page.getByRole("dialog", { name: "Result" }).getByRole("button").first();
  assert.equal(await first.textContent(), "A decision arrived");
  await press(page, "Enter");
  await heading(page, "Appeal to");
  await toast(page, "Record first when the level was filed.");
  await page.waitForFunction(() => location.search === "");
  await assertScreen(page);
  await page.getByRole("main").getByRole("button", { name: "Filed today" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Filed today" }).click();
  await page.getByRole("button", { name: "A decision arrived" }).waitFor();
  assert.equal(await page.getByRole("dialog").count(), 0);
});

test("what others did in the meantime takes nothing away, and a claim is taken over only from who was named", async () => {
  const { page } = await open();
  const call = await person(page, "staff");
  const { sent, path } = await filed(call, 3, 15);
  const [first, second, third] = sent.toSorted((a, b) => (a.claim_number < b.claim_number ? -1 : 1));
  await page.goto(path);
  await page.getByRole("button", { name: "A decision arrived" }).click();
  const dialog = page.getByRole("dialog", { name: "A decision arrived" });
  await dialog.getByLabel("Outcome").selectOption("partly_overturned");
  await dialog.getByLabel(`Paid so far for ${first.claim_number}`).fill("10.00");
  await dialog.getByLabel(`Result of ${second.claim_number}`).selectOption("in_appeal");
  await dialog.getByLabel(`Paid so far for ${third.claim_number}`).fill("60.00");
  const record = () => dialog.getByRole("button", { name: "Record the decision" }).click();
  const asked = page.getByRole("dialog", { name: "This case was changed in the meantime" });
  const box = dialog.getByLabel(/^Take over the claims of/);
  const changed = async (text) => {
    await record();
    await asked.getByText(text).waitFor();
    await assertScreen(page);
    await asked.getByRole("button", { name: "Apply my change" }).click();
    await dialog.getByText(/took a claim in the meantime/).waitFor();
    assert.ok(!(await box.isChecked()));
    await assertScreen(page);
  };

  // Two colleagues take the last claim one after the other.
  await work(call).recover(first.id, "33.00");
  for (const recovered of [`${first.claim_number}: $33.00 recovered.`, undefined]) {
    const { page: other, context } = await open();
    const name = await signInColleague(other);
    const { user } = await (await context.request.get("/api/v1/auth/session")).json();
    const at = `${BASE}/claims/${third.id}`;
    await call("POST", `${at}/take`, { user_id: user.id }, (await call("GET", at)).version);
    await changed(recovered ?? `${third.claim_number}: taken by ${name}.`);
    await box.check();
  }
  assert.equal(await dialog.getByLabel(`Result of ${first.claim_number}`).count(), 0);
  assert.equal(await dialog.getByLabel(`Paid so far for ${third.claim_number}`).inputValue(), "60.00");
  await record();
  await toast(page, "The decision was recorded.");
  await page.getByText("$93.00 recovered in this case").waitFor();
});

test("another outcome takes away nothing that was entered", async () => {
  const { page } = await open();
  const call = await person(page, "staff");
  const { sent, path } = await filed(call, 1, 12);
  const number = sent[0].claim_number;
  await page.goto(path);
  await page.getByRole("button", { name: "A decision arrived" }).click();
  const dialog = page.getByRole("dialog", { name: "A decision arrived" });
  const outcome = (name) => dialog.getByLabel("Outcome").selectOption(name);
  await outcome("upheld");
  await dialog.getByLabel("Next level for the claims that go on").selectOption("external_review");
  const due = dialog.getByLabel("Next level due on");
  await due.fill(day(70));
  await outcome("withdrawn");
  assert.equal(await due.count(), 0);
  const reason = dialog.getByLabel(`Why ${number} is closed`);
  assert.equal(await reason.inputValue(), "withdrawn");
  await reason.selectOption("deadline_passed");
  await outcome("upheld");
  assert.equal(await due.inputValue(), day(70));
  await outcome("withdrawn");
  assert.equal(await reason.inputValue(), "deadline_passed");
});

test("results that are recorded one by one leave the outcome to record, and an amount is corrected in place", async () => {
  const { page } = await open();
  const call = await person(page, "staff");
  const { sent, path } = await filed(call, 1, 40);
  const { version } = await call("GET", `${BASE}/claims/${sent[0].id}`);
  await call("POST", `${BASE}/claims/${sent[0].id}/moves`, { status: "recovered", amount_recovered: "80.00" }, version);
  await page.goto(path);
  await page.getByText("Every claim has its result, and the outcome of level 1, internal appeal, is missing.").waitFor();
  await assertScreen(page);
  await page.getByRole("button", { name: "A decision arrived" }).click();
  await page.getByRole("dialog").getByLabel("Outcome").selectOption("overturned");
  await assertScreen(page);
  await page.keyboard.press("Control+Enter");
  await toast(page, "The decision was recorded.");
  await page.goto(claimPath(sent[0].id));
  await page.getByRole("button", { name: "Correct the amount" }).click();
  const dialog = page.getByRole("dialog", { name: "Correct the amount" });
  await dialog.getByLabel("All that the payer has paid so far").fill("120.00");
  await assertScreen(page);
  await dialog.getByRole("button", { name: "Correct the amount" }).click();
  await toast(page, "$120.00 recovered.");
  await page.getByText("Amount corrected").waitFor();
  await assertScreen(page);
});

test("a decision that is due is in the queue's place and in the list, until staff choose another day to ask", async () => {
  const { page } = await open();
  const call = await person(page, "staff");
  const { path, sent } = await filed(call, 1, 80);
  const { claim_number: number } = sent[0];
  await page.goto("/queue");
  await page.getByLabel("Decision", { exact: true }).selectOption("due");
  const row = page.getByRole("row", { name: number });
  await row.getByText("Payer’s decision").waitFor();
  await assertScreen(page);
  const link = page.getByRole("link", { name: /decisions? of payers due or overdue/ });
  await link.waitFor();
  await assertScreen(page);
  await link.click();
  await heading(page, "Cases");
  assert.equal(await page.getByLabel("Show").inputValue(), "due");
  await page.getByText("Decision due:").first().waitFor();
  await assertScreen(page);
  await page.goto(path);
  await page.getByRole("button", { name: "Edit level 1" }).click();
  const dialog = page.getByRole("dialog", { name: "Level 1" });
  await dialog.getByLabel("Ask the payer on").fill(day(14));
  await assertScreen(page);
  await dialog.getByRole("button", { name: "Save the level" }).click();
  await toast(page, "The level was saved.");
  await page.getByText("Ask the payer on").first().waitFor();
  await assertScreen(page);
  await page.goto(`/queue?decision=due&practice=${PRACTICE}`);
  await page.getByRole("status").filter({ hasText: /claims?\./ }).or(page.getByText("Nothing matches")).first().waitFor();
  assert.equal(await row.count(), 0);
});

test("a colleague's claim is taken over only by saying so, and the practice sees by when the payer must answer", async () => {
  const { page } = await open();
  const call = await person(page, "staff");
  const { id, path } = await filed(call, 1, 10);
  const { page: other } = await open();
  await signInColleague(other);
  await other.goto(path);
  await other.getByRole("button", { name: "A decision arrived" }).click();
  const dialog = other.getByRole("dialog", { name: "A decision arrived" });
  await dialog.getByLabel("Outcome").selectOption("overturned");
  await reach(other, "Record the decision");
  await other.keyboard.press("Enter");
  await dialog.getByText("Check this box to take the claims over").first().waitFor();
  await dialog.getByLabel(/^Take over the claims of/).check();
  await assertScreen(other);
  const { page: owner } = await open();
  await signIn(owner, "owner");
  await owner.goto(`/claims/appeals/${id}`);
  await owner.getByText("The payer must answer").waitFor();
  await assertScreen(owner);
  await dialog.getByRole("button", { name: "Record the decision" }).click();
  await toast(other, "The decision was recorded.");
});
