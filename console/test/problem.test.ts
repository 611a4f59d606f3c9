import assert from "node:assert/strict";
import { test } from "node:test";
import { asProblem, ownProblem, readProblem } from "../src/lib/problem.ts";

const read = (status: number, error: unknown, headers = {}) => readProblem(status, new Headers(headers), { error });

test("a refusal has its code, its fields and the request id", () => {
  const details = [{ field: "email", message: "is required" }];
  const found = read(422, { code: "validation_failed", message: "Invalid request", details, request_id: "r1" });
  assert.equal(found.title, "Some entries need a change");
  assert.deepEqual([found.code, found.fields, found.requestId, found.isRetryable], ["validation_failed", details, "r1", false]);
});

test("a reason says more than the code", () => {
  const found = read(409, { code: "conflict", reason: "version_conflict", message: "it has changed" });
  assert.deepEqual([found.reason, found.title], ["version_conflict", "This was changed in the meantime"]);
});

test("a second factor that is needed comes with its token", () => {
  const body = { error: { code: "two_factor_required", message: "show it" }, continuation_token: "ovc_1" };
  const found = readProblem(402, new Headers(), body);
  assert.equal(found.token, "ovc_1");
});

test("a limit says how long to wait", () => {
  assert.equal(read(429, { code: "rate_limited", message: "x" }, { "Retry-After": "30" }).retryAfter, 30);
});

test("an answer that is no problem of the service is one all the same", () => {
  const found = readProblem(502, new Headers({ "X-Request-Id": "r2" }), null);
  assert.deepEqual([found.code, found.requestId, found.isRetryable], ["unreadable", "r2", true]);
});

test("only what may pass is worth another try", () => {
  assert.equal(ownProblem("network", "").isRetryable, true);
  assert.equal(ownProblem("canceled", "").isRetryable, false);
  assert.equal(asProblem(new TypeError("x is undefined")).isRetryable, false);
});
