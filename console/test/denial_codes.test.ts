import assert from "node:assert/strict";
import { test } from "node:test";
import { explain } from "../src/ui/denial_codes.ts";

test("codes of one group mean what their number says", () => {
  const meant = ["CO-29", "CO-197", "CO-16", "CO-50"].map((code) => explain(code).meaning ?? "");
  [/time limit for filing/, /authorization is missing/, /lacks information/, /[Nn]ot medically necessary/].forEach((right, n) =>
    assert.match(meant[n] ?? "", right),
  );
  assert.match(explain("PI-204").meaning ?? "", /current plan/);
  assert.match(explain("N130").meaning ?? "", /plan’s documents/);
  assert.match(explain("M51").meaning ?? "", /procedure code is missing/);
});

test("the group says who bears the amount", () => {
  assert.match(explain("CO-45").group, /may not be billed to the patient/);
  assert.match(explain("PR-45").group, /the patient owes it/);
  assert.equal(explain("CO-45").meaning, explain("PR-45").meaning);
  const groups = ["CO-1", "CR-1", "OA-1", "PI-1", "PR-1"].map((code) => explain(code).group);
  assert.equal(new Set(groups).size, 5);
});

test("of an unknown code, only the group is said", () => {
  assert.deepEqual(explain("CO-999"), { meaning: undefined, group: explain("CO-1").group });
  assert.deepEqual(explain("N999"), { meaning: undefined, group: explain("M51").group });
  assert.equal(explain("ZZ-1").group, "An adjustment of the payer.");
  // A reason is no remark, and the other way around.
  assert.equal(explain("M50").meaning, undefined);
  assert.equal(explain("CO-M51").meaning, undefined);
  for (const odd of ["", "-", "CO", "CO-", "CO-constructor", "constructor", "CO-toString"]) assert.equal(explain(odd).meaning, undefined, odd);
});
