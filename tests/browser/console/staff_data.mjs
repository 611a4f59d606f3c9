// What the tests of the staff's screens share: a patient, a second staff member, and the keyboard.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { database, demo, totp } from "./harness.mjs";
import { assertNoTrace } from "./practice_data.mjs";

/**
 * Signs a new staff member in: a copy of the demo's staff with a name of their own, who enrolls a factor of their own. Gives
 * the name.
 */
export async function signInColleague(page) {
  const { email, password } = demo.users.staff;
  const [found] = await database(["SELECT * FROM users WHERE email = ?", email]);
  const row = (found.results ?? found)[0];
  const id = row.id.slice(0, -12) + randomUUID().slice(-12);
  const address = `robin-${id.slice(-12)}@overturn.example`;
  const copy = { ...row, id, email: address, email_key: address, name: `Robin ${id.slice(-6)}` };
  const names = Object.keys(copy);
  await database([`INSERT INTO users (${names.join()}) VALUES (${names.map(() => "?").join()})`, ...Object.values(copy)]);
  const { request } = page.context();
  const begun = await request.post("/api/v1/auth/session", { data: { email: address, password } });
  assert.ok(begun.ok(), await begun.text());
  const change = async (path, data) => {
    const cookies = await page.context().cookies();
    const headers = { "X-CSRF-Token": cookies.find(({ name }) => name === "csrf_token").value, "Idempotency-Key": randomUUID() };
    const answer = await request.post(path, { headers, data });
    assert.ok(answer.ok(), `${path}: ${await answer.text()}`);
    return answer.json();
  };
  const { factor_id, totp: app } = await change("/api/v1/auth/2fa/totp");
  await change("/api/v1/auth/2fa/totp/confirm", { factor_id, code: totp(app.secret) });
  return copy.name;
}

/** The practice whose claims the tests work on. */
export const PRACTICE = demo.practices.active.id;
export const claimPath = (id) => `/work/${PRACTICE}/claims/${id}`;

/** A patient with names that no other record has. They must never leave the page. */
export const PATIENT = { first_name: "Canarella", last_name: "Vogelsang", date_of_birth: "1980-02-29" };

export async function press(page, ...keys) {
  for (const key of keys) await page.keyboard.press(key);
}

/** Presses Tab until the control with this name has the focus. */
export async function reach(page, name) {
  for (let tries = 0; tries < 60; tries += 1) {
    const has = await page.evaluate((wanted) => {
      const { activeElement: on } = document;
      const label = on.getAttribute("aria-label") ?? on.labels?.[0]?.textContent ?? on.textContent;
      return label.trim().startsWith(wanted);
    }, name);
    if (has) return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`the keyboard does not reach ${name}`);
}

/**
 * Presses a key until it has its effect: a screen listens a moment after it shows. A key that does more when it is pressed
 * twice, such as the one for the next claim, needs a pause in which its effect surely comes.
 */
export async function until(page, key, effect, pause = 50) {
  for (let tries = 0; tries < 20 && (await page.locator(effect).count()) === 0; tries += 1) {
    await page.keyboard.press(key);
    await page.locator(effect).waitFor({ timeout: pause }).catch(() => {});
  }
  await page.locator(effect).waitFor();
}

/** Waits for a message about what was done. One that it was undone begins with "Undone:" and repeats it. */
export const toast = (page, text) =>
  page
    .locator(".toast")
    .filter({ hasText: text, ...(!text.startsWith("Undone:") && { hasNotText: /^Undone:/ }) })
    .waitFor();

/** Fails if a patient or a claim number is in what the browser keeps outside of the page, such as title and history. */
export async function assertNotKept(page, number) {
  for (const secret of [...Object.values(PATIENT), number]) await assertNoTrace(page, secret);
}
