// Where a practice begins: what stops it, the first steps, and the numbers.

import assert from "node:assert/strict";
import { test } from "node:test";
import { changes } from "./answers.mjs";
import { assertScreen, database, endRoutes, heading, screens, signIn } from "./harness.mjs";
import { assertNoTrace, claim, day, lostLine, person, send, work } from "./practice_data.mjs";

const open = screens();
const SESSION = "**/api/v1/auth/session";

/** The date of an instant, as the reader sees it. */
const shown = (at) => new Date(at).toLocaleDateString("en-US", { dateStyle: "medium" });

/** Changes what the session says, as another person or a later day would see it. */
async function say(page, change) {
  await page.route(SESSION, async (route) => {
    if (route.request().method() !== "GET") return route.fallback();
    const response = await route.fetch();
    const json = await response.json();
    change(json);
    return route.fulfill({ response, json });
  });
}

test("a practice without claims sees what to do next", async () => {
  const { page } = await open();
  await signIn(page, "other_owner");
  // Its demo has a key already. Without one, making it is the next step.
  await page.route("**/api/v1/settings/practice", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), has_api_key: false } });
  });
  await page.goto("/home");
  await heading(page, "Lakeside Orthopedics");
  const next = page.getByRole("listitem").filter({ hasText: "Next" });
  await next.filter({ hasText: "Make an API key" }).waitFor();
  assert.equal(await page.getByRole("link", { name: "Open the API keys" }).getAttribute("href"), "/settings/keys");
  await endRoutes(page);
  await page.reload();
  await next.filter({ hasText: "Send the first claim" }).waitFor();
  await page.getByText("/api/v1/openapi.json").waitFor();
  await assertScreen(page, "Lakeside Orthopedics");
});

/** Shows the page as a member sees it, who may only read. */
const asMember = (page) =>
  say(page, (session) => {
    session.user.role = "member";
    session.may = session.may.filter((action) => /^(read|list)_(?!api_keys|members|webhooks|audit)/.test(action));
  });

test("a member sees the same steps as an owner, and whom to ask", async () => {
  const { page } = await open();
  await signIn(page, "other_owner");
  await asMember(page);
  let hasKey = false;
  await page.route("**/api/v1/settings/practice", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), has_api_key: hasKey } });
  });
  await page.goto("/home");
  const next = page.getByRole("listitem").filter({ hasText: "Next" });
  await next.getByText("Ask an owner or an admin of your practice to make it.").waitFor();
  await page.getByRole("listitem").filter({ hasText: "Sign the agreement" }).getByText("Done").waitFor();
  assert.equal(await page.getByRole("link", { name: "Open the API keys" }).count(), 0);
  await assertScreen(page, "Lakeside Orthopedics");
  hasKey = true;
  await page.reload();
  await next.filter({ hasText: "Send the first claim" }).waitFor();
  await page.getByRole("listitem").filter({ hasText: "Make an API key" }).getByText("Done").waitFor();
});

test("Home says what an appeal lacks of the practice, to those who may enter it and to those who ask", async () => {
  await send([claim()]);
  const { page } = await open();
  await signIn(page, "owner");
  let details = { address: null, npi: null, tax_id: "12-3456789", phone: null };
  await page.route("**/api/v1/settings/practice", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), ...details } });
  });
  await page.goto("/home");
  const needs = page.getByRole("region", { name: "Needs you" });
  const task = needs.getByRole("link", { name: "Enter the address, the NPI, and the phone number of your practice" });
  assert.equal(await task.getAttribute("href"), "/settings/practice");
  await assertScreen(page);
  await asMember(page);
  await page.reload();
  await needs.getByText("Ask an owner or an admin of your practice to enter the address, the NPI, and the phone number").waitFor();
  assert.equal(await task.count(), 0);
  const address = { line1: "1 Main St", line2: null, city: "Austin", state: "TX", zip: "78701" };
  details = { ...details, address, npi: "1234567893", phone: "+15125550100" };
  await page.reload();
  await needs.getByRole("listitem").first().waitFor();
  assert.equal(await needs.getByText("to enter").count(), 0);
});

