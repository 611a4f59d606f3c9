// The calls to the service, typed by its own description.
//
//   const page = await get("/api/v1/denials", { query: { limit: 50 } });
//   await post("/api/v1/settings/api_keys", { body: { name, scopes }, intent });
//   await patch("/api/v1/auth/passkeys/{id}", { path: { id }, body: { name }, version });
//   await upload("/api/v1/documents", { form, onProgress: (sent) => …, intent, signal });
//   const { text, next } = await getCsv("/api/v1/denials", { query: { cursor } });
//   const file = await getFile("/api/v1/documents/{id}/content", { path: { id } });
//
// A call resolves to the parsed answer, and rejects with a Problem. Reads are repeated after a lost connection. Changes
// are repeated too, always under the same Idempotency-Key, so that each happens once.

import type { Schemas } from "../generated/api.ts";
import { noteTime, serviceNow } from "./clock.ts";
import { Intent } from "./intent.ts";
import { ownProblem, Problem, readProblem } from "./problem.ts";
import { exchange, type Progress } from "./transport.ts";

type Paths = Schemas["Paths"];
type Method = "get" | "post" | "patch" | "delete";
/** The operation of a path and a method, or `never`. */
type Operation<P extends keyof Paths, M extends Method> = M extends keyof Paths[P] ? Paths[P][M] : never;
export type PathOf<M extends Method> = { [P in keyof Paths]: M extends keyof Paths[P] ? P : never }[keyof Paths];
/** A part of an operation, or `Otherwise` if the operation has none. */
type Part<O, K extends string, Otherwise = never> = K extends keyof O ? O[K] : Otherwise;
/** The parsed body of a success. It is `undefined` for an answer without one. */
export type Answer<P extends keyof Paths, M extends Method> = Part<Operation<P, M>, "answer", undefined>;
export type Body<P extends keyof Paths, M extends Method> = Part<Operation<P, M>, "body">;
export type Query<P extends keyof Paths, M extends Method> = NonNullable<Part<Operation<P, M>, "query">>;

export type Options<P extends keyof Paths, M extends Method> = Pick<Operation<P, M>, keyof Operation<P, M> & ("path" | "query" | "body")> & CallOptions;

interface CallOptions {
  signal?: AbortSignal | undefined;
  /** The change that this call is a try of. Without it, the call is a change of its own. */
  intent?: Intent | undefined;
  /** The version of the record that is changed, or its ETag. */
  version?: number | string | undefined;
  /** The call has no session yet, so that a 401 is an answer like any other. */
  anonymous?: boolean | undefined;
  /** The read must not count as use of the session. */
  passive?: boolean | undefined;
}

export type Rest<T> = object extends T ? [options?: T] : [options: T];

const calls =
  <M extends Method>(method: M) =>
  <P extends PathOf<M>>(path: P, ...[options]: Rest<Options<P, M>>): Promise<Answer<P, M>> =>
    call(method.toUpperCase(), path, options as AnyOptions) as Promise<Answer<P, M>>;

export const get = calls("get");
export const post = calls("post");
export const patch = calls("patch");
export const del = calls("delete");

/** Sends a form with files. `onProgress` gets the bytes that have left. */
export function upload<P extends PathOf<"post">>(
  path: P,
  options: { form: FormData; onProgress: Progress } & CallOptions,
): Promise<Answer<P, "post">> {
  return call("POST", path, options) as Promise<Answer<P, "post">>;
}

/** A page of a list as CSV, with its header row. */
export interface CsvPage {
  text: string;
  /** The cursor of the next page; `undefined` on the last one. */
  next: string | undefined;
}

/** Reads of something that is not JSON. */
const reads =
  <T>(what: "csv" | "file") =>
  <P extends PathOf<"get">>(path: P, ...[options]: Rest<Options<P, "get">>): Promise<T> =>
    call("GET", path, { ...(options as AnyOptions), reads: what }) as Promise<T>;

export const getCsv = reads<CsvPage>("csv");
export const getFile = reads<Blob>("file");

interface Handlers {
  /** The session is over. Resolves to true once the same person has signed in again. */
  onSignedOut(): Promise<boolean>;
  /** The session was used by a request that was sent at `since`, by the service's clock. */
  onUsed(since: number): void;
  /** The account must first enroll a second factor. */
  onEnrol(): void;
  /** Asks for a second factor. Resolves to true once the service has accepted it. `isPatient`: staff wanted to read a patient. */
  stepUp(token: string, isPatient: boolean): Promise<boolean>;
}

let handlers: Handlers = { onSignedOut: async () => false, onUsed() {}, onEnrol() {}, stepUp: async () => false };

/** Sets what the client does about an ended session and a missing factor. `app.tsx` does this once. */
export function handle(given: Handlers): void {
  handlers = given;
}

interface AnyOptions extends CallOptions {
  path?: Record<string, string | number> | undefined;
  query?: object | undefined;
  body?: unknown;
  form?: FormData | undefined;
  onProgress?: Progress | undefined;
  /** What a success holds, if it is not JSON. */
  reads?: "csv" | "file" | undefined;
}

/** The pauses between the tries of a call, which begin as the interface says. Then the person decides. */
const PAUSES_MS = [500, 1000];
/** A longer wait is for the person to decide. */
const LONGEST_WAIT_SECONDS = 5;

