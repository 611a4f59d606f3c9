// The staff's desk: giving claims away, reports and cases from a selection, keys, orders and counts, and what is found.

import assert from "node:assert/strict";
import { test } from "node:test";
import { assertScreen, database, heading, screens, signIn } from "./harness.mjs";
import { assertNoTrace, claim, day, person, send } from "./practice_data.mjs";
import { assertNotKept, claimPath, PATIENT, PRACTICE, press, signInColleague, toast, until } from "./staff_data.mjs";

const open = screens();
const BASE = `/api/v1/staff/practices/${PRACTICE}`;
const row = (page, { claim_number: number }) => page.locator("tr", { hasText: number });
const queueOf = (payer) => `/queue?payer=${encodeURIComponent(payer)}`;
const bar = (page) => page.getByRole("region", { name: "Selected claims" });

test("claims are given to a colleague, from the queue and from the claim, and z takes it back", async () => {
  const payer = `Give Payer ${process.pid}`;
  const sent = await send([1, 2].map(() => claim({ payer_name: payer }, PATIENT)));
  const { page } = await open();
  const { page: other } = await open();
  const call = await person(page, "staff");
  const robin = await signInColleague(other);
  await call("POST", `${BASE}/claims/${sent[0].id}/take`, undefined, 1);
  await page.goto(queueOf(payer));
  await page.getByRole("link", { name: sent[0].claim_number }).focus();
  await press(page, "a");
  const dialog = page.getByRole("dialog", { name: "Give the claim to a colleague" });
  await dialog.getByLabel("Colleague").selectOption({ label: robin });
  await assertScreen(page);
  await dialog.getByRole("button", { name: "Give the claim" }).click();
  await toast(page, `${sent[0].claim_number} given to ${robin}.`);
  await row(page, sent[0]).getByText(robin).waitFor();
  // The undo outlasts its message.
  await page.getByRole("button", { name: "Dismiss" }).click();
  await press(page, "z");
  await toast(page, `Undone: ${sent[0].claim_number} given to ${robin}.`);
  await row(page, sent[0]).getByText("You", { exact: true }).waitFor();
  await page.locator("a:focus", { hasText: sent[0].claim_number }).waitFor();
  await press(page, "z");
  await toast(page, "There is nothing to undo.");

  // A claim that nobody had can be given, too, and the colleague finds it.
  await page.getByLabel("Select all rows").check();
  await bar(page).getByRole("button", { name: "Give to a colleague" }).click();
  await page.getByRole("dialog").getByLabel("Colleague").selectOption({ label: robin });
  await page.getByRole("dialog").getByText("its webhooks get a message").waitFor();
  await page.getByRole("button", { name: "Give the claims" }).click();
  await toast(page, `2 claims given to ${robin}.`);
  await other.goto(`${queueOf(payer)}&taken=me`);
  await other.getByText("2 claims.").waitFor();
  await assertScreen(other, "Queue");

  // On the claim's page, in the version that the person saw.
  await page.getByRole("link", { name: sent[1].claim_number }).click();
  await heading(page, sent[1].claim_number);
  await page.getByText(`Given to ${robin}`, { exact: true }).waitFor();
  await page.getByRole("button", { name: "Take", exact: true }).click();
  await page.getByRole("button", { name: "Take it" }).click();
  await toast(page, `You have ${sent[1].claim_number}.`);
  await press(page, "z");
  await toast(page, `Undone: You have ${sent[1].claim_number}.`);
  await page.getByRole("button", { name: "Take", exact: true }).waitFor();
  await press(page, "a");
  await page.getByRole("dialog").waitFor();
  await press(page, "Escape");
});

test("a canceled key selects nothing, and the next key acts on the row that has the focus", async () => {
  const payer = `Cancel Payer ${process.pid}`;
  const sent = await send([1, 2].map((n) => claim({ payer_name: payer, denial_date: day(n - 40) }, PATIENT)));
  const { page } = await open();
  const { page: other } = await open();
  await signIn(page, "staff");
  await signInColleague(other);
  await page.goto(queueOf(payer));
  for (const [key, name] of [["a", "Give the claim to a colleague"], ["s", "Patient’s signature"]]) {
    await page.getByRole("link", { name: sent[0].claim_number }).focus();
    await press(page, key);
    await page.getByRole("dialog", { name }).waitFor();
    await press(page, "Escape");
    await page.locator("a:focus", { hasText: sent[0].claim_number }).waitFor();
    assert.equal(await bar(page).count(), 0);
  }
  await press(page, "j", "t");
  await toast(page, `${sent[1].claim_number} taken.`);
  await page.getByRole("button", { name: `Take ${sent[0].claim_number}` }).waitFor();

  await page.route("**/api/v1/staff/colleagues", (route) => route.fulfill({ json: { colleagues: [] } }));
  await press(page, "a");
  await page.getByText("There is no other colleague").waitFor();
  await assertScreen(page);
  await page.getByRole("button", { name: "Close" }).click();
  await page.locator("a:focus", { hasText: sent[1].claim_number }).waitFor();
});

