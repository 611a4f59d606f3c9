import assert from "node:assert/strict";
import { test } from "node:test";
import { addDays, ago, bytes, date, day, daysUntil, deadline, deniedInWords, deniedOn, listed, money, plural, sum, time, today, whole, words } from "../src/lib/format.ts";

test("a deadline is said in words, and as urgent as it is", () => {
  const from = "2026-11-22";
  const cases: [string | null, string, string][] = [
    ["2026-11-22", "today", "today"],
    ["2026-11-23", "tomorrow", "soon"],
    ["2026-11-28", "in 6 days", "soon"],
    ["2026-11-29", "in 7 days", "soon"],
    ["2026-11-30", "in 8 days", "later"],
    ["2026-11-21", "1 day late", "late"],
    ["2026-11-19", "3 days late", "late"],
    [null, "not known", "unknown"],
  ];
  for (const [on, words, urgency] of cases) assert.deepEqual(deadline(on, from), { words, urgency }, String(on));
});

test("days are days of the calendar, also over a change to summer time and a leap day", () => {
  assert.equal(daysUntil("2026-03-09", "2026-03-07"), 2);
  assert.equal(daysUntil("2026-11-02", "2026-10-31"), 2);
  assert.equal(daysUntil("2028-03-01", "2028-02-28"), 2);
  assert.equal(daysUntil("2027-01-01", "2026-12-31"), 1);
});

test("today is the reader's date, at any time of the day", () => {
  assert.equal(today(new Date(2026, 10, 22, 0, 0)), "2026-11-22");
  assert.equal(today(new Date(2026, 10, 22, 23, 59, 59, 999)), "2026-11-22");
  assert.equal(today(new Date(2026, 0, 5, 12)), "2026-01-05");
});

test("days are added across the ends of months and years", () => {
  assert.equal(addDays("2026-12-31", 1), "2027-01-01");
  assert.equal(addDays("2024-03-01", -1), "2024-02-29");
});

test("money keeps every digit", () => {
  assert.equal(money("1245.00"), "$1,245.00");
  assert.equal(money("0.05"), "$0.05");
  assert.equal(money("-12.30"), "−$12.30");
  assert.equal(money("90071992547409.93"), "$90,071,992,547,409.93");
  assert.equal(money(null), "–");
  assert.equal(money("not an amount"), "not an amount");
});

test("sums are exact", () => {
  assert.equal(sum(["0.10", "0.20"]), "0.30");
  assert.equal(sum(["90071992547409.93", "0.01"]), "90071992547409.94");
  assert.equal(sum(["1.00", "-1.05"]), "-0.05");
  assert.equal(sum([]), "0.00");
});

test("a date does not move with the time zone of the reader", () => {
  assert.equal(date("2026-01-01"), "Jan 1, 2026");
  assert.equal(date(null), "–");
  assert.equal(time("2026-11-21T17:45:23.120Z", "America/New_York"), "Nov 21, 2026, 12:45 PM");
});

test("numbers, dates and times read as the platform would write them", () => {
  const numbers = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
  for (const count of [0, 7, 999, 1000, 12_345, 999_999, 1_000_000, 90_071_992_547_409, -1, -1234, 2.4]) assert.equal(whole(count), numbers.format(count));
  for (const things of [[], ["a"], ["a", "b"], ["a", "b", "c"], ["a", "b", "c", "d"]]) assert.equal(listed(things), new Intl.ListFormat("en-US").format(things));
  const [days, utc, times] = [{}, { timeZone: "UTC" }, { timeStyle: "short" as const }].map((more) => new Intl.DateTimeFormat("en-US", { dateStyle: "medium", ...more }));
  // An hour and eleven minutes more each time meet every hour, every month, and both changes of summer time.
  for (let at = Date.parse("2025-12-31T22:00:00Z"); at < Date.parse("2028-03-02T00:00:00Z"); at += 4_260_000) {
    const instant = new Date(at).toISOString();
    assert.equal(day(instant), days?.format(at));
    assert.equal(date(instant), utc?.format(at));
    assert.equal(time(instant), times?.format(at).replaceAll("\u202f", " "));
  }
});

test("an instant is so long ago", () => {
  const now = new Date("2026-11-22T12:00:00Z");
  assert.equal(ago("2026-11-22T11:59:30Z", now), "just now");
  assert.equal(ago("2026-11-22T11:59:00Z", now), "1 minute ago");
  assert.equal(ago("2026-11-22T09:00:00Z", now), "3 hours ago");
  assert.equal(ago("2026-11-21T09:00:00Z", now), "yesterday");
  assert.equal(ago("2026-11-12T09:00:00Z", now), "10 days ago");
});

test("counts, sizes and names are words", () => {
  assert.equal(plural(1, "claim"), "1 claim");
  assert.equal(plural(1200, "claim"), "1,200 claims");
  assert.equal(plural(2, "entry", "entries"), "2 entries");
  assert.equal(bytes(999), "999 bytes");
  assert.equal(bytes(1023), "1,023 bytes");
  assert.equal(bytes(2_516_583), "2.4 MiB");
  assert.equal(bytes(52_428_800), "50.0 MiB");
  assert.equal(words("in_appeal"), "In appeal");
});

test("an amount that no claim was sent with is not said to be zero", () => {
  assert.deepEqual([deniedOn(2, "0.00"), deniedOn(2, "12.50"), deniedOn(0, "0.00")], ["not\u00a0sent", "$12.50", "$0.00"]);
  assert.deepEqual([deniedInWords(1, "0.00"), deniedInWords(0, "0.00")], ["no denied amount was sent", "$0.00 denied"]);
});
