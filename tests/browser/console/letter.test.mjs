// The date of the payer's letter: by staff from the queue and on the claim, and by the practice.

import assert from "node:assert/strict";
import { test } from "node:test";
import { assertScreen, database, demo, heading, screens, signIn } from "./harness.mjs";
import { claim, day, person, send } from "./practice_data.mjs";
import { claimPath, PATIENT, PRACTICE, press, toast, until } from "./staff_data.mjs";

const open = screens();
const dialog = (page) => page.getByRole("dialog", { name: "Set the date of the letter" });
/** A date as the console writes it. */
const shown = (days) =>
  new Date(`${day(days)}T12:00:00Z`).toLocaleDateString("en-US", { year: "numeric", month: "short", day: "numeric", timeZone: "UTC" });

test("a claim without a deadline gets the day of its letter from the queue, by keyboard", async () => {
  const payer = `Letter Payer ${process.pid}`;
  const late = claim({ payer_name: payer, denial_date: day(-10) }, PATIENT);
  const [first, { claim_number: number }] = await send([late, claim({ payer_name: payer, plan_type: null, denial_date: null }, PATIENT)]);
  const { page } = await open();
  await signIn(page, "staff");
  await page.goto(`/queue?payer=${encodeURIComponent(payer)}`);
  await page.getByRole("link", { name: number }).waitFor();
  const numbers = () => page.locator("tbody th a").allTextContents();
  assert.deepEqual(await numbers(), [first.claim_number, number]);
  await until(page, "j", "th a:focus");
  await press(page, "j");
  await page.locator("th a:focus", { hasText: number }).waitFor();
  await press(page, "d");
  await dialog(page).getByText("No rule gives a day now.").waitFor();
  await assertScreen(page);
  const due = dialog(page).getByLabel("Last day to appeal");
  await page.waitForFunction((field) => field === document.activeElement, await due.elementHandle());

  // What cannot be is said at its field, and nothing is sent.
  await dialog(page).getByLabel("The letter’s").check();
  await due.press("Enter");
  await dialog(page).getByText("is required if the letter’s day counts").first().waitFor();
  await assertScreen(page);
  await dialog(page).getByLabel("The earlier one").check();
  await due.fill(day(20));
  await due.press("Enter");
  await toast(page, `The deadline is ${shown(20)}.`);
  await dialog(page).waitFor({ state: "detached" });
  await page.waitForFunction((wanted) => document.querySelector("tbody th a")?.textContent === wanted, number);
  await page.locator("tr", { hasText: number }).getByText("in 20 days").waitFor();

  await page.getByRole("link", { name: number }).click();
  await heading(page, number);
  await page.getByText("The last day in the payer’s letter, read by Overturn staff").waitFor();
  await page.getByText("The payer’s letter was read").waitFor();
  await page.getByText(`The payer’s letter: last day ${shown(20)}.`).waitFor();
  await assertScreen(page);
});

test("staff see both dates, decide that the letter’s day counts, and keep what a colleague changed", async () => {
  const [{ id }] = await send([claim({ denial_date: day(-170) }, PATIENT)]);
  const { page } = await open();
  const { page: desk } = await open();
  const colleague = await person(desk, "staff");
  await signIn(page, "staff");
  await page.goto(claimPath(id));
  await page.getByText("By the rule for ERISA (employer plan): 180 days").waitFor();
  await until(page, "d", "dialog[open], [role=dialog]");
  await dialog(page).getByText(`the last day is ${shown(10)} now.`).waitFor();
  await dialog(page).getByLabel("Last day to appeal").fill(day(60));
  await dialog(page).getByRole("button", { name: "Save" }).click();
  await toast(page, `The deadline is ${shown(10)}.`);
  await page.getByText(`${shown(60)}. It does not count: the other day is earlier.`).waitFor();

  await page.getByRole("button", { name: "Set the date of the letter" }).click();
  const path = `/api/v1/staff/practices/${PRACTICE}/claims/${id}`;
  await colleague("PATCH", `${path}/letter`, { denial_date: day(-165) }, 2);
  await dialog(page).getByLabel("The letter’s").check();
  await dialog(page).getByRole("button", { name: "Save" }).click();
  const asked = page.getByRole("dialog", { name: "This claim was changed in the meantime" });
  await asked.getByText(`denied on ${shown(-165)}`).waitFor();
  await assertScreen(page);
  await asked.getByRole("button", { name: "Apply my change" }).click();
  await toast(page, `The deadline is ${shown(60)}.`);
  await page.getByText(`${shown(15)}. It does not count: a person decided that the letter’s day does.`).waitFor();
  await page.getByText(`in the letter; sent as ${shown(-170)}`).waitFor();
  await assertScreen(page);
});

test("the practice records its letter, sees who read what, and no name of the staff", async () => {
  const [{ id, claim_number: number }] = await send([claim({ plan_type: null, denial_date: null })]);
  const { page } = await open();
  await signIn(page, "member");
  await page.goto(`/claims/${id}`);
  await page.getByText("We have no denial date and no plan type").waitFor();
  await page.getByRole("button", { name: "Set the date of the letter" }).click();
  await dialog(page).getByText("It was not sent.").waitFor();
  await assertScreen(page);
  await dialog(page).getByLabel("Denial date").fill(day(-30));
  await dialog(page).getByLabel("Plan type").selectOption({ label: "TRICARE" });
  await dialog(page).getByLabel("Last day to appeal").fill(day(50));
  await dialog(page).getByLabel("Last day to appeal").press("Control+Enter");
  await toast(page, `The deadline is ${shown(50)}.`);
  await page.getByText("The last day in the payer’s letter, read by your practice").waitFor();
  await page.getByText(`The rule for TRICARE, 90 days: ${shown(60)}. It does not count: the other day is earlier.`).waitFor();
  await page.getByText("Your practice read the payer's letter").waitFor();
  await assertScreen(page, `Claim ${number}`);

  // Staff read it again. The practice sees that, and not who of them it was.
  const { page: desk } = await open();
  const staff = await person(desk, "staff");
  await staff("PATCH", `/api/v1/staff/practices/${PRACTICE}/claims/${id}/letter`, { appeal_due: day(40) }, 2);
  await page.reload();
  await page.getByText("read by Overturn staff").first().waitFor();
  await page.getByText("Our staff read the payer's letter").waitFor();
  const [found] = await database(["SELECT name FROM users WHERE email = ?", demo.users.staff.email]);
  const [{ name }] = found.results ?? found;
  assert.equal(typeof name, "string");
  assert.ok(!(await page.content()).includes(name));
});
