// The module's exports for code that has compiled the module itself. Not part of the package.

import type * as exported from "./remit.js";

/** The exports of the package from the compiled module overturn_remit.wasm. */
export function open(module: WebAssembly.Module): Pick<typeof exported, "Remit" | "remit">;
