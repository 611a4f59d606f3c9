// What the tests of the console share: the served demo, people who sign in, and the checks for every screen.
//
//   OVERTURN_CONSOLE   the path of demo.json of the running service
//   OVERTURN_BROWSER   see ../browser.mjs
//   OVERTURN_PICTURES  a folder for pictures of all that is scanned; without it, none are taken
//
//   import { screens, signIn, assertScreen } from "./harness.mjs";
//
//   const open = screens();
//   test("an owner sees the keys", async () => {
//     const { page } = await open();
//     await signIn(page, "owner");
//     await page.goto("/settings/keys");
//     await assertScreen(page, "API keys");
//   });

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { after, afterEach } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { chromium } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const TIME_OUT_MS = 60_000;

/** The demo data: `practices` with their keys, `users` with `email`, `password` and `totp_secret`. */
export const demo = JSON.parse(readFileSync(process.env.OVERTURN_CONSOLE, "utf8"));
/** The origin of the service. */
export const origin = demo.base_url;

/** Runs statements `[sql, ...params]` as one batch of the Worker's database, and gives the rows of each. */
export async function database(...statements) {
  const body = JSON.stringify(statements.map(([sql, ...params]) => ({ sql, params })));
  const answer = await fetch(`${origin}/.tests/database`, { method: "POST", body });
  assert.equal(answer.status, 200, await answer.clone().text());
  return answer.json();
}

/** What an authenticator app shows (RFC 6238). `secret` is in base32. */
export function totp(secret, at = Date.now()) {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const bits = [...secret].map((letter) => letters.indexOf(letter).toString(2).padStart(5, "0")).join("");
  const key = Buffer.from(bits.match(/.{8}/g).map((byte) => Number.parseInt(byte, 2)));
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(at / 30_000)));
  const digest = createHmac("sha1", key).update(step).digest();
  const offset = digest.at(-1) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

/** A code of a user of the demo that works now, although a code works once and tests sign in at the same time. */
export async function freshCode(role) {
  const { email, totp_secret } = demo.users[role];
  await database(["UPDATE factors SET last_step = NULL WHERE user_id = (SELECT id FROM users WHERE email = ?)", email]);
  return totp(totp_secret);
}

/** Signs a user of the demo (`owner`, `admin`, `member`, `staff`) in, in the page's browser, without the screens. */
export async function signIn(page, role) {
  const { email, password } = demo.users[role];
  const { request } = page.context();
  for (let tries = 0; tries < 5; tries += 1) {
    const asked = await request.post("/api/v1/auth/session", { data: { email, password } });
    assert.equal(asked.status(), 402, await asked.text());
    const { continuation_token } = await asked.json();
    const data = { continuation_token, code: await freshCode(role) };
    const shown = await request.post("/api/v1/auth/session/2fa", { data });
    if (shown.ok()) return;
    // Another test used this code between the two calls.
    await sleep(50 * (tries + 1));
  }
  assert.fail(`${role} cannot sign in`);
}

/** Starts the browser. */
export function launch() {
  const [program, ...args] = JSON.parse(process.env.OVERTURN_BROWSER);
  const executablePath = execFileSync("sh", ["-c", 'command -v "$0"', program], { encoding: "utf8" }).trim();
  return chromium.launch({ executablePath, args, timeout: 30_000 });
}

/**
 * Starts one browser for a test file, and gives a function that opens a page with a browser context of its own. At the end
 * of each test, nothing may have gone wrong unseen: no error, nothing that the policy blocked.
 */
export function screens() {
  let started;
  let opened = [];
  const browser = () => (started ??= launch());
  afterEach(async () => {
    const before = opened;
    opened = [];
    for (const { context, wrong } of before) {
      for (const routed of [context, ...context.pages()]) await routed.unrouteAll({ behavior: "ignoreErrors" });
      await context.close();
      assert.deepEqual(wrong, []);
    }
  });
  after(async () => (await started)?.close());
  return async (options = {}) => {
    const context = await (await browser()).newContext({ baseURL: origin, reducedMotion: "reduce", ...options });
    context.setDefaultTimeout(TIME_OUT_MS);
    const wrong = [];
    opened.push({ context, wrong });
    context.on("weberror", (error) => wrong.push(String(error.error())));
    context.on("console", (message) => {
      // The browser reports every refused call, which is expected, and asks for an icon of the Worker's answers.
      const isExpected = /\/api\/|\/favicon\.ico$/.test(message.location().url);
      const isRefusal = /status of 4\d\d/.test(message.text()) && isExpected;
      if (["error", "warning"].includes(message.type()) && !isRefusal) wrong.push(message.text());
    });
    const page = await context.newPage();
    return { page, context, wrong };
  };
}

/** Ends the routes of a page. One that ends while it answers a call would fail, so the calls under way are answered first. */
export const endRoutes = (page) => page.unrouteAll({ behavior: "wait" });

/** Waits for the heading of a screen. */
export const heading = (page, name) => page.getByRole("heading", { level: 1, name }).waitFor();

