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
