// What the schemas require of text. Lengths are in Unicode scalar values, as the interface counts them.

/** Any character but Unicode white space. */
export const FILLED = /\P{White_Space}/u;

/** No control characters, no invisible ones, and none that change the text direction. */
export const PRINTABLE =
  /^[^\p{Cc}\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]*$/u;

/** `<digits>.<2 digits>`. */
const AMOUNT = /^\d+\.\d\d$/;

/** True if a value counts as absent: `null` and blank text do. */
export const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === "string" && !FILLED.test(value));

/** True if a text has at most `max` characters. Few texts need counting: a text never has more characters than UTF-16 units. */
export function fits(text: string, max: number): boolean {
  if (text.length <= max) return true;
  if (text.length > 2 * max) return false;
  let count = 0;
  for (const _ of text) count += 1;
  return count <= max;
}

/** The cents of an amount if they are above zero and exact in a double, else `undefined`. */
export function cents(text: string): number | undefined {
  if (!AMOUNT.test(text)) return undefined;
  const value = Number(text.replace(".", ""));
  return value > 0 && Number.isSafeInteger(value) ? value : undefined;
}

const DATE = /^(?!0000)(\d{4})-(\d\d)-(\d\d)$/;
const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const isLeap = (year: number) => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

/** True if a text is a calendar day, `YYYY-MM-DD`. */
export function isDate(text: string): boolean {
  const [, year, month, day] = DATE.exec(text) ?? [];
  if (year === undefined) return false;
  const days = month === "02" && !isLeap(Number(year)) ? 28 : (DAYS[Number(month) - 1] ?? 0);
  return Number(day) >= 1 && Number(day) <= days;
}

/** The UTC date of an instant. */
export const utcDate = (now: number) => new Date(now).toISOString().slice(0, 10);
