// Comma-separated values (RFC 4180) that a spreadsheet opens as text.

export function csv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}

/**
 * One cell. A spreadsheet runs a text that begins with `=`, `+`, `-` or `@`, also behind a tab or a line break, as a
 * formula. An apostrophe in front of it prevents that.
 */
export function cell(text: string): string {
  const safe = /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A page of a list without its header row, unless it is the first one, and its number of rows. */
export function withoutHead(text: string, isLater: boolean): { text: string; rows: number } {
  const head = text.indexOf("\r\n") + 2;
  // A quoted cell may hold a line break, so the lines outside of quotes count.
  const rows = text.slice(head).replace(/"[^"]*"/g, "").split("\r\n").length - 1;
  return { text: isLater ? text.slice(head) : text, rows };
}

/** The rows of a file that a spreadsheet saved, with commas, semicolons or tabs between the cells. */
export function readCsv(file: string): string[][] {
  const text = file.replace(/^\uFEFF/, "");
  const head = /^.*/.exec(text)?.[0] ?? "";
  const count = (mark: string): number => head.split(mark).length;
  const separator = [",", ";", "\t"].reduce((best, mark) => (count(mark) > count(best) ? mark : best));
  const rows: string[][] = [];
  let [row, cell, isQuoted] = [[] as string[], "", false];
  const endCell = (): void => {
    row.push(cell);
    cell = "";
  };
  const endRow = (): void => {
    endCell();
    if (row.some((one) => one.trim() !== "")) rows.push(row);
    row = [];
  };
  for (let at = 0; at < text.length; at += 1) {
    const c = text.charAt(at);
    if (c === '"' && isQuoted && text.charAt(at + 1) === '"') {
      cell += c;
      at += 1;
    } else if (c === '"' && (isQuoted || cell.trim() === "")) isQuoted = !isQuoted;
    else if (isQuoted) cell += c;
    else if (c === separator) endCell();
    else if (c === "\n" || c === "\r") endRow();
    else cell += c;
  }
  endRow();
  return rows;
}
