// Opens and checks the sealed and authenticated values of the compared Workers, without any of their code.

import assert from "node:assert/strict";
import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from "node:crypto";
import { batch } from "../checks/batch.mjs";
import { SEALING_KEYS } from "./service.mjs";

const [VERSION, ROOT] = SEALING_KEYS.split(":");
const derive = (root, purpose) => createHmac("sha256", root).update(purpose).digest();
const service = (purpose) => derive(Buffer.from(ROOT, "base64"), purpose);
const bytes = (id) => Buffer.from(id.replaceAll("-", ""), "hex");

/** The data key of the practice that has one from the start, the same on every run. */
const DATA_KEY = Buffer.from(hkdfSync("sha256", "a data key to compare with", "", "", 32));
const DATA_KEY_ID = "019a0000-0000-7000-8000-000000000001";

/** What a blob is bound to: each part after its length. */
function bound(parts) {
  return Buffer.concat(parts.map((part) => Buffer.from(part)).flatMap((part) => [lengthOf(part), part]));
}

function lengthOf(part) {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(part.length);
  return length;
}

function place({ table, column, practice_id, id, key_version }) {
  const version = Buffer.alloc(8);
  version.writeBigInt64BE(BigInt(key_version));
  return { table, column, owner: bytes(practice_id), record: bytes(id), version };
}

/** XChaCha20-Poly1305, which Node has not: HChaCha20 makes a key of the first 16 bytes of the nonce. */
function xchacha(key, nonce) {
  const words = new Uint32Array(16);
  const given = Buffer.concat([Buffer.from("expand 32-byte k"), key, nonce.subarray(0, 16)]);
  for (let n = 0; n < 16; n += 1) words[n] = given.readUInt32LE(n * 4);
  const turn = (to, by, shift, other) => {
    words[to] += words[by];
    words[other] ^= words[to];
    words[other] = (words[other] << shift) | (words[other] >>> (32 - shift));
  };
  const quarter = (a, b, c, d) => {
    turn(a, b, 16, d);
    turn(c, d, 12, b);
    turn(a, b, 8, d);
    turn(c, d, 7, b);
  };
  for (let round = 0; round < 10; round += 1) {
    for (let n = 0; n < 4; n += 1) quarter(n, n + 4, n + 8, n + 12);
    for (let n = 0; n < 4; n += 1) quarter(n, 4 + ((n + 1) % 4), 8 + ((n + 2) % 4), 12 + ((n + 3) % 4));
  }
  const subkey = Buffer.alloc(32);
  for (const [n, word] of [0, 1, 2, 3, 12, 13, 14, 15].entries()) subkey.writeUInt32LE(words[word], n * 4);
  return ["chacha20-poly1305", subkey, Buffer.concat([Buffer.alloc(4), nonce.subarray(16)])];
}

const FORMS = {
  overturn: {
    mark: "2.",
    nonce: 24,
    cipher: xchacha,
    bound: ({ table, column, owner, record, version }) =>
      bound(["overturn sealed 2 XChaCha20-Poly1305", table, column, owner, "", record, version]),
  },
  peer: {
    mark: "",
    nonce: 12,
    cipher: (key, nonce) => ["aes-256-gcm", key, nonce],
    bound: ({ table, column, owner, record, version }) =>
      bound(["overturn peer AES-256-GCM", table, column, owner, record, version]),
  },
};

function seal(worker, key, row, text) {
  const form = FORMS[worker];
  const nonce = Buffer.alloc(form.nonce, 7);
  const cipher = createCipheriv(...form.cipher(key, nonce), { authTagLength: 16 });
  cipher.setAAD(form.bound(place(row)));
  const sealed = Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]);
  return form.mark + sealed.toString("base64").replace(/=+$/, "");
}

function open(worker, key, row, blob) {
  const form = FORMS[worker];
  assert.ok(blob.startsWith(form.mark));
  const sealed = Buffer.from(blob.slice(form.mark.length), "base64");
  const cipher = createDecipheriv(...form.cipher(key, sealed.subarray(0, form.nonce)), { authTagLength: 16 });
  cipher.setAAD(form.bound(place(row))).setAuthTag(sealed.subarray(-16));
  return Buffer.concat([cipher.update(sealed.subarray(form.nonce, -16)), cipher.final()]);
}

const WRAPPED = { table: "practice_keys", column: "wrapped" };

/** Whose form a Worker seals in. The floor opens nothing. */
const sealerOf = (worker) => ({ floor: "overturn", lean: "peer", counted: "peer" })[worker] ?? worker;

/** A row with the data key of a practice, wrapped as a Worker wraps it. */
export function keyRow(practice_id, worker) {
  const row = { ...WRAPPED, practice_id, id: DATA_KEY_ID, key_version: Number(VERSION) };
  const wrapped = seal(sealerOf(worker), service("overturn wrap v1"), row, DATA_KEY);
  return `INSERT INTO practice_keys (practice_id, version, id, key_version, wrapped, created_at)
    VALUES ('${practice_id}', 1, '${DATA_KEY_ID}', ${VERSION}, '${wrapped}', 1750000000000)`;
}

/** The data key of a row that a Worker has written. */
export const dataKeyOf = (row, worker) => open(sealerOf(worker), service("overturn wrap v1"), { ...WRAPPED, ...row }, row.wrapped);

/** Fails unless every claim of the batch holds its patient, codes and free text, sealed under its practice's data key. */
export function assertSealed({ claims, practice_keys }, worker) {
  const keys = new Map(practice_keys.map((row) => [row.practice_id, derive(dataKeyOf(row, worker), "overturn data seal v1")]));
  const sent = batch("CH-", 100).claims;
  for (const { patient, claim } of sent) {
    const rows = claims.filter(({ claim_number }) => claim_number === claim.claim_number);
    assert.ok(rows.length > 0);
    const { procedure_code, denial_codes, denial_reason, diagnosis_codes } = claim;
    const confidential = { patient, procedure_code, denial_codes, denial_reason, diagnosis_codes };
    for (const row of rows) {
      assert.equal(row.key_version, -1);
      const text = open(sealerOf(worker), keys.get(row.practice_id), { table: "claims", column: "sealed", ...row }, row.sealed);
      assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(confidential)));
    }
  }
}

/** Fails unless every row of the trails that a key has caused is authenticated. */
export function assertMacs(audit) {
  const field = (value) => (value === null ? "-" : `${Buffer.byteLength(value)}:${value}`);
  const rows = audit.filter(({ actor }) => actor.startsWith("api_key:"));
  assert.ok(rows.length > 0);
  for (const row of rows) {
    const { practice_id, id, at, actor, action, record, request_id, detail, address, session_id, mac } = row;
    const said = [id, new Date(at).toISOString(), actor, action, record, request_id, detail, address, session_id];
    const fields = ["overturn trail row 1", practice_id, ...said].map(field);
    const whole = createHmac("sha256", service("overturn trail v1")).update(fields.join("")).digest();
    assert.equal(mac, `${VERSION}:${whole.subarray(0, 16).toString("base64url")}`, action);
  }
}
