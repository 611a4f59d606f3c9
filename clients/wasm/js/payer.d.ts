/** What a payer does with a claim and its appeals. */
export interface Script {
  /** `deny`, unless it is another one. */
  act?: "pay" | "deny" | "part" | "reverse" | "take_back" | undefined;
  /** Why an amount is denied, such as `{ group: "CO", carc: "50", remark: "N115" }`. */
  codes?: { group: string; carc: string; remark?: string | undefined } | undefined;
  /** Days from the last day of service to the first answer. */
  after?: number | undefined;
  /** Days from the first answer to the one that reverses it or takes money back. */
  later?: number | undefined;
  /** The answers to appeals, each after so many days. */
  replies?: readonly Reply[] | undefined;
}

export interface Reply {
  outcome: "overturned" | "part" | "upheld" | "dismissed" | "records" | "silence";
  after: number;
}

export interface PayerOptions {
  /** The same seed makes the same files. */
  seed?: number | undefined;
  /** The text of a claim file (JSON or X12 837), or how many claims to make up; by default 10. */
  claims?: string | number | undefined;
  /** What happens to each claim. Without it, chance decides. */
  script?: Script | undefined;
}

/** A denial that a reader of the remittance must find. */
export interface Expected {
  claim_number: string;
  /** The claim number as the payer reports it, which may be cut. */
  reported_number: string;
  payer_claim_number: string;
  denied_amount: string;
  /** Reasons with their group, such as `CO-50`, and then remarks. */
  denial_codes: string[];
  denial_date: string;
}

export interface PlayedFiles {
  /** The remittances (X12 835), which balance to the cent. */
  remittance: string;
  /** The claims (X12 837), with the dates of birth. */
  submission: string;
  /** What is denied after all remittances, by claim number. */
  expected: Expected[];
}

/**
 * Plays a payer, to make files for tests.
 *
 * @throws TypeError for claims, a script or a number that cannot be used
 */
export function payer(options?: PayerOptions): PlayedFiles;
