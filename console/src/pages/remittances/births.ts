// Dates of birth as people type them, and the file that they fill in with a spreadsheet.

import { readCsv } from "../../lib/csv.ts";

const TWO_DIGITS = /^\d$/;

/** An entered date, `1984-06-02` or `6/2/1984`, as `YYYY-MM-DD`. `undefined` if it is none, or after `today`. */
export function birthDay(text: string, today: string): string | undefined {
  const plain = text.trim();
  const [, first, second, third] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(plain) ?? [];
  const [, month, day, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(plain) ?? [];
  const iso = [first ?? year, second ?? month, third ?? day].map((part) => part?.replace(TWO_DIGITS, "0$&")).join("-");
  const at = Date.parse(`${iso}T00:00:00Z`);
  // February 30 would become a day in March.
  if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== iso) return undefined;
  return iso <= today && iso >= "1850" ? iso : undefined;
}

/**
 * The dates in the columns `key` and `date_of_birth` of a filled-in template; `undefined` if it has no such columns. Dates
 * that contradict each other come together, so that a person sees both.
 */
export function readTemplate(text: string): Map<string, string> | undefined {
  const [head = [], ...rows] = readCsv(text);
  const place = (name: string): number => head.findIndex((cell) => cell.trim().toLowerCase() === name);
  const [key, date] = [place("key"), place("date_of_birth")];
  if (key < 0 || date < 0) return undefined;
  const found = new Map<string, string>();
  for (const row of rows) {
    const [of, typed] = [row[key]?.trim().toLowerCase() ?? "", row[date]?.trim() ?? ""];
    if (of === "" || typed === "") continue;
    const before = found.get(of);
    found.set(of, before === undefined || before === typed ? typed : `${before} or ${typed}`);
  }
  return found;
}

/** The dates that can be read, as the module takes them. `typed` has what was entered for each patient's key. */
export function birthsFile(typed: ReadonlyMap<string, string>, today: string): string {
  const rows = [...typed].flatMap(([key, text]) => {
    const day = birthDay(text, today);
    return day === undefined ? [] : [`${key},${day}\n`];
  });
  return `key,date_of_birth\n${rows.join("")}`;
}
