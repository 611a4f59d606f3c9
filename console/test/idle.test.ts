import assert from "node:assert/strict";
import { mock, test } from "node:test";

// Two browser clocks that a test can set apart from the service's: `wall` can be wrong or be set, `steady` stops in a sleep.
const START = Date.parse("2026-11-22T12:00:00Z");
const MINUTE = 60_000;
let service = START;
let wall = 0;
let steady = 0;
/** What the service says, and where the page was led. */
let idleEnd = 0;
let signedIn = true;
let asked: string[] = [];
let left: string[] = [];
let isOffline = false;

class Channel extends EventTarget {
  postMessage(): void {}
}
const page = new EventTarget();
Object.assign(globalThis, {
  BroadcastChannel: Channel,
  document: Object.assign(new EventTarget(), { cookie: "" }),
  addEventListener: page.addEventListener.bind(page),
  removeEventListener: page.removeEventListener.bind(page),
  location: Object.assign(new URL("https://x.example/home"), { replace: (to: URL) => left.push(to.searchParams.get("because") ?? "") }),
});
Date.now = () => wall;
performance.now = () => steady;

const answer = (): Response => {
  const session = { id: "s", kind: "full", ends_at: new Date(idleEnd + 24 * 60 * MINUTE), idle_ends_at: new Date(idleEnd) };
  const body = signedIn ? { user: { id: "u" }, session, may: [] } : { error: { code: "not_authenticated", message: "no" } };
  const headers = { "Content-Type": "application/json", Date: new Date(service).toUTCString() };
  return new Response(JSON.stringify(body), { status: signedIn ? 200 : 401, headers });
};
globalThis.fetch = async (_, init) => {
  asked.push(new Headers(init?.headers).get("X-Passive-Read") ?? "use");
  if (isOffline) throw new Error("offline");
  return answer();
};

mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
const repeats: (() => void)[] = [];
globalThis.setInterval = ((run: () => void) => void repeats.push(run)) as unknown as typeof setInterval;
const { secondsLeft, startIdle, used } = await import("../src/lib/idle.ts");
const { serviceNow } = await import("../src/lib/clock.ts");
const { loadSession, session } = await import("../src/lib/session.ts");
startIdle();

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};
/** Lets time go by. The browser runs single timers, and repeated ones only while the tab is in sight. */
async function pass(ms: number, isHidden = false): Promise<void> {
  for (let gone = 0; gone < ms; gone += 1000) {
    [service, wall, steady] = [service + 1000, wall + 1000, steady + 1000];
    mock.timers.tick(1000);
    if (!isHidden) repeats.forEach((run) => run());
    await settle();
  }
}

/** Signs in with a browser clock that is `wrong` by so many milliseconds. */
async function begin(wrong = 0): Promise<void> {
  session.value = undefined;
  await settle();
  [asked, left, signedIn, isOffline] = [[], [], true, false];
  service += 60 * MINUTE;
  [wall, idleEnd] = [service + wrong, service + 30 * MINUTE];
  await loadSession();
  asked = [];
}

for (const wrong of [0, 2 * 60 * MINUTE, -2 * 60 * MINUTE]) {
  test(`a browser clock that is ${wrong / MINUTE} minutes wrong changes neither the warning nor the end`, async () => {
    await begin(wrong);
    await pass(27.9 * MINUTE);
    assert.deepEqual([asked, secondsLeft.value], [[], undefined]);
    await pass(0.2 * MINUTE);
    assert.deepEqual(asked, ["true"], "asks without using the session");
    assert.ok(secondsLeft.value && secondsLeft.value > 100 && secondsLeft.value <= 120);
    await pass(1.8 * MINUTE);
    assert.deepEqual(left, []);
    signedIn = false;
    await pass(0.2 * MINUTE);
    assert.deepEqual(left, ["idle"]);
  });
}

test("a hidden tab, whose repeated timers hardly run, ends on time", async () => {
  await begin();
  await pass(29.8 * MINUTE, true);
  assert.deepEqual(left, []);
  isOffline = true;
  await pass(14_000, true);
  assert.deepEqual(left, ["idle"]);
});

test("after a sleep, in which the timers and the steady clock stood still, the page ends at once", async () => {
  await begin();
  await pass(5 * MINUTE);
  [service, wall, signedIn] = [service + 40 * MINUTE, wall + 40 * MINUTE, false];
  page.dispatchEvent(new Event("focus"));
  await settle();
  assert.deepEqual([asked, left], [["true"], ["idle"]]);
});

test("a clock that is set forward ends nothing, because the service is asked first", async () => {
  await begin();
  wall += 40 * MINUTE;
  await pass(2 * MINUTE);
  assert.deepEqual([asked, left, secondsLeft.value], [["true"], [], undefined]);
});

test("a clock that is set back does not put off the end", async () => {
  await begin();
  wall -= 40 * MINUTE;
  isOffline = true;
  await pass(30 * MINUTE);
  assert.deepEqual(left, ["idle"]);
});

test("a use puts the end off as the service counts it: once a minute", async () => {
  await begin();
  await pass(MINUTE / 2);
  used(serviceNow());
  isOffline = true;
  await pass(29.6 * MINUTE);
  assert.deepEqual(left, ["idle"], "a use within a minute of an earlier one does not count");
  await begin();
  await pass(10 * MINUTE);
  used(serviceNow());
  await pass(25 * MINUTE);
  assert.deepEqual([asked, left], [[], []]);
});

test("no warning shows while the session goes on elsewhere", async () => {
  await begin();
  idleEnd += 20 * MINUTE;
  await pass(29 * MINUTE);
  assert.deepEqual([asked, secondsLeft.value], [["true"], undefined]);
  await pass(20 * MINUTE);
  assert.equal(asked.length, 2);
  assert.ok(secondsLeft.value);
});

test("a session that was ended elsewhere leads to the sign-in without a word about rest", async () => {
  await begin();
  signedIn = false;
  await pass(28.1 * MINUTE);
  assert.deepEqual(left, ["expired"]);
});
