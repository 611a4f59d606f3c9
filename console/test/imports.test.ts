// No file imports itself by way of others, so each can be read, and loaded, before those that use it.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";

const SRC = resolve(import.meta.dirname, "../src");
const IMPORTED = /(?:from|import) "(\.[^"]+\.tsx?)"|import\("(\.[^"]+\.tsx?)"\)/g;

/** The files and what each imports, types too. */
const imports = new Map(
  readdirSync(SRC, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(SRC, name))
    .map((file) => [file, [...readFileSync(file, "utf8").matchAll(IMPORTED)].map(([, at, later]) => resolve(file, "..", at ?? later ?? ""))]),
);

/** The way from a file back to itself, if there is one below `file`. `clear` has the files without one. */
function circle(file: string, way: readonly string[], clear: Set<string>): readonly string[] | undefined {
  if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
  if (clear.has(file)) return undefined;
  for (const next of imports.get(file) ?? []) {
    const found = circle(next, [...way, file], clear);
    if (found) return found;
  }
  clear.add(file);
  return undefined;
}

test("no import leads back to its own file", () => {
  const clear = new Set<string>();
  for (const file of imports.keys()) assert.deepEqual(circle(file, [], clear)?.map((one) => one.slice(SRC.length + 1)), undefined);
});

test("every import names a file", () => {
  const missing = [...imports.values()].flat().filter((file) => !imports.has(file));
  assert.deepEqual(missing, []);
  assert.ok(imports.size > 100, `only ${imports.size} files were read`);
});
