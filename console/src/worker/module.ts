// The reader of remittances in the page's worker: the module of @overturn/core/remit, which the page hands over because the worker
// has no network.

import { open } from "../../../clients/wasm/js/run.js";

export type { FileReport, HeldClaim, MissingBirth, Outcome, Progress, RemitFile, WrittenClaim } from "../../../clients/wasm/js/remit.js";

/** Compiles the module, and gives its exports. */
export async function load(wasm: ArrayBuffer) {
  return open(await WebAssembly.compile(wasm));
}
