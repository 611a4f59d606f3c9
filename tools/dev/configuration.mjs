// Prints wrangler.toml as wrangler parses it: one JSON object with the named environments.
//
//   node tools/dev/configuration.mjs [--config FILE] ENV…

import { parseArgs } from "node:util";
import { join } from "node:path";
import { unstable_readConfig as readConfig } from "wrangler";
import { ROOT } from "./service.mjs";

const { values, positionals } = parseArgs({ allowPositionals: true, options: { config: { type: "string" } } });
const config = values.config ?? join(ROOT, "wrangler.toml");
const read = positionals.map((env) => [env, readConfig({ config, env })]);
process.stdout.write(JSON.stringify(Object.fromEntries(read)));
