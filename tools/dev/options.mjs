// The options of `serve.mjs`: see the table in its first comment.

import { parseArgs } from "node:util";

const OWN = { env: { type: "string" }, main: { type: "string" }, console: { type: "boolean", default: false } };
const ENVIRONMENTS = ["staging", "production"];

/** The options of one run, checked. Throws an Error whose message is meant for the user. */
export function readOptions(argv, environment, own = OWN) {
  const { values } = parseArgs({
    args: argv,
    options: {
      port: { type: "string", default: "8787" },
      state: { type: "string", default: ".wrangler/state" },
      ...own,
    },
  });
  const port = Number(values.port);
  if (!/^\d+$/.test(values.port) || port > 65535) {
    throw new Error(`--port wants a number from 0 to 65535, not ${values.port}`);
  }
  if (values.env !== undefined && !ENVIRONMENTS.includes(values.env)) {
    throw new Error(`--env is one of ${ENVIRONMENTS.join(", ")}, not ${values.env}`);
  }
  return { ...values, port, vars: readVars(environment.OVERTURN_VARS) };
}

function readVars(json) {
  if (json === undefined || json === "") return {};
  let vars;
  try {
    vars = JSON.parse(json);
  } catch {
    // The message does not repeat the text, which may hold a secret.
    throw new Error("OVERTURN_VARS is not JSON");
  }
  const fits = (value) => value === null || typeof value === "string";
  if (typeof vars !== "object" || vars === null || Array.isArray(vars) || !Object.values(vars).every(fits)) {
    throw new Error("OVERTURN_VARS wants an object of names to strings, or null to leave a variable out");
  }
  return vars;
}
