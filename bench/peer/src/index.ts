// The claims interface of Overturn as a TypeScript Worker: the same job, the same tables, the same answers. With `LEAN`
// set, it has no limits, no audit, no guard of the API key and no log line: see README.md.

import { Hono } from "hono";
import type { App, AppContext } from "./call.ts";
import { send } from "./claims.ts";
import { Database } from "./database.ts";
import { uuids } from "./ids.ts";
import { Refusal } from "./refusal.ts";
import { countRequest } from "./ip_ban.ts";
import * as sql from "./sql.ts";
import { status } from "./status.ts";
import { Trace } from "./trace.ts";

export { Limiter } from "./limiter.ts";

const app = new Hono<App>();

app.use(async (c, next) => {
  const now = Date.now();
  const [requestId] = uuids(1, now) as [string];
  const trace = new Trace(requestId, now);
  c.set("trace", trace);
  await next();
  const { headers } = c.res;
  headers.set("X-Request-Id", requestId);
  headers.set("Cache-Control", "no-store");
  headers.set("X-Content-Type-Options", "nosniff");
  headers.set("Cross-Origin-Opener-Policy", "same-origin");
  headers.set("Cross-Origin-Resource-Policy", "same-origin");
  headers.set("Strict-Transport-Security", "max-age=31536000");
  headers.set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
  headers.set("Referrer-Policy", "no-referrer");
  if (trace.limit !== undefined) {
    headers.set("X-RateLimit-Limit", String(trace.limit.limit));
    headers.set("X-RateLimit-Remaining", String(trace.limit.remaining));
    headers.set("X-RateLimit-Reset", String(trace.limit.reset));
  }
  if (!LEAN) trace.log(c.req.method, c.res.status);
});

app.use(async (c, next) => {
  if (!LEAN) await countRequest(c.env, c.req.header("CF-Connecting-IP"), c.var.trace.began);
  await next();
});

app.onError((error, c) => {
  const refusal = error instanceof Refusal ? error : Refusal.internal(error.name);
  const { trace } = c.var;
  const { status, verdict, failure } = refusal.said;
  trace.failure = failure;
  // The limit headers would show whether a revoked or expired key ever existed.
  if (status === 401) trace.limit = undefined;
  if (verdict !== undefined) trace.limit = verdict;
  return refusal.render(c.req.path, trace.request_id);
});

app.notFound(() => {
  throw Refusal.notFound("not found");
});

/** A path and its only method. The log names a route by its pattern. */
function route(method: "GET" | "POST", path: string, handler: (c: AppContext) => Promise<Response>) {
  app.all(path, async (c) => {
    c.var.trace.route = path;
    const isAllowed = c.req.method === method || (method === "GET" && c.req.method === "HEAD");
    if (!isAllowed) throw Refusal.noMethod(method === "GET" ? "GET, HEAD" : method);
    return handler(c);
  });
}

route("POST", "/api/v1/claims", send);
route("GET", "/api/v1/claims/status", status);
route("GET", "/health", async (c) => {
  // A key that cannot exist: the query only checks that the database answers.
  await new Database(c.env.DB, c.var.trace).batch([{ sql: sql.CREDENTIAL, params: [""] }]);
  return c.json({ status: "ok" });
});

export default app;
