// The sandbox of a practice, as its owner sees it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { shows } from "./answers.mjs";
import { assertScreen, screens, signIn } from "./harness.mjs";
import { claim, person } from "./practice_data.mjs";

const open = screens();
const SANDBOX = "/api/v1/settings/sandbox";

const dialog = (page, name) => page.getByRole("dialog", { name });
const row = (page, name) => page.getByRole("row").filter({ hasText: name });

test("an owner makes the sandbox, and a key of it sends a claim that recovers when its clock is advanced", async () => {
  const { page } = await open();
  await signIn(page, "owner");
  await shows(page, "**/api/v1/settings/sandbox", { sandbox: null });
  await page.goto("/settings/sandbox");
  await page.getByText("There is no sandbox yet").waitFor();
  await assertScreen(page);
  await page.unrouteAll();
  await page.getByRole("button", { name: "Make the sandbox" }).click();
  await page.getByRole("button", { name: "Make a sandbox key" }).click();
  const name = `Sandbox ${Date.now()}`;
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByRole("button", { name: "Make the key" }).click();
  const secret = dialog(page, "Your new sandbox key");
  const key = await secret.locator(".secret").innerText();
  assert.match(key, /^ovt_test_[0-9A-Za-z]{39}$/);
  await secret.getByRole("checkbox").check();
  await secret.getByRole("button", { name: "Done" }).click();
  await row(page, name).getByText("Works until").waitFor();
  await assertScreen(page);

  const headers = { Authorization: `Bearer ${key}` };
  const number = `RECOVER-${Date.now()}`;
  const sent = await page.request.post("/api/v1/claims", { headers, data: claim({ claim_number: number }) });
  assert.equal(sent.status(), 201);
  await page.request.post("/api/v1/sandbox/clock", { headers, data: { advance: "P40D" } });
  const read = await page.request.get(`/api/v1/claims/status?claim_number=${number}`, { headers });
  assert.equal((await read.json()).claim.status, "recovered");
  await page.reload();
  await page.getByText(/^[0-9,]+ days ahead$/).waitFor();
  await row(page, name).getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("button", { name: "Revoke the sandbox key" }).click();
  await row(page, name).getByText("Revoked").waitFor();
});

/** The value of a fact of the page, such as "12 of 5,000". */
const fact = (page, name) => page.getByRole("term").filter({ hasText: name }).locator("xpath=following-sibling::dd");

test("emptying the sandbox asks first, and then takes all claims, of which there is a most", async () => {
  const { page } = await open();
  const call = await person(page, "owner");
  await call("POST", SANDBOX);
  const name = `Emptied ${Date.now()}`;
  const { key } = await call("POST", `${SANDBOX}/keys`, { name, scopes: ["claims:write"] });
  const headers = { Authorization: `Bearer ${key}` };
  const sent = await page.request.post("/api/v1/claims", { headers, data: { claims: [claim(), claim()] } });
  assert.equal(sent.status(), 201);
  await page.goto("/settings/sandbox");
  const claims = fact(page, "Claims");
  await claims.getByText(/^[1-9]\d* of 5,000$/).waitFor();
  const before = await claims.innerText();
  const empty = page.getByRole("button", { name: "Empty the sandbox" });
  await empty.click();
  const question = dialog(page, "Empty the sandbox?");
  await question.getByRole("button", { name: "Cancel" }).click();
  await question.waitFor({ state: "detached" });
  assert.ok(await empty.evaluate((one) => one === document.activeElement), "the button has the focus again");
  await page.reload();
  await claims.waitFor();
  assert.equal(await claims.innerText(), before, "nothing is gone");

  // The page sees it being emptied for as long as it takes to look at the screen.
  await shows(page, `**${SANDBOX}`, { sandbox: { ...(await call("GET", SANDBOX)).sandbox, emptying: true } });
  await empty.click();
  await question.getByRole("button", { name: "Empty the sandbox" }).click();
  await claims.getByText("Being emptied").waitFor();
  await assertScreen(page, "Sandbox");
  await page.unrouteAll();
  await claims.getByText("0 of 5,000", { exact: true }).waitFor();
  await row(page, name).getByText("Works until").waitFor();
});
