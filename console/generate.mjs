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

/** The part of a description that a reference names. */
const at = (description, ref) => ref.split("/").slice(1).reduce((value, name) => value[name], description);

/** What the client types of an operation, with the parameters of its path: no refusals, which are all Problems, no headers and no name. */
function narrow({ operationId: _, ...operation }, ofPath, description) {
  const whole = (item) => (item.$ref ? at(description, item.$ref) : item);
  const answers = Object.entries(operation.responses).filter(([status]) => status.startsWith("2"));
  const responses = answers.map(([status, response]) => {
    const { headers: _, ...answer } = whole(response);
    return [status, answer];
  });
  const parameters = [...ofPath, ...(operation.parameters ?? [])].filter((parameter) => whole(parameter).in !== "header");
  return { ...operation, parameters, responses: Object.fromEntries(responses) };
}

/** The references in a description, and those in what they name. */
function references(value, description, seen = new Set()) {
  for (const [name, item] of Object.entries(value ?? {})) {
    if (name === "$ref" && typeof item === "string" && !seen.has(item)) {
      seen.add(item);
      references(at(description, item), description, seen);
    } else if (typeof item === "object") references(item, description, seen);
  }
  return seen;
}

function narrowed(description) {
  const paths = structuredClone(description.paths);
  for (const path of Object.values(paths)) {
    for (const method of ["get", "post", "patch", "put", "delete"]) {
      if (path[method]) path[method] = narrow(path[method], path.parameters ?? [], description);
    }
    delete path.parameters;
  }
  const used = references(paths, description);
  const components = Object.entries(description.components).map(([kind, all]) => [
    kind,
    Object.fromEntries(Object.entries(all).filter(([name]) => used.has(`#/components/${kind}/${name}`))),
  ]);
  return bare({ ...description, paths, components: Object.fromEntries(components) });
}

/** The types without comments, and without the lines that say that something does not exist. */
const existing = (types) =>
  types
    .replace(/^export (type|interface) (webhooks|\$defs|operations) .*\n/gm, "")
    .replace(/^ *\/\*\*[^]*?\*\/\n/gm, "")
    .replace(/^ *\w+\??: never;\n/gm, "")
    .replace(/^ *headers: \{\n *\[name: string\]: unknown;\n *\};\n/gm, "")
    .replace(/\{\n *\}/g, "{}")
    .replace(/^ *parameters: \{\};\n/gm, "");

const [from, to] = process.argv.slice(2);
const types = existing(astToString(await openapiTS(narrowed(JSON.parse(await readFile(from, "utf8"))))));
await writeFile(to, `// Made from the API description by \`cargo xtask console generate\`. Do not edit.\n\n${types}`);