test("z takes back the last change only, and can be tried again after a failure on the way", async () => {
  const payer = `Last Payer ${process.pid}`;
  const [{ claim_number: number }] = await send([claim({ payer_name: payer }, PATIENT)]);
  const { page } = await open();
  await signIn(page, "staff");
  await page.goto(queueOf(payer));
  await page.getByRole("link", { name: number }).focus();
  await press(page, "t");
  await toast(page, `${number} taken.`);
  const error = { code: "rate_limited", message: "Try again.", request_id: "r" };
  const busy = { status: 429, headers: { "Retry-After": "3600" }, json: { error } };
  await page.route("**/moves", (route) => route.fulfill(busy));
  await press(page, "z");
  await toast(page, "This could not be undone");
  await page.unroute("**/moves");
  await press(page, "z");
  await toast(page, `Undone: ${number} taken.`);
  await page.locator("a:focus", { hasText: number }).waitFor();

  await press(page, "t");
  await row(page, { claim_number: number }).getByText("You", { exact: true }).waitFor();
  await press(page, "n");
  await page.getByRole("dialog").getByLabel("Note").fill("Called the payer.");
  await press(page, "Control+Enter");
  await toast(page, "The note was saved.");
  await press(page, "z");
  await toast(page, "There is nothing to undo.");
  await row(page, { claim_number: number }).getByText("You", { exact: true }).waitFor();
});

test("a report and a case are made from the selection, and what does not fit is named and stays", async () => {
  const payer = `Gather Payer ${process.pid}`;
  const other = { ...PATIENT, first_name: `Other${process.pid}` };
  const one = { ...PATIENT, first_name: `One${process.pid}` };
  const sent = await send([
    claim({ payer_name: payer, denial_date: day(-30) }, one),
    claim({ payer_name: payer, denial_date: day(-29) }, one),
    claim({ payer_name: payer, denial_date: day(-28) }, other),
    claim({ payer_name: payer, denial_date: day(-27) }, one),
  ]);
  const { page } = await open();
  const call = await person(page, "staff");
  for (const { id } of sent.slice(0, 3)) await call("POST", `${BASE}/claims/${id}/take`, undefined, 1);
  await page.goto(queueOf(payer));
  await row(page, sent[3]).waitFor();
  await page.getByLabel("Select all rows").check();
  await bar(page).getByRole("button", { name: "Open a case" }).click();
  const dialog = page.getByRole("dialog", { name: "Open a case" });
  await dialog.getByText(`${sent[3].claim_number}: take it first`).waitFor();
  await dialog.getByLabel("First step").selectOption("internal_appeal");
  await dialog.getByLabel("Due on").fill(day(20));
  await assertScreen(page);
  await dialog.getByRole("button", { name: "Open the case" }).click();
  // Only the service knows that one claim is of another patient. It is taken out, and what was entered stays.
  await dialog.getByText("2 claims do not fit").waitFor();
  assert.equal(await dialog.getByLabel(sent[2].claim_number).isChecked(), false);
  assert.equal(await dialog.getByLabel("Due on").inputValue(), day(20));
  await assertScreen(page);
  await dialog.getByRole("button", { name: "Open the case" }).click();
  await toast(page, "The case with 2 claims was opened.");
  await page.getByText("2 selected").waitFor();
  await row(page, sent[0]).getByText("In appeal").waitFor();

  await bar(page).getByRole("button", { name: "Deliver a report" }).click();
  const report = page.getByRole("dialog", { name: "Deliver a report" });
  await report.getByText("One claim does not fit").waitFor();
  await assertScreen(page);
  await report.getByRole("button", { name: "Deliver the report" }).click();
  await toast(page, "The report on 1 claim was delivered.");
  await page.getByText("1 selected").waitFor();

  // With nothing left over, the way leads to what was made; with nothing that fits, only the reason is said.
  await press(page, "c");
  await page.getByRole("link", { name: sent[3].claim_number }).focus();
  await press(page, "c");
  const none = page.getByRole("dialog", { name: "Open a case" });
  await none.getByText("take it first").waitFor();
  await none.getByRole("button", { name: "Close" }).click();
  await press(page, "t");
  await toast(page, `${sent[3].claim_number} taken.`);
  // The list was not read again. The service decides about a claim that was changed here.
  await press(page, "c");
  await none.getByRole("button", { name: "Open the case" }).waitFor();
  await press(page, "Escape");
  await page.getByLabel(`Select ${sent[3].claim_number}`).check();
  await bar(page).getByRole("button", { name: "Deliver a report" }).click();
  await page.getByRole("button", { name: "Deliver the report" }).click();
  await heading(page, "Report for");
});

