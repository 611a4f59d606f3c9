import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { dropFirstRead, startFirstRead, takeFirstRead } from "../src/lib/first_read.ts";

const QUEUE = "/api/v1/staff/claims?limit=50";
let asked: string[] = [];

beforeEach(() => {
  asked = [];
  globalThis.fetch = async (url) => {
    asked.push(String(url));
    return new Response(String(asked.length));
  };
  dropFirstRead();
});

const open = (pathname: string, search = "") => startFirstRead({ pathname, search } as Location);

test("the answer of the first read is given once, and only for its address", async () => {
  open("/queue");
  assert.deepEqual(asked, [QUEUE]);
  assert.equal(takeFirstRead(`${QUEUE}&cursor=x`), undefined);
  assert.equal(await (await takeFirstRead(QUEUE))?.text(), "1");
  assert.equal(takeFirstRead(QUEUE), undefined);
});

test("an answer that the first screen left is not given to a later one", () => {
  open("/queue");
  dropFirstRead();
  assert.equal(takeFirstRead(QUEUE), undefined);
});

test("nothing is read for filters, nor for the screens with patients", () => {
  open("/queue", "?status=received");
  for (const path of ["/", "/claims", "/claims/1", "/work/1/claims/2", "/documents", "/constructor"]) open(path);
  assert.deepEqual(asked, []);
});

test("a lost connection is told to whoever takes the answer", async () => {
  globalThis.fetch = async () => {
    throw new Error("lost");
  };
  open("/queue");
  await new Promise((resolve) => setTimeout(resolve, 0));
  await assert.rejects(async () => takeFirstRead(QUEUE), /lost/);
});
