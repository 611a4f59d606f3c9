// Prints a variable of wrangler.toml, or nothing if it is not set.
//
//   node tools/dev/variable.mjs NAME [staging|production]

import { readConfiguration } from "./service.mjs";

const [name, env] = process.argv.slice(2);
process.stdout.write(`${readConfiguration(env).vars[name] ?? ""}\n`);
