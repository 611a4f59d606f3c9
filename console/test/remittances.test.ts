import { effect } from "@preact/signals";
import assert from "node:assert/strict";
import { test } from "node:test";
import { readCsv } from "../src/lib/csv.ts";
import type { Intent } from "../src/lib/intent.ts";
import { ownProblem, Problem } from "../src/lib/problem.ts";
import { birthDay, birthsFile, readTemplate } from "../src/pages/remittances/births.ts";
import { type Answered, firstBatch, placesIn } from "../src/pages/remittances/outbox.ts";
import { Run } from "../src/pages/remittances/run.ts";
import { Sending } from "../src/pages/remittances/sending.ts";
import type { Outcome } from "../src/worker/messages.ts";

const claim = (number: string, size = 0) => {
  const json = JSON.stringify({ claim: { claim_number: number, filler: "é".repeat(size) } });
  return { claim_number: number, denied_amount: "1.00", json };
};
const claims = (count: number) => Array.from({ length: count }, (_, n) => claim(`A-${n}`));
const BOUNDS = { claims: 100, bytes: 10_000 };
const numbers = (items: readonly unknown[]) => items.map((item) => (item as { claim: { claim_number: string } }).claim.claim_number);
const problem = (status: number, detail: string, more = {}) => new Problem({ status, code: "x", detail, ...more });

/** A service that answers in turn: a problem, or what it says of each claim by its number. */
function service(...answers: (Problem | Record<string, Partial<Answered>>)[]) {
  const sent: string[][] = [];
  const keys: string[] = [];
  const post = async (items: readonly unknown[], intent: Intent): Promise<Answered[]> => {
    const body = JSON.stringify(items);
    sent.push(numbers(items));
    keys.push(intent.keyFor(body));
    const answer = answers.shift() ?? {};
    if (answer instanceof Problem) throw answer;
    return numbers(items).map((claim_number) => ({ claim_number, created: true, id: `id ${claim_number}`, ...answer[claim_number] }));
  };
  return { sent, keys, post };
}

test("a request has at most a hundred claims, and at most the bytes that the service takes", () => {
  assert.equal(firstBatch(claims(250), { claims: 100, bytes: 1_000_000 }).length, 100);
  const large = [1, 2, 3].map((n) => claim(`L-${n}`, 300));
  for (const bytes of [700, 1400, 2000]) {
    const batch = firstBatch(large, { claims: 100, bytes });
    const body = JSON.stringify({ claims: batch.map(({ json }) => JSON.parse(json)) });
    assert.ok(Buffer.byteLength(body) <= bytes, `${bytes}`);
    assert.ok(batch.length >= 1);
  }
  assert.equal(firstBatch(large, { claims: 100, bytes: 1400 }).length, 2);
  // A claim that is too large goes alone, so that the service says so.
  assert.equal(firstBatch(large, { claims: 100, bytes: 10 }).length, 1);
});

test("all claims are sent once, in order, each request under a key of its own", async () => {
  const { sent, keys, post } = service({}, { "A-100": { created: false } });
  const sending = new Sending(claims(250), { claims: 100, bytes: 1_000_000 }, post);
  await sending.run();
  assert.equal(sending.stage.value, "done");
  assert.deepEqual(sent.flat(), claims(250).map((one) => one.claim_number));
  assert.deepEqual(sent.map((batch) => batch.length), [100, 100, 50]);
  assert.equal(new Set(keys).size, 3);
  assert.equal(sending.outbox.created.length, 249);
  assert.deepEqual(sending.outbox.known.map(({ id }) => id), ["id A-100"]);
});

test("a request whose answer is lost is sent again as it was, under its key", async () => {
  const { sent, keys, post } = service({}, ownProblem("network", "lost"), problem(503, "busy"));
  const sending = new Sending(claims(250), BOUNDS, post);
  await sending.run();
  assert.equal(sending.stage.value, "lost");
  const left = sending.outbox.left;
  sending.resume();
  await new Promise(setImmediate);
  assert.equal(sending.stage.value, "stopped");
  // Only a lost connection goes on by itself.
  sending.resume();
  assert.equal(sending.outbox.left, left);
  await sending.run();
  assert.equal(sending.stage.value, "done");
  assert.deepEqual(sent[1], sent[2]);
  assert.deepEqual(sent[1], sent[3]);
  assert.deepEqual([keys[1], keys[1]], [keys[2], keys[3]]);
  assert.equal(sending.outbox.created.length, 250);
});

