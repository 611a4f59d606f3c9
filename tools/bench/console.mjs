// Measures the console in a browser, on a slow processor and network, and prints a table: `cargo xtask bench console`.
//
//   node tools/bench/console.mjs ROUNDS SIZES   SIZES is JSON: [what, gzipped bytes, goal] for each size
//
//   OVERTURN_CONSOLE, OVERTURN_BROWSER    as for the tests of the console
//
// A page opens in a browser context of its own, so that its cache is cold. The table has the median and the range of the
// rounds.

import { cpus, loadavg } from "node:os";
import { launch, origin, signIn } from "../../tests/browser/console/harness.mjs";
import { claim, day, send } from "../../tests/browser/console/practice_data.mjs";

/** Each page has a processor that is 4 times slower, 10 Mbit/s and 60 ms until an answer. */
const SLOWER = 4;
const NETWORK = { offline: false, latency: 60, downloadThroughput: 1_250_000, uploadThroughput: 1_250_000 };
/** The rows that the queue shows, and twice as many. */
const SHOWN = 50;
const SIZES = [SHOWN, 2 * SHOWN];
const KEYS = 30;
/** How many claims there are beside those of the demo, in hundreds. */
const HUNDREDS = 100;

/**
 * Runs in the page before its own scripts, and keeps the times in `measured`, in milliseconds. The queue has `rows` rows.
 * The contents are there with what `shows` selects.
 */
function watch({ shown, rows, shows }) {
  const { fetch } = window;
  window.fetch = (url, ...rest) => fetch(String(url).replace(`limit=${shown}`, `limit=${rows}`), ...rest);
  const measured = { largest: 0, contents: undefined, usable: undefined, keys: [], filters: [] };
  window.measured = measured;
  const observer = new PerformanceObserver((list) => (measured.largest = list.getEntries().at(-1).startTime));
  observer.observe({ type: "largest-contentful-paint", buffered: true });
  /** Runs after the next frame was drawn. */
  const drawn = (then) => requestAnimationFrame(() => setTimeout(then));

  const see = () => {
    if (document.querySelector(shows)) drawn(() => (measured.contents = performance.now()));
    else requestAnimationFrame(see);
  };
  requestAnimationFrame(see);

  // The queue is usable as soon as all rows are there and a key moves the focus to one of them.
  const look = () => {
    if (document.querySelectorAll("tbody tr").length >= rows) {
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "j", bubbles: true }));
      if (document.activeElement.closest("tbody tr")) {
        drawn(() => (measured.usable = performance.now()));
        return;
      }
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);

  let pressed;
  addEventListener("keydown", (event) => (pressed = event.isTrusted ? event.timeStamp : undefined), true);
  addEventListener(
    "focusin",
    () => {
      const from = pressed;
      pressed = undefined;
      if (from !== undefined) drawn(() => measured.keys.push(performance.now() - from));
    },
    true,
  );

  // A filter is applied when its rows have taken the place of all earlier rows.
  addEventListener(
    "click",
    (event) => {
      const before = document.querySelector("tbody tr");
      const replaced = new MutationObserver(() => {
        if (before.isConnected || !document.querySelector("tbody tr")) return;
        replaced.disconnect();
        drawn(() => measured.filters.push(performance.now() - event.timeStamp));
      });
      if (event.target.closest("a.tile")) replaced.observe(document.body, { childList: true, subtree: true });
    },
    true,
  );
}

const browser = await launch();
const found = {
  "largest paint of /sign-in": { budget: 1000, values: [] },
  "largest paint of /home": { budget: 1000, values: [] },
  "largest paint of /queue": { budget: 1000, values: [] },
  "contents of /home": { budget: 2000, values: [] },
  "contents of /claims": { budget: 2200, values: [] },
};
for (const rows of SIZES) {
  for (const [what, budget] of [
    ["usable", 1500],
    ["key to focus, median", 50],
    ["key to focus, p95", 50],
    ["filter to rows, median", 200],
    ["filter to rows, slowest", 200],
  ]) {
    found[`queue of ${rows} rows, ${what}`] = { budget, values: [] };
  }
}
const note = (what, value) => found[what].values.push(value);