test("Home names the keys and tokens that end within 30 days, to those who may replace them", async () => {
  await send([claim()]);
  const { page } = await open();
  const call = await person(page, "owner");
  const named = (text) => `${text} ${Date.now()}`;
  const SETTINGS = "/api/v1/settings";
  const soon = await call("POST", `${SETTINGS}/api_keys`, { name: named("Soon"), scopes: ["claims:read"] });
  const end = Date.now() + 29 * 86_400_000;
  await database(["UPDATE api_keys SET expires_at = ? WHERE id = ?", end, soon.id]);
  const token = (text, expires_in_days) => call("POST", `${SETTINGS}/api_tokens`, { name: named(text), scopes: ["denials:read"], expires_in_days });
  const [ends, later] = [await token("Ends", 30), await token("Later", 31)];
  await page.goto("/home");
  const needs = page.getByRole("region", { name: "Needs you" });
  const key = needs.getByRole("link", { name: `The API key “${soon.name}” ends on ${shown(end)}` });
  assert.equal(await key.getAttribute("href"), "/settings/keys");
  await needs.getByText(`It begins with ${soon.prefix}. Make a new one before, and switch your program to it.`).waitFor();
  const link = needs.getByRole("link", { name: `The API token “${ends.name}” ends on ${shown(ends.expires_at)}` });
  assert.equal(await link.getAttribute("href"), "/settings/tokens");
  assert.equal(await needs.getByText(later.name).count(), 0);
  await assertScreen(page);

  await call("DELETE", `${SETTINGS}/api_keys/${soon.id}`);
  await call("DELETE", `${SETTINGS}/api_tokens/${later.id}`);
  await page.reload();
  await link.waitFor();
  assert.equal(await key.count(), 0, "it no longer works");
  await asMember(page);
  await page.reload();
  await needs.getByRole("listitem").first().waitFor();
  assert.equal(await link.count(), 0);
  await call("DELETE", `${SETTINGS}/api_tokens/${ends.id}`);
});

test("without an agreement, an owner is led to sign it", async () => {
  const { page } = await open();
  await signIn(page, "no_baa_owner");
  await page.goto("/home");
  await page.getByRole("heading", { name: "One agreement is not signed yet" }).waitFor();
  assert.equal(await page.getByRole("link", { name: "Read and sign the agreement" }).getAttribute("href"), "/settings/agreements");
  await page.getByRole("listitem").filter({ hasText: "Next" }).filter({ hasText: "Sign the agreement" }).waitFor();
  await assertScreen(page, "Juniper Street Pediatrics");
});

test("without an agreement, a member gets the words for an owner, and one that ended is told apart", async () => {
  const { page } = await open();
  await signIn(page, "no_baa_owner");
  await say(page, (session) => {
    session.user.role = "member";
    session.practice.agreement = "ended";
    session.may = session.may.filter((action) => action !== "sign_agreement");
  });
  await page.goto("/home");
  await page.getByRole("heading", { name: "Your agreement has ended" }).waitFor();
  await page.getByText("Only an owner or an admin of your practice can sign").waitFor();
  await page.getByRole("button", { name: "Copy the message" }).waitFor();
  assert.equal(await page.getByRole("link", { name: "Read and sign the agreement" }).count(), 0);
  await assertScreen(page);
});

test("an agreement that ended while the console was open is noticed", async () => {
  const { page } = await open();
  await signIn(page, "no_baa_owner");
  let calls = 0;
  await say(page, (session) => {
    calls += 1;
    if (calls === 1) session.practice.agreement = "in_force";
  });
  await page.goto("/home");
  await page.getByRole("heading", { name: "One agreement is not signed yet" }).waitFor();
});

test("an inactive practice is told whom to ask", async () => {
  const { page } = await open();
  await signIn(page, "inactive_owner");
  await page.goto("/home");
  await page.getByRole("heading", { name: "Your practice is not active" }).waitFor();
  await assertScreen(page, "Old Mill Dermatology");
});

test("the numbers lead to their claims, and no patient leaves a trace", async () => {
  // The rule of this plan gives 180 days: one claim is due in 5 days, one is late.
  await send([claim({ denial_date: day(-175), date_of_service: day(-200) }), claim({ denial_date: day(-190), date_of_service: day(-200) })]);
  const { page } = await open();
  await signIn(page, "owner");
  await page.goto("/home");
  await heading(page, "Cedar Hill Family Medicine");
  const figure = (name) => page.locator(".figures .card").filter({ hasText: name }).locator(".figure");
  const before = Number(await figure("Open claims").textContent());
  assert.match(await figure("Denied, still open").textContent(), /^\$[\d,]+\.\d\d$/);
  await page.getByRole("img", { name: /^Claims by deadline/ }).waitFor();
  await page.getByText(/open claims? (is|are) late/).waitFor();
  await assertScreen(page, "Cedar Hill Family Medicine");
  await send([claim()]);
  await page.reload();
  await page.waitForFunction((n) => Number(document.querySelector(".figures .figure")?.textContent) > n, before);
  await page.getByRole("link", { name: "Recovered" }).first().click();
  await heading(page, "Denials");
  assert.equal(new URL(page.url()).search, "?status=recovered");
  await page.goBack();
  await heading(page, "Cedar Hill Family Medicine");
  await assertNoTrace(page, "Canarybird");
});

