// Writes the types of the API: `node console/generate.mjs DESCRIPTION FILE`, for `cargo xtask console generate`.

import { readFile, writeFile } from "node:fs/promises";
import openapiTS, { astToString } from "openapi-typescript";

const WORDS = new Set(["description", "summary", "example", "examples"]);

/** A description without its prose. The prose is in docs/api, and would make the file five times as long. */
function bare(value, isNames = false) {
  if (Array.isArray(value)) return value.map((item) => bare(item));
  if (typeof value !== "object" || value === null) return value;
  // Which keys an edit must have is no matter of their types.
  const isLeftOut = (name) => WORDS.has(name) || (name === "anyOf" && "properties" in value);
  const kept = Object.entries(value).filter(([name]) => isNames || !isLeftOut(name));
  return Object.fromEntries(kept.map(([name, item]) => [name, bare(item, name === "properties")]));
}

/** What an item of the description says, by itself or by the name of another. */
const whole = ({ $ref, ...item }, description) =>
  $ref ? $ref.split("/").slice(1).reduce((value, name) => value[name], description) : item;

/** An object of the type language. `optional` has the names that may be missing. */
const object = (properties, optional = []) => ({
  type: "object",
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
});

/** The parameters of a kind, `path` or `query`, by name. */
function parameters(kind, all) {
  const found = all.filter((parameter) => parameter.in === kind);
  // A parameter that has a value by itself need not be given.
  const schemas = found.map(({ name, schema: { default: _, ...schema } }) => [name, schema]);
  return object(Object.fromEntries(schemas), found.filter(({ required }) => !required).map(({ name }) => name));
}

const json = ({ content }) => content?.["application/json"]?.schema;

/** What the client types of an operation: no refusals, which are all Problems, no headers, and nothing but JSON. */
function operation({ responses, requestBody, parameters: own = [] }, ofPath, description) {
  const all = [...ofPath, ...own].map((item) => whole(item, description));
  const [path, query] = [parameters("path", all), parameters("query", all)];
  const answers = Object.entries(responses).filter(([status]) => status.startsWith("2"));
  const bodies = answers.map(([, answer]) => json(whole(answer, description)));
  const body = requestBody && json(whole(requestBody, description));
  const some = bodies.filter(Boolean);
  const type = {
    ...(path.required.length > 0 && { path }),
    ...(Object.keys(query.properties).length > 0 && { query }),
    ...(body && { body }),
    ...(some.length > 0 && { answer: some.length > 1 ? { anyOf: some } : some[0] }),
  };
  return object(type, [...(query.required.length > 0 ? [] : ["query"]), ...(some.length < bodies.length ? ["answer"] : [])]);
}

/** The names of the schemas in a value, and in what they name. */
function used(value, { components: { schemas } }, names = new Set()) {
  for (const [key, item] of Object.entries(value ?? {})) {
    const name = key === "$ref" && typeof item === "string" ? item.split("/").at(-1) : undefined;
    if (name && !names.has(name)) used(schemas[name], { components: { schemas } }, names.add(name));
    else if (typeof item === "object") used(item, { components: { schemas } }, names);
  }
  return names;
}

/** The paths with their operations as one schema, and the schemas that they name. */
function schemas(description) {
  const paths = Object.entries(description.paths).map(([path, { parameters: ofPath = [], ...methods }]) => {
    const operations = Object.entries(methods).map(([method, one]) => [method, operation(one, ofPath, description)]);
    return [path, object(Object.fromEntries(operations))];
  });
  const all = object(Object.fromEntries(paths));
  const named = [...used(all, description)].sort().map((name) => [name, description.components.schemas[name]]);
  return { Paths: all, ...Object.fromEntries(named) };
}

const [from, to] = process.argv.slice(2);
const description = JSON.parse(await readFile(from, "utf8"));
const components = { schemas: bare(schemas(description), true) };
const types = astToString(await openapiTS({ openapi: description.openapi, info: description.info, components }))
  .replace(/^ *\/\*\*[^]*?\*\/\n/gm, "")
  .match(/^    schemas: \{\n([^]*?)^    \};$/m)[1]
  .replaceAll('components["schemas"]', "Schemas")
  // An operation without any part takes nothing, and not just anything.
  .replace(/^( *\w+): Record<string, never>;$/gm, (line, method) => (/ (get|post|patch|delete)$/.test(method) ? `${method}: object;` : line))
  .replace(/^    /gm, "");
await writeFile(to, `// Made from the API description by \`cargo xtask console generate\`. Do not edit.\n\nexport interface Schemas {\n${types}}\n`);
