// A claim, its case and its report as staff work on them, against the real Worker.

import assert from "node:assert/strict";
import { test } from "node:test";
import { assertScreen, database, demo, endRoutes, heading, origin, screens, signIn } from "./harness.mjs";
import { claim, day, person, send } from "./practice_data.mjs";
import { claimPath, PATIENT, PRACTICE, press, reach, signInColleague, toast, until } from "./staff_data.mjs";

const open = screens();

test("a whole appeal by keyboard alone, with the patient in a second browser", async () => {
  const payer = `Keyboard Payer ${process.pid}`;
  const [{ id, claim_number: number }] = await send([claim({ payer_name: payer, denied_amount: "180.00" }, PATIENT)]);
  // With the button switched on, the practice's system gets the signing link.
  await database(["UPDATE practices SET appeal_button = 1 WHERE id = ?", PRACTICE]);
  const { page } = await open();
  await signIn(page, "staff");
  await page.goto(`/queue?payer=${encodeURIComponent(payer)}`);
  await page.getByRole("link", { name: number }).waitFor();

  await until(page, "j", "th a:focus");
  await press(page, "t");
  await toast(page, `${number} taken.`);
  await page.locator("tr", { hasText: number }).getByText("In review").waitFor();
  await press(page, "Enter");
  await heading(page, number);

  await until(page, "n", "textarea:focus");
  await page.keyboard.type("Called the payer.");
  await press(page, "Control+Enter");
  await toast(page, "The note was saved.");
  await page.locator(".notes").getByText("Called the payer.").waitFor();

  await reach(page, "Signature needed");
  await press(page, "Enter");
  await page.getByRole("dialog", { name: "Ask for the patient" }).waitFor();
  await reach(page, "Signature needed");
  await press(page, "Enter");
  await page.getByText("Waiting for the patient").waitFor();
  await patientSigns(await linkOf(number), PATIENT);
  await page.reload();
  await page.getByText("Signed", { exact: true }).waitFor();
  await reach(page, "Show the signature");
  await press(page, "Enter");
  const signature = page.getByRole("dialog", { name: "Signature" });
  await signature.getByText("The patient’s guardian, appointed by a court").waitFor();
  await signature.getByText(`${PATIENT.first_name} ${PATIENT.last_name}`).first().waitFor();
  await assertScreen(page);
  await press(page, "Escape");

  await reach(page, "Open a case");
  await press(page, "Enter");
  await page.getByRole("dialog", { name: "Open a case" }).waitFor();
  await page.getByText("No other claim of this patient").waitFor();
  await reach(page, "First step");
  await page.keyboard.type("Internal");
  await reach(page, "Open the case");
  await press(page, "Enter");
  await heading(page, `Appeal to ${payer}`);

  await recordLevel(page, 1, "Upheld");
  await reach(page, "Begin the next level");
  await press(page, "Enter");
  await reach(page, "Next step");
  await page.keyboard.type("External");
  await reach(page, "Begin the level");
  await press(page, "Enter");
  await toast(page, "The next level has begun.");
  await page.getByRole("heading", { name: "Level 2: External review" }).waitFor();
  await recordLevel(page, 2, "Partly");

  await until(page, "j", "th a:focus");
  await press(page, "Enter");
  await heading(page, number);
  await reach(page, "Recovered");
  await press(page, "Enter");
  await reach(page, "Amount recovered");
  await page.keyboard.type("$80");
  await press(page, "Enter");
  await page.getByRole("dialog", { name: "Record $80.00" }).getByText("a part of $180.00").waitFor();
  await reach(page, "Record it");
  await press(page, "Enter");
  await toast(page, "$80.00 recovered.");
  await page.locator("h1").getByText("Recovered").waitFor();
  await assertScreen(page);
});

/** Files and decides a level by keyboard. */
async function recordLevel(page, level, outcome) {
  await reach(page, `Edit level ${level}`);
  await press(page, "Enter");
  await reach(page, "Filed on");
  await typeDate(page, day(2 * level - 6));
  await reach(page, "Decided on");
  await typeDate(page, day(2 * level - 5));
  await reach(page, "Outcome");
  await page.keyboard.type(outcome);
  await reach(page, "Save the level");
  await press(page, "Enter");
  await page.locator(".timeline li").first().getByText(outcome).waitFor();
}

/** A date field takes month, day and year. */
async function typeDate(page, date) {
  const [year, month, dayOfMonth] = date.split("-");
  await page.keyboard.type(`${month}${dayOfMonth}${year}`);
}

/** The signing link, as the practice's billing system reads it. */
async function linkOf(number) {
  const url = `${origin}/api/v1/claims/status?claim_number=${number}`;
  const answer = await fetch(url, { headers: { Authorization: `Bearer ${demo.practices.active.keys.full}` } });
  const text = await answer.text();
  const link = /"link":"([^"]+)"/.exec(text)?.[1];
  assert.ok(link, text);
  const { pathname, search } = new URL(link);
  return pathname + search;
}

