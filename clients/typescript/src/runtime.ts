import { address, keyOf, tokenOf } from "./checks.js";
import { classes, codeOf } from "./codes.js";
import type { ErrorCode } from "./codes.js";
import { ApiError, LostAnswerError, OverturnError } from "./errors.js";
export interface ClientOptions {
  /** The address of the service, such as `https://app.overturn.example`; by default `OVERTURN_URL` of the environment. */
  baseUrl?: string;
  /** For the claims interface: `ovt_…`; by default `OVERTURN_API_KEY`. */
  apiKey?: string;
  /** For everything else, unless a person signs in: `ovu_…`; by default `OVERTURN_API_TOKEN`. */
  apiToken?: string;
  /** How long one attempt may take, in milliseconds; by default 60,000. */
  timeout?: number;
  /** How many times a call is made before it fails; by default 7. */
  attempts?: number;
  /** By default that of the runtime. */
  fetch?: typeof fetch;
  /** Waits for so many milliseconds; for tests. */
  sleep?: (milliseconds: number) => Promise<void>;
}

/** What every call takes. */
export interface Options {
  signal?: AbortSignal;
  /** By default a fresh one for each call. Give your own to repeat a call after a restart. */
  idempotencyKey?: string;
}

/** The records of an export, page after page. */
export type Lines = AsyncGenerator<unknown, void, undefined>;

interface Request {
  as: "key" | "person" | "anyone";
  again?: "keyed" | "never";
  query?: { [name: string]: unknown };
  body?: unknown;
  text?: string;
  form?: { [part: string]: unknown };
  version?: number;
}

const FIRST_WAIT = 500;
const LONGEST_BACK_OFF = 30_000;
const LONGEST_WAIT = 900_000;
const RATE_WAITS = 20;
const ENVIRONMENT: { [name: string]: string | undefined } = (globalThis as any).process?.env ?? {};

/** A path with its parts. */
export const at = (texts: TemplateStringsArray, ...parts: (string | number)[]) =>
  texts.map((text, n) => text + (n < parts.length ? encodeURIComponent(parts[n]!) : "")).join("");

const backOff = (failures: number) => Math.min(FIRST_WAIT * 2 ** (failures - 1), LONGEST_BACK_OFF);

function formOf(parts: { [part: string]: unknown }): FormData {
  const form = new FormData();
  const all = Object.entries(parts).filter(([, value]) => value !== undefined && value !== null);
  // The service wants to know whose the files are before it reads them.
  for (const [name, value] of all.sort(([, a], [, b]) => Number(a instanceof Blob) - Number(b instanceof Blob))) {
    if (value instanceof Blob) form.append(name, value, "name" in value ? String(value.name) : name);
    else form.append(name, typeof value === "string" ? value : JSON.stringify(value));
  }
  return form;
}

async function refusal(response: Response): Promise<OverturnError> {
  const { status, headers } = response;
  if (status < 400) return new OverturnError("the address answers with a redirect, and the credential is not sent on");
  const text = await response.text().catch(() => "");
  let said: any;
  try {
    said = JSON.parse(text);
  } catch {}
  const inner = typeof said?.error === "object" && said.error !== null ? said.error : { message: said?.error, reason: said?.code };
  const code: ErrorCode = inner.code in classes ? inner.code : codeOf[status] ?? (status < 500 ? "bad_request" : "internal_error");
  const details = inner.details?.map((one: { field: string; message: string }) => `${one.field} ${one.message}`);
  const seconds = Number(headers.get("Retry-After") ?? said?.retry_after ?? Number.NaN);
  return new classes[code]({
    status,
    code,
    message: inner.message ?? "the call was refused",
    reason: inner.reason,
    problems: details ?? said?.errors ?? [],
    retryAfter: Number.isFinite(seconds) ? seconds : undefined,
    continuationToken: said?.continuation_token,
    requestId: headers.get("X-Request-Id") ?? undefined,
  });
}

/** Calls the service: with the credential, and again where that is safe. */
export class Connection {
  readonly connection = this;
  #options: ClientOptions;
  #base: string;
  #key: string | undefined;
  #token: string | undefined;
  #cookies = new Map<string, string>();

  constructor(options: ClientOptions = {}) {
    const { OVERTURN_URL = "", OVERTURN_API_KEY, OVERTURN_API_TOKEN } = ENVIRONMENT;
    this.#options = options;
    this.#base = address(options.baseUrl || OVERTURN_URL);
    this.#key = keyOf(options.apiKey || OVERTURN_API_KEY);
    this.#token = tokenOf(options.apiToken || OVERTURN_API_TOKEN);
  }

  /** Signs a person in. The calls that follow have the session. `code` is that of the authenticator app. */
  async signIn(email: string, password: string, code?: string | (() => string | Promise<string>)): Promise<void> {
    try {
      await this.json("POST", "/api/v1/auth/session", { body: { email, password }, as: "anyone", again: "never" }, {});
    } catch (error) {
      if (!(error instanceof ApiError) || error.continuationToken === undefined) throw error;
      if (code === undefined) {
        error.message += "; give signIn a `code` of the authenticator app";
        throw error;
      }
      const body = { continuation_token: error.continuationToken, code: typeof code === "string" ? code : await code() };
      await this.json("POST", "/api/v1/auth/session/2fa", { body, as: "anyone", again: "never" }, {});
    }
  }

