// The cases in Node or Deno.

import { runInNewContext } from "node:vm";
import { check } from "./cases.mjs";
import { checkPayer } from "./payer_cases.mjs";
import golden from "./golden.json" with { type: "json" };
import remittances from "./remit.json" with { type: "json" };
import { checkRemit } from "./remit_cases.mjs";

const runtime = globalThis.Deno ? `Deno ${Deno.version.deno}` : `Node ${process.versions.node}`;
const made = check(golden, runInNewContext("globalThis")) + (await checkRemit(remittances)) + (await checkPayer());
console.log(`${runtime}: ${made} comparisons`);
