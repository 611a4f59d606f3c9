// Encrypts an export of wrangler into a backup, and decrypts it again.
//
//   node tools/dev/backup.mjs keygen                                                     prints {"identity":…,"recipient":…}
//   BACKUP_RECIPIENTS=age1… node tools/dev/backup.mjs encrypt SCHEMA DATA OUT
//   BACKUP_IDENTITY=AGE-SECRET-KEY-1… node tools/dev/backup.mjs decrypt IN OUT
//   node tools/dev/backup.mjs join SCHEMA DATA OUT                                       the same, not encrypted
//
// SCHEMA and DATA are `wrangler d1 export` with --no-data and with --no-schema. OUT is one SQL file for `wrangler d1 execute --file`
// (tools/dev/sql.mjs lists the changes that this needs), encrypted in the age format (https://age-encryption.org/v1), which every age
// program reads. OUT must not exist, and only its owner can read it. Files are streamed, because a database may be larger than
// the memory. White space or commas separate several keys.

import { createReadStream, createWriteStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from "age-encryption";
import { restorable } from "./sql.mjs";

/** Adds each key of an environment variable. The error names the variable and repeats no key. */
function addKeys(name, add) {
  const keys = (process.env[name] ?? "").split(/[\s,]+/).filter((key) => key !== "");
  if (keys.length === 0) throw new Error(`${name} is not set`);
  for (const key of keys) {
    try {
      add(key);
    } catch {
      throw new Error(`${name} is not an age key`);
    }
  }
}

/** Triggers come behind the rows: they hold what is written from then on, and would refuse rows that were linked before. */
async function* both(schema, data) {
  const text = await readFile(schema, "utf8");
  const triggers = [];
  yield text.replace(TRIGGER, (trigger) => {
    triggers.push(trigger);
    return "";
  });
  yield* restorable(createReadStream(data));
  yield `\n${triggers.join("\n")}\n`;
}

const TRIGGER = /CREATE TRIGGER[\s\S]*?END;(?=\s*(?:CREATE\s|PRAGMA\s|$))/g;

const create = (path) => createWriteStream(path, { flags: "wx", mode: 0o600 });

async function encrypt(schema, data, out) {
  const encrypter = new Encrypter();
  addKeys("BACKUP_RECIPIENTS", (key) => encrypter.addRecipient(key));
  const sealed = await encrypter.encrypt(Readable.toWeb(Readable.from(both(schema, data), { objectMode: false })));
  await pipeline(Readable.fromWeb(sealed), create(out));
}

async function decrypt(file, out) {
  const decrypter = new Decrypter();
  addKeys("BACKUP_IDENTITY", (key) => decrypter.addIdentity(key));
  const opened = await decrypter.decrypt(Readable.toWeb(createReadStream(file)));
  await pipeline(Readable.fromWeb(opened), create(out));
}

async function join(schema, data, out) {
  await pipeline(Readable.from(both(schema, data), { objectMode: false }), create(out));
}

async function keygen() {
  const identity = await generateX25519Identity();
  process.stdout.write(`${JSON.stringify({ identity, recipient: await identityToRecipient(identity) })}\n`);
}

const actions = { encrypt, decrypt, join, keygen };
const [action, ...files] = process.argv.slice(2);
try {
  await actions[action](...files);
} catch (error) {
  process.stderr.write(`backup: ${error.message}\n`);
  process.exitCode = 1;
}
