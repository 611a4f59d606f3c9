// Sign-in links and new passwords, from the links in emails.

import assert from "node:assert/strict";
import { test } from "node:test";
import { assertScreen, endRoutes, heading, origin, screens } from "./harness.mjs";
import { assertForgotten, atHome, codeOf, giveCode, givePassword, letter, person, requestLink } from "./people.mjs";

const open = screens();
const NEW = "nine small boats return";

test("a sign-in link signs in with the second factor, once", async () => {
  const { page } = await open();
  const robin = await person();
  await page.goto("/sign-in");
  await page.getByRole("link", { name: "Get a sign-in link" }).click();
  await assertScreen(page, "Get a sign-in link");
  await page.getByLabel("Email address").fill(robin.email);
  await page.getByRole("button", { name: "Email me a link" }).click();
  await page.getByText("the email is on its way").waitFor();
  const link = await letter(robin.email, "/magic-link");

  await page.goto(link);
  await assertScreen(page, "Sign in with your link");
  await assertForgotten(page, link);
  // What opens links in emails, such as a scanner, does not use it up. A reload forgets it.
  await page.reload();
  await heading(page, "Get a sign-in link");
  await page.getByText("Open the link again.").waitFor();
  await page.goto("about:blank");
  await page.goto(link);
  await page.getByRole("button", { name: "Sign in" }).click();
  await assertScreen(page, "Enter your code");
  await giveCode(page, "000000");
  await page.getByRole("alert").filter({ hasText: "Code is not right." }).waitFor();
  await assertScreen(page);
  await giveCode(page, await codeOf(robin));
  await atHome(page);

  const other = await open();
  await other.page.goto(link);
  await other.page.getByRole("button", { name: "Sign in" }).click();
  await assertScreen(other.page, "This link does not work");
  await other.page.getByRole("button", { name: "Get a new link" }).click();
  await heading(other.page, "Get a sign-in link");
});

test("a reload at the second factor begins again, and says nothing of the account", async () => {
  const { page } = await open();
  const robin = await person();
  await requestLink("magic_link", robin.email);
  await page.goto(await letter(robin.email, "/magic-link"));
  await page.getByRole("button", { name: "Sign in" }).click();
  await heading(page, "Enter your code");
  await page.reload();
  await heading(page, "Get a sign-in link");
  await page.getByRole("link", { name: "Back to the sign-in" }).click();
  await givePassword(page, robin);
  await heading(page, "Enter your code");
  await page.reload();
  await heading(page, "Sign in");
  await givePassword(page, robin);
  await giveCode(page, robin.codes[0]);
  await atHome(page);
});

test("five wrong codes end the sign-in, which begins again", async () => {
  const { page } = await open();
  const robin = await person();
  await page.goto("/sign-in");
  await givePassword(page, robin);
  await heading(page, "Enter your code");
  for (let tries = 1; tries < 5; tries += 1) {
    await giveCode(page, `11111${tries}`);
    await page.getByRole("alert").filter({ hasText: "Code is not right." }).waitFor();
    await page.getByLabel("Code", { exact: true }).fill("");
  }
  await giveCode(page, "111115");
  await page.getByRole("alert").filter({ hasText: "Too many tries were wrong." }).waitFor();
  await assertScreen(page);
  await page.getByRole("button", { name: "Start again" }).click();
  await givePassword(page, robin);
  await giveCode(page, robin.codes[1]);
  await atHome(page);
});

test("a new password by a link ends every session, and signs in with the second factor", async () => {
  const { page } = await open();
  const robin = await person();
  await page.goto("/sign-in");
  await page.getByRole("link", { name: "Forgot your password?" }).click();
  await heading(page, "Reset your password");
  await page.getByLabel("Email address").fill(robin.email);
  await page.getByRole("button", { name: "Email me a link" }).click();
  const link = await letter(robin.email, "/password-reset");

  await page.goto(link);
  await assertScreen(page, "Choose a new password");
  await assertForgotten(page, link);
  await page.getByLabel("New password").fill("too short");
  await page.getByRole("button", { name: "Set the password" }).click();
  await page.getByText("New password must have at least 12 characters.").first().waitFor();
  await assertScreen(page);
  await page.getByLabel("Show the password").check();
  assert.equal(await page.getByLabel("New password").getAttribute("type"), "text");
  await page.getByLabel("New password").fill(NEW);
  await page.getByRole("button", { name: "Set the password" }).click();
  await assertScreen(page, "Your password is set");
  await robin.client.call("GET", "/api/v1/auth/session", undefined, 401);
  await page.getByRole("link", { name: "Sign in" }).click();
  await givePassword(page, { ...robin, password: NEW });
  await giveCode(page, await codeOf(robin));
  await atHome(page);

  const other = await open();
  await other.page.goto(link);
  // A used link shows no form.
  await heading(other.page, "This link does not work");
});

test("a link without its token says what to do", async () => {
  const { page } = await open();
  for (const [path, name] of [
    ["/magic-link", "Get a sign-in link"],
    ["/password-reset", "Reset your password"],
    ["/invitation", "Accept your invitation"],
  ]) {
    await page.goto(path);
    await assertScreen(page, name);
  }
  await page.goto("/invitation#ovl_notatokenthatexists");
  await heading(page, "This link does not work");
});

test("without a network at the start, a mailed link waits for the next try, and stays out of the history", async () => {
  const robin = await person();
  for (const [kind, path, name] of [
    ["magic_link", "/magic-link", "Sign in with your link"],
    ["password_reset", "/password-reset", "Choose a new password"],
  ]) {
    await requestLink(kind, robin.email);
    const link = await letter(robin.email, path);
    for (const lost of ["**/api/v1/auth/session", "**/me-*.js"]) {
      const { page, wrong } = await open();
      await page.route(lost, (route) => route.abort());
      await page.goto(link);
      const again = page.getByRole("button", { name: "Try again" });
      await again.waitFor();
      await assertForgotten(page, link);
      // The button of the first try stays until the page is drawn again, so only the request says that this try failed.
      const failed = page.waitForEvent("requestfailed");
      await again.click();
      await failed;
      await again.waitFor();
      await endRoutes(page);
      await again.click();
      await heading(page, name);
      await assertForgotten(page, link);
      // The browser reports what was lost, and nothing else.
      wrong.splice(0, wrong.length, ...wrong.filter((line) => !line.includes("net::ERR_FAILED")));
    }
  }
});

test("after a sign-in link, the person is where they wanted to go, also in a new tab", async () => {
  const { page, context } = await open();
  const robin = await person();
  await page.goto("/claims?status=received");
  await heading(page, "Sign in");
  await page.getByRole("link", { name: "Get a sign-in link" }).click();
  await page.getByLabel("Email address").fill(robin.email);
  await page.getByRole("button", { name: "Email me a link" }).click();
  await page.getByText("the email is on its way").waitFor();
  const tab = await context.newPage();
  await tab.goto(await letter(robin.email, "/magic-link"));
  await tab.getByRole("button", { name: "Sign in" }).click();
  await giveCode(tab, await codeOf(robin));
  await heading(tab, "Denials");
  assert.equal(new URL(tab.url()).search, "?status=received");
  // Once is enough: the next sign-in begins at home.
  assert.deepEqual(await tab.evaluate(() => [localStorage.length, sessionStorage.length]), [0, 0]);
});
