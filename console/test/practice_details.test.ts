import assert from "node:assert/strict";
import { test } from "node:test";
import { addressLines, missingDetails, phone } from "../src/lib/practice_details.ts";

const address = { line1: "100 Main St", line2: null, city: "Austin", state: "TX", zip: "78701" };

test("a phone number and an address are as people write them", () => {
  assert.equal(phone("+15125550100"), "(512) 555-0100");
  assert.equal(phone(null), undefined);
  assert.deepEqual(addressLines(address), ["100 Main St", "Austin, TX 78701"]);
  assert.deepEqual(addressLines({ ...address, line2: "Suite 4" }), ["100 Main St", "Suite 4", "Austin, TX 78701"]);
  assert.deepEqual(addressLines(null), []);
});

test("an appeal lacks everything but the time zone", () => {
  const none = { address: null, npi: null, tax_id: null, phone: null, time_zone: null };
  assert.deepEqual(missingDetails(none), ["the address", "the NPI", "the tax id", "the phone number"]);
  assert.deepEqual(missingDetails({ ...none, address, npi: "1234567893", tax_id: "12-3456789", phone: "+15125550100" }), []);
});
