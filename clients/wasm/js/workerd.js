// Cloudflare Workers: the platform compiles the module when the Worker is deployed.

import module from "./core_bg.wasm";
import { open } from "./api.js";

export const { validate, advise, checkKey, checkToken, statuses, moves, planTypes, adviceCodes } = open(module);
