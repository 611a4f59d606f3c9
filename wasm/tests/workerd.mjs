// The cases in workerd, the runtime of Cloudflare Workers.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Miniflare, convertV4MiniflareOptions } from "miniflare";

const folder = join(import.meta.dirname, "node_modules/@overturn/core");
const read = (path) => readFileSync(join(folder, path), "utf8");
const entry = JSON.parse(read("package.json")).exports["."].workerd.default;
const worker = `
import { check } from "./cases.mjs";
import golden from "./golden.json";
export default { fetch: () => new Response(String(check(JSON.parse(golden)))) };
`;

// Named as a bundler finds them: the package's own files beside its entry.
const miniflare = new Miniflare(
  convertV4MiniflareOptions({
    modulesRoot: "/",
    compatibilityDate: "2026-01-01",
    modules: [
      { type: "ESModule", path: "/worker.mjs", contents: worker },
      ...["cases.mjs", "objects.mjs"].map((name) => ({ type: "ESModule", path: `/${name}`, contents: readFileSync(join(import.meta.dirname, name), "utf8") })),
      { type: "Text", path: "/golden.json", contents: readFileSync(join(import.meta.dirname, "golden.json"), "utf8") },
      { type: "ESModule", path: "/@overturn/core", contents: read(entry) },
      ...["api.js", "core.js", "json.js", "pack.js"].map((name) => ({ type: "ESModule", path: `/@overturn/${name}`, contents: read(name) })),
      { type: "CompiledWasm", path: "/@overturn/core_bg.wasm", contents: readFileSync(join(folder, "core_bg.wasm")) },
    ],
  }),
);
try {
  const response = await miniflare.dispatchFetch("http://localhost/");
  const said = await response.text();
  if (response.status !== 200) throw new Error(said);
  console.log(`workerd: ${said} comparisons`);
} finally {
  await miniflare.dispose();
}
