// The staff's queue, practices, cases and overview, against the real Worker.

import assert from "node:assert/strict";
import { test } from "node:test";
import { changes } from "./answers.mjs";
import { assertScreen, database, heading, screens, signIn } from "./harness.mjs";
import { claim, day, person, send } from "./practice_data.mjs";
import { assertNotKept, claimPath, PATIENT, PRACTICE, press, signInColleague, toast, until } from "./staff_data.mjs";

const open = screens();

test("several claims are taken at once, and a claim that a colleague changed is said", async () => {
  const payer = `Bulk Payer ${process.pid}`;
  const sent = await send([1, 2, 3].map(() => claim({ payer_name: payer }, PATIENT)));
  const { page } = await open();
  const { page: other } = await open();
  await signIn(page, "staff");
  const robin = await signInColleague(other);
  await page.goto(`/queue?payer=${encodeURIComponent(payer)}`);
  await page.getByRole("link", { name: sent[0].claim_number }).waitFor();
  await other.goto(`/queue?payer=${encodeURIComponent(payer)}`);
  await other.getByRole("button", { name: `Take ${sent[1].claim_number}` }).click();
  await toast(other, `${sent[1].claim_number} taken.`);

  await page.getByLabel("Select all rows").check();
  await page.getByRole("region", { name: "Selected claims" }).getByRole("button", { name: "Take" }).click();
  const refused = page.getByRole("dialog", { name: "1 claim not changed" });
  await refused.getByText(sent[1].claim_number).waitFor();
  await refused.getByText(`taken by ${robin}`).waitFor();
  await toast(page, "2 claims taken.");
  await assertScreen(page);
  await refused.getByRole("button", { name: "Leave it" }).click();
  await page.getByText("1 selected").waitFor();
  await page.locator("tr", { hasText: sent[1].claim_number }).getByText(robin).waitFor();
  for (const { claim_number } of [sent[0], sent[2]]) await page.locator("tr", { hasText: claim_number }).getByText("You", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Clear", exact: true }).click();

  await page.locator(".toast", { hasText: "2 claims taken." }).getByRole("button", { name: "Undo" }).click();
  await toast(page, "Undone: ");
  await page.getByRole("button", { name: `Take ${sent[0].claim_number}` }).waitFor();

  await page.getByLabel("Select all rows").check();
  await page.locator("tbody th a").first().focus();
  await press(page, "t");
  await page.getByRole("button", { name: "Take them" }).click();
  await toast(page, "3 claims taken.");
  await page.getByLabel("Select all rows").check();
  await page.getByRole("button", { name: "Let go" }).click();
  await toast(page, "3 claims now free for others.");
  await page.getByRole("button", { name: `Take ${sent[2].claim_number}` }).waitFor();

  await page.getByLabel("Select all rows").check();
  await page.getByRole("button", { name: "Signature needed" }).click();
  await page.getByRole("dialog", { name: "signature for 3 claims" }).getByRole("button", { name: "Ask for signatures" }).click();
  await toast(page, "3 claims now waiting for the patient’s signature.");
  assert.equal(await page.getByText("Patient must sign").count(), 3);
});

test("back and forward keep filters and place, and no patient leaves the page", async () => {
  const payer = `Place Payer ${process.pid}`;
  const sent = await send(Array.from({ length: 55 }, (_, n) => claim({ payer_name: payer, denial_date: day(-60 + n) }, PATIENT)));
  const { page, context } = await open();
  await signIn(page, "staff");
  await page.goto("/queue");
  await page.getByRole("combobox", { name: "Payer" }).fill(payer);
  await page.getByRole("option", { name: payer }).click();
  await page.waitForURL(/payer=Place/);
  await page.getByRole("link", { name: sent[0].claim_number }).waitFor();
  await page.getByRole("button", { name: "Next page" }).click();
  await page.waitForURL(/cursor=/);
  const last = page.getByRole("link", { name: sent[52].claim_number });
  await last.click();
  await heading(page, sent[52].claim_number);
  await page.getByText(PATIENT.last_name).waitFor();
  await assertNotKept(page, sent[52].claim_number);
  await page.goBack();
  await page.locator("a:focus", { hasText: sent[52].claim_number }).waitFor();
  assert.match(page.url(), /payer=Place.*cursor=|cursor=.*payer=Place/);
  await page.goForward();
  await heading(page, sent[52].claim_number);
  await page.getByText(PATIENT.last_name).waitFor();
  await press(page, "g", "q");
  await page.locator("a:focus", { hasText: sent[52].claim_number }).waitFor();
  await page.goBack();
  await heading(page, sent[52].claim_number);
  await page.goBack();
  await page.goBack();
  await page.getByRole("link", { name: sent[0].claim_number }).waitFor();

  await page.getByRole("link", { name: "Recovered" }).click();
  await page.getByText("Nothing matches these filters").waitFor();
  // Neither the filters nor the case of the letters hide a claim that is looked for.
  await page.getByLabel("Claim number").fill(sent[3].claim_number.toLowerCase());
  await page.getByRole("button", { name: "Find", exact: true }).click();
  await page.getByRole("link", { name: sent[3].claim_number }).waitFor();
  await page.getByRole("link", { name: sent[4].claim_number }).waitFor({ state: "detached" });
  await assertScreen(page, "Queue");
  assert.ok(!page.url().includes(sent[3].claim_number), "a claim number is in no address");
  await page.getByLabel("Claim number").fill("NO-SUCH-NUMBER");
  await page.getByRole("button", { name: "Find", exact: true }).click();
  await page.getByText("No claim has this number").waitFor();
  await page.getByText("“NO-SUCH-NUMBER”").waitFor();
  await assertScreen(page, "Queue");
  await page.getByRole("button", { name: "Clear the filters" }).click();
  await page.getByRole("link", { name: sent[3].claim_number }).or(page.locator("tbody tr")).first().waitFor();

  await assertNotKept(page, sent[3].claim_number);
  assert.equal(JSON.stringify(await context.storageState()).includes(PATIENT.last_name), false);
});

test("a claim's page and its dialogs put no patient into title, address, storage or history", async () => {
  const [{ id, claim_number: number }] = await send([claim({ payer_name: `Canary Payer ${process.pid}` }, PATIENT)]);
  const { page } = await open();
  await signIn(page, "staff");
  await page.goto(claimPath(id));
  await heading(page, number);
  await page.getByText(PATIENT.last_name).waitFor();
  await assertNotKept(page, number);
  await page.getByRole("button", { name: "Take" }).click();
  await toast(page, `You have ${number}.`);
  await page.getByLabel("New note").fill(`${PATIENT.first_name} ${PATIENT.last_name} called.`);
  await page.getByRole("button", { name: "Open a case" }).click();
  await page.getByText("No other claim of this patient").waitFor();
  await assertNotKept(page, number);
  await page.reload();
  await page.getByText(PATIENT.last_name).waitFor();
  await assertNotKept(page, number);
});

test("claims are taken one after the other as fast as a person types, each with an undo of its own", async () => {
  const payer = `Swift Payer ${process.pid}`;
  const sent = await send([1, 2, 3, 4].map((n) => claim({ payer_name: payer, denial_date: day(n - 40) }, PATIENT)));
  const { page } = await open();
  await signIn(page, "staff");
  const order = [];
  await page.route("**/api/v1/staff/claims/take", async (route) => {
    order.push(...JSON.parse(route.request().postData()).claims.map(({ id }) => id));
    await new Promise((resolve) => setTimeout(resolve, 300));
    await route.continue();
  });
  await page.goto(`/queue?payer=${encodeURIComponent(payer)}`);
  await page.getByRole("link", { name: sent[0].claim_number }).waitFor();
  await until(page, "j", "th a:focus");
  await press(page, "t", "t", "j", "t", "j", "t", "j", "t");
  for (const { claim_number: number } of sent) await toast(page, `${number} taken.`);
  assert.deepEqual(order, sent.map(({ id }) => id), "each is taken once, in the order of the keys");
  await page.locator("a:focus", { hasText: sent[3].claim_number }).waitFor();
  await page.locator(".toast", { hasText: sent[1].claim_number }).getByRole("button", { name: "Undo" }).click();
  await toast(page, "Undone: ");
  const rows = sent.map(({ claim_number: number }) => page.locator("tr", { hasText: number }));
  await rows[1].getByRole("button", { name: "Take" }).waitFor();
  for (const n of [0, 2, 3]) await rows[n].getByText("You", { exact: true }).waitFor();

  await rows[1].getByRole("button", { name: "Take" }).click();
  await toast(page, `${sent[1].claim_number} taken.`);
  await page.locator("a:focus", { hasText: sent[1].claim_number }).waitFor();
  // At the end: a scan may take longer than an undo is offered.
  await assertScreen(page, "Queue");
});

test("the pages of a list work after a reload and from a link", async () => {
  const payer = `Pages Payer ${process.pid}`;
  const sent = await send(Array.from({ length: 51 }, (_, n) => claim({ payer_name: payer, denial_date: day(-60 + n) }, PATIENT)));
  const { page } = await open();
  const { page: linked } = await open();
  await signIn(page, "staff");
  await signIn(linked, "staff");
  await page.goto(`/queue?payer=${encodeURIComponent(payer)}`);
  await page.getByRole("button", { name: "Next page" }).click();
  await page.locator("a:focus", { hasText: sent[50].claim_number }).waitFor();
  const address = page.url();
  for (const [where, arrive] of [[page, () => page.reload()], [linked, () => linked.goto(address)]]) {
    await arrive();
    await where.getByRole("link", { name: sent[50].claim_number }).waitFor();
    assert.equal(await where.getByRole("button", { name: "Next page" }).count(), 0);
    await where.getByRole("button", { name: "First page" }).click();
    await where.locator("a:focus", { hasText: sent[0].claim_number }).waitFor();
    assert.ok(!where.url().includes("cursor="));
  }
});

test("a dialog closes with the browser's back, and asks before it drops a note", async () => {
  const payer = `Dialog Payer ${process.pid}`;
  const [{ claim_number: number }] = await send([claim({ payer_name: payer }, PATIENT)]);
  const { page } = await open();
  await signIn(page, "staff");
  await page.goto("/overview");
  await page.getByRole("link", { name: "Queue" }).click();
  await heading(page, "Queue");
  const queue = `/queue?payer=${encodeURIComponent(payer)}`;
  await page.getByRole("combobox", { name: "Payer" }).fill(payer);
  await page.getByRole("option", { name: payer }).click();
  await page.getByRole("link", { name: number }).waitFor();
  await page.locator("h1").focus();
  const note = page.getByRole("dialog", { name: "Write a note" });
  const isOn = async () => {
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.locator("a:focus", { hasText: number }).waitFor();
    assert.ok(page.url().endsWith(queue.replace("%20", "+").replaceAll("%20", "+")), page.url());
  };
  await until(page, "j", "th a:focus");
  await press(page, "n");
  await note.waitFor();
  await page.evaluate(() => history.back());
  await isOn();

  await press(page, "n");
  await note.getByLabel("Note").fill("Half a thought");
  for (const leave of [() => press(page, "Escape"), () => page.evaluate(() => history.back()), () => note.getByRole("button", { name: "Cancel" }).click()]) {
    await leave();
    const question = page.getByRole("dialog", { name: "Drop what you entered?" });
    await question.waitFor();
    await press(page, "Escape");
    await question.waitFor({ state: "detached" });
    assert.equal(await note.getByLabel("Note").inputValue(), "Half a thought");
  }
  await press(page, "Escape");
  await assertScreen(page);
  await page.getByRole("button", { name: "Drop it" }).click();
  await isOn();
  await page.goBack();
  await page.goBack();
  await heading(page, "Overview");
  await page.goForward();
  await heading(page, "Queue");
});

test("filters that match nothing, and a refused filter", async () => {
  const { page } = await open();
  await signIn(page, "staff");
  await page.goto("/queue?code=CO-999&taken=nobody&status=in_report");
  await page.getByText("Nothing matches these filters").waitFor();
  await assertScreen(page, "Queue");
  await page.getByRole("main").getByRole("button", { name: "Clear the filters" }).last().click();
  await page.waitForURL(/\/queue$/);
  await page.getByLabel("Denial code").fill("16");
  await page.getByLabel("Denial code").press("Enter");
  await page.getByText("Enter a whole code, such as CO-45").waitFor();
  await assertScreen(page, "Queue");
  await page.goto("/queue?taken=somebody");
  await page.locator(".notice[role=alert]").waitFor();
  await assertScreen(page, "Queue");
});

test("with forced colors, a line shows the selected row, the chosen tile and the screen's place in the navigation", async () => {
  const payer = `Forced ${process.pid}`;
  await send([1, 2].map(() => claim({ payer_name: payer }, PATIENT)));
  const { page } = await open({ forcedColors: "active" });
  await signIn(page, "staff");
  await page.goto(`/queue?payer=${encodeURIComponent(payer)}`);
  const box = page.getByRole("checkbox", { name: /^Select / });
  await box.nth(1).check();
  // A row with the focus has a line, too.
  await page.evaluate(() => document.activeElement.blur());
  const lines = (selector) => page.locator(selector).evaluateAll((all) => all.map((one) => getComputedStyle(one).outlineStyle));
  assert.deepEqual(await lines("tbody tr"), ["solid", "none"]);
  assert.deepEqual(await lines(".tile[aria-current]"), ["solid"]);
  assert.deepEqual(await lines("nav[aria-label=Main] [aria-current]"), ["solid"]);
  assert.ok((await lines("nav[aria-label=Main] a:not([aria-current])")).every((line) => line === "none"));
});

test("long words in the queue and the cases do not push the page sideways", async () => {
  const payer = `Long${process.pid}`.padEnd(200, "x");
  const [{ id }, other] = await send([1, 2].map((n) => claim({ claim_number: `LONG${n}-${process.pid}-`.padEnd(128, "1"), payer_name: payer }, PATIENT)));
  const { page } = await open();
  const call = await person(page, "staff");
  const { page: colleague } = await open();
  const name = await signInColleague(colleague);
  const long = name.replace(" ", "-").padEnd(100, "n");
  await database(
    ["UPDATE users SET name = ? WHERE name = ?", long, name],
    ["UPDATE claims SET taken_by = (SELECT id FROM users WHERE name = ?) WHERE id = ?", long, id],
  );
  await call("POST", `/api/v1/staff/practices/${PRACTICE}/claims/${other.id}/take`, undefined, 1);
  const body = { claims: [{ id: other.id, version: 2 }], kind: "internal_appeal", due_on: day(3) };
  await call("POST", `/api/v1/staff/practices/${PRACTICE}/cases`, body);
  const { page: owner } = await open();
  await signIn(owner, "owner");
  for (const [on, path] of [
    [owner, `/claims?payer_name=${payer}`],
    [owner, `/claims/${other.id}`],
    [page, claimPath(other.id)],
    [page, `/queue?payer=${payer}`],
    [page, `/cases?practice=${PRACTICE}&due_before=${day(4)}`],
  ]) {
    await on.goto(path);
    await on.getByText(payer).first().waitFor();
    await assertScreen(on);
    // Between the looks: where the frame of a table begins to scroll, and where it ends.
    for (const width of [840, 960, 1100, 1247, 1248]) {
      await on.setViewportSize({ width, height: 800 });
      const wide = await on.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.equal(wide, 0, `${path} ${width} px is too wide`);
    }
  }
});

test("how full each database is, a warning before one is full, and which one does not answer", async () => {
  const { page } = await open();
  await signIn(page, "staff");
  await page.goto("/overview");
  await page.getByRole("link", { name: "Databases" }).click();
  await page.getByRole("rowheader", { name: "DB_000" }).waitFor();
  assert.equal(await page.getByText("almost full").count(), 0);
  await assertScreen(page, "Databases");
  const large = { bytes: 8_412_000_000, most: 10_000_000_000, practices: 431, claims: 7_204_118, changes: 21_700_450, changes_a_minute: 118.4 };
  await changes(page, "**/api/v1/staff/cells", ({ cells: [first] }) => ({
    cells: [
      { ...first, ...large, days_left: 24, filling: true },
      { ...first, ...large, cell: 2, binding: "DB_002", bytes: 912_400_000, days_left: 1_204, filling: false },
    ],
    missing_cells: [1],
  }));
  await page.reload();
  const row = page.getByRole("row").filter({ hasText: "DB_000" });
  await row.getByText("84% of 10.0 GB").waitFor();
  await row.getByText("24 days").waitFor();
  await page.getByRole("alert").getByText("DB_000 is almost full").waitFor();
  await page.getByText("One of our databases did not answer").waitFor();
  await assertScreen(page);
});

test("practices, cases and the overview", async () => {
  const [{ id, claim_number: number }] = await send([claim({ payer_name: `Case Payer ${process.pid}` }, PATIENT)]);
  const { page } = await open();
  const call = await person(page, "staff");
  const base = `/api/v1/staff/practices/${PRACTICE}`;
  await call("POST", `${base}/claims/${id}/take`, undefined, 1);
  const { id: opened } = await call("POST", `${base}/cases`, { claims: [{ id, version: 2 }], kind: "internal_appeal", due_on: day(3) });
  await page.goto("/practices?name=Cedar");
  await page.getByRole("link", { name: "Cedar Hill Family Medicine", exact: true }).waitFor();
  await assertScreen(page, "Practices");
  await page.goto("/overview");
  await page.getByText("Denied, still open").waitFor();
  await assertScreen(page, "Overview");
  await page.goto(`/cases?practice=${PRACTICE}&due_before=${day(4)}`);
  await page.getByRole("link", { name: `Case Payer ${process.pid}` }).click();
  await heading(page, `Appeal to Case Payer ${process.pid}`);
  await page.getByText("must be filed by").waitFor();
  await assertScreen(page);

  await page.getByRole("button", { name: "Edit level 1" }).click();
  await page.getByLabel("Outcome").selectOption("upheld");
  await page.getByRole("button", { name: "Save the level" }).click();
  await page.getByText("Decided on is required with an outcome").first().waitFor();
  await assertScreen(page);
  await page.getByLabel("Decided on").fill(day(-1));
  await page.getByLabel("Filed on").fill(day(-2));
  await call("PATCH", `${base}/cases/${opened}/levels/1`, { due_on: day(9) }, 1);
  await page.getByRole("button", { name: "Save the level" }).click();
  await page.getByRole("dialog", { name: "This case was changed" }).getByText("due on").waitFor();
  await page.getByRole("button", { name: "Go back and look" }).click();
  assert.equal(await page.getByLabel("Decided on").inputValue(), day(-1), "what was entered stays");
  await page.getByRole("button", { name: "Save the level" }).click();
  await toast(page, "The level was saved.");
  await page.getByRole("link", { name: number }).click();
  await heading(page, number);
});
