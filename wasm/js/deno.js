// Deno: the module is imported, which needs no permission to read files.

import * as wasm from "./overturn_core.wasm";
import { open } from "./api.js";

export const { validate, checkKey, statuses, moves, planTypes, adviceCodes } = open(wasm);
