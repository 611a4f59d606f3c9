// What the page and the worker that reads remittances tell each other.

import type { Outcome } from "./module.ts";

export type { FileReport, HeldClaim, MissingBirth, Outcome, WrittenClaim } from "./module.ts";

/** What became of claim payments. */
export type Counts = Outcome["counts"];

/** What a run depends on beside its files. The three texts are CSV. */
interface Settings {
  /** Dates of birth that a person filled in. */
  births: string | undefined;
  /** Plans by payer. */
  payers: string | undefined;
  /** Classes of adjustment codes. */
  carcs: string | undefined;
  /** Appends the day of service to each claim number. */
  appendDay: boolean;
}

/** A file to read. The name may have folders in front. */
export interface Chosen {
  name: string;
  file: File;
  /** True if a folder had it, so that it may be anything. */
  isFound: boolean;
}

/** The page's only message. Another run has another worker. */
export interface Order {
  /** The module. The worker itself has no network. */
  module: ArrayBuffer;
  files: readonly Chosen[];
  settings: Settings;
}

/** How far the worker is, in bytes of all files. */
export interface Progress {
  bytes: number;
  /** The number of files that are behind it. */
  files: number;
  claimPayments: number;
}

/** The worker's messages: some about its progress, and then one of the others. */
export type Report = { progress: Progress } | { result: Outcome } | { failure: Failure };

export type Failure =
  | { why: "module" | "memory" }
  /** A file of the settings cannot be used. `detail` names the line. */
  | { why: "settings"; detail: string }
  /** A file is gone or has changed since it was chosen. */
  | { why: "file"; name: string };
