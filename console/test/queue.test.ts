import assert from "node:assert/strict";
import { test } from "node:test";
import { amountOf, compareAmounts } from "../src/lib/amount.ts";
import { addDays, today } from "../src/lib/format.ts";
import { canShow, hrefWith, isFiltered, keptQuery, keptWords, queueOf, queueQuery } from "../src/pages/staff/queue_query.ts";

test("the address of the queue becomes the API's query", () => {
  const params = new URLSearchParams("status=received&practice=p1&payer=Acme&code=co-45&taken=me&age=month&cursor=none_1&other=x");
  assert.deepEqual(queueQuery(params), {
    status: "received",
    practice_id: "p1",
    payer_name: "Acme",
    denial_code: "CO-45",
    taken_by: "me",
    min_age_days: 30,
    cursor: "none_1",
  });
  assert.deepEqual(queueQuery(new URLSearchParams("age=never&status=")), {});
  assert.deepEqual(queueQuery(new URLSearchParams("decision=due")), { ask_before: addDays(today(), 1) });
});

test("a search for a number looks among all claims, whatever the filters are", () => {
  const { status, claim_number } = queueQuery(new URLSearchParams(), "A-1");
  assert.equal(claim_number, "A-1");
  assert.match(status ?? "", /recovered,closed$/);
  const filtered = queueQuery(new URLSearchParams("status=received&payer=Acme&practice=p1&cursor=none_1"), "A-1");
  assert.deepEqual(filtered, { status, claim_number: "A-1" });
});

test("a changed filter begins at the first page and keeps the others", () => {
  const params = new URLSearchParams("payer=Acme&status=received&cursor=none_1");
  assert.equal(hrefWith(params, "status", "closed"), "/queue?payer=Acme&status=closed");
  assert.equal(hrefWith(new URLSearchParams("status=closed"), "status", undefined), "/queue");
  assert.equal(isFiltered(new URLSearchParams("cursor=none_1")), false);
  assert.equal(isFiltered(params), true);
});

test("a saved query leads back to the address that it was made from, and its day to today's", () => {
  for (const address of [
    "status=received&practice=p1&payer=Acme+%26+Sons&code=CO-45&taken=me&signature=link_dead&decision=due&age=month&sort=-deadline",
    "age=today&sort=-denied",
    "age=quarter&taken=nobody&sort=arrived",
  ]) {
    const path = new URL(queueOf(keptQuery(new URLSearchParams(`${address}&cursor=none_1`))), "https://a.example");
    assert.deepEqual(new Set(path.searchParams), new Set(new URLSearchParams(address)));
    assert.equal(keptQuery(path.searchParams), keptQuery(new URLSearchParams(address)));
  }
  assert.equal(queueOf("ask_before=2020-01-01&min_age_days=30"), "/queue?decision=due&age=month");
  for (const query of ["min_age_days=31", "min_age_days=30&max_age_days=60", "status=received%2Cclosed", "signature=other", "taken_by=me&x=1"]) {
    assert.equal(canShow(query), false, query);
  }
  for (const query of ["ask_before=2020-01-01&min_age_days=30", "status=closed&taken_by=me&order=latest_deadline", "payer_name=A+%26+B"]) {
    assert.equal(canShow(query), true, query);
  }
  assert.equal(keptWords("min_age_days=31&payer_name=A+B"), "The queue cannot show it: min_age_days 31, payer_name A B");
  assert.equal(keptWords("payer_name=Acme&max_age_days=7&order=latest_deadline"), "Filters: payer, age");
});

test("amounts are read as people type them", () => {
  const good = { "80": "80.00", "$1,245.5": "1245.50", " 0080.05 ": "80.05", "0": "0.00", "1,000,000": "1000000.00" };
  for (const [typed, amount] of Object.entries(good)) assert.equal(amountOf(typed), amount, typed);
  for (const typed of ["", "abc", "-5", "1.234", "1,23", "1e3", "12345678901234567", "$"]) assert.equal(amountOf(typed), undefined, typed);
});

test("amounts are compared as numbers", () => {
  assert.equal(compareAmounts("80.00", "180.00"), -1);
  assert.equal(compareAmounts("180.00", "180.00"), 0);
  assert.equal(compareAmounts("9007199254740993.01", "9007199254740993.00"), 1);
});
