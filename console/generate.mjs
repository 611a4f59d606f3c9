// Writes the types of the API: `node console/generate.mjs DESCRIPTION FILE`, for `cargo xtask console generate`.

import { readFile, writeFile } from "node:fs/promises";
import openapiTS, { astToString } from "openapi-typescript";

const WORDS = new Set(["description", "summary", "example", "examples"]);

/** A description without its prose. The prose is in docs/api, and would make the file five times as long. */
function bare(value, isNames = false) {
  if (Array.isArray(value)) return value.map((item) => bare(item));
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => isNames || !WORDS.has(name));
  return Object.fromEntries(kept.map(([name, item]) => [name, bare(item, name === "properties")]));
}

/** An operation without what the client does not type: refusals, which are all Problems, and headers. */
function narrow(operation, named) {
  const answers = Object.entries(operation.responses).filter(([status]) => status.startsWith("2"));
  const responses = answers.map(([status, response]) => {
    const { headers: _, ...answer } = response.$ref ? named[response.$ref.split("/").at(-1)] : response;
    return [status, answer];
  });
  return { ...operation, responses: Object.fromEntries(responses) };
}

function narrowed(description) {
  const paths = structuredClone(description.paths);
  for (const path of Object.values(paths)) {
    for (const method of ["get", "post", "patch", "put", "delete"]) {
      if (path[method]) path[method] = narrow(path[method], description.components.responses);
    }
  }
  const { responses: _, headers: __, ...components } = description.components;
  return bare({ ...description, paths, components });
}

const [from, to] = process.argv.slice(2);
const types = astToString(await openapiTS(narrowed(JSON.parse(await readFile(from, "utf8")))));
await writeFile(to, `// Made from the API description by \`cargo xtask console generate\`. Do not edit.\n\n${types}`);
