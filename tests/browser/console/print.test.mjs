// What people print: on paper is the content alone, in black, and all of it.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { changes, RECOVERY_CODES, shows, SIGNATURE, signs } from "./answers.mjs";
import { endRoutes, heading, screens, signIn } from "./harness.mjs";
import { claim, person, send, work } from "./practice_data.mjs";
import { claimPath, PATIENT, PRACTICE } from "./staff_data.mjs";

const open = screens();
/** A sheet of US Letter between its margins, in pixels. */
const SHEET = { width: 703, height: 942 };
/** What paper cannot do. */
const CLICKED = "header.top, footer, nav, button, .button, input, select, textarea, .toast, .skip";

/** Presses "Print", and looks at the paper. `texts` are on it. */
async function assertPrints(page, texts) {
  await page.evaluate(() => {
    window.printed = 0;
    window.print = () => (window.printed += 1);
  });
  await page.getByRole("button", { name: "Print", exact: true }).last().click();
  assert.equal(await page.evaluate(() => window.printed), 1);
  const { width, height } = page.viewportSize();
  await page.setViewportSize(SHEET);
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  const shown = await page.locator(CLICKED).filter({ visible: true }).evaluateAll((all) => all.map(({ outerHTML }) => outerHTML));
  assert.deepEqual(shown, []);
  for (const text of texts) await page.getByText(text).filter({ visible: true }).first().waitFor();
  const paper = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.scrollingElement;
    const dialog = document.querySelector("dialog[open]");
    const inside = [...(dialog ?? document).querySelectorAll("*")].filter((one) => one.checkVisibility() && !one.closest(".hidden"));
    const cut = inside.filter((one) => ["auto", "scroll"].includes(getComputedStyle(one).overflowY) && one.scrollHeight > one.clientHeight + 1);
    return {
      wide: scrollWidth - clientWidth,
      cut: cut.map(({ outerHTML }) => outerHTML.slice(0, 200)),
      color: getComputedStyle(document.querySelector("dialog[open] h2") ?? document.querySelector("h1")).color,
      covered: dialog !== null && document.querySelector("main").checkVisibility(),
    };
  });
  const dark = Math.max(...paper.color.match(/[\d.]+/g).slice(0, 3).map(Number));
  assert.ok(dark < 80, `the text is ${paper.color}`);
  assert.deepEqual({ ...paper, color: "" }, { wide: 0, cut: [], color: "", covered: false });
  await page.emulateMedia({ media: "screen", colorScheme: "light" });
  await page.setViewportSize({ width, height });
}

test("a practice prints a claim, a report, an appeal, its agreement and the link for a patient", async () => {
  const [{ id, claim_number: number }] = await send([claim()]);
  const { page: desk } = await open();
  const staff = work(await person(desk, "staff"));
  await staff.take(id);
  const { id: report } = await staff.report([id]);
  const { id: appeal } = await staff.appeal([id]);
  const { page } = await open();
  await signIn(page, "owner");
  await signs(page, id);
  for (const [path, texts] of [
    [`/claims/${id}`, [number, "Blue Prairie Health"]],
    [`/claims/reports/${report}`, [number]],
    [`/claims/appeals/${appeal}`, [number, "Internal appeal"]],
    ["/settings/agreements", ["Business associate agreement", "In force since"]],
  ]) {
    await page.goto(path);
    await page.getByText(texts[0]).first().waitFor();
    await assertPrints(page, texts);
  }
  await page.goto(`/claims/${id}`);
  await page.getByRole("button", { name: "Show the link for the patient" }).click();
  const code = page.getByRole("img", { name: "The link for the patient" });
  await code.waitFor();
  await assertPrints(page, ["Link for the patient", "https://overturn.example/sign#0123456789"]);
  // A phone reads dark squares of at least a millimeter on white.
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  const box = await code.boundingBox();
  assert.ok(box.width >= 120, `${box.width} px`);
  await endRoutes(page);
});

test("staff print a claim with its patient, its case, its report and a signature", async () => {
  const [{ id, claim_number: number }] = await send([claim({}, PATIENT)]);
  const { page } = await open();
  const staff = work(await person(page, "staff"));
  await staff.take(id);
  const { id: report } = await staff.report([id]);
  const { id: opened } = await staff.appeal([id]);
  await changes(page, `**/practices/${PRACTICE}/claims/${id}`, () => ({ signing_status: "signed" }));
  await shows(page, "**/signature", SIGNATURE);
  for (const [path, texts] of [
    [claimPath(id), [number, PATIENT.last_name]],
    [`/work/${PRACTICE}/cases/${opened}`, [number, "Internal appeal"]],
    [`/work/${PRACTICE}/reports/${report}`, [number]],
  ]) {
    await page.goto(path);
    await page.getByText(number).first().waitFor();
    await assertPrints(page, texts);
  }
  await page.goto(claimPath(id));
  await page.getByRole("button", { name: "Show the signature" }).click();
  await page.getByRole("dialog").getByText("I agree.").waitFor();
  await assertPrints(page, ["Robin Example", "The patient’s guardian"]);
  await endRoutes(page);
});

test("a person prints recovery codes, with the address of the account", async () => {
  const { page } = await open();
  await signIn(page, "owner");
  await shows(page, "**/2fa/recovery_codes", RECOVERY_CODES, "POST");
  await page.goto("/me");
  await heading(page, "Your account");
  await page.getByRole("button", { name: "Make new codes" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Make new codes" }).click();
  await page.getByRole("dialog", { name: "Your new recovery codes" }).waitFor();
  await assertPrints(page, [...RECOVERY_CODES.recovery_codes, /@/]);
  await endRoutes(page);
});

test("these are all places that print", () => {
  const folder = new URL("../../../console/src/", import.meta.url);
  const files = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".tsx"));
  const printing = files.filter((name) => /\bprint\(\)|canPrint \/>/.test(readFileSync(new URL(name, folder), "utf8")));
  assert.deepEqual(printing.sort(), [
    "pages/practice/claim_signature.tsx",
    "pages/practice/record.tsx",
    "pages/settings/agreements.tsx",
    "pages/staff/case.tsx",
    "pages/staff/claim.tsx",
    "pages/staff/claim_signing.tsx",
    "pages/staff/report.tsx",
    "ui/dialog.tsx",
    "ui/recovery_codes.tsx",
  ]);
});
