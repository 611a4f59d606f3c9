// A browser for the tests of the pages, and the checks for every page.
//
//   OVERTURN_BROWSER  JSON: the browser's program and its flags

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { chromium } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const TIME_OUT_MS = 30_000;

/** Starts the browser, hands it to `use`, and ends it whatever comes of that. */
export async function withBrowser(use) {
  assert.ok(process.env.OVERTURN_BROWSER, "OVERTURN_BROWSER must name a browser");
  const [program, ...args] = JSON.parse(process.env.OVERTURN_BROWSER);
  const executablePath = execFileSync("sh", ["-c", 'command -v "$0"', program], { encoding: "utf8" }).trim();
  const browser = await chromium.launch({ executablePath, args, timeout: TIME_OUT_MS });
  try {
    await use(browser);
  } finally {
    await browser.close();
  }
}

/** A page of its own, of which nothing may go wrong unseen: no error, nothing blocked, no address handed to another site. */
export async function newPage(browser, options = {}) {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(TIME_OUT_MS);
  const page = await context.newPage();
  const wrong = [];
  page.on("pageerror", (error) => wrong.push(String(error)));
  page.on("console", (message) => {
    // The console reports the status of a form that was refused, which is expected.
    const isStatus = /status of (404|422)/.test(message.text());
    if (["error", "warning"].includes(message.type()) && !isStatus) wrong.push(message.text());
  });
  const forms = [];
  const originOf = (address) => new URL(address).origin;
  page.on("request", (request) => {
    const { referer } = request.headers();
    if (referer && originOf(referer) !== originOf(request.url())) wrong.push(`${request.url()} is told of ${referer}`);
    if (request.method() === "POST") forms.push(request);
  });
  return {
    page,
    async end() {
      // A browser without Sec-Fetch-Site sends only this header to show that the form is ours.
      for (const form of forms) assert.equal((await form.allHeaders()).origin, originOf(form.url()));
      assert.deepEqual(wrong, []);
      await context.close();
    },
  };
}

/** Fails where a page cannot be read without scrolling sideways, moves, or breaks a rule of accessibility. */
export async function assertAccessible(page) {
  const where = `${await page.title()} at ${page.viewportSize().width} px`;
  const [wide, moving] = await page.evaluate(() => [
    document.documentElement.scrollWidth - document.documentElement.clientWidth,
    document.getAnimations().length,
  ]);
  assert.equal(wide, 0, `${where} is too wide`);
  assert.equal(moving, 0, `${where} moves`);
  await page.evaluate(AXE);
  const { violations, passes } = await page.evaluate(() => axe.run(document));
  const found = violations.map(({ id, impact, nodes }) => `${id} (${impact}): ${nodes.map(({ html }) => html).join(" ")}`);
  assert.deepEqual(found, [], where);
  assert.ok(passes.length > 10, `${where}: hardly anything was looked at`);
}
