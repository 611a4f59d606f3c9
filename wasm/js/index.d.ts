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
  /** At most 200 characters. */
  first_name: string;
  /** At most 200 characters. */
  last_name: string;
  /** `YYYY-MM-DD`, not in the future. */
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
  /** The insurer as the sender's system names it; at most 200 characters. */
  payer_name: string;
  /** `YYYY-MM-DD`, not in the future. */
  date_of_service: string;
  /** `YYYY-MM-DD`, not in the future. */
  denial_date?: string | null;
  /** To be left out when unknown. */
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

/** Something to look at again. The service refuses nothing for it. */
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

/** What there is to say of a request. No value that was sent is repeated in it. */
export interface Report {
  /**
   * Why the service would refuse the request: exactly its messages, in its order. Empty when it would take it.
   * What depends on the key or on claims that were sent before is not among them.
   */
  errors: string[];
  /** Advice, where there are no errors. */
  advice: Advice[];
}

/** How a request is judged. */
export interface Options {
  /** When it would be sent; by default the clock's time. Dates are compared with the UTC day. */
  now?: Date;
}

/**
 * Says what the service would say of a request, and gives advice.
 *
 * @param request anything: what is wrong with it is the answer. An object is judged as `JSON.stringify` would write it, and no
 *   text is made of it. Text and bytes (a buffer, or a view of one, of which just its range is read) are the body itself. To
 *   have the compiler check what you build, declare it as a {@link SendRequest}
 * @throws TypeError when `now` is not a valid date, and for a value that JSON cannot express: one that contains itself or a
 *   BigInt. What a getter or a `toJSON` of the request throws passes through
 */
export function validate(request: SendRequest, options?: Options): Report;
export function validate(request: unknown, options?: Options): Report;

/**
 * The advice on a request, as {@link validate} gives it: none where the service would refuse the request.
 *
 * @param request as of {@link validate}
 * @throws as {@link validate}
 */
export function advise(request: SendRequest, options?: Options): Advice[];
export function advise(request: unknown, options?: Options): Advice[];

/** What a text is as an API key. */
export type KeyCheck =
  | { valid: true; environment: "live" | "test" }
  | {
      valid: false;
      /** It has not the start of a key, the wrong length or characters, or was mistyped. */
      problem: "prefix" | "form" | "checksum";
    };

/**
 * Tells a mistyped API key without asking anyone. Whether the service knows a valid one, only the service can tell.
 *
 * @throws TypeError when `text` is not a string
 */
export function checkKey(text: string): KeyCheck;

/** Every status, in the order of a claim's life. */
export const statuses: readonly ClaimStatus[];

/** The statuses that can follow each status. */
export const moves: { readonly [from in ClaimStatus]: readonly ClaimStatus[] };

/** Every plan type. */
export const planTypes: readonly PlanType[];

/** Every code of advice. */
export const adviceCodes: readonly AdviceCode[];
