/** The status of a claim. */
export type ClaimStatus =
  | "received"
  | "reviewing"
  | "in_report"
  | "in_appeal"
  | "recovered"
  | "closed";

/** The kind of plan that denied a claim. */
export type PlanType =
  | "commercial"
  | "erisa"
  | "aca_individual"
  | "medicare"
  | "medicare_advantage"
  | "medi_cal_managed"
  | "medi_cal_ffs"
  | "tricare"
  | "workers_comp"
  | "other";

/** What a piece of advice is about. */
export type AdviceCode =
  | "birth_after_service"
  | "claim_number_zero"
  | "claim_number_long"
  | "denial_before_service"
  | "denial_date_missing"
  | "plan_type_missing"
  | "procedure_code_form"
  | "denied_above_billed"
  | "contractual_only"
  | "denial_code_form"
  | "diagnosis_code_form";

/** The patient of a claim. `null` and blank text are the same as absent. */
export interface Patient {
  /** At most 200 characters, one of them visible, none that control or reorder text. */
  first_name: string;
  /** As `first_name`. */
  last_name: string;
  /** `YYYY-MM-DD`, not after today in UTC. */
  date_of_birth: string;
  /** The patient's account number in the sender's system; at most 200 characters. */
  account_number?: string | null;
  /** The member id on the insurance card; at most 200 characters. */
  member_id?: string | null;
}

/** The required and the optional fields of a claim. */
export interface ClaimFields {
  /** The sender's key for the claim; at most 128 printable characters. */
  claim_number: string;
  /** The payer's own number; at most 128 printable characters. */
  payer_claim_number: string;
  /** The insurer as the sender's system names it; as `first_name`. */
  payer_name: string;
  /** `YYYY-MM-DD`, not after today in UTC. */
  date_of_service: string;
  /** `YYYY-MM-DD`, not after today in UTC. */
  denial_date?: string | null;
  /** Leave it out if unknown. */
  plan_type?: PlanType | null;
  /** CPT or HCPCS code, modifiers after `-`; at most 200 characters. */
  procedure_code?: string | null;
  /** ICD-10 codes, at most 100. */
  diagnosis_codes?: readonly string[] | null;
}

/** At least one of the two amounts: text of digits, a point and two digits, above zero. */
export type Amounts =
  | { billed_amount: string; denied_amount?: string | null }
  | { billed_amount?: string | null; denied_amount: string };

/** Adjustment and remark codes (at most 20, or one text with commas), or the reason in words (at most 2000 characters). */
export type Denial =
  | { denial_codes: readonly string[] | string; denial_reason?: string | null }
  | { denial_codes?: readonly string[] | string | null; denial_reason: string };

/** A denied claim. */
export type Claim = ClaimFields & Amounts & Denial;

/** One claim with its patient. */
export interface Item {
  patient: Patient;
  claim: Claim;
}

/** 1 to 100 items whose claim numbers differ. */
export interface Batch {
  claims: readonly Item[];
}

/** The body of `POST /api/v1/claims`. */
export type SendRequest = Item | Batch;

/** A possible mistake. The service does not refuse the request because of it. */
export interface Advice {
  /** The item of the batch, counted from 0; 0 for a single item. */
  index: number;
  /** What it is about; stable. */
  code: AdviceCode;
  /** The field to look at, such as `claim.claim_number`. */
  field: string;
  /** A sentence for people; its wording may change. */
  message: string;
}

/** The result of a validation. It repeats no value of the request. */
export interface Report {
  /**
   * The errors that the service would return: its exact messages, in its order. Empty if it would accept the request.
   * Errors that depend on the API key or on claims sent earlier are not among them.
   */
  errors: string[];
  /** Advice, if there are no errors. */
  advice: Advice[];
}

/** Options of a validation. */
export interface Options {
  /** The time of sending; by default now. Dates are compared with its UTC day. */
  now?: Date;
}

/**
 * Returns the errors and the advice that the service would give for a request.
 *
 * @param request any value; the answer lists its mistakes. An object is checked as `JSON.stringify` would write it, but without
 *   making the text. Text and bytes (a buffer, or a view, of which only its range is read) are the body itself. To
 *   have the compiler check what you build, declare it as a {@link SendRequest}
 * @throws TypeError when `now` is not a valid date, and for a value that JSON cannot express: one that contains itself or a
 *   BigInt. It passes on exceptions from a getter or a `toJSON` of the request
 */
export function validate(request: SendRequest, options?: Options): Report;
export function validate(request: unknown, options?: Options): Report;

/**
 * The advice of {@link validate}: none if the service would refuse the request.
 *
 * @param request as for {@link validate}
 * @throws as {@link validate}
 */
export function advise(request: SendRequest, options?: Options): Advice[];
export function advise(request: unknown, options?: Options): Advice[];

/** The result of {@link checkKey}. */
export type KeyCheck =
  | { valid: true; environment: "live" | "test" }
  | {
      valid: false;
      /** It does not begin like a key, has the wrong length or characters, or is mistyped. */
      problem: "prefix" | "form" | "checksum";
    };

/**
 * Detects a mistyped API key without a network. Only the service can tell whether a valid key exists.
 *
 * @throws TypeError when `text` is not a string
 */
export function checkKey(text: string): KeyCheck;

/** The same for an API token. */
export function checkToken(text: string): KeyCheck;

/** Every status, in the order of a claim's life. */
export const statuses: readonly ClaimStatus[];

/** The statuses that can follow each status. */
export const moves: { readonly [from in ClaimStatus]: readonly ClaimStatus[] };

/** Every plan type. */
export const planTypes: readonly PlanType[];

/** Every code of advice. */
export const adviceCodes: readonly AdviceCode[];