const LOOKS = [
  { colorScheme: "light", forcedColors: "none", width: 1366 },
  { colorScheme: "light", forcedColors: "none", width: 320 },
  { colorScheme: "dark", forcedColors: "none", width: 320 },
  { colorScheme: "dark", forcedColors: "none", width: 1366 },
  { colorScheme: "dark", forcedColors: "active", width: 1366 },
];
/** The width of a common phone. That of a common laptop is among the looks. */
const PHONE = 390;

/** Fails if what is on the screen now breaks a rule of accessibility, in any look, or scrolls sideways. */
export async function assertScreen(page, name) {
  if (name) await heading(page, name);
  await scan(page, LOOKS, "html");
}

/**
 * The same for an open dialog, in the looks that differ most. Its first field has the focus, or the button that confirms if it
 * has no field. Gives its title.
 */
export async function assertDialog(page, name) {
  const dialog = page.getByRole("dialog", { name });
  await dialog.waitFor();
  await dialog.locator(".loading").waitFor({ state: "detached" });
  const start = await dialog.evaluateHandle((dialog) => {
    const fields = [...dialog.querySelectorAll("input, select, textarea")];
    const isOpen = (field) => field.checkVisibility() && !field.disabled && !field.readOnly;
    return fields.find(isOpen) ?? dialog.querySelector(":is(.dialog-actions, .form-actions) :is(.primary, .danger)");
  });
  const waiting = page.waitForFunction((start) => document.activeElement === start, start, { timeout: 2_000 });
  await waiting.catch(async () => {
    const shown = await start.evaluate((start) => [start, document.activeElement].map((one) => one?.outerHTML.slice(0, 300)));
    assert.fail(`the focus is not at the start of the dialog: ${shown[0]} but ${shown[1]}`);
  });
  await scan(page, [LOOKS[1], LOOKS[3]], "dialog:modal");
  return dialog.getByRole("heading", { level: 2 }).innerText();
}

/** The rules that the colors decide. */
const OF_COLORS = ["color-contrast", "link-in-text-block"];
/** Targets have at least 24 px, or as much room around them (WCAG 2.2, 2.5.8). */
const ALL_RULES = { rules: { "target-size": { enabled: true } } };

/**
 * The rules that a look can break and `before`, the looks of the same page until now, cannot, and how many of them must find
 * something to judge. What is shown depends on the width, so the first look of each width has all rules.
 */
function rulesOf({ width, forcedColors }, before) {
  if (before.every((look) => look.width !== width)) return [ALL_RULES, 11];
  if (forcedColors === "none") return [{ runOnly: OF_COLORS }, 1];
  // Forced colors are the system's, which the browser does not tell a script.
  return [{ runOnly: OF_COLORS.filter((rule) => rule !== "color-contrast") }, 0];
}

/** Scans the part of the page that `within` selects. */
async function scan(page, looks, within) {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  for (const [n, look] of looks.entries()) {
    const { width, ...media } = look;
    await page.emulateMedia(media);
    await page.setViewportSize({ width, height: 800 });
    const where = `${page.url()} ${width} px ${media.colorScheme}${media.forcedColors === "active" ? " forced colors" : ""}`;
    const [rules, least] = rulesOf(look, looks.slice(0, n));
    await assertWidth(page, within, where);
    const { violations, passes } = await page.evaluate(
      ([within, rules]) => axe.run(within, { ...rules, resultTypes: ["violations"] }),
      [within, rules],
    );
    const explain = ({ html, failureSummary }) => `${html} ${failureSummary}`;
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(explain).join(" ")}`);
    assert.deepEqual(found, [], where);
    assert.ok(passes.length >= least, `${where}: hardly anything was looked at`);
  }
  await page.setViewportSize({ width: PHONE, height: 800 });
  await assertWidth(page, within, `${page.url()} ${PHONE} px`);
  if (process.env.OVERTURN_PICTURES) await takePictures(page, within);
  await page.emulateMedia({ colorScheme: "light", forcedColors: "none" });
  await page.setViewportSize({ width: 1280, height: 800 });
}

/** Fails if a part of the page, or the page, scrolls sideways. */
async function assertWidth(page, within, where) {
  const wide = await page.evaluate((within) => {
    const parts = [document.scrollingElement, ...document.querySelectorAll(within)];
    return Math.max(...parts.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));
  }, within);
  assert.equal(wide, 0, `${where} is too wide`);
}

/** How many scans of this file of tests have pictures. */
let pictured = 0;

/** Takes pictures of a laptop and a phone in light and dark, named by the test, the order and the heading. */
async function takePictures(page, within) {
  const folder = process.env.OVERTURN_PICTURES;
  mkdirSync(folder, { recursive: true });
  const title = await page.locator(within).last().locator("h1, h2").first().innerText();
  pictured += 1;
  const name = [basename(process.argv[1], ".test.mjs"), String(pictured).padStart(3, "0"), title.replaceAll(/\W+/g, "-").slice(0, 50)].join("-");
  // A dialog stands where the window is.
  const fullPage = (await page.locator("dialog:modal").count()) === 0;
  const top = await page.evaluate(() => [scrollY, scrollTo(0, 0)][0]);
  for (const width of [1366, PHONE]) {
    await page.setViewportSize({ width, height: 800 });
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme, forcedColors: "none" });
      await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`), fullPage });
    }
  }
  await page.evaluate((top) => scrollTo(0, top), top);
}
