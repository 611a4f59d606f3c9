// A payer for every runtime except Cloudflare Workers, with or without a bundler.

import { moduleOf } from "./host.js";
import text from "./payer_module.js";
import { playing } from "./play.js";

export const payer = playing(moduleOf(text));
