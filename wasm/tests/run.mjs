// The cases in Node or Deno.

import { runInNewContext } from "node:vm";
import { check } from "./cases.mjs";
import golden from "./golden.json" with { type: "json" };

const runtime = globalThis.Deno ? `Deno ${Deno.version.deno}` : `Node ${process.versions.node}`;
console.log(`${runtime}: ${check(golden, runInNewContext("globalThis"))} comparisons`);
