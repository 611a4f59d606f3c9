// Makes the same calls to two hosts of the service and compares what they answer: the status, the headers, and the body without
// what is made anew for each state.
//
//   node tests/contract/both_hosts.mjs DEMO_JSON DEMO_JSON
//
// Both states have fresh demo data. Every operation of the descriptions is called by nine callers: as its example says, without
// a body, with a body that is no JSON, about a record that exists, and about one that does not. It prints each difference, and
// fails if there is one.

import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";

const MISSING = "00000000-0000-4000-8000-000000000000";
const DESCRIPTIONS = ["/api/v1/openapi.json", "/api/v1/openapi/accounts.json"];
/** What ends a session, an account or an agreement comes after all that needs one. */
const ENDS = /session|password|recovery_codes|totp|passkeys|members|agreements|data_jobs|sso|api_tokens|api_keys/;
/** Paths and methods that no description has. */
const STRANGE = [
  ["GET", "/"],
  ["GET", "/health"],
  ["HEAD", "/health"],
  ["POST", "/health"],
  ["OPTIONS", "/api/v1/claims"],
  ["PUT", "/api/v1/claims"],
  ["HEAD", "/api/v1/claims/status?claim_number=1"],
  ["GET", "/api/v1/claims/status?claim_number=%FF"],
  ["GET", "/api/v1/nothing"],
  ["GET", "/api/v1/claims/"],
  ["GET", "/api//v1/claims/status"],
  ["GET", "/api/v1/%63laims/status"],
  ["GET", "/operations/state"],
  ["GET", "/.well-known/webauthn"],
  ["GET", "/sign"],
  ["GET", "/sign?token=x"],
  ["POST", "/sign"],
  ["GET", "/sign/page.js"],
  ["GET", "/auth/password-reset"],
];
/** Fields of data jobs and deliveries that the clock of each host changes, in its own minute, and how full a database is. */
const BY_CLOCK = new Set([
  ...["attempts", "last_error", "last_status", "next_attempt_at", "records", "report", "state"],
  ...["bytes", "changes", "days_left", "most"],
]);
const OF_CLOCK = /data_jobs|deliveries|replay|staff\/cells/;
/** Says when, and not what. */
const OF_TIME = new Set(["date"]);
/** The value follows from ids, times and tokens. */
const BY_CONTENT = new Set(["content-length", "etag", "x-ratelimit-reset", "retry-after"]);

class Host {
  constructor(demoFile) {
    this.demo = JSON.parse(readFileSync(demoFile, "utf8"));
    const { hostname, port } = new URL(this.demo.base_url);
    this.agent = new Agent({ keepAlive: true });
    this.at = { hostname, port };
    this.made = [];
    this.note(this.demo, "");
    // The longest first: one text may be a part of another.
    this.made.sort(([a], [b]) => b.length - a.length);
  }

  /** Notes every text of the demo data, which is made anew for each state. */
  note(value, path) {
    if (typeof value === "string" && value.length > 5) this.made.push([value, `<demo${path}>`]);
    else if (value && typeof value === "object") for (const [name, part] of Object.entries(value)) this.note(part, `${path}/${name}`);
  }

  call(method, path, headers, body) {
    return new Promise((resolve, reject) => {
      const sent = request({ ...this.at, agent: this.agent, method, path, headers }, (answer) => {
        const parts = [];
        answer.on("data", (part) => parts.push(part));
        answer.on("error", reject);
        answer.on("end", () => resolve({ status: answer.statusCode, headers: answer.rawHeaders, body: Buffer.concat(parts) }));
      });
      sent.on("error", reject);
      sent.end(body);
    });
  }

  async json(method, path, headers, value) {
    const body = value === undefined ? undefined : JSON.stringify(value);
    const answer = await this.call(method, path, { "Content-Type": "application/json", ...headers }, body);
    return { ...answer, json: JSON.parse(answer.body.toString() || "null") };
  }

