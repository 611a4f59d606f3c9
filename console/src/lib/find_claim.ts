// The search for a claim of the practice by its number. The number stays in memory, because the browser keeps addresses.

import { signal } from "@preact/signals";
import { get } from "./api.ts";

/** The number that the list of denials looks for; `""` for none. */
export const searched = signal("");

/** True once a member of staff wants to look for a patient: the queue then asks for the name. */
export const wantsPatient = signal(false);

/** The id of the claim with a number, as typed or in capital letters; `undefined` if the practice has none. */
export async function findClaim(number: string, signal?: AbortSignal): Promise<string | undefined> {
  for (const claim_number of new Set([number, number.toUpperCase()])) {
    const { denials } = await get("/api/v1/denials", { query: { claim_number }, signal });
    if (denials[0]) return denials[0].id;
  }
  return undefined;
}
