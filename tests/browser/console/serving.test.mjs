// How the console and the Worker share the paths of one origin.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { assertScreen, heading, origin, screens, signIn } from "./harness.mjs";

const get = (path, init) => fetch(`${origin}${path}`, { redirect: "manual", ...init });
const open = screens();
const first = await (await get("/sign-in")).text();
/** The files that a first page names. */
const named = (text) => [...text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, name]) => name);
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
];
/** The policy of the worker that reads remittances, and of nothing else. */
const WORKER_POLICY = [
  "default-src 'none'",
  "script-src 'wasm-unsafe-eval'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
];

test("every screen has a first page, with the strictest policy", async () => {
  const redirects = readFileSync(new URL("../../../build/assets/_redirects", import.meta.url), "utf8");
  const lines = redirects.trim().split("\n").filter((line) => !line.startsWith("/docs"));
  const paths = lines.map((line) => line.split(" ")[0].replace(/:\w+/g, "0f1e"));
  assert.ok(paths.length >= 20);
  for (const path of paths) {
    const answer = await get(path);
    assert.equal(answer.status, 200, path);
    assert.match(await answer.text(), /<div id="app">/, path);
    assert.equal(answer.headers.get("content-security-policy"), POLICY.join("; "), path);
    assert.equal(answer.headers.get("cache-control"), "no-cache", path);
    assert.equal(answer.headers.get("x-content-type-options"), "nosniff", path);
    assert.equal(answer.headers.get("referrer-policy"), "no-referrer", path);
    assert.equal(answer.headers.get("cross-origin-opener-policy"), "same-origin", path);
    assert.equal(answer.headers.get("cross-origin-resource-policy"), "same-origin", path);
    assert.match(answer.headers.get("strict-transport-security"), /^max-age=\d+$/, path);
    assert.match(answer.headers.get("permissions-policy"), /camera=\(\)/, path);
  }
});

test("files named by their content are kept for good", async () => {
  const names = named(first);
  assert.ok(names.length >= 3);
  for (const name of names) {
    const answer = await get(name);
    assert.equal(answer.status, 200, name);
    assert.equal(answer.headers.get("cache-control"), "public, max-age=31536000, immutable", name);
    assert.notEqual(answer.headers.get("content-type"), "text/html; charset=utf-8", name);
  }
});

test("a file is sent compressed, and has no other address", async () => {
  const names = named(first);
  assert.ok(names.length >= 3);
  for (const name of names) {
    const answer = await get(name, { headers: { "Accept-Encoding": "gzip" } });
    assert.equal(answer.headers.get("content-encoding"), "gzip", name);
    assert.match(answer.headers.get("vary"), /accept-encoding/i, name);
    assert.equal((await get(`${name}.gz`)).status, 404, name);
  }
});

test("a first page names every script of its screen, so that none waits for another, and the session is asked for once", async () => {
  for (const [path, role, name] of [
    ["/sign-in", undefined, "Sign in"],
    ["/settings/keys", "owner", "API keys"],
    ["/queue", "staff", "Queue"],
  ]) {
    const { page } = await open();
    if (role) await signIn(page, role);
    const asked = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    const text = await (await page.goto(path)).text();
    await heading(page, name);
    const scripts = asked.filter((asked) => asked.endsWith(".js"));
    assert.ok(scripts.length >= 3, path);
    assert.deepEqual(scripts.filter((script) => !named(text).includes(script)), [], path);
    assert.equal(asked.filter((asked) => asked === "/api/v1/auth/session").length, 1, path);
  }
});

test("the frame shows before any script has arrived", async () => {
  const { page, context } = await open();
  let arrive;
  const arrived = new Promise((resolve) => (arrive = resolve));
  await context.route("**/*.js", async (route) => (await arrived, route.continue()));
  await page.goto("/sign-in", { waitUntil: "commit" });
  await page.getByRole("banner").getByText("Overturn").waitFor();
  await page.getByRole("contentinfo").getByText("Something wrong?").waitFor();
  await page.getByText("Loading…").waitFor();
  arrive();
  await heading(page, "Sign in");
});

test("only the worker that reads remittances may compile WebAssembly", async () => {
  const all = readdirSync(new URL("../../../build/assets/assets", import.meta.url));
  const names = all.filter((name) => /\.(js|css|svg|wasm)$/.test(name));
  const policies = await Promise.all(names.map(async (name) => [name, (await get(`/assets/${name}`)).headers.get("content-security-policy")]));
  const [own, others] = [true, false].map((is) => policies.filter(([, policy]) => (policy !== POLICY.join("; ")) === is));
  assert.deepEqual(own.map(([, policy]) => policy), [WORKER_POLICY.join("; ")]);
  assert.match(own[0][0], /^remittances-.*\.js$/);
  assert.ok(others.length > 15);
  const module = names.find((name) => name.endsWith(".wasm"));
  assert.equal((await get(`/assets/${module}`)).headers.get("content-type"), "application/wasm");
});

