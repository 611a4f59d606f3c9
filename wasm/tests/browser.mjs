// The cases in a headless browser, without a bundler. chromium.mjs names the variables.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { visit } from "./chromium.mjs";

const PACKAGE = "/node_modules/@overturn/core/";
const manifest = JSON.parse(readFileSync(join(import.meta.dirname, PACKAGE, "package.json")));
const entry = new URL(manifest.exports["."].default.default, `http://localhost${PACKAGE}`).pathname;
const page = `<!doctype html><title>@overturn/core</title><link rel="icon" href="data:,">
<script type="importmap">${JSON.stringify({ imports: { "@overturn/core": entry } })}</script>
<script type="module">
  const say = (what) => fetch("/result", { method: "POST", body: JSON.stringify(what) });
  try {
    const [{ check }, golden] = await Promise.all([import("/cases.mjs"), fetch("/golden.json").then((r) => r.json())]);
    const { contentWindow } = document.body.appendChild(document.createElement("iframe"));
    await say({ made: check(golden, contentWindow), browser: navigator.userAgent });
  } catch (error) {
    await say({ error: String(error) });
  }
</script>`;

const [result] = await visit({ page, folder: import.meta.dirname });
console.log(`${result.browser.match(/\w*Chrome\/[\d.]+/)?.[0]}: ${result.made} comparisons`);
process.exit();