async function call(method: string, template: string, options: AnyOptions = {}): Promise<unknown> {
  const url = fill(template, options.path) + search(options.query);
  const intent = options.intent ?? new Intent();
  const body = options.form ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
  // A change of a newer version is another change: the person has seen another record.
  const key = method === "GET" ? undefined : intent.keyFor(`${method} ${url} ${options.version ?? ""} ${contentOf(body)}`);
  const init = (): RequestInit => ({ method, headers: headers(key, options), body: body ?? null, signal: options.signal ?? null });
  let steppedUp = false;
  for (let tries = 0; ; tries += 1) {
    const since = serviceNow();
    try {
      const answer = await send(url, init(), options);
      intent.settle();
      if (!options.anonymous && !options.passive) handlers.onUsed(since);
      return answer;
    } catch (thrown) {
      const problem = thrown as Problem;
      if (problem.status === 402 && problem.token !== undefined && !steppedUp && !options.anonymous) {
        steppedUp = await handlers.stepUp(problem.token, isPatient(method, url));
        if (steppedUp) continue;
        throw ownProblem("canceled", "Nothing was changed.");
      }
      // Nothing was done without a session, so the same call is sent again.
      if (problem.status === 401 && !options.anonymous && (await handlers.onSignedOut())) continue;
      const pause = options.anonymous ? undefined : pauseAfter(problem, tries);
      if (pause === undefined) {
        // An answer that cannot be read may come from something between us and the service, which may or may not have acted.
        if (!problem.isRetryable && problem.code !== "unreadable") intent.settle();
        if (problem.status === 402 && problem.token === undefined && !options.anonymous) handlers.onEnrol();
        throw problem;
      }
      await sleep(pause, options.signal);
    }
  }
}

/** True for the reads of staff that can open a patient. */
function isPatient(method: string, url: string): boolean {
  return method === "GET" && url.startsWith("/api/v1/staff/practices/");
}

/** Milliseconds to wait before the next try; `undefined` if there is none. */
function pauseAfter(problem: Problem, tries: number): number | undefined {
  const pause = PAUSES_MS[tries];
  if (pause === undefined || !problem.isRetryable || problem.status === 500) return undefined;
  const wanted = problem.retryAfter ?? 0;
  return wanted > LONGEST_WAIT_SECONDS ? undefined : Math.max(pause, wanted * 1000);
}

/** Sends one request, and reads its answer. Every rejection is a Problem. */
async function send(url: string, init: RequestInit, { reads, onProgress }: AnyOptions): Promise<unknown> {
  let response: Response;
  let content: string | Blob;
  try {
    response = await exchange(url, init, onProgress);
    noteTime(response.headers);
    content = response.ok && reads === "file" ? await response.blob() : await response.text();
  } catch {
    if (init.signal?.aborted) throw ownProblem("canceled", "The call was canceled.");
    throw ownProblem("network", "The service could not be reached. Check your connection and try again.");
  }
  if (typeof content !== "string") return content;
  if (response.ok && reads === "csv" && isOf("text/csv", response.headers)) return csvPage(content, response.headers);
  const parsed = parse(content, response.headers);
  if (!response.ok) throw readProblem(response.status, response.headers, parsed);
  if (parsed === null || reads === "csv") throw ownProblem("unreadable", "The answer of the service could not be read.");
  return parsed;
}

const isOf = (type: string, headers: Headers): boolean => headers.get("Content-Type")?.startsWith(type) ?? false;

/** The page and the cursor that its `Link` leads to. */
function csvPage(text: string, headers: Headers): CsvPage {
  const link = /<([^>]*)>;\s*rel="next"/.exec(headers.get("Link") ?? "")?.[1];
  const next = link === undefined ? undefined : new URL(link, location.origin).searchParams.get("cursor");
  return { text, next: next ?? undefined };
}

/** The parsed body; `undefined` if there is none, `null` if it is not JSON. */
function parse(text: string, headers: Headers): unknown {
  if (text === "") return undefined;
  if (!isOf("application/json", headers)) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const ACCEPT = { json: "application/json", csv: "text/csv", file: "*/*" };

function headers(key: string | undefined, options: AnyOptions): Headers {
  const set = new Headers({ Accept: ACCEPT[options.reads ?? "json"] });
  if (options.passive) set.set("X-Passive-Read", "true");
  if (options.body !== undefined) set.set("Content-Type", "application/json");
  const csrf = csrfToken();
  if (key !== undefined) {
    set.set("Idempotency-Key", key);
    if (csrf !== undefined) set.set("X-CSRF-Token", csrf);
  }
  const { version } = options;
  if (version !== undefined) set.set("If-Match", typeof version === "number" ? `"${version}"` : version);
  return set;
}

/** The token that every change must carry. It changes with the session, so it is read anew for each request. */
function csrfToken(): string | undefined {
  const name = "csrf_token=";
  return document.cookie.split("; ").find((pair) => pair.startsWith(name))?.slice(name.length);
}

/** What tells one body from another. A file counts by its name, its size and its date, because its bytes may be many. */
function contentOf(body: FormData | string | undefined): string {
  if (!(body instanceof FormData)) return body ?? "";
  const parts = [...body].map(([name, value]) => {
    return [name, ...(typeof value === "string" ? [value] : [value.name, value.size, value.lastModified])];
  });
  return JSON.stringify(parts);
}

function fill(template: string, values: Record<string, string | number> = {}): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
}

/** The query string with each given parameter. A list is sent as one comma-separated value. */
export function search(query: object = {}): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== "") params.set(name, String(value));
  }
  return params.size === 0 ? "" : `?${params}`;
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(ownProblem("canceled", "The call was canceled."));
    });
  });
}
