// How many keys a member of staff presses for a claim, from its row in the queue to the payer's decision, by keyboard alone.

import assert from "node:assert/strict";
import { test } from "node:test";
import { heading, screens, signIn } from "./harness.mjs";
import { claim, day, send } from "./practice_data.mjs";
import { PATIENT, toast, until } from "./staff_data.mjs";

const open = screens();
/** How many claims go all the way. */
const CLAIMS = 10;
/** The most keys for one claim. Keys that are held together count once. */
const MOST = 20;

/** A keyboard that counts. */
function keyboard(page) {
  let count = 0;
  const press = async (...keys) => {
    for (const key of keys) {
      count += 1;
      await page.keyboard.press(key);
    }
  };
  return {
    press,
    /** Presses Tab until this element has the focus. */
    reach: async (element) => {
      await element.waitFor();
      for (let tries = 0; tries < 40; tries += 1) {
        if (await element.evaluate((one) => one === document.activeElement)) return;
        await press("Tab");
      }
      assert.fail(`the keyboard does not reach ${element}`);
    },
    /** The keys since the last call. */
    taken: () => {
      const taken = count;
      count = 0;
      return taken;
    },
  };
}

test("ten claims go from the queue to their decision by keyboard alone, with few keys", async () => {
  const payer = `Keys Payer ${process.pid}`;
  await send(Array.from({ length: CLAIMS }, (_, n) => claim({ payer_name: payer, denial_date: day(n - 40) }, PATIENT)));
  const { page } = await open();
  const { press, reach, taken } = keyboard(page);
  const dialog = (name) => page.getByRole("dialog", { name });
  await signIn(page, "staff");
  await page.goto(`/queue?payer=${encodeURIComponent(payer)}&status=received,reviewing`);
  await page.locator("tbody tr").first().waitFor();
  const counts = [];
  for (let n = 0; n < CLAIMS; n += 1) {
    await until(page, "j", "th a:focus");
    const number = (await page.locator("th a:focus").textContent()).trim();
    taken();
    await press("t");
    await toast(page, `${number} taken.`);
    await press("Enter");
    await heading(page, number);
    await page.getByText(PATIENT.last_name).first().waitFor();
    await press("c");
    await dialog("Case").waitFor();
    await press("Enter");
    await dialog("Open a case").getByRole("button", { name: "Open the case" }).waitFor();
    await press("Control+Enter");
    await heading(page, `Appeal to ${payer}`);
    // A message of the claim before may still be there, so the page itself says what was done.
    const button = (name) => page.getByRole("main").getByRole("button", { name });
    await reach(button("Filed today"));
    await press("Enter");
    await dialog("Level 1: filed today?").waitFor();
    await press("Enter");
    await button("A decision arrived").waitFor();
    await press("r");
    await dialog("A decision arrived").locator("select:focus").waitFor();
    await press("o");
    await page.getByLabel(`Paid so far for ${number}`).waitFor();
    await press("Control+Enter");
    await page.getByText("Every claim has its result. Level 1, internal appeal, was the last level.").waitFor();
    counts.push(taken());
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await press("g", "q");
    await page.getByRole("link", { name: number }).waitFor({ state: "detached" });
    await page.locator("h1", { hasText: "Queue" }).waitFor();
  }
  assert.ok(Math.max(...counts) <= MOST, `keys for each claim: ${counts.join(", ")}`);
});
