// Tests the package after every bundler. Each bundle runs alone, in a folder that has nothing else of the package: in
// the oldest Node that the package supports, or in the browser that chromium.mjs starts.
//
//   OVERTURN_OLDEST_NODE  the program

import { build as esbuild } from "esbuild";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build as vite } from "vite";
import webpack from "webpack";
import { visit } from "./chromium.mjs";

const source = (name) => join(import.meta.dirname, "bundle", name);
const entry = source("entry.js");
const out = mkdtempSync(join(tmpdir(), "overturn-bundles-"));

const byEsbuild = (options, file, from = entry) => (folder) =>
  esbuild({ entryPoints: [from], bundle: true, minify: true, outfile: join(folder, file), logLevel: "error", ...options });

const byVite = (build) => (outDir) =>
  vite({ ssr: { noExternal: true }, configFile: false, logLevel: "error", root: import.meta.dirname, publicDir: false, build: { outDir, emptyOutDir: false, ...build } });

const byWebpack = (options) => (path) =>
  new Promise((done, fail) => {
    const output = { path, filename: options.filename, ...options.output };
    webpack({ mode: "production", performance: { hints: false }, entry, target: options.target, output, experiments: options.experiments ?? {} }, (error, stats) => {
      if (error) return fail(error);
      if (stats.hasErrors() || stats.hasWarnings()) return fail(new Error(stats.toString()));
      done();
    });
  });

const library = (name, format) => ({ lib: { entry, formats: [format], name: "bundle", fileName: () => name } });
const page = (script) => `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><script>
  onerror = (message) => { fetch("/result", { method: "POST", body: JSON.stringify({ name: location.pathname, error: String(message) }) }); };
</script>${script}`;
const classic = (file) => page(`<script src="${file}"></script>`);
const module = (file) => page(`<script type="module" src="${file}"></script>`);

// A file that Node runs, or a page.
const BUNDLES = {
  "esbuild, Node ESM": { node: "bundle.mjs", make: byEsbuild({ platform: "node", format: "esm" }, "bundle.mjs") },
  "esbuild, Node CJS": { node: "bundle.cjs", make: byEsbuild({ platform: "node", format: "cjs" }, "bundle.cjs") },
  "esbuild, Node CJS that requires it": {
    node: "bundle.cjs",
    make: byEsbuild({ platform: "node", format: "cjs" }, "bundle.cjs", source("require.cjs")),
  },
  "esbuild, browser ESM": { page: module("bundle.js"), make: byEsbuild({ format: "esm" }, "bundle.js") },
  "esbuild, browser IIFE": { page: classic("bundle.js"), make: byEsbuild({ format: "iife" }, "bundle.js") },
  "Vite, page": {
    page: module("bundle.js"),
    make: byVite({ rollupOptions: { input: entry, output: { entryFileNames: "bundle.js" } } }),
  },
  "Vite, library as IIFE": { page: classic("bundle.js"), make: byVite(library("bundle.js", "iife")) },
  "Vite, Node": { node: "bundle.mjs", make: byVite({ ssr: entry, rollupOptions: { output: { entryFileNames: "bundle.mjs" } } }) },
  "webpack, page": { page: classic("bundle.js"), make: byWebpack({ target: "web", filename: "bundle.js" }) },
  "webpack, Node CJS": { node: "bundle.cjs", make: byWebpack({ target: "node20", filename: "bundle.cjs" }) },
  "webpack, Node ESM": {
    node: "bundle.mjs",
    make: byWebpack({ target: "node20", filename: "bundle.mjs", output: { module: true, chunkFormat: "module" }, experiments: { outputModule: true } }),
  },
};

function runInNode(name, file) {
  const { status, stdout, stderr } = spawnSync(process.env.OVERTURN_OLDEST_NODE, [file], { cwd: out, encoding: "utf8" });
  if (status !== 0 || !(Number(stdout) > 0)) throw new Error(`${name}: ${stdout}${stderr}`);
}

try {
  const pages = [];
  for (const [number, [name, bundle]] of Object.entries(BUNDLES).entries()) {
    const folder = join(out, String(number));
    mkdirSync(folder);
    await bundle.make(folder);
    if (bundle.page === undefined) {
      runInNode(name, join(folder, bundle.node));
    } else {
      writeFileSync(join(folder, "index.html"), bundle.page);
      pages.push(`/${number}/index.html`);
    }
    const files = readdirSync(folder).filter((file) => !/^(bundle\.[cm]?js|index\.html)$/.test(file));
    if (files.length > 0) throw new Error(`${name}: the bundle needs ${files.join(", ")}`);
  }
  const frames = pages.map((path) => `<iframe src="${path}"></iframe>`).join("");
  const results = await visit({ page: `<!doctype html><link rel="icon" href="data:,">${frames}`, folder: out, count: pages.length });
  const seen = results.map(({ name }) => name).sort();
  if (seen.join() !== [...pages].sort().join() || !results.every(({ made }) => made > 0)) throw new Error(JSON.stringify(results));
  console.log(`bundles: ${Object.keys(BUNDLES).join("; ")}`);
} finally {
  rmSync(out, { recursive: true, force: true });
}
process.exit();
