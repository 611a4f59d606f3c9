// Changes the data of a `wrangler d1 export` so that `wrangler d1 execute --file` accepts it. Two things in an export break a restore:
//
// * a text with the character U+0000, which the parser takes for the end of the statement;
// * a statement of more than 100 kB, which D1 refuses: the row of a drawn signature or of a claim with many codes is that long.

const QUOTE = 0x27;
const SEMICOLON = 0x3b;

/** A statement may be 100 kB long; this leaves room for what is put around a value. */
export const STATEMENT_MAX = 90_000;
/** Hexadecimal digits of a long value in one statement. */
const PART = 60_000;
/** A value from here on is taken out of a statement that is too long. */
const LONG = 4_000;
const PARTS = "restored_parts";

/** Gives statements, each with its end, from chunks of bytes. */
async function* statements(chunks) {
  let held = [];
  let quoted = false;
  for await (const chunk of chunks) {
    let start = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      if (chunk[at] === QUOTE) quoted = !quoted;
      else if (chunk[at] === SEMICOLON && !quoted) {
        yield Buffer.concat([...held, chunk.subarray(start, at + 1)]);
        held = [];
        start = at + 1;
      }
    }
    if (start < chunk.length) held.push(chunk.subarray(start));
  }
  if (quoted) throw new Error("the export ends within a text");
  yield Buffer.concat(held);
}

/** Takes the long values out of a statement: statements that write them down in parts, and the statement that reads them. */
function taken(text) {
  const before = [];
  let values = 0;
  const statement = text.replaceAll(/(X?)'((?:[^']|'')*)'/gi, (literal, isBlob, inside) => {
    if (literal.length < LONG) return literal;
    values += 1;
    const hex = isBlob ? inside : Buffer.from(inside.replaceAll("''", "'")).toString("hex");
    for (let at = 0, n = 0; at < hex.length; at += PART, n += 1) {
      before.push(`INSERT INTO ${PARTS} VALUES(${values},${n},'${hex.slice(at, at + PART)}');\n`);
    }
    const read = `unhex((SELECT group_concat(hex,'') FROM (SELECT hex FROM ${PARTS} WHERE value=${values} ORDER BY n)))`;
    return isBlob ? read : `CAST(${read} AS TEXT)`;
  });
  return [...before, statement, `\nDELETE FROM ${PARTS};`];
}

/** A text as hex. */
const inHex = (inside) => `CAST(X'${Buffer.from(inside.replaceAll("''", "'")).toString("hex")}' AS TEXT)`;

/** The statements of an export's data, as D1 takes them. */
export async function* restorable(chunks) {
  yield Buffer.from(`\nCREATE TABLE ${PARTS}(value INTEGER NOT NULL, n INTEGER NOT NULL, hex TEXT NOT NULL);\n`);
  for await (const statement of statements(chunks)) {
    if (statement.length <= STATEMENT_MAX && !statement.includes(0)) {
      yield statement;
      continue;
    }
    // As hex, because D1 limits how deep an expression is: `'a'||char(0)||'b'` and so on would be refused.
    const text = statement
      .toString()
      .replaceAll(/'((?:[^']|'')*)'/g, (literal, inside) => (inside.includes("\0") ? inHex(inside) : literal));
    yield Buffer.from((Buffer.byteLength(text) > STATEMENT_MAX ? taken(text) : [text]).join(""));
  }
  yield Buffer.from(`\nDROP TABLE ${PARTS};\n`);
}
