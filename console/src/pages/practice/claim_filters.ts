// The filters of the denials in the address. A claim number is never among them.

import type { ClaimStatus, SigningStatus } from "../../generated/rules.ts";

/** Each filter's name in the address, which is that of the API. */
export const FILTERS = [
  "status",
  "payer_name",
  "order",
  "signing_status",
  "denial_code",
  "denied_from",
  "denied_to",
  "received_from",
  "received_to",
  "due_from",
  "due_to",
] as const;
export type Filter = (typeof FILTERS)[number];

/** The filters behind "More filters". */
export const MORE: readonly Filter[] = FILTERS.slice(3);

/** The query of the API for an address. An unknown value is sent too, so that the service says what is wrong with it. */
export function apiQuery(address: URLSearchParams) {
  const text = (name: Filter | "cursor"): string | undefined => address.get(name) ?? undefined;
  const list = <T extends string>(name: Filter): T[] | undefined => text(name)?.split(",") as T[] | undefined;
  const texts = Object.fromEntries(FILTERS.map((name) => [name, text(name)])) as Record<Filter, string | undefined>;
  return {
    ...texts,
    status: list<ClaimStatus>("status"),
    order: text("order") as "deadline" | undefined,
    signing_status: list<SigningStatus>("signing_status"),
    cursor: text("cursor"),
  };
}

/** How many of some filters are set. */
export function countSet(address: URLSearchParams, of: readonly Filter[]): number {
  return of.filter((name) => address.get(name)).length;
}

export const CLEARED: Readonly<Record<string, undefined>> = Object.fromEntries(FILTERS.map((name) => [name, undefined]));

/** A date that was typed to its end. While a year is being typed, the browser already gives dates such as 0020-01-01. */
export const isWhole = (date: string): boolean => date === "" || date >= "1900";
