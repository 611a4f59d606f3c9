/// <reference lib="esnext.disposable" />

/** What a run depends on beside the files. */
export interface RemitOptions {
  /** The time of the run; by default now. No denial date is taken from after its UTC day. */
  now?: Date | undefined;
  /** The text of the template for dates of birth, filled in. Dates are `YYYY-MM-DD` or `M/D/YYYY`. */
  births?: string | undefined;
  /** CSV text with the columns `payer_name` and `plan_type`: the plans of payers. */
  payers?: string | undefined;
  /** CSV text with the columns `carc` and `class`: classes of adjustment reason codes that replace those of the table. */
  carcs?: string | undefined;
  /** Appends the day of service to every claim number, for practices that use a patient's number for all visits. */
  appendDay?: boolean | undefined;
  /** The claim number to explain. */
  explain?: string | undefined;
}

/** Bytes: a buffer, or a view of one, of which only its range is read. */
export type Bytes = ArrayBufferLike | ArrayBufferView;

/** A `ReadableStream` of bytes. */
export interface ByteStream {
  getReader(): {
    read(): Promise<{ done: boolean; value?: Bytes | undefined }>;
    cancel(reason?: unknown): Promise<void>;
  };
}

/** A `Blob`. */
export interface ByteBlob {
  stream(): ByteStream;
}

/** What a file contains. */
export type FileData = Bytes | ByteBlob | ByteStream | AsyncIterable<Bytes> | Iterable<Bytes>;

/** A remittance or a claim file: a `File`, or a name and the data. The name is only for the report. */
export type RemitFile = (ByteBlob & { readonly name: string }) | { readonly name: string; readonly data: FileData };

/** How far {@link remit} has come. */
export interface Progress {
  /** The file that is read. */
  name: string;
  /** The bytes of this file that were read. */
  bytes: number;
  /** The claim payments of all files so far. */
  claimPayments: number;
}

/** Options of {@link remit}. */
export interface ReadOptions extends RemitOptions {
  /** Called after each mebibyte of a file and at its end. */
  onProgress?: ((progress: Progress) => void) | undefined;
  /** An `AbortSignal`. It is asked before each chunk. */
  signal?: { throwIfAborted(): void } | undefined;
}

/** A denial that can be sent. */
export interface WrittenClaim {
  claim_number: string;
  /** Digits, a point and two digits. */
  denied_amount: string;
  /** One line of JSON: `{"patient": …, "claim": …}`, an item of `POST /api/v1/claims`. */
  json: string;
}

/** Why a denial is held. */
export type HoldReason =
  | "no_date_of_birth"
  | "dates_of_birth_disagree"
  | "no_claim_number"
  | "several_claim_numbers"
  | "shared_number"
  | "later_answer"
  | "answered_twice"
  | "parts_unclear"
  | "split_sum"
  | "member_ids_differ"
  | "above_charge"
  | "contradiction"
  | "cut_off"
  | "no_charge"
  | "no_payment"
  | "no_payer_claim_number"
  | "amount"
  | "invalid";

/** A denial that cannot be sent as it is. */
export interface HeldClaim {
  /** The claim number, as far as it is known. */
  claim_number: string;
  denied_amount: string;
  reason: HoldReason;
  /** The reason for people; its wording may change. */
  text: string;
  /** With the reason `invalid`: the service's messages. */
  problems?: string[];
}

/** A patient without a date of birth. */
export interface MissingBirth {
  /** Names the patient in the template. */
  key: string;
  last_name: string;
  first_name: string;
  member_id: string | null;
  /** The first of the patient's claims. */
  claim_number: string;
}

/** A number of claim payments and the sum of their adjustments, which may be negative. */
export interface Tally {
  count: number;
  amount: string;
}

/** A reason why something is not written. */
export interface Skipped extends Tally {
  /** Stable. */
  reason: string;
  /** The reason for people; its wording may change. */
  text: string;
}

