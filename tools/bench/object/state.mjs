// Gives Durable Objects the database of a prepared state. Locally, D1 is an object as well, so its file is theirs.

import { createHash, createHmac } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

const CLASS = "Database";

/** Adds the objects to the configuration, copies the database into them, and gives the variables of `index.js`. */
export function overObjects(way, config, state) {
  config.durable_objects.bindings.push({ name: "OBJECTS", class_name: CLASS });
  config.migrations.push({ tag: "objects", new_sqlite_classes: [CLASS] });
  const folder = join(state, "v3", "d1", "miniflare-D1DatabaseObject");
  const d1 = join(folder, readdirSync(folder).find((name) => /^[0-9a-f]{64}\.sqlite$/.test(name)));
  const names = readNames(d1);
  const namespace = `${config.name}-${CLASS}`;
  const objects = join(state, "v3", "do", namespace);
  mkdirSync(objects, { recursive: true });
  for (const name of new Set(["all", ...Object.values(names)])) {
    copyFileSync(d1, join(objects, `${idOf(namespace, name)}.sqlite`));
  }
  return { WAY: way, NAMES: JSON.stringify(names) };
}

/** The practice of each practice's id and of each key's hash. */
function readNames(file) {
  const database = new DatabaseSync(file);
  const keys = database.prepare("SELECT practice_id, hash FROM api_keys").all();
  // This also moves what the log has into the file.
  database.close();
  return Object.fromEntries(keys.flatMap(({ practice_id: practice, hash }) => [[practice, practice], [hash, practice]]));
}

/** The id of an object with a name, as workerd makes it. */
function idOf(namespace, name) {
  const key = createHash("sha256").update(namespace).digest();
  const code = (of) => createHmac("sha256", key).update(of).digest().subarray(0, 16);
  const first = code(name);
  return Buffer.concat([first, code(first)]).toString("hex");
}