  /** The headers of a session. */
  async signIn({ email, password, totp_secret }) {
    const asked = await this.json("POST", "/api/v1/auth/session", {}, { email, password });
    const shown = { continuation_token: asked.json.continuation_token, code: totp(totp_secret) };
    const signed = await this.json("POST", "/api/v1/auth/session/2fa", {}, shown);
    if (signed.status !== 201 && signed.status !== 200) throw new Error(`${email} cannot sign in: ${signed.body}`);
    const cookies = signed.headers.filter((_, n, all) => n % 2 === 1 && all[n - 1].toLowerCase() === "set-cookie");
    const pairs = cookies.map((cookie) => cookie.split(";")[0]);
    const csrf = pairs.find((pair) => /csrf/i.test(pair))?.split("=")[1];
    return { Cookie: pairs.join("; "), "X-CSRF-Token": csrf };
  }

  async callers() {
    const { practices, users } = this.demo;
    const bearer = (key) => ({ Authorization: `Bearer ${key}` });
    const people = {};
    for (const role of ["staff", "member", "admin", "owner"]) people[role] = await this.signIn(users[role]);
    return {
      nobody: {},
      full: bearer(practices.active.keys.full),
      read: bearer(practices.active.keys.read),
      revoked: bearer(practices.active.keys.revoked),
      no_baa: bearer(practices.no_baa.keys.full),
      ...people,
    };
  }

  /** A text without what is made anew for each state. */
  plain(text) {
    for (const [made, name] of this.made) text = text.replaceAll(made, name).replaceAll(encodeURIComponent(made), name);
    return text
      .replace(/whsec_[A-Za-z0-9+/=]+/g, "<secret>")
      .replace(/\b(?:[0-9a-z]{4}-){5}[0-9a-z]{4}\b/g, "<code>")
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "<id>")
      .replace(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
      .replace(/ov[a-z]?_[A-Za-z0-9_]{12,}/g, "<key>")
      .replace(/\bov[a-z]_(test|live)_[A-Za-z0-9]{4}\b/g, "<prefix>")
      .replace(/\b[A-Z2-7]{32}\b/g, "<secret>")
      .replace(/(?<![\w-])[A-Za-z0-9_-]{22,}(?![\w-])/g, (found) => (/[A-Z]/.test(found) && /[\da-z]/.test(found) ? "<token>" : found))
      .replace(/\b[0-9a-f]{16,64}\b/g, "<hex>")
      .replace(/\b\d{4}-\d\d-\d\d\b/g, (day) => (Host.near.includes(day) ? "<about today>" : day))
      .replaceAll(`:${this.at.port}`, ":<port>");
  }

  /** Today, and the days beside it: the two calls may be on two days. */
  static near = [-1, 0, 1].map((n) => new Date(Date.now() + n * 86_400_000).toISOString().slice(0, 10));

  /** What is compared of an answer. Lists are in any order: where records are alike, their ids decide. */
  compared({ status, headers, body }, path) {
    const named = [];
    for (let n = 0; n < headers.length; n += 2) {
      const name = headers[n].toLowerCase();
      if (OF_TIME.has(name)) continue;
      named.push(BY_CONTENT.has(name) ? name : `${name}: ${this.plain(headers[n + 1])}`);
    }
    const text = this.plain(body.toString());
    let shown = text;
    try {
      shown = JSON.stringify(ordered(JSON.parse(text), OF_CLOCK.test(path)));
    } catch {
      if (text.includes("\ufffd")) shown = `${body.length} bytes ${createHash("sha256").update(body).digest("hex")}`;
      else if (text.includes("\n{")) shown = text.trim().split("\n").sort().join("\n");
    }
    return { status, headers: named.sort().join("\n"), body: shown };
  }

  /** An id of a list that names this path's records: of the record whose text is the least, so both hosts name the same. */
  async known(path, headers) {
    const list = path.slice(0, path.indexOf("/{id}"));
    const { json } = await this.json("GET", list, headers).catch(() => ({}));
    const records = Object.values(json ?? {}).find(Array.isArray) ?? [];
    const of = records.filter((record) => typeof record?.id === "string").map((record) => [this.plain(JSON.stringify(record)), record.id]);
    return of.sort(([a], [b]) => (a < b ? -1 : 1))[0]?.[1];
  }
}

function ordered(value, ofClock) {
  if (Array.isArray(value)) {
    const parts = value.map((part) => ordered(part, ofClock));
    return parts.every((part) => part && typeof part === "object") ? parts.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) : parts;
  }
  if (!value || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, ofClock && BY_CLOCK.has(name) ? "<by the clock>" : ordered(part, ofClock)]));
}

