// For every runtime except Cloudflare Workers, with or without a bundler. The module is text in the package's own code, so a bundler cannot lose a file. It is
// compiled at once, because CommonJS and scripts have no `await` outside of functions.

import { open } from "./api.js";
import text from "./module.js";

const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

export const { validate, advise, checkKey, statuses, moves, planTypes, adviceCodes } = open(new WebAssembly.Module(bytes));
