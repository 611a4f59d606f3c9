// The input of the bundlers: the cases of every other runtime. It reports the result to the program that runs the
// bundle.

import { check } from "../cases.mjs";
import golden from "../golden.json";
import { checkPayer } from "../payer_cases.mjs";
import remittances from "../remit.json";
import { checkRemit } from "../remit_cases.mjs";

// CommonJS and scripts have no `await` outside of functions.
async function main() {
  // A bundler cannot change what a run says, so the first runs are enough.
  const runs = remittances.runs.slice(0, 2);
  const made = check(golden) + (await checkRemit({ ...remittances, runs })) + (await checkPayer());
  if (typeof document === "undefined") console.log(made);
  else await fetch("/result", { method: "POST", body: JSON.stringify({ name: location.pathname, made }) });
}

main().catch((error) => {
  if (typeof document === "undefined") throw error;
  fetch("/result", { method: "POST", body: JSON.stringify({ name: location.pathname, error: String(error) }) });
});