  async json(method: string, path: string, request: Request, options: Options): Promise<any> {
    return (await this.#call(method, path, request, options, (response) => response.text())) as any;
  }

  async nothing(method: string, path: string, request: Request, options: Options): Promise<void> {
    await this.#call(method, path, request, options, (response) => response.text());
  }

  async bytes(method: string, path: string, request: Request, options: Options): Promise<Uint8Array> {
    const read = async (response: Response) => new Uint8Array(await response.arrayBuffer());
    return (await this.#call(method, path, request, options, read)) as Uint8Array;
  }

  async *lines(method: string, path: string, request: Request, options: Options): Lines {
    let query = request.query;
    while (query !== undefined) {
      let next: string | undefined;
      const read = async (response: Response) => {
        next = /<([^>]*)>;\s*rel="?next"?/.exec(response.headers.get("Link") ?? "")?.[1];
        return { text: await response.text() };
      };
      const { text } = (await this.#call(method, path, { ...request, query }, options, read)) as { text: string };
      for (const line of text.split("\n")) if (line !== "") yield JSON.parse(line);
      query = next === undefined ? undefined : Object.fromEntries(new URL(next, this.#base).searchParams);
    }
  }

  /** The records of page after page. */
  async *pages(read: (cursor: { cursor?: string }) => Promise<any>, key: string): AsyncGenerator<any, void, undefined> {
    let cursor: string | null | undefined;
    do {
      const page = await read(cursor ? { cursor } : {});
      yield* page[key];
      cursor = page.next_cursor;
    } while (cursor);
  }

  /** Makes a call until there is an answer or it may not be repeated. */
  async #call(method: string, path: string, request: Request, options: Options, read: (response: Response) => Promise<unknown>): Promise<unknown> {
    const { attempts = 7, sleep = (ms) => new Promise((done) => setTimeout(done, ms)) } = this.#options;
    const credential = this.#credential(request.as);
    const key = request.again === "keyed" ? options.idempotencyKey ?? crypto.randomUUID() : undefined;
    let [failures, rateWaits] = [0, 0];
    for (;;) {
      options.signal?.throwIfAborted();
      let error: OverturnError;
      try {
        const response = await this.#once(method, path, request, { credential, key, signal: options.signal });
        this.#keep(response);
        if (response.ok) {
          const found = await read(response);
          return typeof found === "string" ? (found === "" ? undefined : JSON.parse(found)) : found;
        }
        error = await refusal(response);
      } catch (cause) {
        options.signal?.throwIfAborted();
        error = new LostAnswerError(`no answer came: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
      }
      let wait: number;
      if (error instanceof classes.rate_limited) {
        rateWaits += 1;
        wait = error.retryAfter === undefined ? Math.max(backOff(rateWaits), 5000) : Math.max(error.retryAfter, 1) * 1000;
        // Claims that cannot be sent again today do not hold up the others.
        if (error.message.startsWith("claims[") || rateWaits > RATE_WAITS) throw error;
      } else {
        failures += 1;
        wait = Math.max(backOff(failures), (error instanceof ApiError ? error.retryAfter ?? 0 : 0) * 1000);
        if (!mayRepeat(error, request) || failures >= attempts) throw error;
      }
      if (wait > LONGEST_WAIT) throw error;
      await sleep(wait * (1 + Math.random() / 10));
    }
  }

  /** The key or the token for a call. A session needs none. */
  #credential(as: Request["as"]): string | undefined {
    if (as === "anyone" || (as === "person" && this.#cookies.has("__Host-session"))) return undefined;
    const credential = as === "key" ? this.#key : this.#token;
    if (credential !== undefined) return credential;
    if (as === "key") throw new OverturnError("no API key: set OVERTURN_API_KEY, or give apiKey");
    throw new OverturnError("no API token: set OVERTURN_API_TOKEN, give apiToken, or sign in");
  }

  #once(method: string, path: string, request: Request, how: { credential: string | undefined; key: string | undefined; signal: AbortSignal | undefined }): Promise<Response> {
    const { credential, key, signal } = how;
    const { timeout = 60_000, fetch: call = fetch } = this.#options;
    const headers = new Headers({ Accept: "application/json, application/x-ndjson;q=0.9, */*;q=0.8" });
    if (credential !== undefined) headers.set("Authorization", `Bearer ${credential}`);
    if (request.as !== "key" && this.#cookies.size > 0) {
      headers.set("Cookie", [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; "));
      if (method !== "GET") headers.set("X-CSRF-Token", this.#cookies.get("csrf_token") ?? "");
    }
    if (key !== undefined) headers.set("Idempotency-Key", key);
    if (request.version !== undefined) headers.set("If-Match", `"${request.version}"`);
    const body = request.text ?? (request.body === undefined ? undefined : JSON.stringify(request.body));
    if (body !== undefined) headers.set("Content-Type", "application/json");
    const given = Object.entries(request.query ?? {}).filter(([, value]) => value !== undefined && value !== null);
    const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
    const late = AbortSignal.timeout(timeout);
    return call(`${this.#base}${path}${query && "?"}${query}`, {
      method,
      headers,
      body: request.form === undefined ? body ?? null : formOf(request.form),
      redirect: "manual",
      signal: signal === undefined ? late : AbortSignal.any([signal, late]),
    });
  }

  /** Keeps the session. */
  #keep(response: Response): void {
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (name === undefined || value === undefined) continue;
      if (value === "" || /;\s*Max-Age=0/i.test(line)) this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
  }
}

/** Whether the same request may be sent again after this. */
function mayRepeat(error: OverturnError, { again }: Request): boolean {
  if (error instanceof LostAnswerError) {
    const code = String(((error.cause as Error | undefined)?.cause as { code?: unknown } | undefined)?.code ?? "");
    return again !== "never" && !/CERT|SIGNED|TLS/.test(code);
  }
  if (!(error instanceof ApiError)) return false;
  // A body that did not arrive did nothing. A running request of the same key is the one whose answer was lost.
  if (error.status === 408 || (error.reason === "request_running" && again === "keyed")) return true;
  return error.status >= 500 && again !== "never";
}

export class Group {
  constructor(protected readonly connection: Connection) {}
}
