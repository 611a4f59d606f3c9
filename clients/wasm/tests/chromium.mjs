// Opens pages, which this file serves, in a headless browser until it has posted all expected results.
//
//   OVERTURN_BROWSER  JSON: the browser's program and its flags

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const TIME_OUT_MS = 60_000;
const TYPES = { ".html": "text/html", ".json": "application/json", ".wasm": "application/octet-stream" };

/** Serves `page` at `/` and the files of `folder`; answers the first `count` values that were posted to `/result`. */
export async function visit({ page, folder, count = 1 }) {
  const results = [];
  const profile = mkdtempSync(join(tmpdir(), "overturn-browser-"));
  const [program, ...flags] = JSON.parse(process.env.OVERTURN_BROWSER);
  let browser;
  try {
    return await new Promise((done, fail) => {
      const take = (result) => {
        if (result.error !== undefined) fail(new Error(`${result.name ?? "the page"}: ${result.error}`));
        if (results.push(result) === count) done(results);
      };
      const server = createServer((request, response) => answer({ page, folder }, request, response, take));
      server.listen(0, "127.0.0.1", () => {
        const url = `http://localhost:${server.address().port}/`;
        browser = spawn(program, [...flags, `--user-data-dir=${profile}`, url], { stdio: "ignore" });
        browser.on("error", fail).on("exit", () => fail(new Error("the browser ended")));
      });
      setTimeout(() => fail(new Error("the page said nothing")), TIME_OUT_MS).unref();
    });
  } finally {
    if (browser?.exitCode === null) await new Promise((end) => browser.on("exit", end).kill());
    await remove(profile);
  }
}

function answer({ page, folder }, request, response, take) {
  const path = normalize(new URL(request.url, "http://localhost").pathname);
  if (path === "/result") {
    let body = "";
    request.on("data", (chunk) => (body += chunk)).on("end", () => take(JSON.parse(body)));
    return response.end();
  }
  if (path === "/") return response.setHeader("Content-Type", "text/html").end(page);
  try {
    const content = readFileSync(join(folder, path));
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
