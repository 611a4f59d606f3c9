// The filters of the queue that a staff member saves, against the real Worker.

import assert from "node:assert/strict";
import { test } from "node:test";
import { assertDialog, assertScreen, screens } from "./harness.mjs";
import { claim, send } from "./practice_data.mjs";
import { PATIENT, press, signInColleague, toast } from "./staff_data.mjs";

const open = screens();
const saved = (page) => page.getByRole("navigation", { name: "Saved filters" });
const link = (page, name) => saved(page).getByRole("link", { name, exact: true });
const editor = (page) => page.getByRole("dialog", { name: "Saved filters" });

async function save(page, name) {
  await saved(page).getByRole("button", { name: "Save these filters" }).click();
  const dialog = page.getByRole("dialog", { name: "Save these filters" });
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  return dialog;
}

test("filters are saved, shown by a click or a key, renamed, replaced and removed", async () => {
  const payer = `Saved & Payer ${process.pid}`;
  const [{ claim_number: number }] = await send([claim({ payer_name: payer }, PATIENT)]);
  const { page } = await open();
  await signInColleague(page);
  await page.goto("/queue");
  await page.getByLabel("Taken by").selectOption("nobody");
  assert.equal(await saved(page).getByRole("link").count(), 0);
  await page.goto(`/queue?taken=nobody&payer=${encodeURIComponent(payer)}&sort=-deadline`);
  await page.getByRole("link", { name: number }).waitFor();
  await saved(page).getByRole("button", { name: "Save these filters" }).click();
  await assertDialog(page, "Save these filters");
  await page.getByText("Filters: payer, taken by").waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  // As long as a name can be.
  const name = "Nobody has taken these claims of one payer, and they wait so";
  await save(page, name);
  await toast(page, "The filters were saved.");
  await page.locator("nav [aria-current=true]", { hasText: name }).waitFor();
  assert.equal(await saved(page).getByRole("button", { name: "Save these filters" }).count(), 0);
  await assertScreen(page, "Queue");

  await page.getByRole("button", { name: "Clear the filters" }).click();
  await page.waitForURL(/queue\?sort=-deadline$/);
  await page.getByRole("heading", { level: 1 }).focus();
  await press(page, "1");
  await page.waitForURL(/payer=Saved/);
  assert.deepEqual(
    new Set(new URL(page.url()).searchParams),
    new Set([["payer", payer], ["taken", "nobody"], ["sort", "-deadline"]]),
  );
  await page.getByRole("link", { name: number }).waitFor();

  await page.goto("/queue?decision=due&age=week");
  const dialog = await save(page, name.toUpperCase());
  await dialog.getByText("Another filter of yours has this name").waitFor();
  await dialog.getByLabel("Name").fill("Decisions due");
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await link(page, "Decisions due").waitFor();
  // A number that was searched for hides the filters.
  await page.getByLabel("Claim number").fill(number);
  await page.getByRole("button", { name: "Find", exact: true }).click();
  await page.getByRole("link", { name: number }).waitFor();
  assert.equal(await saved(page).locator("[aria-current]").count(), 0);
  await link(page, "Decisions due").click();
  await page.waitForURL(/decision=due/);
  assert.equal(await page.getByLabel("Claim number").inputValue(), "");
  await page.locator("nav [aria-current=true]", { hasText: "Decisions due" }).waitFor();

  await saved(page).getByRole("button", { name: "Edit saved filters" }).click();
  await editor(page).getByText("Filters: payer, taken by").waitFor();
  await assertDialog(page, "Saved filters");
  await editor(page).getByRole("button", { name: `Rename ${name}` }).click();
  await page.getByRole("dialog", { name: "Rename" }).getByLabel("Name").fill("Free");
  await page.getByRole("button", { name: "Rename", exact: true }).click();
  await editor(page).getByRole("button", { name: "Replace Free" }).click();
  await page.getByRole("dialog", { name: "Replace “Free”?" }).getByRole("button", { name: "Replace", exact: true }).click();
  await toast(page, "The saved filter was replaced.");
  await editor(page).getByText("Filters: decision, age").nth(1).waitFor();
  await editor(page).getByRole("button", { name: "Remove Decisions due" }).click();
  await page.getByRole("dialog", { name: "Remove “Decisions due”?" }).getByRole("button", { name: "Remove", exact: true }).click();
  await toast(page, "The saved filter was removed.");
  await editor(page).getByRole("button", { name: "Close" }).click();
  await page.locator("nav [aria-current=true]", { hasText: "Free" }).waitFor();
  await link(page, "Decisions due").waitFor({ state: "detached" });
});

test("what another tab has removed is said, and a colleague sees nothing of it", async () => {
  const { page, context } = await open();
  await signInColleague(page);
  await page.goto("/queue?taken=me");
  await save(page, "Mine");
  await link(page, "Mine").waitFor();
  const other = await context.newPage();
  await other.goto("/queue");
  await saved(other).getByRole("button", { name: "Edit saved filters" }).click();
  await editor(other).getByRole("button", { name: "Rename Mine" }).waitFor();
  await saved(page).getByRole("button", { name: "Edit saved filters" }).click();
  await editor(page).getByRole("button", { name: "Remove Mine" }).click();
  await page.getByRole("button", { name: "Remove", exact: true }).click();
  await editor(page).getByText("You have none.").waitFor();
  await editor(other).getByRole("button", { name: "Remove Mine" }).click();
  await other.getByRole("button", { name: "Remove", exact: true }).click();
  await editor(other).getByText("No such filter").waitFor();
  await editor(other).getByRole("button", { name: "Close" }).click();
  await link(other, "Mine").waitFor({ state: "detached" });

  const { page: colleague } = await open();
  await signInColleague(colleague);
  await page.goto("/queue?taken=me");
  await save(page, "Mine again");
  await link(page, "Mine again").waitFor();
  await colleague.goto("/queue?taken=me");
  await saved(colleague).getByRole("button", { name: "Save these filters" }).waitFor();
  assert.equal(await saved(colleague).getByRole("link").count(), 0);
});
