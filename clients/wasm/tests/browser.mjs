// The cases in a headless browser, without a bundler. chromium.mjs names the variables.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { visit } from "./chromium.mjs";

const PACKAGE = "/node_modules/@overturn/core/";
const manifest = JSON.parse(readFileSync(join(import.meta.dirname, PACKAGE, "package.json")));
const entry = (name) => new URL(manifest.exports[name].default.default, `http://localhost${PACKAGE}`).pathname;
const imports = { "@overturn/core": entry("."), "@overturn/core/remit": entry("./remit"), "@overturn/core/payer": entry("./payer") };
const page = `<!doctype html><title>@overturn/core</title><link rel="icon" href="data:,">
<script type="importmap">${JSON.stringify({ imports })}</script>
<script type="module">
  const say = (what) => fetch("/result", { method: "POST", body: JSON.stringify(what) });
  try {
    const names = ["/cases.mjs", "/remit_cases.mjs", "/payer_cases.mjs"];
    const [{ check }, { checkRemit }, { checkPayer }] = await Promise.all(names.map((name) => import(name)));
    const [golden, remittances] = await Promise.all(["/golden.json", "/remit.json"].map((path) => fetch(path).then((r) => r.json())));
    const { contentWindow } = document.body.appendChild(document.createElement("iframe"));
    const made = check(golden, contentWindow) + (await checkRemit(remittances)) + (await checkPayer());
    await say({ made, browser: navigator.userAgent });
  } catch (error) {
    await say({ error: String(error) });
  }
</script>`;

const [result] = await visit({ page, folder: import.meta.dirname });
console.log(`${result.browser.match(/\w*Chrome\/[\d.]+/)?.[0]}: ${result.made} comparisons`);
process.exit();
