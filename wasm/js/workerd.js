// Cloudflare Workers: the platform compiles the module when the Worker is deployed.

import module from "./overturn_core.wasm";
import { open } from "./api.js";

export const { validate, checkKey, statuses, moves, planTypes, adviceCodes } = open(new WebAssembly.Instance(module).exports);
