// The JavaScript of the package's README prints what its `// …` comments say.

import { readFileSync } from "node:fs";
import { spawnSync } from "node:child_process";

const readme = readFileSync(new URL("./node_modules/@overturn/core/README.md", import.meta.url), "utf8");
const code = [...readme.matchAll(/```js\n(.*?)```/gs)].map(([, block]) => block).join("");
const expected = [...code.matchAll(/^\/\/ (.*)$/gm)].map(([, line]) => line);
const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", code], {
  cwd: import.meta.dirname,
  encoding: "utf8",
});
if (expected.length === 0 || stdout !== expected.map((line) => `${line}\n`).join("")) {
  throw new Error(`the README prints\n${stdout}${stderr}and says\n${expected.join("\n")}`);
}
console.log(`README: ${expected.length} lines`);
