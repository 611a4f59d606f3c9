// The statements of Overturn, parsed from the source of its store.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../dev/service.mjs";

const STORE = join(ROOT, "store", "src");
const MACRO = /macro_rules! (\w+) \{\n\s*\((?:\$(\w+):\w+)?\) => \{\n([^]*?)\n\s*\};?\n\}/g;
const CONST = /const (\w+): &str =\s([^]*?);\n/g;
const TOKEN = /"[^"]*"|\w+!\(|\$\w+|[,)]/g;

const read = (path) => readFileSync(join(STORE, path), "utf8");
const macrosOf = (source) => [...source.matchAll(MACRO)].map(([, name, parameter, body]) => [name, { parameter, body }]);

/** The text of an expression of string literals, `concat!` and the store's own macros. */
function evaluate(expression, macros, given) {
  const tokens = expression.match(TOKEN);
  const next = () => {
    const token = tokens.shift();
    if (token.startsWith('"')) return token.slice(1, -1);
    if (token.startsWith("$")) return given[token.slice(1)];
    const name = token.slice(0, -2);
    const parts = [];
    while (tokens[0] !== ")") {
      parts.push(next());
      if (tokens[0] === ",") tokens.shift();
    }
    tokens.shift();
    if (name === "concat") return parts.join("");
    const { parameter, body } = macros.get(name);
    return evaluate(body, macros, { [parameter]: parts[0] });
  };
  return next();
}

/** Gives a statement of a file of the store by its name. */
export function statementsOf(path) {
  const source = read(path);
  // A file's own macro shadows a shared one of the same name.
  const files = [read("fragments.rs"), source];
  const macros = new Map(files.flatMap(macrosOf));
  const constants = new Map([...source.matchAll(CONST)].map(([, name, expression]) => [name, expression]));
  return (name) => {
    const expression = constants.get(name);
    if (expression === undefined) throw new Error(`${path} has no ${name}`);
    return evaluate(expression, macros, {});
  };
}
