// The practice's denials: filters, pages, search, download, one claim, and the reports and appeals that it is in.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { before, test } from "node:test";
import { assertScreen, database, demo, heading, screens, signIn } from "./harness.mjs";
import { assertNoTrace, claim, day, lostLine, person, send, work } from "./practice_data.mjs";

const open = screens();
/** A payer that only this file has, with a name that a spreadsheet would run. */
const PAYER = `=HYPERLINK("https://x.example/${process.pid}","Payer")`;
const rows = (page) => page.getByRole("row").filter({ has: page.getByRole("rowheader") });
const count = (page, n) => page.waitForFunction((n) => document.querySelectorAll("tbody tr").length === n, n);
const search = (page) => new URL(page.url()).searchParams;

let sent = [];
const bodies = [
  claim({ payer_name: PAYER, denial_date: day(-170), date_of_service: day(-200), denial_codes: ["CO-197"] }),
  claim({ payer_name: PAYER, denial_date: day(-160), date_of_service: day(-200) }),
  claim({ payer_name: PAYER, denial_date: day(-10), plan_type: "commercial", date_of_service: day(-200) }),
  claim({ payer_name: PAYER, denial_date: day(-30), date_of_service: day(-200) }),
];
before(async () => {
  sent = await send(bodies);
});

/** Opens the denials with the filter for this file's payer. */
async function list(filters = "") {
  const opened = await open();
  await signIn(opened.page, "owner");
  await opened.page.goto(`/claims?${new URLSearchParams({ payer_name: PAYER })}${filters}`);
  await heading(opened.page, "Denials");
  return opened;
}

test("filters stay in the address, through back, forward and a reload", async () => {
  const { page } = await open();
  await signIn(page, "owner");
  await page.goto("/claims");
  const payer = page.getByRole("combobox", { name: "Payer" });
  await payer.fill(`=hyperlink("https://x.example/${process.pid}`);
  await page.getByRole("option", { name: PAYER }).waitFor();
  await payer.press("Enter");
  await count(page, 4);
  assert.equal(search(page).get("payer_name"), PAYER);
  await page.getByRole("combobox", { name: "Status" }).selectOption({ label: "Recovered" });
  await page.getByText("Nothing matches these filters").waitFor();
  await assertScreen(page, "Denials");
  await page.goBack();
  await count(page, 4);
  assert.equal(search(page).get("status"), null);
  await page.goForward();
  await page.getByText("Nothing matches these filters").waitFor();
  await page.reload();
  await page.getByText("Nothing matches these filters").waitFor();
  assert.equal(await payer.inputValue(), PAYER);
  assert.equal(await page.getByRole("combobox", { name: "Status" }).inputValue(), "recovered");
  await page.getByRole("button", { name: "Clear the filters" }).last().click();
  await rows(page).first().waitFor();
  assert.equal(new URL(page.url()).search, "");
});

test("the earliest deadline comes first, and dates, signatures and codes filter", async () => {
  const { page } = await list("&order=deadline");
  await count(page, 4);
  const numbers = await page.getByRole("rowheader").allTextContents();
  assert.deepEqual(numbers, [0, 1, 3, 2].map((n) => sent[n].claim_number));
  await page.getByText("not known", { exact: true }).waitFor();
  // Claims that are over have no place in this order.
  await page.getByRole("combobox", { name: "Order" }).selectOption({ label: "Newest first" });
  await page.getByRole("combobox", { name: "Status" }).selectOption({ label: "Closed" });
  await page.getByText("Nothing matches these filters").waitFor();
  await page.getByRole("combobox", { name: "Order" }).selectOption({ label: "Earliest deadline first" });
  await count(page, 4);
  assert.equal(search(page).get("status"), null);
  await page.getByText("More filters").click();
  await page.getByLabel("from (deadline)").fill(day(0));
  await page.getByLabel("to (deadline)").fill(day(12));
  await count(page, 1);
  assert.equal(search(page).get("due_to"), day(12));
  await page.getByLabel("to (deadline)").fill(day(30));
  await count(page, 2);
  const code = page.getByLabel("Denial code");
  await code.fill("co 197");
  await code.press("Enter");
  await count(page, 1);
  assert.equal(search(page).get("denial_code"), "CO-197");
  assert.equal(await code.inputValue(), "CO-197");
  await page.waitForFunction((field) => field === document.activeElement, await code.elementHandle());
  await code.fill("what");
  await code.press("Tab");
  await page.getByText("This is not a code that payers use").waitFor();
  await page.getByLabel("from (denial date)").fill(day(-1));
  await page.getByLabel("to (denial date)").fill(day(-5));
  await page.getByText("The first day is after the last one").waitFor();
  await assertScreen(page, "Denials");
});

