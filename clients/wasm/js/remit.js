// Remittances for every runtime except Cloudflare Workers, with or without a bundler.

import { moduleOf } from "./host.js";
import text from "./remit_module.js";
import { open } from "./run.js";

export const { Remit, remit } = open(moduleOf(text));
