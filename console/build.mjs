// Bundles the console into build/assets, where wrangler.toml looks for it: `node console/build.mjs [FOLDER]`. FOLDER takes the
// place of build.
//
// The same sources give the same bytes. `cargo xtask build` calls this when a source has changed.
//
//   build/assets/assets/…     scripts, styles, pictures, the module for remittances and the first page of each screen, named by
//                             their content
//   build/assets/index.html   the first page of `/`
//   build/assets/….br, ….gz   the same compressed, for hosts that do not compress (see .assetsignore)
//   build/assets/404.html     the answer for a path that nothing has
//   build/assets/_headers     the headers of all of them
//   build/assets/_redirects   the paths of the screens, from src/routes.ts
//   build/console.json        the sizes, for the budgets

import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, gzip, gzipSync } from "node:zlib";
import { build } from "esbuild";

const CONSOLE = dirname(fileURLToPath(import.meta.url));
const BUILD = resolve(process.argv[2] ?? join(CONSOLE, "..", "build"));
const OUT = join(BUILD, "assets");
/** The WebAssembly module that reads remittances. */
const MODULE = join(CONSOLE, "..", "build", "remittances.wasm");
/** The oldest browsers with `light-dark()`. */
const BROWSERS = ["chrome123", "firefox120", "safari17.5"];

const COMMON = { absWorkingDir: CONSOLE, bundle: true, minify: true, format: "esm", target: BROWSERS, charset: "utf8" };
const START = "src/main.tsx";
/** The parts that the first load has. */
const SHARED = join(CONSOLE, "src/shared.ts");

