// One claim from end to end: a practice without a billing system, from its first sign-in with remittance files alone.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { assertScreen, database, demo, heading, screens, signIn, totp } from "./harness.mjs";
import { day } from "./practice_data.mjs";
import { file, payment, remittance, submission } from "./remittance_data.mjs";
import { toast } from "./staff_data.mjs";

const open = screens();
const NAME = "Willow Lane Clinic";

/** Makes a practice as the operator does, with an owner who has only a password. Other tests do not know it. */
async function newPractice() {
  const [found] = await database(["SELECT * FROM users WHERE email = ?", demo.users.no_baa_owner.email]);
  const owner = (found.results ?? found)[0];
  const like = (id) => id.slice(0, -12) + randomUUID().slice(-12);
  const id = like(demo.practices.no_baa.id);
  const email = `nora-${id.slice(-12)}@willow.example`;
  const copy = { ...owner, id: like(owner.id), practice_id: id, email, email_key: email, name: "Nora Field" };
  const names = Object.keys(copy);
  await database(
    ["INSERT INTO practices (id, name, state, created_at) VALUES (?, ?, 'active', ?)", id, NAME, Date.now()],
    [`INSERT INTO users (${names.join()}) VALUES (${names.map(() => "?").join()})`, ...Object.values(copy)],
  );
  return { id, email, password: demo.users.no_baa_owner.password };
}

/** Signs in for the first time, and sets up an authenticator app. */
async function enter(page, { email, password }) {
  await page.goto("/");
  await page.getByLabel("Email address").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await heading(page, "Protect your account");
  await page.getByRole("button", { name: "Use an app" }).click();
  await page.getByText("I cannot scan it").click();
  const key = await page.locator("details .secret code").innerText();
  await page.getByLabel("Code", { exact: true }).fill(totp(key.replaceAll(/\s/g, "")));
  await page.getByRole("button", { name: "Confirm", exact: true }).click();
  await page.getByLabel("I stored the codes in a safe place").check();
  await page.getByRole("button", { name: "Go on" }).click();
}

/** Presses a button, and waits until the change is made. */
async function change(page, button) {
  const isChange = (response) => response.request().method() === "PATCH" && response.ok();
  await Promise.all([page.waitForResponse(isChange), button.click()]);
  await page.waitForFunction(() => !document.querySelector("main [aria-busy=true]"));
}

