import assert from "node:assert/strict";
import { test } from "node:test";

Object.assign(globalThis, { location: new URL("https://overturn.example/claims?status=received") });
const { match, query } = await import("../src/lib/router.ts");

test("a pattern gives the parts of a path", () => {
  assert.deepEqual(match("/work/:practice/claims/:id", "/work/p1/claims/c1"), { practice: "p1", id: "c1" });
  assert.deepEqual(match("/claims", "/claims"), {});
  assert.deepEqual(match("/claims", "/claims/"), {});
  assert.deepEqual(match("/", "/"), {});
});

test("another path does not match", () => {
  for (const path of ["/claims/", "/claims", "/claims/a/b", "/settings/a", "/Claims/a"]) {
    assert.equal(match("/claims/:id", path), undefined, path);
  }
  assert.equal(match("/", "/claims"), undefined);
});

test("filters are in the query", () => {
  assert.equal(query.value.get("status"), "received");
});