test("a claim number is looked for outside of the address", async () => {
  const { page } = await open();
  await signIn(page, "member");
  await page.goto("/claims");
  await rows(page).first().waitFor();
  const { claim_number } = sent[0];
  await page.keyboard.press("/");
  await page.keyboard.type(`${claim_number}x`);
  await page.keyboard.press("Enter");
  await page.getByText("No claim has this number").waitFor();
  await assertScreen(page, "Denials");
  // Small letters find it, too, and the claim opens.
  await page.getByRole("searchbox").fill(claim_number.toLowerCase());
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/claims\/[\da-f-]{36}$/);
  await page.getByRole("heading", { level: 1 }).filter({ hasText: claim_number }).waitFor();
  await page.goBack();
  await page.waitForFunction(() => document.querySelectorAll("tbody tr").length > 1);
  await assertNoTrace(page, claim_number);
  // The list of commands takes a number, too.
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Command or claim number" }).fill(claim_number);
  await page.getByRole("option", { name: `Find “${claim_number}”` }).waitFor();
  await assertScreen(page);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1 }).filter({ hasText: claim_number }).waitFor();
});

test("the download has all pages, and no cell that a spreadsheet would run", async () => {
  const { page } = await list();
  await count(page, 4);
  const pages = [];
  // Pages of three claims, so that there is more than one.
  await page.route("**/api/v1/denials?*", (route) => {
    if (route.request().headers().accept !== "text/csv") return route.fallback();
    pages.push(route.request().url());
    return route.continue({ url: `${route.request().url()}&limit=3` });
  });
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download as CSV" }).click()]);
  const text = await readFile(await download.path(), "utf8");
  assert.match(download.suggestedFilename(), /^denials-\d{4}-\d\d-\d\d\.csv$/);
  const [head, ...lines] = text.split("\r\n");
  assert.match(head, /^\uFEFFid,claim_number,/);
  assert.equal(lines.length, 5, text);
  assert.equal(lines.at(-1), "");
  for (const { claim_number } of sent) assert.ok(text.includes(claim_number));
  assert.equal(text.split(`"'=HYPERLINK(""https://x.example/${process.pid}"",""Payer"")"`).length, 5, text);
  assert.ok(!text.includes("Canarybird"));
  assert.equal(pages.length, 2);
  await page.getByText("4 claims downloaded.").waitFor();
});

test("a download that lost the network goes on where it stopped", async () => {
  const { page, wrong } = await list();
  await count(page, 4);
  let calls = 0;
  await page.route("**/api/v1/denials?*", (route) => {
    if (route.request().headers().accept !== "text/csv") return route.fallback();
    calls += 1;
    // The second page fails with all its tries.
    return calls > 1 && calls < 5 ? route.abort() : route.continue({ url: `${route.request().url()}&limit=2` });
  });
  await page.getByRole("button", { name: "Download as CSV" }).click();
  await page.getByText("You seem to be offline").waitFor();
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Try again" }).click()]);
  const lines = (await readFile(await download.path(), "utf8")).split("\r\n");
  assert.equal(lines.length, 6);
  assert.equal(calls, 5);
  lostLine(wrong);
});