test("a practice without a billing system: claims sent, a patient's signature given, the decision followed", async () => {
  const claims = [payment({ charge: 180 }), payment()];
  const [{ number, first, last }] = claims;
  const { page: owner } = await open();
  const practice = await newPractice();
  await enter(owner, practice);
  await heading(owner, NAME);

  await owner.getByRole("link", { name: "Read and sign the agreement" }).click();
  await heading(owner, "Agreements");
  await owner.getByLabel("Your full name").fill("Nora Field");
  await owner.getByLabel("Your title").fill("Owner");
  await owner.getByRole("button", { name: "Sign the agreement" }).click();
  await owner.getByRole("link", { name: "Check this box to sign." }).click();
  await owner.keyboard.press("Space");
  await owner.getByRole("button", { name: "Sign the agreement" }).click();
  await owner.locator("a:focus", { hasText: "Go on to the next step" }).press("Enter");
  await owner.getByRole("link", { name: "Make them from remittance files (835)" }).click();

  await heading(owner, "Remittances");
  owner.on("filechooser", () => {});
  await owner.getByLabel("Choose files").setInputFiles([file("march.835", remittance(claims)), file("sent.837", submission(claims))]);
  await owner.getByRole("button", { name: "Read 2 files" }).click();
  await owner.getByRole("button", { name: "Send 2 claims" }).click();
  await owner.getByRole("dialog").getByRole("button", { name: "Send", exact: true }).click();
  await owner.getByText(/Done\./).waitFor();
  await owner.getByRole("link", { name: "Home", exact: true }).click();
  await owner.getByRole("link", { name: /^Enter the address, the NPI/ }).click();
  await heading(owner, "Practice");
  await owner.getByLabel("Time zone").selectOption("Hawaii");
  await change(owner, owner.getByRole("region", { name: "For appeals" }).getByRole("button", { name: "Save" }));

  const { page: staff } = await open();
  await signIn(staff, "staff");
  await staff.goto(`/queue?practice=${practice.id}`);
  await staff.getByRole("link", { name: number }).click();
  await heading(staff, number);
  await staff.getByRole("button", { name: "Take" }).click();
  await toast(staff, `You have ${number}.`);
  await staff.getByRole("button", { name: "Signature needed" }).click();
  await staff.getByRole("dialog").getByRole("button", { name: "Signature needed" }).click();
  await toast(staff, "The link was made.");

  await owner.getByRole("link", { name: "Home", exact: true }).click();
  await owner.getByRole("region", { name: "Needs you" }).getByRole("link", { name: number }).click();
  await heading(owner, `Claim ${number}`);
  // The link is off until the practice wants it, and the page leads to the setting.
  await owner.getByRole("link", { name: "Switch it on in Settings" }).click();
  await owner.getByLabel("Show the link for patients").check();
  await change(owner, owner.getByRole("button", { name: "Save" }).first());
  await owner.goBack();
  await owner.getByRole("button", { name: "Show the link for the patient" }).click();
  const link = await owner.getByRole("dialog", { name: "Link for the patient" }).locator(".secret").innerText();
  await owner.keyboard.press("Escape");

  const { page: phone } = await open({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
  await phone.goto(link);
  for (const [label, value] of Object.entries({ Month: "6", Day: "2", Year: "1984" })) await phone.getByLabel(label).fill(value);
  await phone.getByRole("button", { name: "Continue" }).tap();
  await phone.getByText(/ HST \(.*UTC\)/).waitFor();
  await phone.getByLabel("Type your full name").fill(`${first} ${last}`);
  await phone.getByLabel("I have read the text above").check();
  await phone.getByRole("button", { name: "Sign", exact: true }).tap();
  await heading(phone, "Thank you");

  await staff.reload();
  await staff.getByText("Signed", { exact: true }).waitFor();
  await staff.getByRole("button", { name: "Show the signature" }).click();
  await staff.getByRole("dialog", { name: "Signature" }).getByText(/ HST \(.*UTC\)/).waitFor();
  await staff.keyboard.press("Escape");
  await staff.getByRole("button", { name: "Open a case" }).click();
  const opening = staff.getByRole("dialog", { name: "Open a case" });
  await opening.getByLabel("First step").selectOption("Internal appeal");
  await opening.getByLabel("Due on").fill(day(90));
  await opening.getByRole("button", { name: "Open the case" }).click();
  await heading(staff, "Appeal to");
  await staff.getByRole("button", { name: "Filed today" }).click();
  await staff.getByRole("dialog").getByRole("button", { name: "Filed today" }).click();
  await staff.getByText(/payer must decide/).first().waitFor();

  await owner.reload();
  await owner.getByText("In appeal", { exact: true }).first().waitFor();
  await assertScreen(owner, `Claim ${number}`);
  await decide(staff, number);

  await owner.reload();
  await owner.getByText("Recovered", { exact: true }).first().waitFor();
  await owner.getByText("$80.00").first().waitFor();
  await owner.getByRole("link", { name: "The appeal that it is in" }).click();
  await owner.getByText("The payer withdrew a part of its denial").first().waitFor();
  await assertScreen(owner);
  const [stored] = await database(["SELECT status, recovered_cents FROM claims WHERE claim_number = ?", number]);
  assert.deepEqual((stored.results ?? stored)[0], { status: "recovered", recovered_cents: 8000 });
});

/** Records the payer's decision: the outcome of the level, and what it paid for the claim. */
async function decide(page, number) {
  await page.getByRole("button", { name: "A decision arrived" }).click();
  const decision = page.getByRole("dialog", { name: "A decision arrived" });
  await decision.getByLabel("Outcome").selectOption("partly_overturned");
  await decision.getByLabel(`Paid so far for ${number}`).fill("80.00");
  await decision.getByRole("button", { name: "Record the decision" }).click();
  await toast(page, "The decision was recorded.");
}
