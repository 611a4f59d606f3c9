import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { del, get, getCsv, getFile, handle, patch, post, search, upload } from "../src/lib/api.ts";
import { Intent } from "../src/lib/intent.ts";
import type { Problem } from "../src/lib/problem.ts";

interface Sent {
  url: string;
  method: string;
  headers: Headers;
  body: string | null;
}

/** What the service is asked, and what it answers in turn. An Error is a lost connection. */
let sent: Sent[] = [];
let answers: (Response | Error)[] = [];
/** What the client asked of the app. */
let asked: string[] = [];
let steppedUp = true;
let signedInAgain = false;

const json = (status: number, body: unknown, headers = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json", ...headers } });
const refusal = (status: number, code: string, more = {}, headers = {}): Response =>
  json(status, { error: { code, message: "no", request_id: "r" }, ...more }, headers);
const keys = (): (string | null)[] => sent.map(({ headers }) => headers.get("Idempotency-Key"));

beforeEach(() => {
  [sent, answers, asked, steppedUp, signedInAgain] = [[], [], [], true, false];
  Object.assign(globalThis, { document: { cookie: "other=1; csrf_token=first" }, location: { origin: "https://x.example" } });
  globalThis.fetch = async (url, init) => {
    const { method = "GET", headers, body } = init ?? {};
    sent.push({ url: String(url), method, headers: new Headers(headers), body: body as string | null });
    const answer = answers.shift();
    if (answer === undefined || answer instanceof Error) throw answer ?? new Error("not expected");
    return answer;
  };
  handle({
    onSignedOut: async () => {
      asked.push("signed out");
      document.cookie = "csrf_token=second";
      return signedInAgain;
    },
    onUsed: () => asked.push("used"),
    onEnrol: () => asked.push("enrol"),
    stepUp: async (token) => {
      asked.push(token);
      // A confirmed session goes on under a new token.
      document.cookie = "csrf_token=second";
      return steppedUp;
    },
  });
});

const key = { name: "Billing", scopes: ["claims:read" as const] };
const make = (intent?: Intent) => post("/api/v1/settings/api_keys", { body: key, intent });

test("a read fills the path and the query, and is repeated after a lost connection", async () => {
  answers = [new Error("lost"), json(200, { id: "1" })];
  await get("/api/v1/denials/{id}", { path: { id: "a/b" } });
  assert.deepEqual(sent.map(({ url }) => url), ["/api/v1/denials/a%2Fb", "/api/v1/denials/a%2Fb"]);
  assert.deepEqual(keys(), [null, null]);
  assert.deepEqual(asked, ["used"]);
});

test("a passive read says so, and is no use of the session", async () => {
  answers = [json(200, {})];
  await get("/api/v1/auth/session", { passive: true });
  assert.equal(sent[0]?.headers.get("X-Passive-Read"), "true");
  assert.deepEqual(asked, []);
});

test("a change carries the CSRF token, and is repeated under the same key", async () => {
  answers = [new Error("lost"), refusal(503, "unavailable", {}, { "Retry-After": "0" }), json(201, { id: "1" })];
  await make();
  assert.equal(sent.length, 3);
  assert.ok(keys()[0]);
  assert.equal(new Set(keys()).size, 1);
  assert.equal(sent[0]?.headers.get("X-CSRF-Token"), "first");
});

test("a person who tries again after a lost connection still makes one change", async () => {
  const intent = new Intent();
  answers = [new Error("lost"), new Error("lost"), new Error("lost")];
  await assert.rejects(make(intent), (problem: Problem) => problem.code === "network" && problem.isRetryable);
  answers = [json(201, { id: "1" }), json(201, { id: "2" })];
  await make(intent);
  await make(intent);
  assert.equal(new Set(keys().slice(0, 4)).size, 1);
  assert.notEqual(keys()[4], keys()[3], "another change after the answer");
});

test("a second factor is asked for once, and then the same request goes out under the same key", async () => {
  answers = [refusal(402, "two_factor_required", { continuation_token: "ovc_1" }), json(201, { id: "1" })];
  await make();
  assert.deepEqual(asked, ["ovc_1", "used"]);
  assert.equal(new Set(keys()).size, 1);
  assert.deepEqual(sent[0]?.body, sent[1]?.body);
  assert.equal(sent[1]?.headers.get("X-CSRF-Token"), "second");
});

test("without a second factor nothing is sent again, and nothing is said", async () => {
  steppedUp = false;
  answers = [refusal(402, "two_factor_required", { continuation_token: "ovc_1" })];
  await assert.rejects(make(), (problem: Problem) => problem.isCanceled);
  assert.equal(sent.length, 1);
});

test("an account without a second factor is led to enroll one", async () => {
  answers = [refusal(402, "two_factor_required")];
  await assert.rejects(make());
  assert.deepEqual(asked, ["enrol"]);
});

test("an ended session leads to the sign-in, but a refused sign-in does not", async () => {
  answers = [refusal(401, "not_authenticated"), refusal(401, "not_authenticated")];
  await assert.rejects(get("/api/v1/auth/sessions"));
  assert.deepEqual(asked, ["signed out"]);
  asked = [];
  await assert.rejects(post("/api/v1/auth/session", { body: { email: "a", password: "b" }, anonymous: true }));
  assert.deepEqual(asked, []);
});

test("a person who signs in again over the page has sent the same change", async () => {
  signedInAgain = true;
  answers = [refusal(401, "not_authenticated"), json(201, { id: "1" })];
  await make();
  assert.deepEqual(asked, ["signed out", "used"]);
  assert.equal(new Set(keys()).size, 1);
  assert.deepEqual(sent[0]?.body, sent[1]?.body);
  assert.equal(sent[1]?.headers.get("X-CSRF-Token"), "second");
});

test("a short limit is waited for, and a long one is for the person", async () => {
  const start = performance.now();
  answers = [refusal(429, "rate_limited", {}, { "Retry-After": "1" }), json(200, {})];
  await get("/api/v1/auth/sessions");
  // A timer may end a little before its time.
  assert.ok(performance.now() - start > 990);
  answers = [refusal(429, "rate_limited", {}, { "Retry-After": "60" })];
  await assert.rejects(get("/api/v1/auth/sessions"), (problem: Problem) => problem.retryAfter === 60);
});

test("the pauses between tries begin at half a second and double", async (t) => {
  const pauses: number[] = [];
  t.mock.method(globalThis, "setTimeout", (done: () => void, ms: number) => {
    pauses.push(ms);
    queueMicrotask(done);
  });
  answers = [new Error("lost"), refusal(503, "unavailable"), new Error("lost")];
  await assert.rejects(get("/api/v1/auth/sessions"), (problem: Problem) => problem.code === "network");
  assert.deepEqual(pauses, [500, 1000]);
});

test("a failure of the service is not repeated", async () => {
  answers = [refusal(500, "internal_error")];
  await assert.rejects(get("/api/v1/auth/sessions"), (problem: Problem) => problem.requestId === "r");
  assert.equal(sent.length, 1);
});

test("an answer that is no JSON is a problem", async () => {
  answers = [new Response("<html>", { headers: { "Content-Type": "text/html" } })];
  await assert.rejects(get("/api/v1/auth/sessions"), (problem: Problem) => problem.code === "unreadable");
});

test("a version becomes If-Match, and an answer without a body is undefined", async () => {
  const passkey = "/api/v1/auth/passkeys/{id}";
  answers = [json(200, {}), new Response(null, { status: 204 })];
  await patch(passkey, { path: { id: "1" }, body: { name: "x" }, version: 3 });
  assert.equal(sent[0]?.headers.get("If-Match"), '"3"');
  assert.equal(await del(passkey, { path: { id: "1" } }), undefined);
});

test("a canceled call is not repeated", async () => {
  const canceler = new AbortController();
  answers = [new Error("lost"), json(200, {})];
  const call = get("/api/v1/auth/sessions", { signal: canceler.signal });
  setTimeout(() => canceler.abort(), 20);
  await assert.rejects(call, (problem: Problem) => problem.isCanceled);
  assert.equal(sent.length, 1);
});

test("empty filters are left out of the query", () => {
  assert.equal(search({ status: "received,reviewing", cursor: undefined, payer: "" }), "?status=received%2Creviewing");
  assert.equal(search(), "");
});

test("a page of CSV comes with the cursor of the next one", async () => {
  const csv = (headers = {}): Response => new Response("id\r\n1\r\n", { headers: { "Content-Type": "text/csv; charset=utf-8", ...headers } });
  answers = [csv({ Link: '</api/v1/denials?limit=1000&cursor=abc>; rel="next"' }), csv()];
  assert.deepEqual(await getCsv("/api/v1/denials", { query: { limit: 1000 } }), { text: "id\r\n1\r\n", next: "abc" });
  assert.deepEqual(await getCsv("/api/v1/denials"), { text: "id\r\n1\r\n", next: undefined });
  assert.equal(sent[0]?.headers.get("Accept"), "text/csv");
  answers = [json(200, {})];
  await assert.rejects(getCsv("/api/v1/denials"), (problem: Problem) => problem.code === "unreadable");
  answers = [refusal(403, "not_authorized")];
  await assert.rejects(getCsv("/api/v1/denials"), (problem: Problem) => problem.status === 403);
});

test("a file is read as it is, and its refusal as a problem", async () => {
  answers = [new Response("%PDF", { headers: { "Content-Type": "application/pdf" } }), refusal(409, "conflict")];
  const download = (): Promise<Blob> => getFile("/api/v1/documents/{id}/content", { path: { id: "1" } });
  assert.equal(await (await download()).text(), "%PDF");
  await assert.rejects(download(), (problem: Problem) => problem.status === 409);
});

/** Sends as `exchange` does for uploads, through the same list of answers. */
class FakeXhr {
  upload: { onprogress?: (event: { loaded: number }) => void } = {};
  #url = "";
  #method = "";
  #headers = new Headers();
  #answer: Response | undefined;
  status = 0;
  responseText = "";
  onload = (): void => {};
  onerror = (): void => {};
  onabort = (): void => {};
  open(method: string, url: string): void {
    [this.#method, this.#url] = [method, url];
  }
  setRequestHeader(name: string, value: string): void {
    this.#headers.set(name, value);
  }
  getAllResponseHeaders(): string {
    return [...(this.#answer?.headers ?? [])].map(([name, value]) => `${name}: ${value}\r\n`).join("");
  }
  abort(): void {
    this.onabort();
  }
  send(): void {
    sent.push({ url: this.#url, method: this.#method, headers: this.#headers, body: null });
    this.upload.onprogress?.({ loaded: 5 });
    const answer = answers.shift();
    if (answer === undefined) return;
    if (answer instanceof Error) return this.onerror();
    this.#answer = answer;
    this.status = answer.status;
    void answer.text().then((text) => {
      this.responseText = text;
      this.onload();
    });
  }
}

function letter(kind: string): FormData {
  const form = new FormData();
  form.set("kind", kind);
  form.set("file", new File(["hello"], "letter.txt", { lastModified: 1 }));
  return form;
}

test("an upload tells its progress, and every try of it has one key", async () => {
  Object.assign(globalThis, { XMLHttpRequest: FakeXhr });
  const intent = new Intent();
  const seen: number[] = [];
  const send = (kind: string): Promise<unknown> =>
    upload("/api/v1/documents", { form: letter(kind), intent, onProgress: (bytes) => seen.push(bytes) });
  answers = [new Error("lost"), refusal(402, "two_factor_required", { continuation_token: "t" }), json(201, { id: "1" })];
  assert.deepEqual(await send("other"), { id: "1" });
  assert.deepEqual(asked, ["t", "used"]);
  assert.equal(new Set(keys()).size, 1);
  assert.equal(sent[2]?.headers.get("X-CSRF-Token"), "second");
  assert.equal(sent[0]?.headers.get("Content-Type"), null);
  assert.deepEqual(seen, [5, 5, 5]);
  // The person tries again by hand after the line was lost three times: still the same upload.
  [sent, answers] = [[], [new Error("lost"), new Error("lost"), new Error("lost"), json(201, {})]];
  await assert.rejects(send("other"), (problem: Problem) => problem.code === "network");
  await send("other");
  assert.equal(new Set(keys()).size, 1);
  // Another kind makes it another upload.
  [sent, answers] = [[], [refusal(409, "conflict"), json(201, {})]];
  await assert.rejects(send("other"));
  await send("remittance");
  assert.equal(new Set(keys()).size, 2);
});

test("a canceled upload stops at once", async () => {
  Object.assign(globalThis, { XMLHttpRequest: FakeXhr, ProgressEvent: Event });
  const canceler = new AbortController();
  const running = upload("/api/v1/documents", { form: letter("other"), signal: canceler.signal, onProgress() {} });
  setTimeout(() => canceler.abort(), 20);
  await assert.rejects(running, (problem: Problem) => problem.isCanceled);
  await assert.rejects(
    upload("/api/v1/documents", { form: letter("other"), signal: canceler.signal, onProgress() {} }),
    (problem: Problem) => problem.isCanceled,
  );
  assert.equal(sent.length, 1);
});
