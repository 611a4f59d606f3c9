// Runs each snippet of the pages for developers, in the folder where the clients are installed.
//
//   DEMO      the file of the demo data of a running service
//   SNIPPETS  snippets.json, as `overturn-api clients` writes it: each snippet, the request that it must make, and an answer
//   PYTHON    a Python with the client in its path
//   TSC       the compiler of TypeScript, with TYPES, the folder of Node's types

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { test } from "node:test";

const { DEMO, SNIPPETS, PYTHON, TSC, TYPES } = process.env;
const demo = JSON.parse(readFileSync(DEMO, "utf8"));
const snippets = JSON.parse(readFileSync(SNIPPETS, "utf8"));
const KEY = "ovt_test_3UeuGdlKTJieoGJrUHcY7S8yUfegzRh40nSetp0";
const TOKEN = "ovu_test_3UeuGdlKTJieoGJrUHcY7S8yUfegzRh4066vfO2";
const [COOKIES, CSRF] = ["__Host-session=s; csrf_token=c", "c"];
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const FOLDER = "snippets";
mkdirSync(FOLDER, { recursive: true });
writeFileSync(join(FOLDER, "letter.pdf"), "%PDF-1.4");

async function all(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Runs a program and gives what it prints. */
async function run(program, args, { env = {}, cwd } = {}) {
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  const [out, error, code] = await Promise.all([all(child.stdout), all(child.stderr), new Promise((done) => child.on("close", done))]);
  assert.equal(code, 0, `${program} ${args}: ${error}${out}`);
  return String(out);
}

/** What is wrong with a request. */
function wrong(snippet, { headers, query, body }) {
  const found = [];
  const credential = { key: [`Bearer ${KEY}`], token: [`Bearer ${TOKEN}`], session: [], anyone: [] }[snippet.caller];
  if (headers.authorization !== credential[0]) found.push(`Authorization: ${headers.authorization}`);
  if (snippet.caller === "session" && !(headers.cookie === COOKIES && (snippet.method === "GET" || headers["x-csrf-token"] === CSRF))) found.push("session");
  if (snippet.keyed !== UUID.test(headers["idempotency-key"] ?? "")) found.push("Idempotency-Key");
  if (snippet.version !== (headers["if-match"] === '"1"')) found.push("If-Match");
  try {
    assert.deepEqual(query, snippet.query);
    if (snippet.files.length > 0) assert.deepEqual([...body.matchAll(/; name="(\w+)"/g)].map(([, name]) => name), snippet.files);
    else assert.deepEqual(body === "" ? null : JSON.parse(body), snippet.body);
  } catch (error) {
    found.push(error.message);
  }
  return found;
}

/** A server that answers what the snippets ask, and what they asked it. */
async function described() {
  const [seen, problems] = [[], []];
  const server = createServer(async (request, response) => {
    const body = String(await all(request));
    const { pathname, searchParams } = new URL(request.url, "http://localhost");
    if (pathname === "/api/v1/auth/session" && body.includes("snippets@")) {
      return response.writeHead(200, { "Set-Cookie": COOKIES.split("; ").map((one) => `${one}; Path=/; Secure`) }).end("{}");
    }
    const snippet = snippets.find((one) => one.method === request.method && one.path === pathname);
    if (snippet === undefined) {
      problems.push(`${request.method} ${request.url}`);
      return response.writeHead(404).end("{}");
    }
    seen.push(snippet.id);
    problems.push(...wrong(snippet, { headers: request.headers, query: Object.fromEntries(searchParams), body }).map((one) => `${snippet.id}: ${one}`));
    const { answer } = snippet;
    if (answer?.next_cursor) answer.next_cursor = null;
    response.writeHead(Number(snippet.status), answer === null ? {} : { "Content-Type": "application/json" });
    response.end(answer === null ? undefined : typeof answer === "string" ? answer : JSON.stringify(answer));
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  server.unref();
  const url = `http://127.0.0.1:${server.address().port}`;
  const end = () => {
    server.close();
    assert.deepEqual(problems, []);
    assert.deepEqual(seen.sort(), snippets.map((one) => one.id).sort());
  };
  return { env: { OVERTURN_URL: url, OVERTURN_API_KEY: KEY, OVERTURN_API_TOKEN: TOKEN }, end };
}

test("each snippet of curl makes the described call", async () => {
  const { env, end } = await described();
  const lines = ["set -eu", `uuidgen() { echo ${randomUUID()}; }`, ...snippets.map((one) => one.curl)];
  writeFileSync(join(FOLDER, "all.sh"), lines.join("\n"));
  await run("bash", ["all.sh"], { cwd: FOLDER, env: { ...env, OVERTURN_COOKIES: COOKIES, OVERTURN_CSRF: CSRF } });
  end();
});

test("each snippet of TypeScript has right types and makes the described call", async () => {
  const { env, end } = await described();
  for (const { id, typescript } of snippets) {
    writeFileSync(join(FOLDER, `${id}.ts`), `declare const client: import("@overturn/client").Client;\n${typescript}\nexport {};\n`);
  }
  const strict = ["--noEmit", "--strict", "--target", "es2023", "--module", "nodenext", "--skipLibCheck", "--typeRoots", TYPES, "--types", "node"];
  const files = snippets.map(({ id }) => join(FOLDER, `${id}.ts`));
  const examples = ["send", "clock", "follow", "register", "webhook"].map((name) => `examples/${name}.mjs`);
  await run(TSC, [...strict, "--allowJs", "--checkJs", ...files, ...examples]);
  writeFileSync(
    join(FOLDER, "all.mjs"),
    `import { Client } from "@overturn/client";
const session = new Client();
await session.signIn("snippets@example.test", "password");
const { OVERTURN_API_KEY: key, OVERTURN_API_TOKEN: token } = process.env;
console.log = () => {};
for (const [id, caller] of ${JSON.stringify(snippets.map(({ id, caller }) => [id, caller]))}) {
  globalThis.client = caller === "session" ? session : new Client();
  await import(\`./\${id}.ts\`);
}
`,
  );
  await run(process.execPath, ["all.mjs"], { cwd: FOLDER, env });
  end();
});

test("each snippet of Python makes the described call", async () => {
  const { env, end } = await described();
  const texts = snippets.map(({ python, caller }) => [python, caller]);
  writeFileSync(join(FOLDER, "all.json"), JSON.stringify(texts));
  writeFileSync(
    join(FOLDER, "all.py"),
    `import json
from overturn import Client

session = Client()
session.sign_in("snippets@example.test", "password")
for text, caller in json.load(open("all.json", encoding="utf-8")):
    exec(text, {"client": session if caller == "session" else Client(), "print": lambda *_: None})
`,
  );
  await run(PYTHON, ["-W", "ignore::ResourceWarning", "all.py"], { cwd: FOLDER, env });
  end();
});

/** What the quick start needs: the sandbox of a practice, with a key and a token. */
let made;
async function sandbox() {
  const { Client } = await import("@overturn/client");
  const owner = new Client({ baseUrl: demo.base_url });
  const { email, password, totp_secret } = demo.users.other_owner;
  const { totp } = await import("./totp.mjs");
  await owner.signIn(email, password, () => totp(totp_secret));
  await owner.sandbox.makeSandbox();
  const { key } = await owner.sandbox.createSandboxKey({ name: "Pages", scopes: ["claims:write", "claims:read"] });
  const { token } = await owner.sandbox.createSandboxToken({ name: "Pages", scopes: ["denials:read"], expires_in_days: 365 });
  return { OVERTURN_URL: demo.base_url, OVERTURN_API_KEY: key, OVERTURN_API_TOKEN: token };
}

const LANGUAGES = [["bash", "sh"], [process.execPath, "mjs"], [PYTHON, "py"]];

test("the quick start works in a sandbox, in each language", async () => {
  made ??= await sandbox();
  for (const [program, end] of LANGUAGES) {
    for (const [name, expected] of [["send", /RECOVER-1\b/], ["clock", /\brecovered\b/], ["follow", /RECOVER-1\b/]]) {
      const printed = await run(program, [`examples/${name}.${end}`], { env: made });
      assert.match(printed, expected, `${name}.${end}: ${printed}`);
    }
  }
});

test("the quick start's receiver takes the messages of a claim in a sandbox, and refuses forged ones", async () => {
  made ??= await sandbox();
  const { Client } = await import("@overturn/client");
  const client = new Client({ baseUrl: made.OVERTURN_URL, apiKey: made.OVERTURN_API_KEY, apiToken: made.OVERTURN_API_TOKEN });
  for (const [program, end] of LANGUAGES.slice(1)) {
    writeFileSync("uuidgen.sh", `uuidgen() { echo ${randomUUID()}; }\n`);
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    const env = { ...made, HOOK_URL: `http://127.0.0.1:${port}/`, BASH_ENV: "uuidgen.sh" };
    const secret = (await run(program, [`examples/register.${end}`], { env })).trim();
    assert.match(secret, /^whsec_/);
    assert.match(await run("bash", ["examples/register.sh"], { env }), /whsec_/);
    writeFileSync(`hook.${end}`, readFileSync(`examples/webhook.${end}`, "utf8").replace("3000", port));
    const child = spawn(program, [`hook.${end}`], { env: { ...process.env, OVERTURN_WEBHOOK_SECRET: secret }, stdio: ["ignore", "pipe", "ignore"] });
    const printed = child.stdout.setEncoding("utf8")[Symbol.asyncIterator]();
    try {
      const headers = { "webhook-id": "m1", "webhook-timestamp": String(Math.floor(Date.now() / 1000)), "webhook-signature": `v1,${"A".repeat(43)}=` };
      let forged;
      for (let tries = 0; forged === undefined; tries += 1) {
        forged = await fetch(env.HOOK_URL, { method: "POST", headers, body: "{}" }).catch((error) => {
          if (tries > 100) throw error;
          return new Promise((done) => setTimeout(done, 50));
        });
      }
      assert.equal(forged.status, 400);
      const claim_number = `RECOVER-${end}`;
      const patient = { first_name: "Maria", last_name: "Gonzalez", date_of_birth: "1968-04-12" };
      const rest = { payer_claim_number: "1", payer_name: "Blue Prairie Health", date_of_service: "2025-01-14", billed_amount: "1.00", denial_codes: ["CO-50"] };
      const [sent] = await client.claims.send([{ patient, claim: { claim_number, ...rest } }]);
      assert.deepEqual([sent.created, sent.errors], [true, []]);
      await client.claims.advanceSandboxClock({ advance: "P40D" });
      let text = "";
      while (!text.includes(`${claim_number} recovered`)) text += (await printed.next()).value;
    } finally {
      child.kill();
    }
  }
});
