// The identity Worker. It answers only the service, over its binding.

import module from "./identity.wasm";
import { Host } from "./host.mjs";

const host = new Host(module, (line) => console.error(line));

export default { fetch: (request) => host.fetch(request) };
