// The dialogs and the forms of the console, from its source.

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
    const attribute = { Dialog: "title", EndAction: "title", FormDialog: "title", Stored: "question" }[node.tagName.getText()];
    return attribute && named(node.attributes.properties, attribute)?.initializer;
  }
  return ts.isCallExpression(node) && node.expression.getText() === "pick" ? node.arguments[0] : undefined;
}

/** The patterns of the titles that an expression can be. What a function or a component is given has none: who gives it has. */
function patterns(title, file) {
  const escaped = (text) => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, "\\$&");
  if (ts.isStringLiteralLike(title)) return [escaped(title.text)];
  if (ts.isTemplateExpression(title)) {
    return [escaped(title.head.text) + title.templateSpans.map(({ literal }) => `.+${escaped(literal.text)}`).join("")];
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

const exactly = (pattern) => new RegExp(`^${pattern}$`);

/** The files of the source with their names, such as `pages/me/factors.tsx`. */
function sources() {
  const source = new URL("src/", CONSOLE);
  const names = readdirSync(source, { recursive: true }).filter((name) => name.endsWith(".tsx"));
  return names.map((name) => {
    const text = readFileSync(new URL(name, source), "utf8");
    return { name: name.replaceAll("\\", "/"), file: ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true) };
  });
}

/** Where the source opens dialogs, and what their titles match: `["pages/me/factors.tsx", /^Your new recovery codes$/]`. */
export function dialogsOfSource() {
  return sources().flatMap(({ name, file }) => {
    const found = new Set();
    visit(file, (node) => {
      const title = titleAt(node);
      for (const pattern of title ? patterns(title, file) : []) found.add(pattern);
    });
    return [...found].map((pattern) => [name, exactly(pattern)]);
  });
}

/** What opens a form with the words that it is given. */
const OPEN_FORMS = ["openForm", "credentials"];

/** The parts of a form that a node of the source opens: its title if it is a dialog, its button, and what is in it. */
function formAt(node) {
  if (ts.isCallExpression(node) && OPEN_FORMS.includes(node.expression.getText())) {
    const part = (name) => {
      const property = node.arguments[0].properties.find((one) => one.name?.getText() === name);
      return property?.initializer ?? property?.name;
    };
    // The form of `credentials` itself is in each place that uses it.
    const isOpen = node.expression.getText() === "openForm";
    return part("submit") && { title: part("title"), submit: part("submit"), within: [isOpen ? part("children") : node.expression] };
  }
  if (!ts.isJsxElement(node) || !["Form", "FormDialog"].includes(node.openingElement.tagName.getText())) return undefined;
  const part = (name) => node.openingElement.attributes.properties.find((one) => one.name?.getText() === name)?.initializer;
  // The form of `FormDialog` itself is in each place that uses it.
  return part("submit") && { title: part("title"), submit: part("submit"), within: node.children };
}

/** The words that a part of a form can have. Those of a table, `const { title } = SAYS[what]`, are all of that name in the file. */
function words(part, file) {
  const found = patterns(part, file);
  const name = part.getText().replaceAll(/[{}]/g, "");
  if (found.length > 0) return found;
  visit(file, (node) => {
    if (ts.isPropertyAssignment(node) && node.name.getText() === name && ts.isStringLiteralLike(node.initializer)) found.push(...patterns(node.initializer, file));
  });
  return found;
}

const CHOSEN = ["CheckField", "ChoiceField", "SelectField"];
/** The fields that a person types into. Credentials are typed again and never kept. */
const TYPED = ["TextField", "TextArea", "input", "textarea"];
const NOT_TYPED = /autocomplete="[^"]*(password|one-time-code|username)|type="(checkbox|radio|file|hidden)"/;

/** True if a person can type text in a part of the source, or in a component or a value that it shows. */
function hasText(part, all, seen = new Set()) {
  if (seen.has(part)) return false;
  seen.add(part);
  const file = part.getSourceFile();
  const isNamed = (name) => (node) => (ts.isFunctionDeclaration(node) || ts.isVariableDeclaration(node)) && node.name?.getText() === name;
  const declared = (name) => {
    const places = [file, ...all.map((one) => one.file)].map((one) => nodes(one, isNamed(name)));
    return places.find((found) => found.length > 0) ?? [];
  };
  if (ts.isJsxOpeningElement(part) || ts.isJsxSelfClosingElement(part)) {
    const tag = part.tagName.getText();
    if (TYPED.includes(tag)) return !NOT_TYPED.test(part.getText());
    return /^[A-Z]/.test(tag) && !CHOSEN.includes(tag) && declared(tag).some((one) => hasText(one, all, seen));
  }
  if (ts.isJsxExpression(part) && part.expression && ts.isIdentifier(part.expression)) {
    return nodes(file, isNamed(part.expression.text)).some((one) => hasText(one, all, seen));
  }
  if (ts.isIdentifier(part) && OPEN_FORMS.includes(part.text)) return declared(part.text).some((one) => hasText(one, all, seen));
  let found = false;
  ts.forEachChild(part, (child) => {
    found ||= hasText(child, all, seen);
  });
  return found;
}

function nodes(file, is) {
  const found = [];
  visit(file, (node) => is(node) && found.push(node));
  return found;
}

/** The forms of the source in which a person types text. A form that is no dialog has no title. */
export function formsOfSource() {
  const all = sources();
  return all.flatMap(({ name, file }) =>
    nodes(file, (node) => formAt(node)?.within.some((part) => hasText(part, all))).flatMap((node) => {
      const { title, submit } = formAt(node);
      const [titles, submits] = [title ? words(title, file) : [undefined], words(submit, file)];
      assert.ok(titles.length > 0 && submits.length > 0, `${name}: the words of a form cannot be read`);
      return titles.map((one) => ({ name, title: one && exactly(one), submit: exactly(`(${submits.join("|")})`) }));
    }),
  );
}
