import assert from "node:assert/strict";
import { test } from "node:test";

Object.assign(globalThis, { localStorage: { getItem: () => null } });
const { inForce } = await import("../src/lib/keys.ts");

test("a key of two parts of the screen is listed once, with what it does", () => {
  const run = (): void => undefined;
  const all = [
    { keys: "j", what: "Next row", run },
    { keys: "/", what: "Search", run },
    { keys: "j", what: "Next claim", run },
  ];
  assert.deepEqual(inForce(all).map(({ keys, what }) => [keys, what]), [["/", "Search"], ["j", "Next claim"]]);
});
