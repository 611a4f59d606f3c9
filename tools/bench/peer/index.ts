// The claims interface as a lean team would build it on the same platform: Hono, Zod, WebCrypto and D1. README.md says
// what it leaves out.

import { type Context, Hono } from "hono";
import { uuids } from "./ids.ts";
import { Refusal } from "./refusal.ts";
import { send } from "./send.ts";
import { status } from "./status.ts";

export interface Env {
  DB_000: D1Database;
  SEALING_KEYS: string;
}

export type App = { Bindings: Env; Variables: { requestId: string } };
export type AppContext = Context<App>;

// wrangler.toml binds this class, but nothing calls it here.
export class Limiter {}

const HEADERS = {
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Strict-Transport-Security": "max-age=31536000",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "Referrer-Policy": "no-referrer",
};

const app = new Hono<App>();

app.use(async (c, next) => {
  const [requestId] = uuids(1, Date.now()) as [string];
  c.set("requestId", requestId);
  await next();
  c.res.headers.set("X-Request-Id", requestId);
  for (const [name, value] of Object.entries(HEADERS)) c.res.headers.set(name, value);
});

app.onError((error, c) => {
  const refusal = error instanceof Refusal ? error : Refusal.internal();
  return refusal.render(c.req.path, c.var.requestId);
});

app.notFound((c) => new Refusal(404, "not_found", "not found").render(c.req.path, c.var.requestId));

/** A path and its only method. */
function route(method: "GET" | "POST", path: string, handler: (c: AppContext) => Promise<Response>) {
  app.all(path, async (c) => {
    const isAllowed = c.req.method === method || (method === "GET" && c.req.method === "HEAD");
    if (!isAllowed) throw Refusal.noMethod(method === "GET" ? "GET, HEAD" : method);
    return handler(c);
  });
}

route("POST", "/api/v1/claims", send);
route("GET", "/api/v1/claims/status", status);

export default app;
