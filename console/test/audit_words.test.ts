import assert from "node:assert/strict";
import { test } from "node:test";
import { factsOf, recordOf, type Row, whatOf, whoOf } from "../src/pages/audit/words.ts";

const row = (given: Partial<Row>): Row => ({
  id: "1",
  at: "2026-11-21T09:55:40.220Z",
  actor: { type: "staff", id: "2", name: null },
  action: "claim.read",
  record: "3",
  claim_number: "CH-0105",
  claim_numbers: [],
  record_name: null,
  request_id: "4",
  detail: null,
  sequence: 1,
  address: "192.0.2.10",
  session_id: null,
  ...given,
});

test("a row says in words who did what to which record", () => {
  const read = row({});
  assert.deepEqual([whoOf(read.actor), whatOf(read.action), recordOf(read)], ["Overturn staff", "Opened the claim", "CH-0105"]);
  const made = row({ actor: { type: "user", id: "2", name: "Morgan Ellis" }, action: "api_key.created", claim_number: null, record_name: "Billing" });
  assert.deepEqual([whoOf(made.actor), recordOf(made)], ["Morgan Ellis", "Billing"]);
  const opened = row({ action: "case.opened", claim_number: null });
  assert.equal(recordOf(opened), "The appeal");
  // The service may add actions.
  assert.deepEqual([whatOf("robot.began"), recordOf(row({ action: "robot.began", claim_number: null }))], ["Robot: began", "The record"]);
});

test("facts are words, dates and yes or no, without ids and what the row says elsewhere", () => {
  const detail = {
    claims: ["019aa2f0-5a10-7c3e-8f00-3d1f6b7a2c11", "019aa2f0-5a10-7c3e-8f00-3d1f6b7a2c12"],
    due_on: "2026-12-01",
    kind: "internal_appeal",
    link_id: "019aa2f0-5a10-7c3e-8f00-3d1f6b7a2c11",
    ip: "192.0.2.10",
    appeal_button: false,
    fields: ["url", "events"],
  };
  assert.deepEqual(factsOf(row({ detail: detail as unknown as Row["detail"] })), [
    ["Claims", "2"],
    ["Due on", "Dec 1, 2026"],
    ["Kind", "Internal appeal"],
    ["Link for patients", "no"],
    ["Fields", "url, events"],
  ]);
});

test("a search says the numbers of the claims that it found, or how many there are if their practice may not read them", () => {
  const found = [{ practice_id: "019aa2f0-5a10-7c3e-8f00-3d1f6b7a2c11", id: "019aa2f0-5a10-7c3e-8f00-3d1f6b7a2c12" }];
  const search = row({ action: "queue.searched", claim_number: null, detail: { practice_id: null, found } as unknown as Row["detail"] });
  assert.deepEqual(factsOf({ ...search, claim_numbers: ["CH-0105"] }).at(-1), ["Found", "CH-0105"]);
  assert.deepEqual(factsOf(search).at(-1), ["Found", "1"]);
});
