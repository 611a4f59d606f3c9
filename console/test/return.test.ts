import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

class Store {
  items = new Map<string, string>();
  getItem = (name: string): string | null => this.items.get(name) ?? null;
  setItem = (name: string, value: string): void => void this.items.set(name, value);
  removeItem = (name: string): void => void this.items.delete(name);
}
const [tab, browser] = [new Store(), new Store()];
Object.assign(globalThis, {
  location: new URL("https://overturn.example/sign-in?return=%2Fclaims%3Fstatus%3Dreceived"),
  document: new EventTarget(),
  addEventListener: () => {},
  history: { state: null, replaceState: () => {} },
  sessionStorage: tab,
  localStorage: browser,
});
const { startRouter } = await import("../src/lib/router.ts");
const { keepReturn, returnPath, takeReturn, withReturn } = await import("../src/lib/return.ts");
startRouter((path) => /^\/(claims|sign-in|enrol|magic-link|invitation)?(\/|$)/.test(path));

beforeEach(() => [tab, browser].forEach(({ items }) => items.clear()));

test("only a screen of our own is returned to", () => {
  assert.equal(returnPath("/claims?status=received"), "/claims?status=received");
  assert.equal(returnPath("/sign-in/connect"), "/sign-in/connect");
  const others = [null, "", "claims", "https://evil.example/claims", "//evil.example/claims", "/\\evil.example/claims"];
  const never = ["/", "/sign-in", "/enrol", "/magic-link", "/invitation", "/api/v1/denials", "/.//evil.example", "javascript:alert(1)"];
  for (const path of [...others, ...never]) assert.equal(returnPath(path), undefined, String(path));
});

test("the way to an email keeps where the person wanted to go", () => {
  assert.equal(withReturn("/magic-link"), "/magic-link?return=%2Fclaims%3Fstatus%3Dreceived");
});

test("a kept path is taken once, and this tab's goes first", () => {
  keepReturn("/claims/1", "browser");
  assert.deepEqual([takeReturn(), takeReturn()], ["/claims/1", undefined]);
  keepReturn("/claims/1", "browser");
  keepReturn("/claims/2", "tab");
  assert.deepEqual([takeReturn(), takeReturn()], ["/claims/2", undefined]);
});

test("an old path, one of another site and anything unreadable lead nowhere", (context) => {
  context.mock.timers.enable({ apis: ["Date"], now: 0 });
  keepReturn("/claims", "browser");
  context.mock.timers.tick(10 * 60_000);
  assert.equal(takeReturn(), undefined);
  keepReturn("https://evil.example/", "tab");
  assert.equal(tab.items.size, 0);
  tab.setItem("overturn.return", JSON.stringify({ path: "https://evil.example/claims", until: Date.now() + 1000 }));
  assert.equal(takeReturn(), undefined);
  tab.setItem("overturn.return", "{");
  assert.equal(takeReturn(), undefined);
});

test("a browser that stores nothing signs in all the same", () => {
  Object.defineProperty(globalThis, "sessionStorage", {
    get: () => {
      throw new Error("denied");
    },
  });
  keepReturn("/claims", "tab");
  assert.equal(takeReturn(), undefined);
});
