// Texts for people, from the API's values. Every function is pure.

/** The days of the calendar that this module counts in. */
const DAY_MS = 86_400_000;

/** The number of a calendar day, counted from 1970-01-01. No time zone moves it. */
function dayNumber(date: string): number {
  return Date.parse(`${date.slice(0, 10)}T00:00:00Z`) / DAY_MS;
}

const two = (number: number): string => String(number).padStart(2, "0");

/** The reader's calendar date, as `YYYY-MM-DD`. In the evening in America, a deadline of today is not late yet. */
export function today(now: Date = new Date()): string {
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

/** The date some days after another one. Both are `YYYY-MM-DD`. */
export function addDays(date: string, days: number): string {
  return new Date((dayNumber(date) + days) * DAY_MS).toISOString().slice(0, 10);
}

/** How many days after `from` the date is; negative before it. Both are `YYYY-MM-DD`. */
export function daysUntil(date: string, from: string): number {
  return dayNumber(date) - dayNumber(from);
}

/** How urgent a deadline is, for its sign and its color. */
type Urgency = "late" | "today" | "soon" | "later" | "unknown";

/** A deadline in words, such as "in 6 days" or "3 days late". `soon` is within a week. */
export function deadline(date: string | null | undefined, from: string = today()): { words: string; urgency: Urgency } {
  if (!date) return { words: "not known", urgency: "unknown" };
  const days = daysUntil(date, from);
  if (days === 0) return { words: "today", urgency: "today" };
  if (days < 0) return { words: `${plural(-days, "day")} late`, urgency: "late" };
  return { words: days === 1 ? "tomorrow" : `in ${plural(days, "day")}`, urgency: days <= 7 ? "soon" : "later" };
}

/** A number with its noun: "1 claim", "1,200 claims". */
export function plural(count: number, one: string, many: string = `${one}s`): string {
  return `${whole(count)} ${count === 1 ? one : many}`;
}

/** Separators between thousands. The browser's own formats are not used for it: the first of them costs tens of milliseconds. */
const separated = (digits: string): string => digits.replace(/\B(?=(\d{3})+$)/g, ",");

export function whole(count: number): string {
  return separated(String(Math.round(count)));
}

/** An amount of the API, such as `"1245.00"`, as `$1,245.00`. No digit goes through a binary fraction. */
export function money(amount: string | null | undefined): string {
  if (amount === null || amount === undefined) return "–";
  const [, minus = "", dollars = "", cents = "00"] = /^(-?)(\d+)(?:\.(\d{2}))?$/.exec(amount) ?? [];
  if (dollars === "") return amount;
  return `${minus && "−"}$${separated(dollars)}.${cents}`;
}

/** An amount of the API in cents. */
export const cents = (amount: string): bigint => BigInt(amount.replace(".", ""));

/** The sum of amounts of the API, as such an amount. */
export function sum(amounts: readonly string[]): string {
  const all = amounts.reduce((total, amount) => total + cents(amount), 0n);
  const digits = String(all < 0n ? -all : all).padStart(3, "0");
  return `${all < 0n ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** What payers denied on some claims. No claim has an amount of zero, so a sum of zero says that none was sent. */
export function deniedOn(claims: number, amount: string): string {
  return claims > 0 && cents(amount) === 0n ? "not\u00a0sent" : money(amount);
}

/** The same as part of a sentence: "$1,245.00 denied". */
export function deniedInWords(claims: number, amount: string): string {
  return claims > 0 && cents(amount) === 0n ? "no denied amount was sent" : `${money(amount)} denied`;
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** A calendar date, such as `Nov 22, 2026`, from `YYYY-MM-DD`. */
export function date(value: string | null | undefined): string {
  if (!value) return "–";
  const [year, month = 0, day] = value.slice(0, 10).split("-").map(Number);
  return `${MONTHS[month - 1]} ${day}, ${year}`;
}

/** The reader's calendar date of an instant, such as `Nov 22, 2026`. */
export function day(instant: string | null | undefined): string {
  return instant ? date(today(new Date(instant))) : "–";
}

/** An instant, such as `Nov 22, 2026, 9:45 AM`, in the reader's time zone unless another one is given. */
export function time(instant: string | null | undefined, timeZone?: string): string {
  if (!instant) return "–";
  const at = new Date(instant);
  if (timeZone) {
    const format = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeStyle: "short", timeZone });
    // Some platforms put a narrow space before AM and PM.
    return format.format(at).replaceAll("\u202f", " ");
  }
  const hours = at.getHours();
  return `${date(today(at))}, ${hours % 12 || 12}:${two(at.getMinutes())} ${hours < 12 ? "AM" : "PM"}`;
}

/** How long ago an instant was: "just now", "5 minutes ago", "yesterday". */
export function ago(instant: string, now: Date = new Date()): string {
  const minutes = Math.floor((now.getTime() - Date.parse(instant)) / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${plural(minutes, "minute")} ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${plural(hours, "hour")} ago`;
  const days = Math.floor(hours / 24);
  return days === 1 ? "yesterday" : `${plural(days, "day")} ago`;
}

/** A size of a file, such as `2.4 MiB`: the unit of the limits. */
export function bytes(count: number): string {
  if (count < 2 ** 10) return plural(count, "byte");
  if (count < 2 ** 20) return `${Math.round(count / 2 ** 10)} KiB`;
  return `${(count / 2 ** 20).toFixed(1)} MiB`;
}

/** A name of the API as words, such as `in_appeal` as "In appeal". */
export function words(name: string): string {
  const text = name.replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Several things in a sentence: "a", "a and b", "a, b, and c". */
export function listed(things: readonly string[]): string {
  if (things.length < 3) return things.join(" and ");
  return `${things.slice(0, -1).join(", ")}, and ${things.at(-1)}`;
}
