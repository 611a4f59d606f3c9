// How many keys a member of staff presses for a claim, from its row in the queue to the payer's decision, by keyboard alone.

import assert from "node:assert/strict";
import { test } from "node:test";
import { heading, screens, signIn } from "./harness.mjs";
import { claim, day, send } from "./practice_data.mjs";
import { PATIENT, toast, until } from "./staff_data.mjs";

const open = screens();
/** What the payer decides about each claim, by the key that chooses it. */
const DECISIONS = ["o", "o", "u", "o", "o", "p", "o", "o", "u", "o"];
/** What the case says then. A claim whose denial is upheld goes on. */
const OVER = "Every claim has its result. Level 1, internal appeal, was the last level.";
const RECORDED = { o: OVER, p: OVER, u: "Level 1, internal appeal, is decided. Record the results of the claims, or begin the next level." };
/** What the payer paid of a claim whose denial is partly overturned. */
const PART = "80";
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
    /** Presses a key until it has its effect. A screen listens a moment after it shows, so the others do not count. */
    until: async (key, effect) => {
      count += 1;
      await until(page, key, effect);
    },
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

test("ten claims go from the queue to their decision by keyboard alone, with few keys", async (t) => {
  const payer = `Keys Payer ${process.pid}`;
  await send(DECISIONS.map((_, n) => claim({ payer_name: payer, denial_date: day(n - 40) }, PATIENT)));
  const { page } = await open();
  const keys = keyboard(page);
  const { press, reach } = keys;
  const dialog = (name) => page.getByRole("dialog", { name });
  await signIn(page, "staff");
  await page.goto(`/queue?payer=${encodeURIComponent(payer)}&status=received,reviewing`);
  await page.locator("tbody tr").first().waitFor();
  const counts = [];
  for (const decision of DECISIONS) {
    await keys.until("j", "th a:focus");
    const number = (await page.locator("th a:focus").textContent()).trim();
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
    await press(decision);
    if (decision === "u") {
      await page.getByLabel("Next level for the claims that go on").waitFor();
    } else {
      const paid = page.getByLabel(`Paid so far for ${number}`);
      await paid.waitFor();
      if (decision === "p") {
        await reach(paid);
        await press(...PART);
      }
    }
    await press("Control+Enter");
    await page.getByText(RECORDED[decision]).waitFor();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await press("g", "q");
    counts.push(keys.taken());
    await page.getByRole("link", { name: number }).waitFor({ state: "detached" });
    await page.locator("h1", { hasText: "Queue" }).waitFor();
  }
  const said = counts.map((count, n) => `${count} (${DECISIONS[n]})`).join(", ");
  t.diagnostic(`keys for each claim: ${said}`);
  assert.ok(Math.max(...counts) <= MOST, said);
});
