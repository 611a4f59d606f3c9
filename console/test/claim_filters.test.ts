import assert from "node:assert/strict";
import { test } from "node:test";
import { denialCode } from "../src/lib/denial_code.ts";
import { apiQuery, countSet, FILTERS, isWhole, MORE } from "../src/pages/practice/claim_filters.ts";

test("a denial code is taken as people write it", () => {
  const cases = [
    ["CO-50", "CO-50"],
    ["co 50", "CO-50"],
    ["pr96", "PR-96"],
    [" n130 ", "N130"],
    ["ma 130", "MA130"],
    ["M15", "M15"],
    ["", ""],
    ["CO", undefined],
    ["CO-1234", undefined],
    ["50", undefined],
    ["XX-50", undefined],
  ] as const;
  for (const [typed, code] of cases) assert.equal(denialCode(typed), code, typed);
});

test("a date counts once its year is typed to the end", () => {
  assert.ok(!isWhole("0002-11-22"));
  assert.ok(!isWhole("0202-11-22"));
  assert.ok(isWhole("2026-11-22"));
  assert.ok(isWhole(""));
});

test("the address is the query of the service, and holds no claim number", () => {
  const address = new URLSearchParams("status=received,reviewing&payer_name=Acme&due_to=2026-11-30&claim_number=X&cursor=abc");
  const query = apiQuery(address);
  assert.deepEqual(query.status, ["received", "reviewing"]);
  assert.equal(query.cursor, "abc");
  assert.ok(!("claim_number" in query));
  assert.equal(countSet(address, FILTERS), 3);
  assert.equal(countSet(address, MORE), 1);
});
