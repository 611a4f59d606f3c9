// Refusals and their two shapes: flat for the claims interface, nested for the rest.

import { secondsUp, type Verdict } from "./limiter.ts";

const DAY_MS = 86_400_000;
const STOPPED =
  "claim.claim_number cannot be sent again until 00:00 UTC, because too many resends of today were for a different patient or claim";

interface Said {
  status: number;
  code: string;
  message: string;
  /** Fields of the flat shape beside `error`. */
  flat?: Record<string, unknown>;
  headers?: Record<string, string>;
  /** For the log, if the failure is the service's own. */
  failure?: string;
  /** The limit that was exceeded. */
  verdict?: Verdict;
}

export class Refusal extends Error {
  readonly said: Said;

  constructor(said: Said) {
    super(said.message);
    this.said = said;
  }

  static notAuthenticated() {
    const headers = { "WWW-Authenticate": "Bearer" };
    return new Refusal({ status: 401, code: "not_authenticated", message: "a valid API key is required", headers });
  }

  static rateLimited(verdict: Verdict) {
    const { retry_after } = verdict;
    const headers = { "Retry-After": String(retry_after) };
    const flat = { retry_after };
    return new Refusal({ status: 429, code: "rate_limited", message: "too many requests", flat, headers, verdict });
  }

  /** The items whose resends are no longer compared today; no index if the request has one item. */
  static resendsStopped(places: number[], now: number) {
    const retry_after = Math.max(1, secondsUp(DAY_MS - (now % DAY_MS)));
    const at = places.map((place) => `claims[${place}]`).join(", ");
    const message = at === "" ? STOPPED : `${at}: ${STOPPED}`;
    const headers = { "Retry-After": String(retry_after) };
    return new Refusal({ status: 429, code: "rate_limited", message, flat: { retry_after }, headers });
  }

  static forbidden(message: string, code?: string) {
    const flat = code === undefined ? {} : { code };
    return new Refusal({ status: 403, code: "not_authorized", message, flat });
  }

  static tooLarge() {
    return new Refusal({ status: 413, code: "body_too_large", message: "body is over 2 MiB" });
  }

  static invalid(errors: string[]) {
    return new Refusal({ status: 422, code: "validation_failed", message: "Invalid request", flat: { errors } });
  }

  static notFound(message: string) {
    return new Refusal({ status: 404, code: "not_found", message });
  }

  static noMethod(allow: string) {
    const headers = { Allow: allow };
    return new Refusal({ status: 405, code: "method_not_allowed", message: "method not allowed", headers });
  }

  static unavailable(what: string) {
    const message = "temporarily unavailable, try again";
    const failure = `unavailable: ${what}`;
    return new Refusal({ status: 503, code: "unavailable", message, headers: { "Retry-After": "1" }, failure });
  }

  static misconfigured(name: string) {
    return Refusal.#internal(`misconfigured: ${name}`);
  }

  static internal(what: string) {
    return Refusal.#internal(`internal: ${what}`);
  }

  static #internal(failure: string) {
    return new Refusal({ status: 500, code: "internal_error", message: "internal error", failure });
  }

  render(path: string, requestId: string): Response {
    const { status, code, message, flat, headers } = this.said;
    const isFlat = /^\/api\/v1\/claims(\/|$)/.test(path);
    const error = isFlat ? message : { code, message, request_id: requestId };
    return Response.json({ error, ...(isFlat && flat) }, { status, ...(headers && { headers }) });
  }
}