/** The patterns of the screens' paths, and the file of each. The screens themselves are not loaded. */
async function screens() {
  const { outputFiles } = await build({
    ...COMMON,
    entryPoints: ["src/routes.ts"],
    external: ["./pages/*"],
    write: false,
  });
  const script = Buffer.from(outputFiles[0].contents).toString("base64");
  const { routes } = await import(`data:text/javascript;base64,${script}`);
  return routes.map(({ path, load }) => ({ path, file: String(load).replace(/.*"\.(\/pages\/[^"]+)".*/s, "src$1") }));
}

/**
 * Has each file of screens import the shared parts. esbuild puts modules that the same screens import into one file. So shared
 * parts become one file, and not one for each set of screens that uses some of them.
 */
const withShared = (files) => ({
  name: "shared",
  setup({ onLoad }) {
    const wanted = new Set(files.map((file) => join(CONSOLE, file)));
    onLoad({ filter: /\/src\/pages\// }, async ({ path }) => {
      if (!wanted.has(path)) return undefined;
      return { contents: `${await readFile(path, "utf8")}\nimport ${JSON.stringify(SHARED)};`, loader: "tsx" };
    });
  },
});

/** Says that lists of modules do nothing themselves. Without it, each screen that names one module would load all of the list. */
const lists = {
  name: "lists",
  setup({ onResolve }) {
    onResolve({ filter: /\/(lib|ui)\/index\.ts$/ }, ({ path, resolveDir }) => ({ path: join(resolveDir, path), sideEffects: false }));
  },
};

/** The worker that reads remittances, and its module: their names with their contents. */
async function remittances() {
  const { outputFiles } = await build({ ...COMMON, entryPoints: ["src/worker/remittances.ts"], legalComments: "none", write: false });
  const script = outputFiles[0].contents;
  const module = await readFile(MODULE).catch(() => {
    throw new Error(`${MODULE} is missing: cargo xtask console build makes it`);
  });
  return { worker: [`remittances-${digest(script)}.js`, script], module: [`remittances-${digest(module)}.wasm`, module] };
}

/** Bundles, and gives the files' contents by name with what esbuild says of them. `define` has constants for the scripts. */
async function bundle(files, define) {
  const { outputFiles, metafile } = await build({
    ...COMMON,
    define,
    entryPoints: { console: START },
    plugins: [lists, withShared(files)],
    loader: { ".svg": "dataurl" },
    splitting: true,
    outdir: join(OUT, "assets"),
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    legalComments: "none",
    metafile: true,
    write: false,
  });
  const contents = new Map(outputFiles.map(({ path, contents }) => [basename(path), contents]));
  const outputs = Object.entries(metafile.outputs).map(([path, output]) => [basename(path), output]);
  return { files: contents, outputs: new Map(outputs) };
}

/** A script, and those that it loads at once. */
function loadedWith(name, outputs, seen = new Set()) {
  if (seen.has(name)) return seen;
  seen.add(name);
  for (const { path, kind } of outputs.get(name).imports) {
    if (kind === "import-statement") loadedWith(basename(path), outputs, seen);
  }
  return seen;
}

/** The script that a source file became the start of. */
const scriptOf = (file, outputs) => [...outputs].find(([, { entryPoint }]) => entryPoint === file)[0];

/** The most rules that the platform takes in `_headers`. */
const MOST_RULES = 100;
const FOR_GOOD = "  ! Cache-Control\n  Cache-Control: public, max-age=31536000, immutable\n";

/** The first of the pages for developers, which `cargo xtask build` writes into build/assets/docs. */
const DOCS = ["/docs", "/docs/"].map((path) => `${path} /docs/index.html 200\n`).join("");

/** The policy of every page. Only `remittance-worker` may make an address of a script, and it knows one (lib/remittance_worker.ts). */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types remittance-worker",
].join("; ");

/** The policy of the worker that reads remittances. It alone may compile WebAssembly, and it has no network. */
const WORKER_POLICY = [
  "default-src 'none'",
  "script-src 'wasm-unsafe-eval'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

/**
 * The headers of the platform's file `_headers`. They are those of the Worker's own pages, with a stricter policy. Browsers
 * keep the files with these names for good. A pattern would also keep the 404 of a name that a later version has.
 */
function headers(names, worker) {
  const own = (name) =>
    name === worker ? `  ! Content-Security-Policy\n  Content-Security-Policy: ${WORKER_POLICY}\n` : "";
  return `/*
  Content-Security-Policy: ${POLICY}
  X-Content-Type-Options: nosniff
  Referrer-Policy: no-referrer
  Permissions-Policy: camera=(), geolocation=(), microphone=(), payment=(), usb=()
  Cross-Origin-Opener-Policy: same-origin
  Cross-Origin-Resource-Policy: same-origin
  Strict-Transport-Security: max-age=31536000
  Cache-Control: no-cache
${names.map((name) => `/assets/${name}\n${FOR_GOOD}${own(name)}`).join("")}`;
}

const size = (bytes) => gzipSync(bytes, { level: 9 }).length;
const total = (names, files) => [...names].reduce((sum, name) => sum + size(files.get(name)), 0);

/**
 * The sizes in gzipped bytes. The first load is the shell with the largest of the screens that people begin on.
 * `remittances` are the files that only the reading of remittances loads.
 */
function sizes(files, outputs, entry, remittances) {
  const scripts = [...files.keys()].filter((name) => name.endsWith(".js"));
  const firstLoad = (page) => {
    const screen = scriptOf(`src/pages/${page}.tsx`, outputs);
    return total(new Set([...loadedWith(entry, outputs), ...loadedWith(screen, outputs)]), files);
  };
  return {
    first: Math.max(...["auth/sign_in", "practice/home", "staff/queue"].map(firstLoad)),
    largest: Math.max(...scripts.map((name) => size(files.get(name)))),
    all: total(scripts, files),
    remit: total(remittances, files),
    css: total([...files.keys()].filter((name) => name.endsWith(".css")), files),
  };
}

async function page(name, values) {
  const text = await readFile(join(CONSOLE, "src", name), "utf8");
  return text.replace(/%([A-Z]+)%/g, (_, value) => values[value]);
}

const CODINGS = { br: promisify(brotliCompress), gz: (contents) => promisify(gzip)(contents, { level: 9 }) };

const isThere = async (path, contents) => (await readFile(path).catch(() => undefined))?.equals(Buffer.from(contents)) ?? false;

/** Writes a file unless it is there already, so that a running server reads no half of one. */
async function put(path, contents) {
  if (!(await isThere(path, contents))) await writeFile(path, contents);
}

/** Writes a file and the same compressed, and gives the paths. */
async function putAll(path, contents) {
  const coded = Object.entries(CODINGS).map(([end, compress]) => [`${path}.${end}`, compress]);
  // Compressing well takes longer than all the rest.
  if (!coded.every(([path]) => existsSync(path)) || !(await isThere(path, contents))) {
    await Promise.all(coded.map(async ([path, compress]) => put(path, await compress(contents))));
    await put(path, contents);
  }
  return [path, ...coded.map(([path]) => path)];
}

const digest = (contents) => createHash("sha256").update(contents).digest("hex").slice(0, 8);

/** Adds the first page of each screen to `files`, and gives the lines of `_redirects`. A first page loads the screen's scripts at once. */
async function addPages(paths, files, outputs, values) {
  const start = loadedWith(scriptOf(START, outputs), outputs);
  const lines = await Promise.all(
    paths.map(async ({ path, file }) => {
      const scripts = [...loadedWith(scriptOf(file, outputs), outputs, new Set(start))].filter((name) => `/assets/${name}` !== values.SCRIPT);
      const preloads = scripts.sort().map((name) => `<link rel="modulepreload" href="/assets/${name}">`);
      const text = await page("index.html", { ...values, PRELOADS: preloads.join("\n    ") });
      if (path === "/") await putAll(join(OUT, "index.html"), text);
      const name = `${basename(file).replace(/\.tsx?$/, "")}-${digest(text)}.html`;
      files.set(name, text);
      return `${path} /assets/${name} 200\n`;
    }),
  );
  return lines.join("");
}

async function main() {
  const [paths, { worker, module }] = await Promise.all([screens(), remittances()]);
  const define = {
    REMITTANCE_WORKER: JSON.stringify(`/assets/${worker[0]}`),
    REMITTANCE_MODULE: JSON.stringify(`/assets/${module[0]}`),
  };
  const { files, outputs } = await bundle(
    paths.map(({ file }) => file),
    define,
  );
  const icon = await readFile(join(CONSOLE, "src/icon.svg"));
  const iconName = `icon-${digest(icon)}.svg`;
  for (const [name, contents] of [worker, module, [iconName, icon]]) files.set(name, contents);

  const entry = scriptOf(START, outputs);
  const values = {
    ICON: `/assets/${iconName}`,
    SCRIPT: `/assets/${entry}`,
    STYLE: `/assets/${[...files.keys()].find((name) => name.endsWith(".css"))}`,
  };

  await mkdir(join(OUT, "assets"), { recursive: true });
  if (files.size >= MOST_RULES) throw new Error(`${files.size} files are too many for ${MOST_RULES} rules in _headers`);
  // A first page is asked for by the path of its screen, so its own name needs no rule.
  const rules = headers([...files.keys()].sort(), worker[0]);
  const redirects = await addPages(paths, files, outputs, values);
  const written = await Promise.all([...files].map(([name, contents]) => putAll(join(OUT, "assets", name), contents)));
  await putAll(join(OUT, "404.html"), await page("404.html", values));
  await put(join(OUT, "_headers"), rules);
  await put(join(OUT, "_redirects"), redirects + DOCS);
  const measured = sizes(files, outputs, entry, [worker[0], module[0]]);
  await put(join(BUILD, "console.json"), `${JSON.stringify(measured)}\n`);
  // Files of earlier builds go last, because a page that is open may still load one.
  const kept = new Set(written.flat());
  const old = (await readdir(join(OUT, "assets"))).map((name) => join(OUT, "assets", name)).filter((path) => !kept.has(path));
  await Promise.all(old.map((path) => rm(path)));
  const kb = (bytes) => `${(bytes / 1000).toFixed(1)} KB`;
  const { first, all, css } = measured;
  const said = `${kb(first)} of script first, ${kb(all)} in all, ${kb(css)} of style, gzipped`;
  console.log(`${relative(process.cwd(), OUT)}: ${said}`);
}

await main();
