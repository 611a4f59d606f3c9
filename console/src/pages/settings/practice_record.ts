import { type Answer, get } from "../../lib/api.ts";
import { addressLines, phone, ZONES } from "../../lib/practice_details.ts";
import { LINK_SETTING } from "../../lib/terms.ts";

export type Practice = Answer<"/api/v1/settings/practice", "get">;

/** The practice's own record: how to read it again, and what the screen shows of it. */
export const PRACTICE = {
  noun: "practice",
  read: () => get("/api/v1/settings/practice"),
  facts: (of: Practice) => ({
    Name: of.name,
    [LINK_SETTING]: of.appeal_button ? "on" : "off",
    "Signed in at the same time": of.concurrent_sessions === 1 ? "one browser" : "any number of browsers",
    "Mailing address": addressLines(of.address).join(", ") || "none",
    NPI: of.npi ?? "none",
    "Tax id": of.tax_id ?? "none",
    Phone: phone(of.phone) ?? "none",
    "Time zone": of.time_zone ? ZONES[of.time_zone] : "none",
  }),
};
