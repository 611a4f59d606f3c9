import assert from "node:assert/strict";
import { test } from "node:test";
import { Intent } from "../src/lib/intent.ts";

test("every try of one change has the same key", () => {
  const intent = new Intent();
  const key = intent.keyFor("POST /keys {}");
  assert.match(key, /^[0-9a-f-]{36}$/);
  assert.equal(intent.keyFor("POST /keys {}"), key);
});

test("another change, or one after a final answer, has another key", () => {
  const intent = new Intent();
  const key = intent.keyFor("POST /keys a");
  const other = intent.keyFor("POST /keys b");
  assert.notEqual(other, key);
  intent.settle();
  assert.notEqual(intent.keyFor("POST /keys b"), other);
});
