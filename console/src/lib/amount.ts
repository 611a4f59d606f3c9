// Amounts as people type them.

import { cents } from "./format.ts";

/** An entered amount, such as `$1,245.5` or `80`, as the API takes it: `1245.50`. `undefined` if it is not one. */
export function amountOf(text: string): string | undefined {
  const plain = text.trim().replace(/^\$\s*/, "");
  const [, dollars, cents = ""] = /^(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d{1,2}))?$/.exec(plain) ?? [];
  if (dollars === undefined) return undefined;
  const digits = dollars.replaceAll(",", "").replace(/^0+(?=\d)/, "");
  return digits.length > 16 ? undefined : `${digits}.${cents.padEnd(2, "0")}`;
}

/** Compares two amounts of the API: negative if the first is less, 0 if they are equal, positive otherwise. */
export function compareAmounts(first: string, second: string): number {
  const difference = cents(first) - cents(second);
  return difference === 0n ? 0 : difference < 0n ? -1 : 1;
}