test("a claim that others changed is read again after the refusal", async () => {
  const payer = `Stale Payer ${process.pid}`;
  const [{ id, claim_number: number }] = await send([claim({ payer_name: payer }, { ...PATIENT, first_name: `Stale${process.pid}` })]);
  const { page } = await open();
  const call = await person(page, "staff");
  await call("POST", `${BASE}/claims/${id}/take`, undefined, 1);
  await page.goto(queueOf(payer));
  await page.getByRole("link", { name: number }).focus();
  await call("PATCH", `${BASE}/claims/${id}/letter`, { plan_type: "medicare" }, 2);
  await press(page, "c");
  const dialog = page.getByRole("dialog", { name: "Open a case" });
  await dialog.getByLabel("First step").selectOption("internal_appeal");
  await dialog.getByLabel("Due on").fill(day(20));
  await dialog.getByRole("button", { name: "Open the case" }).click();
  await dialog.getByText(`${number}: `).first().waitFor();
  await press(page, "Escape");
  await page.getByRole("button", { name: "Drop it" }).click();
  await row(page, { claim_number: number }).getByText("Medicare").waitFor();
  await page.getByRole("link", { name: number }).focus();
  await press(page, "c");
  // The plan is the one that a person read in the letter.
  await dialog.waitFor();
  assert.equal(await dialog.getByLabel("First step").inputValue(), "redetermination");
  await dialog.getByLabel("Due on").fill(day(20));
  await dialog.getByRole("button", { name: "Open the case" }).click();
  await heading(page, `Appeal to ${payer}`);
});

/** Longer than any claim takes to open, in milliseconds. */
const PAUSE = 5000;

test("a person goes from claim to claim by the keyboard, in the order of the list and over its pages", async () => {
  const payer = `Walk Payer ${process.pid}`;
  const sent = await send(Array.from({ length: 52 }, (_, n) => claim({ payer_name: payer, denial_date: day(-60 + n) }, PATIENT)));
  const { page } = await open();
  await signIn(page, "staff");
  const opened = [];
  page.on("request", (request) => /\/claims\/[\da-f-]{36}$/.test(request.url()) && opened.push(request.url()));
  await page.goto(queueOf(payer));
  await page.getByRole("link", { name: sent[48].claim_number }).click();
  await heading(page, sent[48].claim_number);
  assert.equal(opened.length, 1, "nothing is read ahead");
  await until(page, "j", `h1:has-text("${sent[49].claim_number}")`, PAUSE);
  await page.locator("h1:focus", { hasText: sent[49].claim_number }).waitFor();
  await page.getByRole("button", { name: "Next claim" }).click();
  await heading(page, sent[50].claim_number);
  await page.keyboard.down("j");
  await heading(page, sent[51].claim_number);
  // A key that is held opens one claim.
  await page.keyboard.down("j");
  await page.keyboard.up("j");
  assert.equal(await page.locator(".toast").count(), 0);
  assert.equal(await page.getByRole("button", { name: "Next claim" }).count(), 0);
  await press(page, "j");
  await toast(page, "This was the last claim of the list.");
  await press(page, "k");
  await heading(page, sent[50].claim_number);
  await assertScreen(page);
  await press(page, "g", "q");
  await page.waitForURL(/cursor=/);
  await page.getByRole("link", { name: sent[50].claim_number }).waitFor();
  await assertNotKept(page, sent[50].claim_number);
  // Without a list, there is no next claim.
  await page.goto(claimPath(sent[0].id));
  await heading(page, sent[0].claim_number);
  assert.equal(await page.getByRole("button", { name: "Next claim" }).count(), 0);
});