test("the pages for developers need no script, lead to each other, and stay below 150 KB", async () => {
  const names = readdirSync(new URL("../../../build/assets/docs", import.meta.url));
  const paths = ["/docs", "/docs/", "/llms.txt", ...names.map((name) => `/docs/${name}`)];
  assert.ok(names.length > 40);
  let size = 0;
  for (const path of paths) {
    const answer = await get(path);
    assert.equal(answer.status, 200, path);
    assert.equal(answer.headers.get("content-security-policy"), POLICY.join("; "), path);
    const text = await answer.text();
    const type = answer.headers.get("content-type");
    if (path.endsWith(".md")) {
      assert.match(type, /^text\/markdown/, path);
      continue;
    }
    size += gzipSync(text, { level: 9 }).length;
    if (!type.startsWith("text/html")) continue;
    assert.doesNotMatch(text, /<script|<style| style=| on\w+=/, path);
    for (const [, link] of text.matchAll(/href="(?!https:|#)([^"#]*)/g)) assert.ok(paths.includes(link), `${path}: ${link}`);
    for (const [, id] of text.matchAll(/href="#([^"]*)/g)) assert.ok(text.includes(`id="${id}"`), `${path}: #${id}`);
  }
  assert.ok(size < 150_000, String(size));
});

test("the pages for developers are readable, wide and narrow, light and dark", async () => {
  for (const [path, title] of [["/docs", "Quick start"], ["/docs/webhooks.html", "Webhooks"], ["/docs/errors.html", "Rules and errors"]]) {
    const { page } = await open();
    await page.goto(path);
    await assertScreen(page, title);
  }
});

test("what nothing has is a 404 that no cache keeps", async () => {
  for (const path of ["/assets/x.js", "/claims/a/b", "/openapi.json", "/_headers", "/_redirects", "/settings/unknown"]) {
    const answer = await get(path, { headers: { "Sec-Fetch-Mode": "navigate", Accept: "text/html" } });
    assert.equal(answer.status, 404, path);
    assert.equal(answer.headers.get("cache-control"), "no-cache", path);
    assert.match(await answer.text(), /Page not found/, path);
  }
});

test("every path of the Worker reaches the Worker", async () => {
  const sources = ["router.rs", "html/path.rs"].map((name) =>
    readFileSync(new URL(`../../../service/src/${name}`, import.meta.url), "utf8"),
  );
  const texts = sources.join("").split('"').filter((_, n) => n % 2 === 1);
  const paths = texts.filter((text) => text.startsWith("/")).map((path) => path.replace(/\{\w+\}/g, "0f1e"));
  assert.ok(paths.length > 100);
  // As a browser that opens a link of an email, and below each path as well.
  const headers = { "Sec-Fetch-Mode": "navigate", Accept: "text/html" };
  for (const path of [...new Set(paths)]) {
    const answer = await get(path, { headers });
    await answer.arrayBuffer();
    assert.ok(answer.headers.get("x-request-id"), path);
  }
});

test("the description comes from the Worker, and its file is not public", async () => {
  const served = await get("/api/v1/openapi/accounts.json");
  assert.equal(served.status, 200);
  assert.ok((await served.json()).paths["/api/v1/auth/session"]);
  const file = await get("/api/accounts.json");
  assert.equal(file.status, 404);
  assert.ok(file.headers.get("x-request-id"));
});

test("a request with two hosts, or an impossible one, is refused before the console", async () => {
  const { hostname, port } = new URL(origin);
  const status = (head) =>
    new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => socket.end(`${head}\r\n\r\n`));
      let text = "";
      socket.setEncoding("latin1").on("data", (data) => (text += data));
      socket.on("error", reject).on("close", () => resolve(text.split(" ")[1]));
    });
  for (const path of ["/health", "/sign-in"]) {
    for (const host of ["a\r\nHost: b", "a\r\nHost: a", "a b", "[::1", "a%00", "a<b", "ex\u00e4mple"]) {
      assert.equal(await status(`GET ${path} HTTP/1.1\r\nHost: ${host}`), "400", host);
    }
  }
  assert.equal(await status("OPTIONS * HTTP/1.1\r\nHost: a"), "400");
});