/** What became of claim payments. All amounts add up to `adjustments` and `unexplained`. */
export interface Counts {
  /** Claim payments in remittances. */
  claim_payments: number;
  /** Claims in claim files. */
  submitted_claims: number;
  /** The sum of all adjustments, without repeated transactions. */
  adjustments: string;
  /** The charges of claims that were not paid and have no adjustments. */
  unexplained: string;
  written: Tally;
  held: Tally;
  skipped: Skipped[];
  /** Claim payments whose adjustments are not the difference of charge and payment. */
  out_of_balance: number;
}

/** Something that looks wrong in a file and changes no claim. */
export interface FileWarning {
  /** Stable. */
  warning: string;
  /** The warning for people; its wording may change. */
  text: string;
  /** How often it occurred. */
  count: number;
  /** The number of the first segment, counted from 1. */
  first_segment: number | null;
}

/** The report on one file. */
export interface FileReport {
  name: string;
  bytes: number;
  /** Transactions of remittances (835). */
  remittances: number;
  /** Transactions of claims (837). */
  submissions: number;
  counts: Counts;
  warnings: FileWarning[];
  /**
   * How much of the file was read: all of it, what comes before a fault, nothing though it may have remittances or claims, or
   * nothing because it is a file of another kind.
   */
  state: "whole" | "partial" | "unreadable" | "other";
  /** The file ends inside an interchange. Denials of a transaction without its end are held. */
  cut_off: boolean;
  /** Why the rest of the file was not read. What came before counts. */
  error: string | null;
  /** What people must know about how far the file was read. */
  note: string | null;
}

/** A payer whose plan no file names. */
export interface MissingPlan {
  payer_name: string;
  /** How many claims. */
  claims: number;
}

/** The result of a run. Only `claims` and `missing_births` name patients. */
export interface Outcome {
  /** The claims to send, by claim number. */
  claims: WrittenClaim[];
  /** The denials that are held, by claim number. */
  held: HeldClaim[];
  /** The patients of held denials that lack a date of birth. */
  missing_births: MissingBirth[];
  /** A CSV file to fill in: one row for each patient of `missing_births`. Empty if there is none. */
  births_template: string;
  /** Lines of the option `births` that do not count: the date cannot be read, or contradicts an earlier line. */
  births_bad_lines: number[];
  /** The payers of the claims that have no plan type, with the most claims first. The option `payers` can name their plans. */
  missing_plans: MissingPlan[];
  /** A report on each file, in the order in which they were read. */
  files: FileReport[];
  /** The counts of all files. */
  counts: Counts;
  /** The steps of the claim to explain. */
  explanation: string[];
}

/**
 * A run over remittances and claim files, in any order. Each run has memory of its own, which goes when the run ends: with
 * {@link finish}, {@link free} or `using`. After that, every call except {@link free} throws an `Error`.
 */
export class Remit {
  /** @throws TypeError for an option of another type, and for CSV text that cannot be used; it names the option and the line */
  constructor(options?: RemitOptions);
  /** Begins a file, and ends the one before it. */
  open(name: string): void;
  /**
   * Reads the next bytes of the file. Chunks may have any size.
   *
   * @returns false if the rest of the file cannot be read. The report says why
   * @throws TypeError when `chunk` is not bytes
   */
  push(chunk: Bytes): boolean;
  /** Ends the file. */
  close(): void;
  /** The claim payments that were read, without repeated ones. */
  readonly claimPayments: number;
  /** Decides on all claims. */
  finish(): Outcome;
  /** Ends the run without a result. */
  free(): void;
  [Symbol.dispose](): void;
}

/**
 * Reads files to their ends, and decides on all claims. It reads one chunk after the other, and never a whole file.
 *
 * @param files a list of files, or a sequence that gets them one by one
 * @throws as {@link Remit}, and what a stream, the sequence, `onProgress` or `signal` throws. The promise is then rejected
 */
export function remit(files: Iterable<RemitFile> | AsyncIterable<RemitFile>, options?: ReadOptions): Promise<Outcome>;
