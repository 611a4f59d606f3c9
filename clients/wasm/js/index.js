// For every runtime except Cloudflare Workers, with or without a bundler. The module is compiled at once, because CommonJS and scripts have no `await` outside of
// functions.

import { open } from "./api.js";
import { moduleOf } from "./host.js";
import text from "./module.js";

export const { validate, advise, checkKey, checkToken, statuses, moves, planTypes, adviceCodes } = open(moduleOf(text));
