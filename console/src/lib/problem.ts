// Why a call failed, in one shape for every screen.

import type { Reason } from "../generated/rules.ts";
import { plain } from "./plain.ts";

/** A field that the service refused. `field` and `message` read as one sentence. */
export interface FieldProblem {
  field: string;
  message: string;
}

/** The codes that this client makes itself. All others come from the service. */
type OwnCode = "network" | "canceled" | "unreadable" | "passkey" | "refused" | "last_owner";

interface Facts {
  status: number;
  code: string;
  /** Which of the causes of one code it is. */
  reason?: string | undefined;
  detail: string;
  fields?: FieldProblem[];
  requestId?: string | undefined;
  /** Whole seconds until the service takes the call again. */
  retryAfter?: number | undefined;
  /** The token with which a second factor confirms the call. */
  token?: string | undefined;
}

/** A failed call. `title` is for a heading, `detail` is the service's own sentence. */
export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly reason: string | undefined;
  readonly title: string;
  readonly detail: string;
  readonly fields: readonly FieldProblem[];
  readonly requestId: string | undefined;
  readonly retryAfter: number | undefined;
  readonly token: string | undefined;

  constructor(facts: Facts) {
    super(facts.detail);
    this.name = "Problem";
    this.status = facts.status;
    this.code = facts.code;
    this.reason = facts.reason;
    this.title = known(facts.reason) ?? titleOf(facts.code, facts.status);
    this.detail = facts.detail;
    this.fields = facts.fields ?? [];
    this.requestId = facts.requestId;
    this.retryAfter = facts.retryAfter;
    this.token = facts.token;
  }

  /** True if the same call may succeed later without any change. */
  get isRetryable(): boolean {
    // The first try of a change is still running. A later one gets its answer.
    if (this.reason === "request_running") return true;
    return this.status === 0 ? this.code === "network" : [408, 429, 500, 502, 503, 504].includes(this.status);
  }

  /** True if a newer screen asked for something else, so that there is nothing to show. */
  get isCanceled(): boolean {
    return this.code === "canceled";
  }
}

/** The codes of the service's errors that have a title. */
type Code =
  | "validation_failed"
  | "not_authenticated"
  | "two_factor_required"
  | "not_authorized"
  | "not_found"
  | "conflict"
  | "body_too_large"
  | "file_too_large"
  | "virus_detected"
  | "rate_limited"
  | "unavailable";

/** What stands above a problem: by its reason, or else by its code. */
const TITLES: Partial<Record<OwnCode | Code | Reason, string>> = {
  network: "You seem to be offline",
  passkey: "The passkey did not work",
  unreadable: "The answer could not be read",
  validation_failed: "Some entries need a change",
  not_authenticated: "That did not work",
  two_factor_required: "A second factor is needed",
  not_authorized: "You may not do this",
  not_found: "Not found",
  conflict: "This cannot be done now",
  body_too_large: "That is too large",
  file_too_large: "The file is too large",
  virus_detected: "The file was refused",
  rate_limited: "Too many tries",
  unavailable: "The service is busy",
  practice_inactive: "This practice is not active",
  agreement_required: "An agreement must be signed first",
  csrf_mismatch: "This page is out of date",
  sso_required: "Your practice requires single sign-on",
  version_conflict: "This was changed in the meantime",
  move_not_possible: "This step is not possible now",
  taken_by_other: "Another person has taken this claim",
  not_taken: "Take the claim first",
  signature_not_asked: "No signature was asked for",
  links_off: "The link for patients is switched off",
  link_ended: "The link no longer works",
  already_signed: "This is signed already",
  already_exists: "This exists already",
  limit_reached: "There is no room for another one",
  last_owner: "A practice needs an owner",
  last_factor: "An account needs a second factor",
  legal_hold: "A legal hold keeps this",
};

/** The title of a code or a reason that may be newer than this console. */
function known(name: string | undefined): string | undefined {
  return TITLES[name as keyof typeof TITLES];
}

function titleOf(code: string, status: number): string {
  return known(code) ?? (status >= 500 ? "Something went wrong on our side" : "That did not work");
}

/** A failure that happened in this browser. */
export function ownProblem(code: OwnCode, detail: string): Problem {
  return new Problem({ status: 0, code, detail });
}

/** The problem that an answer of the service describes. `body` is its parsed JSON, or `null`. */
export function readProblem(status: number, headers: Headers, body: unknown): Problem {
  const { error: given, continuation_token: token } = asRecord(body);
  const error = asRecord(given);
  const seconds = Number(headers.get("Retry-After") ?? Number.NaN);
  const text = (name: string): string | undefined => (typeof error[name] === "string" ? error[name] : undefined);
  const fields = readFields(error["details"]);
  return new Problem({
    status,
    code: text("code") ?? "unreadable",
    reason: text("reason"),
    detail: plainOf(text("message"), fields) ?? `The service answered with status ${status}.`,
    fields: fields.map(({ field, message }) => ({ field, message: plain(message) })),
    requestId: text("request_id") ?? headers.get("X-Request-Id") ?? undefined,
    retryAfter: Number.isFinite(seconds) ? seconds : undefined,
    token: typeof token === "string" ? token : undefined,
  });
}

/** The service's sentence. It may be that of a field, which is then in plain words as well. */
function plainOf(message: string | undefined, fields: readonly FieldProblem[]): string | undefined {
  const own = fields.find((one) => `${one.field} ${one.message}` === message);
  return own ? `${own.field} ${plain(own.message)}` : message;
}

function readFields(details: unknown): FieldProblem[] {
  if (!Array.isArray(details)) return [];
  return details.map(asRecord).flatMap(({ field, message }) => {
    return typeof field === "string" && typeof message === "string" ? [{ field, message }] : [];
  });
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

/** Any thrown value as a problem. An error of our own code is one, too: the screen shows it instead of staying empty. */
export function asProblem(thrown: unknown): Problem {
  if (thrown instanceof Problem) return thrown;
  return new Problem({ status: 0, code: "internal", detail: "This page failed. Reload it and try again." });
}
