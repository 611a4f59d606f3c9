// Names that filters offer and that answers leave out: practices, colleagues, payers. None of them names a patient.

import { limits } from "../../generated/rules.ts";
import { type Answer, get } from "../../lib/api.ts";
import { type Loaded, useLoad } from "../../lib/load.ts";

export type Named = Answer<"/api/v1/staff/colleagues", "get">["colleagues"][number];

/** The most pages of practices that a filter offers. */
const MOST_PAGES = 10;

async function allPractices(signal: AbortSignal): Promise<Named[]> {
  const found: Named[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const answer = await get("/api/v1/staff/practices", { query: { limit: limits.page, cursor }, signal });
    found.push(...answer.practices.map(({ id, name }) => ({ id, name })));
    if (answer.next_cursor === null) break;
    cursor = answer.next_cursor;
  }
  return found;
}

/** The practices, once `isNeeded`. Two with one name get a part of their id. */
export function usePractices(isNeeded: boolean): Named[] {
  const loaded = useLoad(async (signal) => (isNeeded ? allPractices(signal) : []), [isNeeded]);
  const all = loaded.data ?? [];
  const isTwin = (name: string): boolean => all.filter((other) => other.name === name).length > 1;
  return all.map(({ id, name }) => ({ id, name: isTwin(name) ? `${name} (${id.slice(-10, -4)})` : name }));
}

/** The names of the payers of all practices or of one, once `isNeeded`. */
export function usePayers(practice: string | undefined, isNeeded: boolean): string[] {
  const loaded = useLoad(
    async (signal) => (isNeeded ? get("/api/v1/staff/payers", { query: { practice_id: practice }, signal }) : undefined),
    [practice, isNeeded],
  );
  return loaded.data?.payers.map(({ name }) => name) ?? [];
}

export function useColleagues(): Loaded<Named[]> {
  return useLoad(async (signal) => (await get("/api/v1/staff/colleagues", { signal })).colleagues, []);
}
