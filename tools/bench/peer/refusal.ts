// Refusals and their two shapes: flat for the claims interface, nested for the rest.

export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  /** Fields of the flat shape beside `error`. */
  readonly flat: Record<string, unknown>;
  readonly headers: Record<string, string>;

  constructor(
    status: number,
    code: string,
    message: string,
    flat: Record<string, unknown> = {},
    headers: Record<string, string> = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.flat = flat;
    this.headers = headers;
  }

  static notAuthenticated() {
    return new Refusal(401, "not_authenticated", "a valid API key is required", {}, { "WWW-Authenticate": "Bearer" });
  }

  static forbidden(message: string, code?: string) {
    return new Refusal(403, "not_authorized", message, code === undefined ? {} : { code });
  }

  static invalid(errors: string[]) {
    return new Refusal(422, "validation_failed", "Invalid request", { errors });
  }

  static noMethod(allow: string) {
    return new Refusal(405, "method_not_allowed", "method not allowed", {}, { Allow: allow });
  }

  static internal() {
    return new Refusal(500, "internal_error", "internal error");
  }

  render(path: string, requestId: string): Response {
    const { status, code, message, flat, headers } = this;
    const isFlat = /^\/api\/v1\/claims(\/|$)/.test(path);
    const error = isFlat ? message : { code, message, request_id: requestId };
    return Response.json({ error, ...(isFlat && flat) }, { status, headers });
  }
}
