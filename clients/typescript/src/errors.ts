import type { ItemResult } from "./claims.js";
import type { ErrorCode } from "./codes.js";
import type * as T from "./types.js";

/** Every error of this package. */
export class OverturnError extends Error {
  override name = "OverturnError";
}

/** No answer came, also after the calls that may be repeated were repeated. The service may have done what was asked. */
export class LostAnswerError extends OverturnError {
  override name = "LostAnswerError";
}

/** A webhook message that the service did not sign, or too long ago. */
export class SignatureError extends OverturnError {
  override name = "SignatureError";
}

/** What a refusal says. */
export interface Refusal {
  status: number;
  code: ErrorCode;
  message: string;
  /** Why, for programs, with `402`, `403` and `409`. `baa_required` is that of the claims interface. */
  reason: T.Reason | "baa_required" | undefined;
  /** What is wrong, one sentence for each problem. No value of the request is repeated. */
  problems: string[];
  /** Seconds to wait. */
  retryAfter: number | undefined;
  /** With `402`: the token with which to show the second factor. */
  continuationToken: string | undefined;
  /** Quote it when you ask about the request. */
  requestId: string | undefined;
}

/** The service refused a call. There is a class for each `code`. */
export class ApiError extends OverturnError implements Refusal {
  override name = "ApiError";
  readonly status: number;
  readonly code: ErrorCode;
  readonly reason: Refusal["reason"];
  readonly problems: string[];
  readonly retryAfter: number | undefined;
  readonly continuationToken: string | undefined;
  readonly requestId: string | undefined;

  constructor(refusal: Refusal) {
    const { status, message, problems } = refusal;
    super([`${message} (${status})`, ...problems].join("; "));
    ({ status: this.status, code: this.code, reason: this.reason, problems: this.problems } = refusal);
    ({ retryAfter: this.retryAfter, continuationToken: this.continuationToken, requestId: this.requestId } = refusal);
  }
}

/** A send ended before every item had its answer. To finish it, send all items again: nothing is doubled. */
export class SendError extends OverturnError {
  override name = "SendError";

  /**
   * @param results the answers that came before
   * @param cause why it ended: an `ApiError` has `status`, `requestId` and `retryAfter`
   */
  constructor(
    readonly results: ItemResult[],
    override readonly cause: unknown,
  ) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(`the send ended after ${results.length} answers: ${why}. To finish it, send all items again: nothing is doubled`);
  }
}