test("pages stay in the address, and the way further when nothing was found yet", async () => {
  const { page } = await list();
  await count(page, 4);
  await page.route("**/api/v1/denials?*", async (route) => {
    const url = new URL(route.request().url());
    if (!url.searchParams.has("cursor")) url.searchParams.set("limit", "3");
    return route.continue({ url: String(url) });
  });
  await page.reload();
  await count(page, 3);
  await page.getByRole("button", { name: "Next page" }).click();
  await count(page, 1);
  await page.waitForFunction(() => document.activeElement?.matches("tbody tr:first-child th a"));
  await page.getByText("This is the last page.").waitFor();
  await page.reload();
  await count(page, 1);
  await page.goBack();
  await count(page, 3);
  // The service looked at as many claims as it may, and none matched.
  await page.route("**/api/v1/denials?*", async (route) => {
    if (new URL(route.request().url()).searchParams.has("cursor")) return route.fallback();
    const response = await route.fetch();
    const json = await response.json();
    return route.fulfill({ response, json: { ...json, denials: [], more: true, next_cursor: sent[0].id.replaceAll("-", "").replace(/^./, "f") } });
  });
  await page.reload();
  await page.getByText("No match so far").waitFor();
  await assertScreen(page, "Denials");
  await page.getByRole("button", { name: "Look further" }).click();
  await rows(page).first().waitFor();
});

test("a later page that has no record any more leads back to the first one", async () => {
  const { page } = await list();
  await count(page, 4);
  for (const [path, read] of [["/claims", "denials"], ["/claims/reports", "reports"], ["/settings/audit", "settings/audit"]]) {
    await page.route(`**/api/v1/${read}?*`, async (route) => {
      if (!new URL(route.request().url()).searchParams.has("cursor")) return route.fallback();
      const none = { denials: [], reports: [], audit: [], more: false, next_cursor: null };
      return route.fulfill({ json: none });
    });
    await page.goto(`${path}?cursor=gone`);
    await page.getByText("Nothing is left on this page").waitFor();
    assert.equal(await page.getByRole("table").count(), 0, path);
    await page.getByRole("button", { name: "First page" }).click();
    await page.waitForURL((url) => url.pathname === path && !url.searchParams.has("cursor"));
    await page.getByText("Nothing is left on this page").waitFor({ state: "detached" });
  }
});

test("a claim shows its deadline with the source, and a correction as a difference", async () => {
  const corrected = structuredClone(bodies[3]);
  corrected.claim.billed_amount = "300.10";
  await send([corrected]);
  const { page } = await open();
  await signIn(page, "owner");
  await page.goto(`/claims/${sent[3].id}`);
  await heading(page, `Claim ${sent[3].claim_number}`);
  await page.getByText("29 CFR 2560.503-1(h)(3)(i)").waitFor();
  await page.getByText("in 150 days").waitFor();
  const means = page.getByRole("listitem");
  await means.filter({ hasText: "CO-50" }).filter({ hasText: "Not medically necessary" }).filter({ hasText: "may not be billed to the patient" }).waitFor();
  await means.filter({ hasText: "N130" }).filter({ hasText: "A remark of the payer" }).waitFor();
  await page.getByRole("region", { name: "What you can do" }).getByText("Our staff looks at the claim next").waitFor();
  await page.getByText("Your billing system sent the claim again with corrections").waitFor();
  assert.equal(await page.locator("del").textContent(), "$245.00");
  assert.equal(await page.locator("ins").textContent(), "$300.10");
  await assertScreen(page, `Claim ${sent[3].claim_number}`);
  assert.equal(await page.title(), "Denial – Overturn");
  await assertNoTrace(page, "Canarybird");
  await assertNoTrace(page, sent[3].claim_number);
  assert.ok(!(await page.content()).includes("Canarybird"), "the practice's screens name no patient");
});

test("a claim of nobody and one without a deadline say so", async () => {
  const { page } = await open();
  await signIn(page, "owner");
  await page.goto("/claims/019aa31c-5a3e-7d41-9a2b-6f0c8e1d2b3a");
  await page.getByText("Not found").waitFor();
  await assertScreen(page, "Denial");
  await page.goto(`/claims/${sent[2].id}`);
  await page.getByText("We know no rule for Commercial.").waitFor();
});

