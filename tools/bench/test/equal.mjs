// Compares the lean peer and the floor with Overturn: for the same requests they must give the same answers, and leave
// the same claims.

import assert from "node:assert/strict";
import { createDecipheriv, createHmac } from "node:crypto";
import { before, test } from "node:test";
import { hasty, plain, requests } from "./requests.mjs";
import { claimsOf, copyState, dataKeysOf, migratedState, run, SEALING_KEYS, serve } from "./service.mjs";

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const TOLD = ["content-type", "cache-control", "allow", "www-authenticate"];

// Only Overturn limits keys and reads a refused body to its end. Hono drops the Content-Length of a HEAD.
const isUntold = (name, method) =>
  name.startsWith("x-ratelimit-") || name === "connection" || (name === "content-length" && method === "HEAD");

/** An answer without its fresh values. */
async function answered(url, { method, path, key, body }) {
  const headers = { "CF-Connecting-IP": "192.0.2.7", ...(key !== undefined && { Authorization: `Bearer ${key}` }) };
  const response = await fetch(url + path, { method, headers, body });
  const text = await response.text();
  return {
    status: response.status,
    headers: [...response.headers.keys()].filter((name) => !isUntold(name, method)).sort(),
    told: TOLD.map((name) => response.headers.get(name)),
    // The order of keys does not matter.
    body: text === "" ? text : JSON.parse(text.replace(UUID, "id")),
  };
}

let template;
let demo;

before(async () => {
  template = await migratedState();
  demo = JSON.parse(await run("cargo", "run", "--quiet", "-p", "overturn-operator", "--", "demo"));
});

/** Sends requests to a Worker, one after the other. Gives the answers, the claims that are left and the data keys. */
async function play(worker, choose, vars) {
  const keys = Object.fromEntries(Object.entries(demo.practices).map(([name, practice]) => [name, practice.keys]));
  const state = copyState(template, demo.sql);
  const service = await serve(worker, state, vars);
  const list = choose(keys);
  const answers = [];
  try {
    for (const request of list) answers.push(await answered(service.url, request));
  } finally {
    await service.end();
  }
  return { list, answers, claims: claimsOf(state), dataKeys: dataKeysOf(state) };
}

/** Claims without what is fresh, keyed or sealed, of which only the length of a tag is the same. */
const comparable = (claims) =>
  claims.map(({ id, submission_id, received_at, updated_at, sealed, patient_tag, procedure_tag, ...rest }) => ({
    ...rest,
    patient_tag: patient_tag?.length,
    procedure_tag: procedure_tag?.length,
  }));

test("the peer answers as Overturn does", async () => {
  const overturn = await play("overturn", requests);
  const peer = await play("peer", requests);
  for (const [n, { method, path, body }] of overturn.list.entries()) {
    assert.deepEqual(peer.answers[n], overturn.answers[n], `${n}: ${method} ${path} ${String(body).slice(0, 300)}`);
  }
  assert.ok(overturn.claims.length > 100);
  assert.equal(peer.claims.length, overturn.claims.length);
  assertSealed(peer);
});

test("the peer and the floor leave the same claims", async () => {
  const choose = ({ active }) => plain(active);
  const overturn = await play("overturn", choose);
  assert.equal(overturn.claims.length, 100);
  const said = ({ answers }) => answers.map(({ status, body }) => ({ status, body }));
  for (const worker of ["peer", "floor"]) {
    const other = await play(worker, choose);
    assert.deepEqual(said(other), said(overturn), worker);
    assert.deepEqual(comparable(other.claims), comparable(overturn.claims), worker);
  }
});

test("Overturn answers the same over a Durable Object", async () => {
  const overturn = await play("overturn", requests);
  for (const way of ["object", "inside"]) {
    const other = await play(way, requests);
    assert.deepEqual(other.answers, overturn.answers, way);
    // D1 is not used.
    assert.equal(other.claims.length, 0);
  }
});

test("the peer limits no key", async () => {
  const { answers } = await play("peer", hasty, { CLAIMS_SENDS_PER_MINUTE: "2", CLAIMS_READS_PER_MINUTE: "3" });
  assert.deepEqual(answers.filter(({ status }) => status >= 300), []);
});

/** Fails unless each claim of the peer holds its patient, sealed under the data key of its practice. */
function assertSealed({ claims, dataKeys }) {
  const derive = (root, purpose) => createHmac("sha256", root).update(purpose).digest();
  const open = (key, place, blob) => {
    const sealed = Buffer.from(blob, "base64");
    const cipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, 12), { authTagLength: 16 });
    cipher.setAAD(Buffer.from(JSON.stringify(place))).setAuthTag(sealed.subarray(-16));
    return Buffer.concat([cipher.update(sealed.subarray(12, -16)), cipher.final()]);
  };
  const [, secret] = SEALING_KEYS.split(":");
  const wrapping = derive(Buffer.from(secret, "base64"), "overturn wrap v1");
  const keys = dataKeys.map(({ practice_id, id, key_version, wrapped }) => {
    const root = open(wrapping, ["practice_keys", practice_id, id, key_version], wrapped);
    return [practice_id, derive(root, "seal")];
  });
  const sealing = new Map(keys);
  for (const { practice_id, id, sealed } of claims) {
    const { patient } = JSON.parse(open(sealing.get(practice_id), ["claims", practice_id, id], sealed));
    assert.ok(patient.first_name.length > 0);
  }
}
