// Node and Bun: the module is a file beside this one.

import { readFileSync } from "node:fs";
import { open } from "./api.js";

const bytes = readFileSync(new URL("./overturn_core.wasm", import.meta.url));

const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes));

export const { validate, checkKey, statuses, moves, planTypes, adviceCodes } = open(instance.exports);
