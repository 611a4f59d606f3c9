// The titles of all dialogs of the console, from its source.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";

const CONSOLE = new URL("../../../console/", import.meta.url);
const ts = createRequire(new URL("package.json", CONSOLE))("typescript");

/** What a question or a form has beside its title. */
const OF_DIALOGS = ["action", "submit", "secret"];

/** The title of the dialog that a node of the source opens. */
function titleAt(node) {
  const named = (parts, name) => parts.find((one) => one.name?.getText() === name);
  if (ts.isObjectLiteralExpression(node)) {
    const title = named(node.properties, "title");
    return title && OF_DIALOGS.some((name) => named(node.properties, name)) ? (title.initializer ?? title.name) : undefined;
  }
  if (ts.isJsxOpeningElement(node) || ts.isJsxSelfClosingElement(node)) {
    const attribute = { Dialog: "title", FormDialog: "title", Stored: "question" }[node.tagName.getText()];
    return attribute && named(node.attributes.properties, attribute)?.initializer;
  }
  return ts.isCallExpression(node) && node.expression.getText() === "pick" ? node.arguments[0] : undefined;
}

/** The patterns of the titles that an expression can be. What a function or a component is given has none: who gives it has. */
function patterns(title, file) {
  const exactly = (text) => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, "\\$&");
  if (ts.isStringLiteralLike(title)) return [exactly(title.text)];
  if (ts.isTemplateExpression(title)) {
    return [exactly(title.head.text) + title.templateSpans.map(({ literal }) => `.+${exactly(literal.text)}`).join("")];
  }
  if (ts.isConditionalExpression(title)) return [title.whenTrue, title.whenFalse].flatMap((one) => patterns(one, file));
  if (ts.isJsxExpression(title)) return patterns(title.expression, file);
  assert.ok(ts.isIdentifier(title), `${file.fileName}: the title ${title.getText()} cannot be read`);
  const constants = [];
  visit(file, (node) => {
    if (ts.isVariableDeclaration(node) && node.name.getText() === title.text && node.initializer) constants.push(node.initializer);
  });
  return constants.flatMap((one) => patterns(one, file));
}

function visit(node, see) {
  see(node);
  ts.forEachChild(node, (child) => visit(child, see));
}

/** Where the source opens dialogs, and what their titles match: `["pages/me/factors.tsx", /^Your new recovery codes$/]`. */
export function dialogsOfSource() {
  const source = new URL("src/", CONSOLE);
  const names = readdirSync(source, { recursive: true }).filter((name) => name.endsWith(".tsx"));
  return names.flatMap((name) => {
    const text = readFileSync(new URL(name, source), "utf8");
    const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
    const found = new Set();
    visit(file, (node) => {
      const title = titleAt(node);
      for (const pattern of title ? patterns(title, file) : []) found.add(pattern);
    });
    return [...found].map((pattern) => [name, new RegExp(`^${pattern}$`)]);
  });
}