/** The value that `share` of the values are not above. */
function quantile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(Math.ceil(sorted.length * share) - 1, 0)];
}

/** The cookies of a session. A code works once, so each person signs in once. */
async function session(role) {
  const context = await browser.newContext({ baseURL: origin });
  await signIn(await context.newPage(), role);
  const cookies = await context.storageState();
  await context.close();
  return cookies;
}

const measuredIn = (page) => page.evaluate(() => measured);

/** Opens a page with a cold cache on the slow machine, waits until it rests, and hands it to `use`. */
async function open(path, storageState, shows, rows, use) {
  const context = await browser.newContext({ baseURL: origin, storageState, viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.addInitScript(watch, { shown: SHOWN, rows, shows });
  const devtools = await context.newCDPSession(page);
  await devtools.send("Network.enable");
  await devtools.send("Network.emulateNetworkConditions", NETWORK);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  await page.goto(path);
  await page.locator(shows).first().waitFor();
  await page.waitForLoadState("networkidle");
  await page.waitForFunction(() => measured.contents !== undefined);
  const { largest, contents } = await measuredIn(page);
  for (const [what, value] of Object.entries({ "largest paint": largest, contents })) {
    if (rows === SHOWN) found[`${what} of ${path}`]?.values.push(value);
  }
  await use?.(page, rows);
  await context.close();
}

async function queue(page, rows) {
  const noteQueue = (what, value) => note(`queue of ${rows} rows, ${what}`, value);
  await page.waitForFunction(() => measured.usable !== undefined);
  noteQueue("usable", (await measuredIn(page)).usable);
  for (let pressed = 1; pressed <= KEYS; pressed += 1) {
    await page.keyboard.press(pressed % 3 === 0 ? "k" : "j");
    await page.waitForFunction((count) => measured.keys.length === count, pressed);
  }
  const { keys } = await measuredIn(page);
  noteQueue("key to focus, median", quantile(keys, 0.5));
  noteQueue("key to focus, p95", quantile(keys, 0.95));
  const tiles = page.locator("a.tile");
  for (let n = 1; n < (await tiles.count()); n += 1) {
    await tiles.nth(n).click();
    await page.waitForFunction((count) => measured.filters.length === count, n);
    await page.waitForLoadState("networkidle");
  }
  const { filters } = await measuredIn(page);
  noteQueue("filter to rows, median", quantile(filters, 0.5));
  noteQueue("filter to rows, slowest", quantile(filters, 1));
}

const [rounds, sizes] = [Number(process.argv[2]), JSON.parse(process.argv[3])];
const [owner, staff] = [await session("owner"), await session("staff")];
for (let hundred = 0; hundred < HUNDREDS; hundred += 1) {
  await send(Array.from({ length: 100 }, (_, n) => claim({ denial_date: day(-1 - ((hundred + n) % 150)) })));
}
for (let round = 0; round < rounds; round += 1) {
  await open("/sign-in", undefined, "input[type=email]", SHOWN);
  await open("/home", owner, "main .needs li", SHOWN);
  await open("/claims", owner, "tbody tr", SHOWN);
  for (const rows of SIZES) await open("/queue", staff, "tbody tr", rows, queue);
}
await browser.close();

const verdict = (value, budget) => (value <= budget ? "ok" : "**missed**");
const ms = (value) => `${Math.round(value)} ms`;
const kb = (bytes) => `${(bytes / 1000).toFixed(1)} KB`;
const rows = [
  ...sizes.map(([what, size, budget]) => [`${what}, gzipped`, kb(size), "", kb(budget), verdict(size, budget)]),
  ...Object.entries(found).map(([what, { budget, values }]) => {
    const [low, middle, high] = [quantile(values, 0), quantile(values, 0.5), quantile(values, 1)];
    return [what, ms(middle), `${Math.round(low)} to ${ms(high)}`, ms(budget), verdict(middle, budget)];
  }),
];
const [load] = loadavg();
console.log(`${rounds} rounds on ${cpus().length} processors with a load of ${load.toFixed(1)}
| what | median | range | budget | |
| --- | --- | --- | --- | --- |
${rows.map((row) => `| ${row.join(" | ")} |`).join("\n")}`);
