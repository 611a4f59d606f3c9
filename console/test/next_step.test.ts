import assert from "node:assert/strict";
import { test } from "node:test";
import { type ClaimStatus, claimStatuses, type SigningStatus } from "../src/generated/rules.ts";
import { nextStep } from "../src/pages/practice/next_step.ts";

const TODAY = "2026-11-22";
const step = (status: ClaimStatus, due: string | null = null, signing: SigningStatus = "not_needed", link: string | null = "2026-12-01T00:00:00Z") =>
  nextStep({ status, signing: { status: signing, link_expires_at: link }, deadline: due === null ? null : { date: due } }, TODAY);

test("each status says what to do, and calm ones ask for nothing", () => {
  const texts = claimStatuses.map((status) => step(status, "2027-02-01"));
  assert.equal(new Set(texts.map(({ text }) => text)).size, claimStatuses.length);
  assert.ok(texts.every(({ isYours }) => !isYours));
  assert.equal(step("received").isYours, false);
});

test("a claim that waits for the patient asks for the signature, until it is over", () => {
  for (const status of ["received", "reviewing", "in_report", "in_appeal"] as const) {
    assert.deepEqual(step(status, null, "needed"), { text: "Have the patient sign. We cannot go on before that.", isYours: true });
  }
  assert.deepEqual(step("closed", "2026-01-01", "needed"), step("closed"));
  const dead = step("in_report", null, "needed", null);
  assert.match(dead.text, /no longer works/);
  assert.equal(dead.isYours, false, "our staff makes a new link");
});

test("a near or passed deadline is said, on its very days", () => {
  assert.match(step("received", "2026-11-21").text, /has passed/);
  assert.match(step("received", "2026-11-22").text, /deadline is today/);
  assert.match(step("in_appeal", "2026-11-29", "needed").text, /patient sign.*deadline is in 7 days/);
  assert.equal(step("received", "2026-11-30").text, step("received").text);
  assert.equal(step("recovered", "2026-11-21").isYours, false);
});
