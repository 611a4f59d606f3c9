// Browsers, with or without a bundler: the module comes from where this file came from.

import { open } from "./api.js";

const response = await fetch(new URL("./overturn_core.wasm", import.meta.url));
if (!response.ok) throw new Error(`overturn_core.wasm was answered with ${response.status}`);
// Not instantiateStreaming, which wants a Content-Type that many servers do not send.
const { instance } = await WebAssembly.instantiate(await response.arrayBuffer());

export const { validate, checkKey, statuses, moves, planTypes, adviceCodes } = open(instance.exports);
