// What an appeal says about the practice, as people read and write it.

import type { TimeZone } from "../generated/rules.ts";
import type { Answer } from "./api.ts";

export type PracticeDetails = Pick<Answer<"/api/v1/settings/practice", "get">, "address" | "npi" | "tax_id" | "phone" | "time_zone">;

export const ZONES: Readonly<Record<TimeZone, string>> = {
  "America/New_York": "Eastern",
  "America/Chicago": "Central",
  "America/Denver": "Mountain",
  "America/Phoenix": "Arizona (Mountain, no daylight saving time)",
  "America/Los_Angeles": "Pacific",
  "America/Anchorage": "Alaska",
  "Pacific/Honolulu": "Hawaii",
  "America/Puerto_Rico": "Puerto Rico and Virgin Islands (Atlantic)",
  "Pacific/Guam": "Guam and Northern Mariana Islands",
  "Pacific/Pago_Pago": "American Samoa",
};

/** A phone number of the API, such as `+15125550100`, as `(512) 555-0100`. */
export function phone(number: string | null): string | undefined {
  return number?.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, "($1) $2-$3");
}

/** The lines of an address on an envelope. */
export function addressLines(of: PracticeDetails["address"]): string[] {
  if (!of) return [];
  return [of.line1, ...(of.line2 ? [of.line2] : []), `${of.city}, ${of.state} ${of.zip}`];
}

/** What an appeal lacks, in the words of the form. The time zone is for signatures. */
export function missingDetails({ address, npi, tax_id, phone: number }: PracticeDetails): string[] {
  const parts = { "the address": address, "the NPI": npi, "the tax id": tax_id, "the phone number": number };
  return Object.entries(parts).flatMap(([name, value]) => (value === null ? [name] : []));
}
