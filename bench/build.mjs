// Bundles what Overturn is measured against as a deploy would: one minified module each, in build/bench.
//
//   node bench/build.mjs [--sizes]
//
//   --sizes  prints JSON of the sizes in bytes, of the built Overturn as well: `raw`, and `gzip` as Cloudflare counts it

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const OUT = join(ROOT, "build", "bench");
const ENTRIES = { peer: "bench/peer/src/index.ts", floor: "bench/floor/src/index.js" };

/** Where a bundled Worker lies. */
export const bundle = (name) => join(OUT, `${name}.js`);

/** Bundles both. */
export async function bundleWorkers() {
  const entryPoints = Object.entries(ENTRIES).map(([out, entry]) => ({ in: join(ROOT, entry), out }));
  await build({
    entryPoints,
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
  return { overturn: size(overturn), peer: size([bundle("peer")]), floor: size([bundle("floor")]) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await bundleWorkers();
  if (process.argv.includes("--sizes")) process.stdout.write(`${JSON.stringify(sizes())}\n`);
}
