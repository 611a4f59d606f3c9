// The filters of the queue, in the address and in the API's names. A claim number stays out of the address.

import type { Query } from "../../lib/api.ts";
import type { Sorted } from "../../ui/index.ts";
import { addDays, today } from "../../lib/format.ts";
import { claimStatuses } from "../../generated/rules.ts";

export type QueueQuery = Query<"/api/v1/staff/claims", "get">;

/** A filter with a few values: its name in the address, its label, what is shown without it, and each value with its label and the API's filters. */
interface Choice {
  name: string;
  label: string;
  any: string;
  values: readonly (readonly [value: string, label: string, query: () => QueueQuery])[];
}

/** The filters that are chosen from a few values. */
export const CHOICES = [
  {
    name: "signature",
    label: "Signature",
    any: "Any",
    values: [
      ["waiting", "Waiting for the patient", () => ({ signature: "waiting" })],
      ["link_dead", "Link no longer works", () => ({ signature: "link_dead" })],
    ],
  },
  { name: "decision", label: "Decision", any: "Any", values: [["due", "Due or overdue", () => ({ ask_before: addDays(today(), 1) })]] },
  {
    name: "age",
    label: "Age",
    any: "Any age",
    values: [
      ["today", "Arrived today", () => ({ max_age_days: 0 })],
      ["week", "In the last 7 days", () => ({ max_age_days: 7 })],
      ["month", "30 days ago or earlier", () => ({ min_age_days: 30 })],
      ["quarter", "90 days ago or earlier", () => ({ min_age_days: 90 })],
    ],
  },
] as const satisfies readonly Choice[];

/** The filters whose value is the API's: the name in the address, the API's name and the label. */
const PLAIN = [
  ["status", "status", "Status"],
  ["practice", "practice_id", "Practice"],
  ["payer", "payer_name", "Payer"],
  ["code", "denial_code", "Code"],
  ["taken", "taken_by", "Taken by"],
] as const;

/** The API's orders for the order of an address, and for the other way around. */
const ORDERS: Readonly<Record<string, readonly [QueueQuery["order"], QueueQuery["order"]]>> = {
  deadline: [undefined, "latest_deadline"],
  denied: ["denied", "most_denied"],
  arrived: ["arrived", "latest_arrived"],
};

/** The names of the filters in the address. */
const FILTERS = [...PLAIN.map(([name]) => name), ...CHOICES.map(({ name }) => name)] as const;
export type Filter = (typeof FILTERS)[number];

/** How many claims a page of the queue has. */
export const PAGE = 50;

/** The API's query for the filters of an address, or for a claim number, which is looked for among all claims. */
export function queueQuery(params: URLSearchParams, claimNumber = ""): QueueQuery {
  if (claimNumber) return { status: claimStatuses.join(","), claim_number: claimNumber };
  const text = (name: Filter | "cursor"): string | undefined => params.get(name) || undefined;
  const chosen = CHOICES.map(({ name, values }: Choice) => values.find(([value]) => value === params.get(name))?.[2]());
  const query = {
    ...Object.fromEntries(PLAIN.map(([name, of]) => [of, text(name)])),
    denial_code: text("code")?.toUpperCase(),
    ...Object.assign({}, ...chosen),
    order: ORDERS[orderOf(params).by]?.[Number(orderOf(params).isDown)],
    cursor: text("cursor"),
  };
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
}

/** The order in an address: `denied`, or `-denied` for the other way around. The soonest deadline comes first without one. */
export function orderOf(params: URLSearchParams): Sorted {
  const sort = params.get("sort") || "deadline";
  return { by: sort.replace(/^-/, ""), isDown: sort.startsWith("-") };
}

/** The change of the address for an order. */
export function orderIn({ by, isDown }: Sorted): { sort: string | undefined } {
  const sort = `${isDown ? "-" : ""}${by}`;
  return { sort: sort === "deadline" ? undefined : sort };
}

/** The API's query for the filters and the order of an address, as a saved filter has it. */
export function keptQuery(params: URLSearchParams): string {
  const { cursor: _, ...kept } = queueQuery(params);
  return String(new URLSearchParams(Object.entries(kept).map(([name, value]) => [name, String(value)])));
}

/** The filters of a saved query, by their names in the address. A day that was saved stands for today's. */
function keptFilters(kept: string): [name: string, value: string, label: string][] {
  const asked = new URLSearchParams(kept);
  const plain = PLAIN.map(([name, of, label]) => [name, asked.get(of), label] as const);
  const isAsked = ([name, value]: [string, unknown]): boolean => (name === "ask_before" ? asked.has(name) : asked.get(name) === String(value));
  const chosen = CHOICES.map(
    ({ name, label, values }: Choice) => [name, values.find(([, , query]) => Object.entries(query()).every(isAsked))?.[0], label] as const,
  );
  return [...plain, ...chosen].flatMap(([name, value, label]) => (value ? [[name, value, label]] : []));
}

function paramsOf(kept: string): URLSearchParams {
  const params = new URLSearchParams(keptFilters(kept).map(([name, value]) => [name, value]));
  const order = new URLSearchParams(kept).get("order");
  const by = Object.keys(ORDERS).find((name) => ORDERS[name]?.some((known) => order && known === order));
  if (by) params.set("sort", ORDERS[by]?.[1] === order ? `-${by}` : by);
  return params;
}

/** The address of the queue for a saved query. */
export function queueOf(kept: string): string {
  const params = paramsOf(kept);
  return params.size === 0 ? "/queue" : `/queue?${params}`;
}

/** True if the queue's filters say all of a saved query. A program may have saved what they cannot say. */
export function canShow(kept: string): boolean {
  const shown = new URLSearchParams(keptQuery(paramsOf(kept)));
  return [...new URLSearchParams(kept)].every(([name, value]) =>
    name === "status" ? claimStatuses.some((status) => status === value) : name === "ask_before" ? shown.has(name) : shown.get(name) === value,
  );
}

/** What a saved query filters by, in words, or the query itself if the queue cannot show it. */
export const keptWords = (kept: string): string =>
  canShow(kept)
    ? `Filters: ${keptFilters(kept).map(([, , label]) => label.toLowerCase()).join(", ")}`
    : `The queue cannot show it: ${[...new URLSearchParams(kept)].map(([name, value]) => `${name} ${value}`).join(", ")}`;

export function isFiltered(params: URLSearchParams): boolean {
  return FILTERS.some((name) => params.get(name));
}

/** A change of the address that removes every filter. */
export const NO_FILTERS: Readonly<Record<string, undefined>> = Object.fromEntries(FILTERS.map((name) => [name, undefined]));

/** The address of the queue with a filter changed, from the first page on. */
export function hrefWith(params: URLSearchParams, name: Filter, value: string | undefined): string {
  const changed = new URLSearchParams(params);
  changed.delete("cursor");
  if (value === undefined) changed.delete(name);
  else changed.set(name, value);
  return changed.size === 0 ? "/queue" : `/queue?${changed}`;
}
