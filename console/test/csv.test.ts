import assert from "node:assert/strict";
import { test } from "node:test";
import { cell, csv } from "../src/lib/csv.ts";

test("a cell that a spreadsheet would run is text", () => {
  for (const text of ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"]) assert.ok(/^"?'/.test(cell(text)), text);
  assert.equal(cell("CO-50"), "CO-50");
  assert.equal(cell("245.00"), "245.00");
});

test("separators, quotes and line breaks are quoted", () => {
  assert.equal(csv([["a", 'say "x"'], ["b, c", "d\ne"]]), 'a,"say ""x"""\r\n"b, c","d\ne"\r\n');
  assert.equal(cell(" padded "), '" padded "');
});
