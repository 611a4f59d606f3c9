// The field's terms as people write them, for names of the API that `words` of format.ts would get wrong.

import type { ClaimStatus, ClosingReason, DocumentKind, LevelKind, LevelOutcome, PlanType, SigningStatus } from "../generated/rules.ts";

export const STATUS: Readonly<Record<ClaimStatus, string>> = {
  received: "Received",
  reviewing: "In review",
  in_report: "In a report",
  in_appeal: "In appeal",
  recovered: "Recovered",
  closed: "Closed",
};

/** The states of a claim whose appeal has not ended. */
export const OPEN: readonly ClaimStatus[] = ["received", "reviewing", "in_report", "in_appeal"];
export const isOpen = (status: ClaimStatus): boolean => OPEN.includes(status);

export const SIGNING: Readonly<Record<SigningStatus, string>> = {
  not_decided: "Not decided",
  not_needed: "Not needed",
  needed: "Waiting for the patient",
  signed: "Signed",
};

export const PLAN: Readonly<Record<PlanType, string>> = {
  commercial: "Commercial",
  erisa: "ERISA (employer plan)",
  aca_individual: "ACA individual",
  medicare: "Medicare",
  medicare_advantage: "Medicare Advantage",
  medi_cal_managed: "Medi-Cal managed care",
  medi_cal_ffs: "Medi-Cal fee-for-service",
  tricare: "TRICARE",
  workers_comp: "Workers’ compensation",
  other: "Other plan",
};

export const CLOSING: Readonly<Record<ClosingReason, string>> = {
  denial_upheld: "The payer upheld the denial",
  deadline_passed: "The deadline passed",
  no_grounds: "There are no grounds for an appeal",
  patient_declined: "The patient declined",
  withdrawn: "The appeal was withdrawn",
  not_appealable: "The denial cannot be appealed",
  already_paid: "The payer paid it already",
  sent_in_error: "It was sent by mistake",
};

export const LEVEL: Readonly<Record<LevelKind, string>> = {
  reconsideration: "Reconsideration",
  redetermination: "Redetermination",
  internal_appeal: "Internal appeal",
  formal_review: "Formal review",
  bill_review: "Bill review",
  external_review: "External review",
  hearing: "Hearing",
  council_review: "Council review",
  judicial_review: "Judicial review",
};

/** The first steps of an appeal that are usual for a plan; any for a plan that is not here. */
export const FIRST_STEPS: Readonly<Partial<Record<PlanType, readonly LevelKind[]>>> = {
  commercial: ["internal_appeal", "reconsideration"],
  erisa: ["internal_appeal", "reconsideration"],
  aca_individual: ["internal_appeal", "reconsideration"],
  medicare: ["redetermination"],
  medicare_advantage: ["reconsideration"],
  medi_cal_managed: ["internal_appeal"],
  tricare: ["reconsideration"],
  workers_comp: ["bill_review"],
};

export const OUTCOME: Readonly<Record<LevelOutcome, string>> = {
  overturned: "Overturned",
  partly_overturned: "Partly overturned",
  upheld: "Upheld",
  dismissed: "Dismissed",
  withdrawn: "Withdrawn",
};

export const DOCUMENT: Readonly<Record<DocumentKind, string>> = {
  denial_letter: "Denial letter",
  medical_record: "Medical record",
  remittance: "Remittance",
  authorization: "Authorization",
  correspondence: "Correspondence",
  other: "Other document",
};

/** The setting of a practice with which its billing system gets the address of the page where a patient signs. */
export const LINK_SETTING = "Show the link for patients";

/** The choices of a list or of radio buttons, from one of the tables above. */
export function choicesOf<T extends string>(table: Readonly<Record<T, string>>): [T, string][] {
  return Object.entries(table) as [T, string][];
}