test("a claim leads to its report and its appeal", async () => {
  const { page: desk } = await open();
  const staff = work(await person(desk, "staff"));
  const id = sent[1].id;
  await staff.take(id);
  await staff.report([id]);
  await staff.sign(id, "not_needed");
  const { id: appeal } = await staff.appeal([id]);
  await staff.recover(id, "90.00");
  assert.ok(appeal);
  const { page } = await open();
  await signIn(page, "member");
  await page.goto(`/claims/${id}`);
  await page.getByRole("link", { name: "The report that it is in" }).click();
  await heading(page, /^Report of/);
  await page.getByRole("link", { name: sent[1].claim_number }).waitFor();
  await assertScreen(page);
  await page.goBack();
  await page.getByRole("link", { name: "The appeal that it is in" }).click();
  await heading(page, `Appeal to ${PAYER}`);
  await page.getByText("1. Internal appeal").waitFor();
  await page.getByText("$90.00").waitFor();
  await assertScreen(page);
  await page.getByRole("link", { name: "All appeals" }).click();
  await rows(page).first().waitFor();
  await assertScreen(page, "Appeals");
  await page.getByRole("link", { name: "Reports", exact: true }).click();
  await rows(page).first().waitFor();
  await assertScreen(page, "Reports");
});

test("a new practice has no claims, reports and appeals yet", async () => {
  const { page } = await open();
  await signIn(page, "other_owner");
  for (const [path, title, words] of [
    ["/claims", "Denials", "No denied claims yet"],
    ["/claims/reports", "Reports", "No report yet"],
    ["/claims/appeals", "Appeals", "No appeal yet"],
  ]) {
    await page.goto(path);
    await page.getByText(words).waitFor();
    await assertScreen(page, title);
  }
});

test("a practice gives the patient the link, and both sides see when it no longer works", async () => {
  const [asked] = await send([claim({ payer_name: PAYER })]);
  const { page: desk } = await open();
  const call = await person(desk, "staff");
  await work(call).sign(asked.id, "needed");
  await database(["UPDATE practices SET appeal_button = 1 WHERE id = ?", demo.practices.active.id]);
  await desk.goto(`/queue?payer=${encodeURIComponent(PAYER)}`);
  await desk.getByLabel("Signature").selectOption({ label: "Waiting for the patient" });
  await desk.waitForURL(/signature=waiting/);
  await count(desk, 1);
  await desk.getByRole("rowheader", { name: asked.claim_number }).waitFor();
  const { page, context } = await open();
  await signIn(page, "member");
  await page.goto(`/claims/${asked.id}`);
  await page.getByText("Have the patient sign").waitFor();
  await page.getByRole("button", { name: "Show the link for the patient" }).click();
  const dialog = page.getByRole("dialog", { name: "Link for the patient" });
  await dialog.getByRole("img", { name: "The link for the patient" }).waitFor();
  const link = await dialog.locator("code").textContent();
  assert.match(link, /\/sign\?token=ovp_/);
  const email = new URL(await dialog.getByRole("link", { name: "Write an email" }).getAttribute("href"));
  assert.ok(email.searchParams.get("body").endsWith(` ${link}`));
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await dialog.getByRole("button", { name: "Copy" }).click();
  await dialog.getByText("Copied").waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), link);
  await assertScreen(page);
  await dialog.getByRole("button", { name: "Close" }).click();
  const { page: phone } = await open();
  await phone.goto(link);
  await phone.getByRole("heading", { level: 1 }).waitFor();

  await database(["UPDATE signing_links SET attempts = 5 WHERE claim_id = ?", asked.id]);
  await page.reload();
  await page.getByText("Our staff makes a new one").first().waitFor();
  await assertScreen(page);
  await desk.goto(`/queue?signature=link_dead&payer=${encodeURIComponent(PAYER)}`);
  await desk.getByText("Patient must sign, link no longer works").first().waitFor();
  await desk.getByRole("rowheader", { name: asked.claim_number }).waitFor();
  await assertScreen(desk, "Queue");
});