function totp(secret) {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const bits = [...secret].map((letter) => letters.indexOf(letter).toString(2).padStart(5, "0")).join("");
  const key = Buffer.from(bits.match(/.{8}/g).map((byte) => Number.parseInt(byte, 2)));
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const digest = createHmac("sha1", key).update(step).digest();
  return String((digest.readUInt32BE(digest.at(-1) & 15) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

/** The operations of a description: method, path, the example of its body, and its query. */
function operations({ paths, components }) {
  const resolve = (part) => (part?.$ref ? part.$ref.split("/").slice(1).reduce((at, name) => at[name], { components }) : part);
  return Object.entries(paths).flatMap(([path, item]) =>
    ["get", "post", "put", "patch", "delete"].flatMap((method) => {
      if (!item[method]) return [];
      const content = resolve(item[method].requestBody)?.content ?? {};
      const [media, body] = Object.entries(content)[0] ?? [];
      const named = Object.values(body?.examples ?? {}).map((example) => resolve(example).value);
      return [{ method: method.toUpperCase(), path, media, example: body?.example ?? named[0] }];
    }),
  );
}

/** The calls of an operation, as `[name, path, headers, body]`. */
function callsOf({ method, path, media, example }, ids, practice) {
  const fill = (id) => path.replace("{practice}", practice).replace("{id}", id).replaceAll(/\{(?:document|delivery_id)\}/g, MISSING).replace("{level}", "1").replace("{provider}", "demo");
  const paths = path.includes("{id}") ? [["missing", fill(MISSING)], ...(ids ? [["known", fill(ids)]] : []), ["no id", fill("x")]] : [["", fill("")]];
  const type = { "Content-Type": "application/json" };
  const bodies = [];
  if (method === "GET" || method === "DELETE") bodies.push(["", {}, undefined]);
  if (method === "GET") bodies.push(["odd query", {}, undefined]);
  if (method !== "GET" && method !== "DELETE") {
    if (media === "application/json" && example !== undefined) bodies.push(["example", type, JSON.stringify(example)]);
    bodies.push(["no body", {}, undefined], ["empty", type, "{}"], ["no JSON", type, "{"], ["another type", { "Content-Type": "text/plain" }, "x"]);
  }
  return paths.flatMap(([which, at]) =>
    bodies.map(([how, headers, body]) => [`${which} ${how}`.trim(), how === "odd query" ? `${at}?limit=0&cursor=%00&status=x&today=1` : at, headers, body]),
  );
}

async function answers(host) {
  const callers = await host.callers();
  const described = [];
  for (const path of DESCRIPTIONS) described.push(...operations((await host.json("GET", path, {})).json));
  const all = [...described.filter(({ path }) => !ENDS.test(path)), ...described.filter(({ path }) => ENDS.test(path))];
  const found = [];
  const add = async (name, method, path, headers, body) => {
    found.push([name, host.compared(await host.call(method, path, headers, body), path)]);
  };
  for (const operation of all) {
    for (const [caller, credentials] of Object.entries(callers)) {
      // The calls of the others have no own session to end.
      if (operation.path.endsWith("/logout") && caller !== "nobody") continue;
      const practice = host.demo.practices.active.id;
      const id = operation.path.includes("{id}") ? await host.known(operation.path.replace("{practice}", practice), credentials) : undefined;
      for (const [name, path, headers, body] of callsOf(operation, id, practice)) {
        await add(`${caller}: ${operation.method} ${operation.path} ${name}`, operation.method, path, { ...headers, ...credentials }, body);
      }
    }
  }
  for (const [method, path] of STRANGE) await add(`nobody: ${method} ${path}`, method, path, {}, undefined);
  host.agent.destroy();
  return found;
}

const hosts = process.argv.slice(2, 4).map((file) => new Host(file));
const [ones, others] = await Promise.all(hosts.map(answers));
let differing = 0;
for (const [n, [name, one]] of ones.entries()) {
  const [, other] = others[n];
  const parts = Object.keys(one).filter((part) => one[part] !== other[part]);
  if (parts.length === 0) continue;
  differing += 1;
  console.log(`${name}\n${parts.map((part) => `  ${part}\n    ${one[part]}\n    ${other[part]}`).join("\n")}`);
}
const statuses = new Set(ones.map(([, { status }]) => status));
console.log(`${ones.length} answers with ${statuses.size} statuses compared, ${differing} differ`);
if (differing > 0 || ones.length !== others.length) process.exit(1);
