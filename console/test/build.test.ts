// The bundle has the same bytes wherever and whenever it is built, so that a deployment can be compared with its sources.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("../build.mjs", import.meta.url));
const folders: string[] = [];
after(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));

/** Builds into a new folder, and gives the digest of each file by its path. */
function build(env: Record<string, string>, cwd: string): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), "console-"));
  folders.push(folder);
  execFileSync(process.execPath, [program, folder], { cwd, env: { ...process.env, ...env } });
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const digest = (path: string) => createHash("sha256").update(readFileSync(path)).digest("hex");
  const paths = files.map(({ parentPath, name }) => join(parentPath, name)).sort();
  return Object.fromEntries(paths.map((path) => [path.slice(folder.length), digest(path)]));
}

test("two builds at different times and places have the same bytes", () => {
  const first = build({ TZ: "Asia/Tokyo", LANG: "tr_TR.UTF-8" }, tmpdir());
  const second = build({ TZ: "America/Chicago", LANG: "C" }, fileURLToPath(new URL("..", import.meta.url)));
  assert.ok(Object.keys(first).some((path) => path.startsWith("/assets/assets/console-")));
  assert.deepEqual(second, first);
});