test("one key each for the signature, the case and the result, and each key once in the help", async () => {
  const [{ id, claim_number: number }] = await send([claim({}, { ...PATIENT, first_name: `Keys${process.pid}` })]);
  const { page } = await open();
  await signIn(page, "staff");
  await page.goto(claimPath(id));
  await heading(page, number);
  await until(page, "t", ".toast");
  await press(page, "s");
  await page.getByRole("dialog", { name: "Patient’s signature" }).waitFor();
  await assertScreen(page);
  await press(page, "Enter", "Enter");
  await toast(page, "The link was made.");
  await press(page, "c");
  const dialog = page.getByRole("dialog", { name: "Case" });
  await dialog.waitFor();
  await press(page, "Enter");
  await page.getByLabel("First step").selectOption("internal_appeal");
  await page.getByRole("button", { name: "Open the case" }).click();
  await heading(page, "Appeal to");
  await page.goBack();
  await heading(page, number);
  await press(page, "r");
  await page.getByRole("dialog", { name: "Result" }).getByRole("button", { name: "Closed" }).click();
  await page.getByRole("dialog", { name: "Close the claim" }).waitFor();
  await press(page, "Escape", "?");
  const keys = await page.getByRole("dialog", { name: "Keyboard shortcuts" }).locator("dt").allTextContents();
  assert.equal(new Set(keys).size, keys.length, keys.join(" "));
  for (const key of ["a", "c", "n", "r", "s", "z"]) assert.ok(keys.includes(key), `${key} in ${keys}`);
});

test("columns sort, and a filtered list says how many it has", async () => {
  const payer = `Sort Payer ${process.pid}`;
  const sent = await send([
    claim({ payer_name: payer, denied_amount: "30.00", denial_date: day(-10) }, PATIENT),
    claim({ payer_name: payer, denied_amount: "200.00", denial_date: day(-30) }, PATIENT),
    claim({ payer_name: payer, denied_amount: "100.00", denial_date: day(-20) }, PATIENT),
  ]);
  const { page } = await open();
  await signIn(page, "staff");
  await page.goto(queueOf(payer));
  await page.getByText("3 claims.").waitFor();
  const order = async () => {
    const shown = await page.locator("tbody th").allTextContents();
    return shown.map((number) => sent.findIndex((one) => one.claim_number === number.trim()));
  };
  const comes = async (...expected) => {
    for (let tries = 0; String(await order()) !== String(expected) && tries < 250; tries += 1) await page.waitForTimeout(20);
    assert.deepEqual(await order(), expected);
  };
  const head = (name) => page.getByRole("columnheader", { name });
  await comes(1, 2, 0);
  assert.equal(await head("Deadline").getAttribute("aria-sort"), "ascending");
  await head("Deadline").getByRole("button").click();
  await page.waitForURL(/sort=-deadline/);
  await comes(0, 2, 1);
  assert.equal(await head("Deadline").getAttribute("aria-sort"), "descending");
  await head("Denied").getByRole("button").press("Enter");
  await page.waitForURL(/sort=denied/);
  await comes(0, 2, 1);
  await page.locator("button:focus", { hasText: "Denied" }).press("Enter");
  await page.waitForURL(/sort=-denied/);
  await comes(1, 2, 0);
  await assertScreen(page, "Queue");
  await page.reload();
  await page.getByText("3 claims.").waitFor();
  await comes(1, 2, 0);
  // A row that moves keeps the focus.
  for (const { claim_number: number } of sent) {
    await page.getByRole("link", { name: number }).focus();
    const before = await order();
    await head("Denied").getByRole("button").evaluate((button) => button.click());
    for (let tries = 0; String(await order()) === String(before) && tries < 100; tries += 1) await page.waitForTimeout(20);
    await page.locator("a:focus", { hasText: number }).waitFor();
  }
  // The order is that of all pages: what is due last, and denied least, is on the first one.
  await send(Array.from({ length: 50 }, () => claim({ payer_name: payer, denied_amount: "40.00", denial_date: day(-60) }, PATIENT)));
  await page.goto(`${queueOf(payer)}&sort=denied`);
  await page.getByText("53 claims.").waitFor();
  assert.equal((await order())[0], 0);
  await page.getByRole("button", { name: "Next page" }).click();
  await comes(-1, 2, 1);
});

