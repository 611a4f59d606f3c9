// The cases in workerd, the runtime of Cloudflare Workers.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Miniflare, convertV4MiniflareOptions } from "miniflare";

const folder = join(import.meta.dirname, "node_modules/@overturn/core");
const read = (path) => readFileSync(join(folder, path), "utf8");
const entries = JSON.parse(read("package.json")).exports;
const own = (name) => readFileSync(join(import.meta.dirname, name), "utf8");
const worker = `
import { check } from "./cases.mjs";
import golden from "./golden.json";
import remittances from "./remit.json";
import { checkPayer } from "./payer_cases.mjs";
import { checkRemit } from "./remit_cases.mjs";
export default {
  fetch: async () => new Response(String(check(JSON.parse(golden)) + (await checkRemit(JSON.parse(remittances))) + (await checkPayer()))),
};
`;

// Named as a bundler finds them: the package's own files beside its entry.
const miniflare = new Miniflare(
  convertV4MiniflareOptions({
    modulesRoot: "/",
    compatibilityDate: "2026-01-01",
    modules: [
      { type: "ESModule", path: "/worker.mjs", contents: worker },
      ...["cases.mjs", "objects.mjs", "payer_cases.mjs", "remit_cases.mjs"].map((name) => ({ type: "ESModule", path: `/${name}`, contents: own(name) })),
      ...["golden.json", "remit.json"].map((name) => ({ type: "Text", path: `/${name}`, contents: own(name) })),
      { type: "ESModule", path: "/@overturn/core", contents: read(entries["."].workerd.default) },
      // Its neighbors are in the folder above that of its name.
      ...["remit", "payer"].map((name) => ({
        type: "ESModule",
        path: `/@overturn/core/${name}`,
        contents: read(entries[`./${name}`].workerd.default).replaceAll('"./', '"../'),
      })),
      ...["api.js", "core.js", "host.js", "json.js", "pack.js", "play.js", "run.js"].map((name) => ({
        type: "ESModule",
        path: `/@overturn/${name}`,
        contents: read(name),
      })),
      ...["core_bg.wasm", "overturn_payer.wasm", "overturn_remit.wasm"].map((name) => ({
        type: "CompiledWasm",
        path: `/@overturn/${name}`,
        contents: readFileSync(join(folder, name)),
      })),
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
