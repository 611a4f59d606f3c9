// The modules of the Workers, named by their paths below the project's folder.

import { existsSync } from "node:fs";
import { join, relative } from "node:path";

// Cloudflare sets the caller's address. Here a client may set it itself; without it, the caller is this machine.
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
  const built = builtModules(root).modules;
  const others = built.some(({ path }) => path === main) ? [] : [script(main)];
  return {
    modulesRoot: root,
    modules: [
      { type: "ESModule", path: join(root, "entry.mjs"), contents: entry(`./${relative(root, main)}`) },
      ...others,
      ...built,
    ],
  };
}

/** miniflare's `modules` for the Worker as it was built, with nothing before it. */
export function builtModules(root) {
  const wasm = there(join(root, "build", "index_bg.wasm"));
  return { modulesRoot: root, modules: [script(join(root, "build", "index.js")), { type: "CompiledWasm", path: wasm }] };
}

/** miniflare's `modules` for the identity Worker. */
export function identityModules(root) {
  const folder = join(root, "build", "identity");
  const wasm = there(join(folder, "identity.wasm"));
  return { modulesRoot: folder, modules: [script(join(folder, "worker.js")), { type: "CompiledWasm", path: wasm }] };
}

const script = (path) => ({ type: "ESModule", path: there(path) });

function there(path) {
  if (!existsSync(path)) throw new Error(`${path} is not there; \`cargo xtask build\` makes the Worker`);
  return path;
}
