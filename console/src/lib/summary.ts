// What a summary of claims adds up to.

import { daysUntil } from "./format.ts";

interface Counted {
  claims: number;
}

export const claimsIn = (parts: readonly Counted[]): number => parts.reduce((count, { claims }) => count + claims, 0);

/** A deadline is soon that many days ahead. */
export const SOON_DAYS = 7;

interface Summary {
  today: string;
  deadlines: { days: readonly (Counted & { date: string })[] };
}

/** How many open claims are due within a week, those of today included. */
export function dueSoon({ deadlines, today }: Summary): number {
  return claimsIn(deadlines.days.filter(({ date }) => daysUntil(date, today) <= SOON_DAYS));
}
