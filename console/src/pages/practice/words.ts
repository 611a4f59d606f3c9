// What the API's names mean, for people of a practice.

import type { ClaimStatus, LevelOutcome, SigningStatus } from "../../generated/rules.ts";

export const STATUS_MEANS: Readonly<Record<ClaimStatus, string>> = {
  received: "We have it and have not looked at it yet.",
  reviewing: "Our staff is working out how to appeal it.",
  in_report: "It is in a report that we delivered to you.",
  in_appeal: "Our staff opened an appeal for it.",
  recovered: "The payer paid, in full or in part.",
  closed: "The appeal ended without payment, or the claim is not appealed.",
};

export const SIGNING_MEANS: Readonly<Record<SigningStatus, string>> = {
  not_decided: "Our staff has not decided yet whether the patient has to sign.",
  not_needed: "We can appeal this claim without the patient's signature.",
  needed: "We can go on once the patient has signed the authorization.",
  signed: "The patient has signed the authorization.",
};

export const OUTCOMES: Readonly<Record<LevelOutcome, string>> = {
  overturned: "The payer withdrew its denial",
  partly_overturned: "The payer withdrew a part of its denial",
  upheld: "The payer kept its denial",
  dismissed: "The appeal was dismissed",
  withdrawn: "The appeal was withdrawn",
};
