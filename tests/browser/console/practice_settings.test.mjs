// What a practice says about itself, and whether its webhooks work.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, test } from "node:test";
import { assertScreen, database, demo, heading, screens, signIn } from "./harness.mjs";
import { claim, send } from "./practice_data.mjs";
import { claimPath, PATIENT, toast } from "./staff_data.mjs";

const open = screens();
const ID = demo.practices.active.id;

const forget = () =>
  database(["UPDATE practices SET address = NULL, npi = NULL, tax_id = NULL, phone = NULL, time_zone = NULL WHERE id = ?", ID]);
after(forget);

test("an admin enters what appeals need, is corrected in plain words, and staff see it", async () => {
  await forget();
  const { page } = await open();
  await signIn(page, "admin");
  await page.goto("/settings/practice");
  const part = page.getByRole("region", { name: "For appeals and signatures" });
  const save = part.getByRole("button", { name: "Save" });
  const enter = async (entries) => {
    for (const [label, value] of Object.entries(entries)) await part.getByLabel(label).fill(value);
  };
  await enter({ "Street and number": "100 Main St", State: "Texas", NPI: "1234567890", "Tax id": "123456789", Phone: "911" });
  assert.equal(await part.getByLabel("State").inputValue(), "Te", "two letters fit");
  await save.click();
  await page.getByText("6 entries need a change").waitFor();
  for (const said of [
    "City is required.",
    "State must be the two letters of a state.",
    "ZIP code is required.",
    "NPI must be the 10 digits of your NPI. One of these digits seems wrong.",
    "Tax id (EIN) must be an EIN with its hyphen, such as 12-3456789. We take no social security number.",
    "Phone must have an area code and 7 digits, such as (512) 555-0100, without an extension.",
  ]) {
    await page.getByRole("link", { name: said }).waitFor();
  }
  await assertScreen(page, "Practice");
  await page.getByRole("link", { name: /^NPI must/ }).click();
  await part.locator("input[name=npi]:focus").waitFor();
  await enter({ City: "Austin", State: "tx", "ZIP code": "78701", NPI: "1234567893", "Tax id": "12-3456789", Phone: "512.555.0100" });
  await part.getByLabel("Time zone").selectOption("Central");
  await save.click();
  await toast(page, "Saved.");
  await page.reload();
  assert.equal(await part.getByLabel("Phone").inputValue(), "(512) 555-0100");
  assert.equal(await part.getByLabel("State").inputValue(), "TX");
  await assertScreen(page, "Practice");

  const { page: member } = await open();
  await signIn(member, "member");
  await member.goto("/settings/practice");
  await member.getByRole("region", { name: "For appeals and signatures" }).getByText("Austin, TX 78701").waitFor();
  await assertScreen(member, "Practice");

  const [{ id, claim_number: number }] = await send([claim({}, PATIENT)]);
  const { page: staff } = await open();
  await signIn(staff, "staff");
  await staff.goto(claimPath(id));
  await heading(staff, number);
  const letter = staff.getByRole("region", { name: "The practice, for the letter" });
  for (const text of ["100 Main St", "Austin, TX 78701", "1234567893", "12-3456789", "(512) 555-0100", "Central"]) {
    await letter.getByText(text, { exact: true }).waitFor();
  }

  for (const label of ["Street and number", "City", "State", "ZIP code", "NPI"]) await part.getByLabel(label).fill("");
  await save.click();
  await toast(page, "Saved.");
  const [found] = await database(["SELECT address, npi, tax_id FROM practices WHERE id = ?", ID]);
  assert.deepEqual((found.results ?? found)[0], { address: null, npi: null, tax_id: "123456789" });
});

test("a webhook is tested from its page, which says what the address answered", async (t) => {
  let status = 200;
  const got = [];
  const receiver = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += chunk));
    request.on("end", () => {
      got.push(JSON.parse(body));
      response.writeHead(status).end();
    });
  });
  await new Promise((done) => receiver.listen(0, "127.0.0.1", done));
  t.after(() => receiver.close());
  const { page } = await open();
  await signIn(page, "owner");
  await page.goto("/settings/webhooks");
  await page.getByRole("button", { name: "Add a webhook" }).click();
  const url = `http://127.0.0.1:${receiver.address().port}/`;
  const adding = page.getByRole("dialog", { name: "Add a webhook" });
  await adding.getByLabel("Address").evaluate((field) => (field.type = "text"));
  await adding.getByLabel("Address").fill(url);
  // Other tests change claims of this practice, so it gets only the messages that are rare.
  for (const box of await adding.getByRole("checkbox").all()) await box.uncheck();
  await adding.getByRole("checkbox", { name: "A report is delivered" }).check();
  await adding.getByRole("button", { name: "Add the webhook" }).click();
  const secret = page.getByRole("dialog", { name: "Your new webhook secret" });
  await secret.getByRole("checkbox").check();
  await secret.getByRole("button", { name: "Done" }).click();
  const row = page.getByRole("row").filter({ hasText: url });
  // Another test may deliver a report meanwhile, so the list is empty here by force.
  const deliveries = "**/api/v1/settings/webhooks/*/deliveries*";
  await page.route(deliveries, (route) => route.fulfill({ json: { deliveries: [], next_cursor: null } }));
  await row.getByRole("link", { name: "Messages" }).click();
  await page.getByText("No message was sent yet").waitFor();
  await page.unroute(deliveries);
  const test = page.getByRole("button", { name: "Send a test message" });
  await test.click();
  await page.getByText("The test arrived").waitFor();
  await page.getByText(/The address answered with status 200 on/).waitFor();
  await page.getByRole("row").filter({ hasText: "A test" }).getByText("Status 200").waitFor();
  const tests = got.filter(({ type }) => type === "webhook.test");
  assert.deepEqual(tests.map(({ data }) => data.webhook.test), [true]);
  await assertScreen(page, "Webhooks");
  status = 500;
  await test.click();
  await page.getByText("The test did not arrive").waitFor();
  await page.getByText(/It refused the message, with status 500, on .* We try again on/).waitFor();
  await assertScreen(page, "Webhooks");

  await page.getByRole("link", { name: "All webhooks" }).click();
  await row.getByRole("button", { name: "Pause" }).click();
  await row.getByText("Paused").waitFor();
  await row.getByRole("link", { name: "Messages" }).click();
  await test.click();
  await page.getByText("The webhook is disabled.").waitFor();
  await page.getByRole("link", { name: "All webhooks" }).click();
  await row.getByRole("button", { name: "Remove" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove the webhook" }).click();
  await toast(page, "Removed.");
});