test("the first refused claim stops the sending, and further ones are listed at the end", async () => {
  const why = "claim.claim_number is already used for a different patient";
  const refused = { created: false, id: undefined, error: why };
  const { sent, post } = service({ "A-3": refused }, { "A-120": refused });
  const sending = new Sending(claims(250), { claims: 100, bytes: 1_000_000 }, post);
  await sending.run();
  assert.equal(sending.stage.value, "refused");
  assert.deepEqual(sending.refusals.value.map(({ claim, why }) => [claim.claim_number, why]), [["A-3", why]]);
  assert.equal(sent.length, 1);
  await sending.run();
  assert.equal(sending.stage.value, "done");
  assert.deepEqual(sending.outbox.refused.map(({ claim }) => claim.claim_number), ["A-3", "A-120"]);
  assert.equal(sending.outbox.created.length, 248);
  assert.equal(new Set(sent.flat()).size, 250);
});

test("a refused request names its claims, and the others go on without them", async () => {
  const fields = [
    { field: "claims[1]: claim.denial_date", message: "must not be in the future" },
    { field: "claims[1]: patient.first_name", message: "is required" },
  ];
  const { sent, keys, post } = service(problem(422, "Invalid", { fields }), problem(429, "claims[0], claims[1]: may be sent again tomorrow"));
  const sending = new Sending(claims(5), BOUNDS, post);
  await sending.run();
  const why = "claim.denial_date must not be in the future; patient.first_name is required";
  assert.deepEqual(sending.refusals.value.map((one) => [one.claim.claim_number, one.why]), [["A-1", why]]);
  await sending.run();
  assert.equal(sending.stage.value, "refused");
  assert.deepEqual(sending.refusals.value.map((one) => one.why), ["may be sent again tomorrow", "may be sent again tomorrow"]);
  await sending.run();
  assert.equal(sending.stage.value, "done");
  assert.deepEqual(sent, [["A-0", "A-1", "A-2", "A-3", "A-4"], ["A-0", "A-2", "A-3", "A-4"], ["A-3", "A-4"]]);
  assert.equal(new Set(keys).size, 3);
  assert.deepEqual(sending.outbox.refused.map(({ claim }) => claim.claim_number), ["A-1", "A-0", "A-2"]);
  assert.equal(sending.count.value, 5);
});

test("a refusal of the whole sending stops it, and nothing is lost", async () => {
  const { sent, post } = service(problem(403, "The practice is not active"));
  const sending = new Sending(claims(3), BOUNDS, post);
  await sending.run();
  assert.deepEqual([sending.stage.value, sending.problem.value?.status, sending.outbox.left], ["stopped", 403, 3]);
  await sending.run();
  assert.equal(sending.outbox.created.length, 3);
  assert.equal(sent.length, 2);
});

test("a limit is waited for, unless the person stops", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const limit = () => problem(429, "Too many requests", { retryAfter: 30 });
  const { sent, post } = service(limit(), limit());
  const sending = new Sending(claims(3), BOUNDS, post);
  await sending.run();
  assert.equal(sending.stage.value, "paused");
  t.mock.timers.tick(30_000);
  await new Promise(setImmediate);
  assert.equal(sending.stage.value, "paused");
  sending.stop();
  t.mock.timers.tick(60_000);
  assert.deepEqual([sending.stage.value, sent.length], ["stopped", 2]);
});

test("a sending that was stopped can end, and what was not sent is left for another", async () => {
  const { sent, post } = service(problem(403, "The practice is not active"));
  const sending = new Sending(claims(3), BOUNDS, post);
  await sending.run();
  sending.end();
  await sending.run();
  assert.deepEqual([sending.stage.value, sending.isUnderWay.value, sending.outbox.answered(), sent.length], ["done", false, [], 1]);
});

