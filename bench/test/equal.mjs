// Compares the peer with Overturn: for the same requests it must give the same answers and leave the same rows.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import * as sql from "../peer/src/sql.ts";
import * as accounts from "../peer/src/sql/accounts.ts";
import * as mismatches from "../peer/src/sql/mismatches.ts";
import * as practiceKeys from "../peer/src/sql/practice_keys.ts";
import * as trail from "../peer/src/sql/trail.ts";
import { guesses, hasty, plain, requests } from "./requests.mjs";
import { assertMacs, assertSealed, dataKeyOf, keyRow } from "./sealed.mjs";
import { copyState, migratedState, rowsOf, run, serve } from "./service.mjs";
import { statementsOf } from "./statements.mjs";

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const IS_TIME = /^(at|.*_at)$/;

// Fresh ids get numbers in the order in which they first appear. Claims are sorted by claim number and name their
// submissions. The rows of every other table are sorted by ids that have already appeared.
const ORDER = {
  practices: ["id"],
  agreements: ["id"],
  api_keys: ["id"],
  practice_keys: ["practice_id", "version"],
  claims: [],
  claim_counts: ["scope", "status", "due"],
  payers: ["practice_id", "name"],
  submissions: ["id"],
  claim_events: ["claim_id", "version"],
  mismatches: ["day", "practice_id", "claim_id"],
  audit: ["practice_id", "seq"],
};

/** The rows with fresh values replaced: ids by numbers, times by words, and the columns of `mask` by its results. */
function comparable(rows, mask = {}) {
  const ids = new Map();
  const name = (id) => ids.get(id) ?? ids.set(id, String(ids.size).padStart(5, "0")).get(id);
  const plain = (column, value, row) => {
    if (column in mask) return mask[column](value, row);
    // Older rows are the same in both databases.
    if (IS_TIME.test(column) && value > Date.now() - 600_000) return "now";
    return typeof value === "string" ? value.replace(UUID, name) : value;
  };
  const inOrder = (list, columns) => {
    const place = (row) => columns.map((column) => String(row[column]).replace(UUID, (id) => ids.get(id) ?? id)).join();
    return columns.length === 0 ? list : list.toSorted((a, b) => (place(a) < place(b) ? -1 : 1));
  };
  return Object.entries(ORDER).map(([table, columns]) =>
    inOrder(rows[table], columns).map((row) =>
      Object.fromEntries(Object.entries(row).map(([column, value]) => [`${table}.${column}`, plain(column, value, row)])),
    ),
  );
}

// Overturn reads a refused body to its end. The peer closes the connection after its answer. And Hono drops the
// Content-Length of a HEAD.
const isUntold = (name, method) => name === "connection" || (name === "content-length" && method === "HEAD");

const TOLD = ["content-type", "cache-control", "allow", "www-authenticate", "x-ratelimit-limit", "x-ratelimit-remaining", "x-statements", "x-lines"];

// The time until a call leaves the one-minute window. It may differ by seconds.
const LATER = /"retry_after":(5\d|60)\b/;
// The time until the next UTC day.
const TOMORROW = /"retry_after":\d{3,5}\b/;

/** An answer without its fresh values. */
async function answered(url, { method, path, key, body }) {
  const headers = { "CF-Connecting-IP": "192.0.2.7", ...(key !== undefined && { Authorization: `Bearer ${key}` }) };
  const response = await fetch(url + path, { method, headers, body });
  const text = await response.text();
  if (response.status === 429) assert.equal(Number(response.headers.get("retry-after")), JSON.parse(text).retry_after);
  return {
    status: response.status,
    headers: [...response.headers.keys()].filter((name) => !isUntold(name, method)).sort(),
    told: TOLD.map((name) => response.headers.get(name)),
    // The order of keys does not matter.
    body: text === "" ? text : alike(JSON.parse(text.replace(UUID, "id").replace(LATER, '"retry_after":60').replace(TOMORROW, '"retry_after":86400'))),
  };
}