test("Ctrl-K finds claims, cases and practices, and one hit opens", async () => {
  const sent = await send([claim({}, PATIENT), claim({}, { ...PATIENT, first_name: `Case${process.pid}` })]);
  const { page } = await open();
  const call = await person(page, "staff");
  await call("POST", `${BASE}/claims/${sent[1].id}/take`, undefined, 1);
  const body = { claims: [{ id: sent[1].id, version: 2 }], kind: "internal_appeal", due_on: day(20) };
  await call("POST", `${BASE}/cases`, body);
  await page.goto("/overview");
  await heading(page, "Overview");
  const find = async (text) => {
    await until(page, "Control+k", "dialog input");
    await page.locator("dialog input").fill(text);
    await page.getByRole("option", { name: `Find “${text}”` }).waitFor();
    await page.keyboard.press("Enter");
  };
  await find(sent[0].claim_number.toLowerCase());
  await heading(page, sent[0].claim_number);
  await find(sent[1].claim_number);
  await page.getByRole("option", { name: `Case with ${sent[1].claim_number}` }).waitFor();
  await assertScreen(page);
  await press(page, "ArrowDown", "Enter");
  await heading(page, "Appeal to");
  await assertNotKept(page, sent[1].claim_number);
  await find("no-such-name");
  await page.getByText("Nothing has this number or name.").waitFor();
  await press(page, "Escape");
  const [named] = await database(["SELECT name FROM practices WHERE id = ?", PRACTICE]);
  await find((named.results ?? named)[0].name);
  await page.waitForURL(/\/queue\?practice=/);
});

test("a patient is found by name and date of birth, and the name stays on the screen", async () => {
  const born = { first_name: "Findella", last_name: `Vogel${process.pid}`, date_of_birth: "1975-11-30" };
  const sent = await send([claim({ denial_date: day(-40) }, born), claim({ denial_date: day(-39) }, born)]);
  const { page } = await open();
  await signIn(page, "staff");
  await page.goto("/overview");
  await heading(page, "Overview");
  await until(page, "Control+k", "dialog input");
  await page.locator("dialog input").fill("find a p");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Find a patient" });
  await dialog.getByRole("button", { name: "Find" }).click();
  await dialog.getByText("3 entries need a change").waitFor();
  // The queue is read behind the dialog, and is looked at, too.
  await page.locator("tbody tr").first().waitFor();
  await assertScreen(page);
  await dialog.getByLabel("First name").fill("findella");
  await dialog.getByLabel("Last name").fill(born.last_name.toUpperCase());
  await dialog.getByLabel("Date of birth").fill(born.date_of_birth);
  await page.keyboard.press("Enter");
  await page.getByText("Claims of findella").waitFor();
  for (const { claim_number: number } of sent) await page.getByRole("link", { name: number }).waitFor();
  await assertScreen(page, "Queue");
  await assertNoTrace(page, born.last_name);
  await assertNoTrace(page, born.last_name.toUpperCase());

  // Each search is recorded. Neither another order nor a filter makes one, and a filter shows the queue.
  const searches = [];
  page.on("request", (request) => request.url().endsWith("/patients/search") && searches.push(request));
  const first = (number) => page.waitForFunction((wanted) => document.querySelector("tbody th")?.textContent.includes(wanted), number);
  const deadline = page.getByRole("columnheader", { name: "Deadline" }).getByRole("button");
  await deadline.click();
  await first(sent[1].claim_number);
  await deadline.click();
  await first(sent[0].claim_number);
  await page.getByRole("link", { name: "Recovered" }).click();
  await page.getByLabel("Claim number").waitFor();
  await page.getByText("Claims of findella").waitFor({ state: "detached" });
  assert.equal(searches.length, 0);
  await page.goBack();
  await page.getByText("Claims of findella").waitFor();
  await page.getByRole("link", { name: sent[0].claim_number }).click();
  await heading(page, sent[0].claim_number);
  await until(page, "j", `h1:has-text("${sent[1].claim_number}")`, PAUSE);
  // Whoever stays for what they typed is not asked for a patient later.
  await page.getByLabel("New note").fill("Half a thought");
  await press(page, "Control+k");
  await page.locator("dialog input").fill("find a p");
  await press(page, "Enter");
  await page.getByRole("dialog", { name: "Leave without saving?" }).getByRole("button", { name: "Cancel" }).click();
  await page.getByLabel("New note").fill("");
  await page.getByRole("link", { name: "Back to the queue" }).click();
  await page.getByRole("button", { name: "Show the queue" }).click();
  await page.getByLabel("Claim number").waitFor();
  await page.getByRole("button", { name: "Find a patient" }).click();
  await dialog.getByLabel("First name").fill("Nobody");
  await dialog.getByLabel("Last name").fill("Here");
  await dialog.getByLabel("Date of birth").fill("1901-01-01");
  await dialog.getByRole("button", { name: "Find" }).click();
  await page.getByText("No claim of this patient was found").waitFor();
  await assertScreen(page, "Queue");
  const found = await database(["SELECT count(*) AS n FROM audit WHERE detail LIKE ? OR record LIKE ?", `%${born.last_name}%`, `%${born.last_name}%`]);
  assert.equal((found[0].results ?? found[0])[0].n, 0);
});
