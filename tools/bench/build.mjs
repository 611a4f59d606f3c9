// Bundles the peers of the benchmark as a deploy would: one minified module each, in build/bench.
//
//   node tools/bench/build.mjs [--sizes]
//
//   --sizes  prints the sizes in bytes as JSON, including the built Overturn: `raw`, and `gzip` as Cloudflare counts it

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const OUT = join(ROOT, "build", "bench");

/** The entry of each Worker. */
const ENTRIES = { peer: "tools/bench/peer/index.ts", floor: "tools/bench/floor/index.js", pipe: "tools/bench/floor/documents.ts" };

/** The names of the bundled Workers. */
export const BUNDLES = Object.keys(ENTRIES);

/** Where a bundled Worker lies. */
export const bundle = (name) => join(OUT, `${name}.js`);

/** Bundles one Worker. */
export async function bundleWorker(name) {
  await build({
    entryPoints: [{ in: join(ROOT, ENTRIES[name]), out: name }],
    outdir: OUT,
    bundle: true,
    minify: true,
    format: "esm",
    target: "esnext",
    conditions: ["workerd", "worker"],
    external: ["cloudflare:*"],
    logLevel: "warning",
  });
}

function sizes() {
  const size = (paths) => {
    const files = paths.map((path) => readFileSync(path));
    const sum = (of) => files.reduce((total, file) => total + of(file), 0);
    return { raw: sum((file) => file.length), gzip: sum((file) => gzipSync(file, { level: 9 }).length) };
  };
  const overturn = ["index.js", "index_bg.wasm"].map((name) => join(ROOT, "build", name));
  return { overturn: size(overturn), ...Object.fromEntries(BUNDLES.map((name) => [name, size([bundle(name)])])) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await Promise.all(BUNDLES.map(bundleWorker));
  if (process.argv.includes("--sizes")) process.stdout.write(`${JSON.stringify(sizes())}\n`);
}