test("a stop waits for the request that is on its way", async () => {
  const { sent, post } = service();
  const sending = new Sending(claims(250), { claims: 100, bytes: 1_000_000 }, (items, intent) => {
    sending.stop();
    return post(items, intent);
  });
  await sending.run();
  assert.deepEqual([sending.stage.value, sending.count.value, sent.length], ["stopped", 100, 1]);
});

test("a page that the person has left sends nothing more", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { sent, post } = service(problem(429, "wait", { retryAfter: 5 }));
  const sending = new Sending(claims(2), BOUNDS, post);
  await sending.run();
  sending.stop();
  t.mock.timers.tick(60_000);
  assert.deepEqual([sending.stage.value, sent.length], ["stopped", 1]);
  const done = new Sending([], BOUNDS, post);
  await done.run();
  done.stop();
  assert.equal(done.stage.value, "done", "there is nothing to stop");
});

test("the same answers change nothing, so an effect that notes them does not run for ever", () => {
  const run = new Run();
  run.result.value = { claims: claims(3) } as Outcome;
  let runs = 0;
  const end = effect(() => {
    runs += 1;
    run.answered(claims(2));
  });
  run.answered(claims(2));
  end();
  assert.deepEqual([runs, run.unsent.value.length], [1, 1]);
});

test("an answer about other claims counts for none", async () => {
  const sending = new Sending(claims(2), BOUNDS, async () => [{ claim_number: "A-0", created: true, id: "x" }]);
  await sending.run();
  assert.deepEqual([sending.stage.value, sending.problem.value?.code, sending.outbox.left], ["stopped", "unreadable", 2]);
});

test("places are found in fields and in sentences", () => {
  assert.deepEqual(placesIn("claims[12]: patient.first_name"), [12]);
  assert.deepEqual(placesIn("claims[0], claims[4]: no"), [0, 4]);
  assert.deepEqual(placesIn("claims must have 1 to 100 items"), []);
});

test("dates of birth have a year of four digits, exist, and are not in the future", () => {
  const cases: [string, string | undefined][] = [
    ["1984-06-02", "1984-06-02"],
    [" 6/2/1984 ", "1984-06-02"],
    ["06/02/1984", "1984-06-02"],
    ["2/29/2024", "2024-02-29"],
    ["2/29/2023", undefined],
    ["6/2/84", undefined],
    ["84-06-02", undefined],
    ["1984-6-2", undefined],
    ["13/2/1984", undefined],
    ["6/2/1984/1", undefined],
    ["2026-11-22", "2026-11-22"],
    ["2026-11-23", undefined],
    ["", undefined],
    ["June 2, 1984", undefined],
  ];
  for (const [typed, day] of cases) assert.equal(birthDay(typed, "2026-11-22"), day, typed);
});

test("the filled-in template is read as spreadsheets save it", () => {
  const rows = '\uFEFFkey;last_name;date_of_birth\r\nABCD;"O\'Brien; ""Jr"" \n x";6/2/1984\r\n\r\nefgh;Roe;\r\nijkl;Ito;1990-01-02';
  assert.deepEqual(readCsv(rows)[1], ["ABCD", "O'Brien; \"Jr\" \n x", "6/2/1984"]);
  assert.deepEqual([...(readTemplate(rows) ?? [])], [["abcd", "6/2/1984"], ["ijkl", "1990-01-02"]]);
  assert.deepEqual([...(readTemplate("key\tdate_of_birth\na\t1/2/2000\na\t1/3/2000\n") ?? [])], [["a", "1/2/2000 or 1/3/2000"]]);
  assert.equal(readTemplate("name,born\nDoe,1984"), undefined);
  assert.equal(readTemplate(""), undefined);
});

test("only dates that can be read go to the module", () => {
  const typed = new Map([["aa", "6/2/1984"], ["bb", "6/2/84"], ["cc", ""]]);
  assert.equal(birthsFile(typed, "2026-11-22"), "key,date_of_birth\naa,1984-06-02\n");
});