async function patientSigns(link, { first_name, last_name }) {
  const { page } = await open();
  await page.goto(link);
  for (const [label, value] of Object.entries({ Month: "2", Day: "29", Year: "1980" })) await page.getByLabel(label).fill(value);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByLabel("Who is signing?").selectOption("I am the patient's guardian, appointed by a court");
  await page.getByLabel("Type your full name").fill(`${first_name} ${last_name}`);
  await page.getByLabel("I have read the text above").check();
  await page.getByRole("button", { name: "Sign", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Thank you" }).waitFor();
}

test("two people on one claim: nothing is overwritten and nothing typed is lost", async () => {
  const [{ id, claim_number: number }] = await send([claim({}, PATIENT)]);
  const { page: first, wrong } = await open();
  const { page: second } = await open();
  await signIn(first, "staff");
  const robin = await signInColleague(second);
  await first.goto(claimPath(id));
  await heading(first, number);
  await first.getByLabel("New note").fill("Half a thought");
  await second.goto(claimPath(id));
  await heading(second, number);
  await second.getByRole("button", { name: "Take" }).click();
  await toast(second, `You have ${number}.`);

  await first.getByRole("button", { name: "Signature needed" }).click();
  await first.getByRole("dialog").getByRole("button", { name: "Signature needed" }).click();
  const conflict = first.getByRole("dialog", { name: "changed in the meantime" });
  await conflict.getByText("Taken for review").waitFor();
  await conflict.getByText(robin).waitFor();
  await assertScreen(first);
  const signing = async () => (await database(["SELECT signing_status FROM claims WHERE id = ?", id])).flat(2);
  assert.match(JSON.stringify(await signing()), /not_decided/, "nothing is sent again by itself");
  assert.equal(await first.getByLabel("New note").inputValue(), "Half a thought");
  await conflict.getByRole("button", { name: "Apply my change" }).click();
  await toast(first, "The link was made.");
  assert.equal(await first.getByLabel("New note").inputValue(), "Half a thought");
  await first.locator("dd", { hasText: robin }).waitFor();

  await first.route("**/notes", (route) => route.abort());
  await first.getByLabel("New note").press("Control+Enter");
  await first.getByText("You seem to be offline").waitFor();
  assert.equal(await first.getByLabel("New note").inputValue(), "Half a thought", "a note that could not be sent stays");
  await endRoutes(first);
  // The browser reports each call that was cut off.
  wrong.splice(0);
  await first.getByLabel("New note").press("Control+Enter");
  await toast(first, "The note was saved.");
});

test("a report is delivered and gets a document", async () => {
  const patient = { ...PATIENT, first_name: `Rep${process.pid}` };
  const sent = await send([claim({}, patient), claim({}, patient)]);
  const { page } = await open();
  const call = await person(page, "staff");
  for (const { id } of sent) {
    await call("POST", `/api/v1/staff/practices/${PRACTICE}/claims/${id}/take`, undefined, 1);
  }
  await page.goto(claimPath(sent[0].id));
  await page.getByRole("button", { name: "Show other claims" }).click();
  await page.getByRole("link", { name: sent[1].claim_number }).waitFor();
  await page.getByRole("button", { name: "Deliver a report" }).click();
  await page.getByRole("dialog").getByLabel(sent[1].claim_number).check();
  await assertScreen(page);
  await page.getByRole("button", { name: "Deliver the report" }).click();
  await heading(page, "Report for");
  await page.getByRole("link", { name: sent[1].claim_number }).waitFor();
  await page.getByLabel("Kind of document").selectOption("correspondence");
  await page.locator("input[type=file]").setInputFiles({ name: "letter.txt", mimeType: "text/plain", buffer: Buffer.from("A letter.\n") });
  await page.getByText("Attached").waitFor();
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: /^Download Correspondence, TXT, 10 bytes/ }).click();
  assert.match((await saved).suggestedFilename(), /^correspondence-.*\.txt$/);
  await assertScreen(page, "Report for");
  await page.getByRole("button", { name: "Detach" }).click();
  await toast(page, "no longer attached");
  await page.getByRole("button", { name: /^Delete / }).waitFor();
});

test("after many patients, the second factor is asked for and the reason is said", async () => {
  const { page } = await open();
  const [{ id, claim_number: number }] = await send([claim({}, PATIENT)]);
  await signInColleague(page);
  await page.route(`**/api/v1/staff/practices/*/claims/${id}`, async (route) => {
    const body = { error: { code: "two_factor_required", message: "show a second factor to continue", reason: "second_factor_needed" }, continuation_token: "x" };
    await route.fulfill({ status: 402, json: body });
  });
  await page.goto(claimPath(id));
  await page.getByRole("dialog").getByText("You have opened many patients within an hour.").waitFor();
  await assertScreen(page);
  assert.equal(await page.getByText(number).count(), 0);
});