/** An answer without the state of the identity Worker, which no peer has. */
const alike = ({ identity, ...rest }) => rest;

/** Sends requests one after the other, and gives the answers and the rows that are left. */
async function play(worker, state, list, vars) {
  const service = await serve(worker, state, vars);
  const answers = [];
  try {
    for (const request of list) answers.push(await answered(service.url, request));
  } finally {
    await service.end();
  }
  return { answers, rows: rowsOf(state) };
}

const OPERATOR = ["run", "--quiet", "-p", "overturn-operator", "--"];

let template;
let demo;

before(async () => {
  template = await migratedState();
  demo = JSON.parse(await run("cargo", ...OPERATOR, "demo"));
});

/**
 * What two Workers make of the same requests, each on a state of its own with the same practices and keys. The practice that
 * sends most has the same data key in both, wrapped as each wraps it; another has none yet.
 */
async function pair([first, second], choose, vars) {
  const expected = await alone(first, choose, vars);
  const other = await alone(second, choose, vars);
  return { list: expected.list, expected, other };
}

/** Overturn and another Worker, as `pair`. */
async function both(worker, choose, vars) {
  const { list, expected: overturn, other: peer } = await pair(["overturn", worker], choose, vars);
  return { list, overturn, peer };
}

/** The same of one Worker. */
async function alone(worker, choose, vars) {
  const keys = Object.fromEntries(Object.entries(demo.practices).map(([name, practice]) => [name, practice.keys]));
  const list = choose(keys);
  const seed = `${demo.sql}\n${keyRow(demo.practices.active.id, worker)};`;
  return { list, ...(await play(worker, copyState(template, seed), list, vars)) };
}

test("the peer answers as Overturn does and leaves the same rows", async () => {
  const { list, overturn, peer } = await both("peer", requests);
  assert.equal(list.length, overturn.answers.length);
  for (const [n, { method, path, body }] of list.entries()) {
    assert.deepEqual(peer.answers[n], overturn.answers[n], `${n}: ${method} ${path} ${String(body).slice(0, 300)}`);
  }
  assert.ok(overturn.rows.claims.length > 100);
  // With the same data key, fingerprints are equal byte by byte.
  const tag = (value, { practice_id }) => (practice_id === demo.practices.active.id ? value : value?.length);
  const mask = { sealed: () => "sealed", wrapped: () => "wrapped", mac: (mac) => mac?.length, patient_tag: tag, procedure_tag: tag };
  assert.deepEqual(comparable(peer.rows, mask), comparable(overturn.rows, mask));
  for (const [worker, { rows }] of Object.entries({ overturn, peer })) {
    const made = rows.practice_keys.find(({ practice_id }) => practice_id === demo.practices.other.id);
    assert.equal(dataKeyOf(made, worker).length, 32);
    assertSealed(rows, worker);
    assertMacs(rows.audit);
  }
});

test("the peer stops resends that guess as Overturn does", async () => {
  const { overturn, peer } = await both("peer", guesses);
  assert.deepEqual(peer.answers, overturn.answers);
  assert.deepEqual(overturn.answers.map(({ status }) => status), [201, ...Array(20).fill(200), 429, 429, 429, 201]);
});

test("the peer limits a key as Overturn does", async () => {
  const vars = { CLAIMS_SENDS_PER_MINUTE: "2", CLAIMS_READS_PER_MINUTE: "3" };
  const { overturn, peer } = await both("peer", hasty, vars);
  assert.deepEqual(peer.answers, overturn.answers);
  assert.equal(overturn.answers.filter(({ status }) => status === 429).length, 5);
});

