// The modules of the Worker, named as they lie below the project's folder.

import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";

// Cloudflare says who is calling, and a client here may say so too; one that does not is this machine.
const entry = (main) => `
import main from ${JSON.stringify(main)};
export * from ${JSON.stringify(main)};
const named = (request) => {
  if (request.headers.has("CF-Connecting-IP")) return request;
  const local = new Request(request);
  local.headers.set("CF-Connecting-IP", "127.0.0.1");
  return local;
};
export default typeof main === "function"
  ? class extends main { fetch(request) { return super.fetch(named(request)); } }
  : { ...main, fetch: (request, env, ctx) => main.fetch(named(request), env, ctx) };
`;

/** miniflare's `modules` for the Worker whose main module is the file `main`. */
export function workerModules(root, main) {
  const built = join(root, "build", "index.js");
  const wasm = join(root, "build", "index_bg.wasm");
  for (const file of [main, built, wasm]) {
    if (!existsSync(file)) throw new Error(`${file} is not there; \`cargo xtask build\` makes the Worker`);
  }
  const scripts = [...new Set([main, built])];
  return {
    modulesRoot: root,
    modules: [
      { type: "ESModule", path: join(root, "entry.mjs"), contents: entry(`./${relative(root, main)}`) },
      ...scripts.map((path) => ({ type: "ESModule", path })),
      { type: "CompiledWasm", path: wasm },
    ],
  };
}
