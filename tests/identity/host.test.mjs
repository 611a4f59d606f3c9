// What hosts the identity Worker's module, with a module that answers, grows and panics as it is told.

import assert from "node:assert/strict";
import { test } from "node:test";
import binaryen from "binaryen";
import { Host } from "../../identity/host.mjs";

// It answers with how often this instance was asked. The first byte of the question says what else it does.
const MODULE = `(module
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
  (import "wasi_snapshot_preview1" "random_get" (func $random (param i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "clock_time_get" (func $time (param i32 i64 i32) (result i32)))
  (memory (export "memory") 4)
  (global $asked (mut i32) (i32.const 47))
  (data (i32.const 0) "\\20\\00\\00\\00\\1c\\00\\00\\00\\3c\\00\\00\\00\\0d\\00\\00\\00")
  (data (i32.const 32) "thread panicked at src/a.rs:7:")
  (data (i32.const 60) "7:9:\\nMary Doe")
  (func (export "_initialize") (global.set $asked (i32.const 48)))
  (func (export "reserve") (param i32) (result i32) (i32.const 1024))
  (func (export "release") (param i32 i32))
  (func (export "ask") (param $at i32) (param $path i32) (param $size i32) (result i32)
    (local $told i32)
    (local.set $told (i32.load8_u (i32.add (local.get $at) (local.get $path))))
    (if (i32.eq (local.get $told) (i32.const 112)) (then
      (drop (call $write (i32.const 2) (i32.const 0) (i32.const 2) (i32.const 16)))
      (unreachable)))
    (if (i32.eq (local.get $told) (i32.const 101)) (then (call $exit (i32.const 0))))
    (if (i32.eq (local.get $told) (i32.const 103)) (then (drop (memory.grow (i32.const 300)))))
    (global.set $asked (i32.add (global.get $asked) (i32.const 1)))
    (i32.store (i32.const 512) (i32.const 1))
    (i32.store16 (i32.const 516) (i32.const 200))
    (i32.store8 (i32.const 518) (global.get $asked))
    (if (i32.eq (local.get $told) (i32.const 114)) (then
      (i32.store (i32.const 512) (i32.const 100016))
      (drop (call $random (i32.const 518) (i32.const 100000)))
      (drop (call $time (i32.const 0) (i64.const 1) (i32.const 100518)))
      (i32.store (i32.const 100526) (call $time (i32.const 1) (i64.const 1) (i32.const 100518)))
      (i32.store (i32.const 100530) (call $write (i32.const 3) (i32.const 0) (i32.const 2) (i32.const 16)))))
    (i32.const 512)))`;

const lines = [];

function host(wat = MODULE) {
  lines.length = 0;
  const module = new WebAssembly.Module(binaryen.parseText(wat).emitBinary());
  return new Host(module, (line) => lines.push(line));
}

const post = (body) => new Request("https://identity.invalid/", { method: "POST", body });
const ask = async (asked, body) => {
  const answer = await asked.fetch(post(body));
  return `${answer.status} ${await answer.text()}`;
};

test("an instance is used again until it panics, and the log has only the place", async () => {
  const asked = host();
  assert.equal(await ask(asked, "a"), "200 1");
  assert.equal(await ask(asked, "a"), "200 2");
  for (const [told, kind, at] of [["p", "RuntimeError", "src/a.rs:7:9"], ["e", "Error", undefined]]) {
    lines.length = 0;
    assert.equal(await ask(asked, told), "500 ");
    assert.deepEqual(lines, [JSON.stringify({ event: "identity_failed", kind, at })]);
    assert.equal(await ask(asked, "a"), "200 1");
  }
});

test("an instance whose memory has grown is not used again", async () => {
  const asked = host();
  assert.equal(await ask(asked, "a"), "200 1");
  assert.equal(await ask(asked, "g"), "200 2");
  assert.equal(await ask(asked, "a"), "200 1");
  assert.deepEqual(lines, []);
});

test("a module that cannot start is a failure of each question, not of the Worker", async () => {
  const asked = host(MODULE.replace("fd_write", "sock_send"));
  assert.equal(await ask(asked, "a"), "500 ");
  assert.equal(await ask(asked, "a"), "500 ");
  const line = JSON.stringify({ event: "identity_failed", kind: "LinkError" });
  assert.deepEqual(lines, [line, line]);
});

test("random bytes fill the whole buffer, the real time is the only clock, and only the two outputs are written", async () => {
  const answer = await host().fetch(post("r"));
  const bytes = new Uint8Array(await answer.arrayBuffer());
  for (const from of [0, 65_536, 99_900]) {
    assert.ok(new Set(bytes.subarray(from, from + 100)).size > 40, `${from}`);
  }
  const view = new DataView(bytes.buffer);
  const seconds = Number(view.getBigUint64(100_000, true)) / 1e9;
  assert.ok(Math.abs(seconds - Date.now() / 1000) < 60, `${seconds}`);
  assert.equal(view.getUint32(100_008, true), 58);
  assert.equal(view.getUint32(100_012, true), 8);
});