test("the lean peer answers as the peer does and leaves the same rows, without limits and audit", async () => {
  const { list, expected, other } = await pair(["peer", "lean"], requests);
  const unlimited = (answer) => ({
    ...answer,
    headers: answer.headers.filter((name) => !name.startsWith("x-ratelimit-")),
    told: answer.told.map((value, n) => (TOLD[n].startsWith("x-ratelimit-") ? null : value)),
  });
  for (const [n, { method, path, body }] of list.entries()) {
    const request = `${n}: ${method} ${path} ${String(body).slice(0, 300)}`;
    assert.deepEqual(other.answers[n], unlimited(expected.answers[n]), request);
  }
  assert.ok(other.rows.claims.length > 100);
  assert.ok(expected.rows.mismatches.length > 0);
  assert.deepEqual(other.rows.mismatches, []);
  assert.deepEqual(other.rows.audit.filter(({ actor }) => actor.startsWith("api_key:")), []);
  const shared = (rows) => ({ ...rows, audit: [], submissions: [], mismatches: [] });
  const length = (text) => text?.length;
  // The practice without a data key gets a different one in each service, so its fingerprints differ.
  const tag = (value, { practice_id }) => (practice_id === demo.practices.active.id ? value : length(value));
  const mask = { sealed: length, wrapped: length, patient_tag: tag, procedure_tag: tag };
  assert.deepEqual(comparable(shared(other.rows), mask), comparable(shared(expected.rows), mask));
  assertSealed(other.rows, "lean");
});

test("the lean peer limits neither a key nor resends for another patient", async () => {
  const vars = { CLAIMS_SENDS_PER_MINUTE: "2", CLAIMS_READS_PER_MINUTE: "3" };
  const choose = (keys) => [...hasty(keys), ...guesses(keys)];
  const { answers } = await alone("lean", choose, vars);
  assert.equal(answers.length, 36);
  assert.deepEqual(answers.filter(({ status }) => status >= 300), []);
});

test("the lean peer asks the database as little as it can, and logs nothing", async () => {
  const { answers } = await alone("counted", ({ active }) => plain(active));
  const of = (name) => answers.map(({ told }) => told[TOLD.indexOf(name)]);
  // A send reads with two statements, and writes with four if it has a new claim. A status read takes one. The first use
  // of a key is written after its answer.
  assert.deepEqual(of("x-statements"), ["", "2,4,1", "2", "2,4", "2", "1,1", "1", "1", "1", "1", "1"]);
  assert.ok(of("x-lines").every((lines) => lines === "0"));
});

test("the floor writes the same rows, with text of the same length for what is keyed", async () => {
  const { overturn, peer: floor } = await both("floor", ({ active }) => plain(active));
  const said = ({ answers }) => answers.map(({ status, body }) => ({ status, body }));
  assert.deepEqual(said(floor), said(overturn));
  const length = (text) => text?.length;
  // It does not record when a key was used.
  const mask = { sealed: length, patient_tag: length, procedure_tag: length, mac: length, wrapped: length, last_used_at: () => "" };
  assert.deepEqual(comparable(floor.rows, mask), comparable(overturn.rows, mask));
});

test("the statements are those of Overturn", () => {
  const { TOUCH_API_KEY, GUARD_CREDENTIAL, GUARD_CREDENTIAL_AND_DATA_KEY, COUNT_CLAIMS, INSERT_PAYERS, ...claims } = sql;
  const files = {
    "claims/sql.rs": claims,
    "claims/sql/counts.rs": { COUNT: COUNT_CLAIMS, INSERT_PAYERS },
    "settings/sql.rs": { TOUCH_API_KEY },
    "auth/guards.rs": { KEY: GUARD_CREDENTIAL, KEY_AND_DATA_KEY: GUARD_CREDENTIAL_AND_DATA_KEY },
    "claims/sql/mismatches.rs": mismatches,
    "settings/sql/data_keys.rs": practiceKeys,
    "records/sql.rs": { ...accounts, ...trail },
  };
  const oneLine = (text) => text.replace(/\s+/g, " ").trim();
  for (const [path, statements] of Object.entries(files)) {
    const statementOf = statementsOf(path);
    for (const [name, text] of Object.entries(statements)) {
      assert.equal(oneLine(text), oneLine(statementOf(name)), `${path}: ${name}`);
    }
  }
});
