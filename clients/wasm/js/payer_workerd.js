// A payer in Cloudflare Workers: the platform compiles the module when the Worker is deployed.

import module from "./overturn_payer.wasm";
import { playing } from "./play.js";

export const payer = playing(module);
