// The cases in a headless browser, on a page that is served here.
//
//   OVERTURN_BROWSER  JSON: the browser's program and its flags

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";

const PATIENCE_MS = 60_000;
const PACKAGE = "/node_modules/@overturn/core/";
const TYPES = { ".json": "application/json", ".wasm": "application/octet-stream" };

const manifest = JSON.parse(readFileSync(join(import.meta.dirname, PACKAGE, "package.json")));
const entry = new URL(manifest.exports["."].default, `http://localhost${PACKAGE}`).pathname;
const page = `<!doctype html><title>@overturn/core</title><link rel="icon" href="data:,">
<script type="importmap">${JSON.stringify({ imports: { "@overturn/core": entry } })}</script>
<script type="module">
  const say = (what) => fetch("/result", { method: "POST", body: JSON.stringify(what) });
  try {
    const [{ check }, golden] = await Promise.all([import("/cases.mjs"), fetch("/golden.json").then((r) => r.json())]);
    const { contentWindow } = document.body.appendChild(document.createElement("iframe"));
    await say({ made: check(golden, contentWindow), browser: navigator.userAgent });
  } catch (error) {
    await say({ error: String(error) });
  }
</script>`;

function answer(request, response, done) {
  const path = normalize(new URL(request.url, "http://localhost").pathname);
  if (path === "/result") {
    let body = "";
    request.on("data", (chunk) => (body += chunk)).on("end", () => done(JSON.parse(body)));
    return response.end();
  }
  if (path === "/") return response.setHeader("Content-Type", "text/html").end(page);
  try {
    const content = readFileSync(join(import.meta.dirname, path));
    response.setHeader("Content-Type", TYPES[extname(path)] ?? "text/javascript").end(content);
  } catch {
    response.writeHead(404).end();
  }
}

/** Removes a folder in which the browser's children may write a moment longer than the browser lives. */
async function remove(folder) {
  for (let tries = 1; ; tries += 1) {
    try {
      return rmSync(folder, { recursive: true, force: true });
    } catch (error) {
      if (tries === 40) throw error;
      await sleep(250);
    }
  }
}

const profile = mkdtempSync(join(tmpdir(), "overturn-browser-"));
const [program, ...flags] = JSON.parse(process.env.OVERTURN_BROWSER);
let browser;
try {
  const result = await new Promise((done, fail) => {
    const server = createServer((request, response) => answer(request, response, done));
    server.listen(0, "127.0.0.1", () => {
      const url = `http://localhost:${server.address().port}/`;
      browser = spawn(program, [...flags, `--user-data-dir=${profile}`, url], { stdio: "ignore" });
      browser.on("error", fail).on("exit", () => fail(new Error("the browser ended")));
    });
    setTimeout(() => fail(new Error("the page said nothing")), PATIENCE_MS);
  });
  if (result.error !== undefined) throw new Error(result.error);
  console.log(`${result.browser.match(/\w*Chrome\/[\d.]+/)?.[0]}: ${result.made} comparisons`);
} finally {
  if (browser?.exitCode === null) await new Promise((end) => browser.on("exit", end).kill());
  await remove(profile);
}
process.exit();
