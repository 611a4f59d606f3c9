// Takes the picture of the README: `cargo xtask console picture`.
//
//   node tests/browser/console/picture.mjs FILE
//
//   OVERTURN_CONSOLE, OVERTURN_BROWSER  see harness.mjs

import { createRequire } from "node:module";
import { launch, origin, signIn } from "./harness.mjs";

// It comes with the tools of the project.
const sharp = createRequire(new URL("../../../tools/dev/serve.mjs", import.meta.url))("sharp");

const browser = await launch();
const context = await browser.newContext({
  baseURL: origin,
  viewport: { width: 1280, height: 800 },
  colorScheme: "light",
  reducedMotion: "reduce",
  locale: "en-US",
  timezoneId: "America/Chicago",
});
const page = await context.newPage();
await signIn(page, "staff");
await page.goto("/queue");
await page.getByRole("row").nth(5).waitFor();
await page.waitForLoadState("networkidle");
await sharp(await page.screenshot()).png({ palette: true, colours: 128, effort: 10 }).toFile(process.argv[2]);
await browser.close();
