// The end of a session that is not used, in two tabs.

import assert from "node:assert/strict";
import { test } from "node:test";
import { assertScreen, heading, screens, signIn } from "./harness.mjs";

const open = screens();
const SESSION = "**/api/v1/auth/session";

/** Makes the service say that the session ends soon. Returns how often the session was used for it. */
async function endsIn(context, seconds) {
  const later = (seconds) => new Date(Date.now() + seconds * 1000).toISOString();
  const said = { end: later(seconds), goOn: () => (said.end = later(1800)), uses: 0, passive: 0 };
  await context.route(SESSION, async (route) => {
    if (route.request().method() !== "GET") return route.fallback();
    const passive = route.request().headers()["x-passive-read"] === "true";
    if (passive) said.passive += 1;
    else said.uses += 1;
    const answer = await route.fetch();
    if (!answer.ok()) return route.fulfill({ response: answer });
    const session = await answer.json();
    session.session.idle_ends_at = said.end;
    return route.fulfill({ response: answer, json: session });
  });
  return said;
}

test("a warning comes two minutes before, and the session goes on in both tabs", async () => {
  const { page, context } = await open();
  await signIn(page, "owner");
  const said = await endsIn(context, 100);
  await page.goto("/home");
  const other = await context.newPage();
  await other.goto("/claims");
  for (const tab of [page, other]) await tab.getByRole("dialog", { name: "Are you still there?" }).waitFor();
  await assertScreen(page);
  said.goOn();
  await page.bringToFront();
  await page.getByRole("button", { name: "Stay signed in" }).click();
  for (const tab of [page, other]) await tab.getByRole("dialog").waitFor({ state: "detached" });
  assert.equal(said.uses, 3, "two page loads, and staying");
});

test("at the end, every tab is empty and leads to the sign-in, and from there back", async () => {
  const { page, context } = await open();
  await signIn(page, "owner");
  await endsIn(context, 8);
  const other = await context.newPage();
  await page.goto("/claims?status=received");
  await other.goto("/home");
  await page.evaluate(() => (window.remembered = true));
  // A call without the session would end it in another way.
  for (const tab of [page, other]) {
    await tab.getByRole("dialog", { name: "Are you still there?" }).waitFor();
    await tab.waitForLoadState("networkidle");
  }
  // The session of this test goes on in truth, so the sign-in screen would lead back at once.
  await context.clearCookies();
  for (const tab of [page, other]) {
    await heading(tab, "Sign in");
    await tab.getByText("You were signed out because nothing was done for a while").waitFor();
  }
  assert.equal(await page.evaluate(() => window.remembered), undefined, "the memory is empty");
  assert.equal(new URL(page.url()).searchParams.get("return"), "/claims?status=received");
  assert.equal(await page.getByRole("dialog").count(), 0);
});

test("a session that another window used goes on", async () => {
  const { page, context } = await open();
  await signIn(page, "owner");
  const said = await endsIn(context, 8);
  await page.goto("/home");
  await page.getByRole("dialog", { name: "Are you still there?" }).waitFor();
  said.goOn();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  assert.equal(new URL(page.url()).pathname, "/home");
  assert.deepEqual([said.uses, said.passive], [1, 2], "asking does not use the session");
});

test("a wrong clock of the computer neither ends a session nor lets it go on", async () => {
  for (const wrong of [3_600_000, -3_600_000]) {
    const { page, context } = await open();
    await signIn(page, "owner");
    const said = await endsIn(context, 8);
    // The platform sends the time, which the local runtime does not.
    await context.route(SESSION, async (route) => {
      if (route.request().method() !== "GET") return route.fallback();
      const response = await route.fetch();
      if (!response.ok()) return route.fulfill({ response });
      const json = await response.json();
      json.session.idle_ends_at = said.end;
      const headers = { ...response.headers(), date: new Date().toUTCString() };
      return route.fulfill({ response, json, headers });
    });
    await context.addInitScript((wrong) => {
      const { now } = Date;
      Date.now = () => now() + wrong;
    }, wrong);
    await page.goto("/home");
    await page.getByRole("dialog", { name: "Are you still there?" }).waitFor();
    assert.match(await page.locator(".countdown").textContent(), /^[1-8] seconds?$/);
    await context.clearCookies();
    await heading(page, "Sign in");
  }
});
