import assert from "node:assert/strict";
import { test } from "node:test";
import { plain } from "../src/lib/plain.ts";
import { readProblem } from "../src/lib/problem.ts";

test("the words of the interface become those of people", () => {
  for (const [text, said] of [
    ["is required (YYYY-MM-DD)", "is required"],
    ["must not be behind 2026-11-24", "must not be after Nov 24, 2026"],
    ["must not be before 2026-11-24", "must not be before Nov 24, 2026"],
    ["must be a whole number from 30 to 36500", "must be a number from 30 to 36,500"],
    ["must not be before filed_on", "must not be before the day on which the level was filed"],
    ["must not be before denial_date", "must not be before the denial date"],
    ["is required with outcome", "is required: a decision has an outcome and a day"],
    ["is required with decided_on", "is required: a decision has an outcome and a day"],
    ["is in_appeal, and only the person who has taken the claim can move it", "was taken by a colleague, or by no one. Take it first"],
    ["status is in_appeal, and only the person who has taken the claim can move it", "was taken by a colleague, or by no one. Take it first"],
    ["of the case are no longer in_appeal", "have their results already"],
    ["must be a claim that is in appeal in the case", "has its result already. Close this, and look at the case"],
    ["must be one of received, reviewing", "must be one of the choices"],
    ["must be out of claim.status_changed report.delivered", "must be one of the choices"],
    ["must be an array of text", "must be one of the choices"],
    ["must have 1 to 50 items", "must have 1 to 50 entries"],
    ["must be true or false", "must be yes or no"],
    ["is required: the ETag of what you change", "is missing. Reload the page, and try again"],
  ] as const) {
    assert.equal(plain(text), said);
  }
  for (const fine of ["is required", "is not right", "must be at most 200 characters", "must be the two letters of a state"]) {
    assert.equal(plain(fine), fine);
  }
});

test("the sentence of a problem that is a field's is plain as well", () => {
  const details = [{ field: "npi", message: "must be an NPI of 10 digits" }];
  const error = { code: "validation_failed", message: "npi must be an NPI of 10 digits", details };
  const found = readProblem(422, new Headers(), { error });
  assert.equal(found.detail, `npi ${found.fields[0]?.message}`);
  assert.match(found.detail, /^npi must be the 10 digits of your NPI/);
});
