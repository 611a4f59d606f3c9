// What a text of the command list can be besides the name of a command. It is looked for once the person asks for it,
// because a search by claim number is recorded. The text stays in memory: the browser keeps addresses.

import { get } from "./api.ts";
import { claimStatuses, limits } from "../generated/rules.ts";
import type { Area } from "./router.ts";

interface Hit {
  what: string;
  path: string;
}

/** How many practices are listed. More typing makes them fewer. */
const MOST = 10;

/** Claims, cases, reports and practices of a claim number or the beginning of a name, as typed or in capital letters. */
export async function find(text: string, area: Area | undefined): Promise<Hit[]> {
  const numbers = /\d/.test(text) ? [...new Set([text, text.toUpperCase()])] : [];
  if (area === "practice") return firstOf(numbers, ofPractice);
  const [claims, { practices }] = await Promise.all([
    firstOf(numbers, ofStaff),
    get("/api/v1/staff/practices", { query: { name: text, limit: MOST } }),
  ]);
  return [...claims, ...practices.map(({ id, name }) => ({ what: `Practice ${name}`, path: `/queue?practice=${id}` }))];
}

async function firstOf(numbers: readonly string[], read: (number: string) => Promise<Hit[]>): Promise<Hit[]> {
  for (const number of numbers) {
    const hits = await read(number);
    if (hits.length > 0) return hits;
  }
  return [];
}

async function ofStaff(number: string): Promise<Hit[]> {
  const { claims } = await get("/api/v1/staff/claims", { query: { status: claimStatuses.join(","), claim_number: number, limit: limits.page } });
  return claims.flatMap(({ id, practice, claim_number, case_id }) => [
    { what: `Claim ${claim_number} (${practice.name})`, path: `/work/${practice.id}/claims/${id}` },
    ...(case_id === null ? [] : [{ what: `Case with ${claim_number} (${practice.name})`, path: `/work/${practice.id}/cases/${case_id}` }]),
  ]);
}

async function ofPractice(number: string): Promise<Hit[]> {
  const { denials } = await get("/api/v1/denials", { query: { claim_number: number } });
  return denials.flatMap(({ id, claim_number, report_id, case_id }) => [
    { what: `Claim ${claim_number}`, path: `/claims/${id}` },
    ...(report_id === null ? [] : [{ what: `Report with ${claim_number}`, path: `/claims/reports/${report_id}` }]),
    ...(case_id === null ? [] : [{ what: `Appeal with ${claim_number}`, path: `/claims/appeals/${case_id}` }]),
  ]);
}