/** A summary of one claim of each kind. None was sent with its denied amount, and the payer paid one dollar. */
const withoutAmounts = (summary) =>
  JSON.parse(JSON.stringify(summary), (name, value) => {
    if (name === "claims" && typeof value === "number") return 1;
    return { denied_amount: "0.00", amount_recovered: "1.00" }[name] ?? value;
  });

test("claims that were sent without their denied amounts are not said to be denied for $0.00", async () => {
  await send([claim({ denied_amount: null }), claim()]);
  const { page } = await open();
  await changes(page, "**/api/v1/denials/summary*", withoutAmounts);
  await signIn(page, "owner");
  await page.goto("/home");
  await page.locator(".figures .card").filter({ hasText: "Denied, still open" }).getByText("No denied amount was sent").waitFor();
  await page.getByRole("row", { name: /^All claims/ }).getByText("not sent").waitFor();
  assert.equal(await page.getByText("$0.00", { exact: true }).count(), 0);

  const { page: staff } = await open();
  await changes(staff, "**/api/v1/staff/summary*", withoutAmounts);
  await signIn(staff, "staff");
  await staff.goto("/queue");
  const tiles = staff.locator(".tile .under");
  await tiles.first().waitFor();
  assert.deepEqual([...new Set(await tiles.allInnerTexts())], ["no denied amount was sent"]);
  for (const one of [page, staff]) await endRoutes(one);
});

test("Home leads to a claim that waits for its patient, which says how the patient signs", async () => {
  // No other claim is as late, so it comes first.
  const [late] = await send([claim({ denial_date: day(-1200), date_of_service: day(-1210) })]);
  const { page: desk } = await open();
  const staff = work(await person(desk, "staff"));
  await staff.take(late.id);
  await staff.sign(late.id, "needed");
  const { page } = await open();
  await signIn(page, "owner");
  await page.goto("/home");
  const needs = page.getByRole("region", { name: "Needs you" });
  assert.match(await needs.getByRole("link", { name: /waiting for the patient/ }).getAttribute("href"), /signing_status=needed/);
  await needs.getByRole("link", { name: late.claim_number }).click();
  const step = page.getByRole("region", { name: "What you can do" });
  await step.getByText("Have the patient sign").waitFor();
  await step.getByText("The deadline has passed").waitFor();
  await page.getByText(/The patient signs on a page of ours/).waitFor();
  await assertScreen(page, `Claim ${late.claim_number}`);
});

test("a member sees the same numbers and claims as an owner, and how many there are at least", async () => {
  const { page: desk } = await open();
  const staff = work(await person(desk, "staff"));
  const waiting = await send([claim({ denial_date: day(-1100), date_of_service: day(-1110) })]);
  for (const { id } of waiting) await staff.sign(id, "needed");
  const { page } = await open();
  await signIn(page, "member");
  await page.goto("/home");
  const needs = page.getByRole("region", { name: "Needs you" });
  await needs.getByRole("link", { name: waiting[0].claim_number }).waitFor();
  await page.getByRole("heading", { name: "Claims by status" }).waitFor();
  await page.locator(".figures .card").filter({ hasText: "Open claims" }).getByText(/^[1-9]/).first().waitFor();
  assert.equal(await page.getByRole("link", { name: "API keys" }).count(), 0);
  await assertScreen(page, "Cedar Hill Family Medicine");

  await changes(page, "**/api/v1/denials?*", () => ({ more: true, next_cursor: "next" }));
  await page.reload();
  await needs.getByRole("link", { name: /^More than \d+ claims? waiting for the patient/ }).waitFor();
  await page.goto("/claims");
  const count = await page.locator("tbody tr").first().waitFor().then(() => page.locator("tbody tr").count());
  await page.getByText(`More than ${count} claims.`).waitFor();
  await page.getByRole("button", { name: "Next page" }).waitFor();
  await endRoutes(page);
});

test("the network goes and comes back", async () => {
  const { page, context, wrong } = await open();
  await signIn(page, "owner");
  await page.goto("/home");
  await page.getByRole("heading", { name: "Claims by status" }).waitFor();
  // The screen itself is loaded once, before the line is lost.
  await page.getByRole("link", { name: "Denials", exact: true }).click();
  await page.getByRole("button", { name: "Download as CSV" }).waitFor();
  await page.goBack();
  await page.getByRole("heading", { name: "Claims by status" }).waitFor();
  await context.setOffline(true);
  await page.getByRole("link", { name: "Denials", exact: true }).click();
  await page.getByText("You seem to be offline").waitFor();
  await assertScreen(page, "Denials");
  await context.setOffline(false);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("button", { name: "Download as CSV" }).waitFor();
  lostLine(wrong);
});
