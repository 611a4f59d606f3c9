import assert from "node:assert/strict";
import { test } from "node:test";

Object.assign(globalThis, { location: new URL("https://x.example/claims"), document: { cookie: "" } });
const { findClaim } = await import("../src/lib/find_claim.ts");

test("a number is looked for as typed, and then in capital letters", async () => {
  const asked: (string | null)[] = [];
  const known = new Map([["CH-0057", "1"], ["ab-7", "2"], ["AB-7", "3"]]);
  globalThis.fetch = async (url) => {
    const number = new URL(String(url), "https://x.example").searchParams.get("claim_number");
    asked.push(number);
    const id = known.get(number ?? "");
    return Response.json({ denials: id ? [{ id }] : [] });
  };
  assert.deepEqual([await findClaim("ch-0057"), await findClaim("ab-7"), await findClaim("0057")], ["1", "2", undefined]);
  assert.deepEqual(asked, ["ch-0057", "CH-0057", "ab-7", "0057"]);
});
