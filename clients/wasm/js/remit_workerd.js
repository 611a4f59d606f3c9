// Remittances in Cloudflare Workers: the platform compiles the module when the Worker is deployed.

import module from "./overturn_remit.wasm";
import { open } from "./run.js";

export const { Remit, remit } = open(module);
