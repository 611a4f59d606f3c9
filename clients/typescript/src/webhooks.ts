import { OverturnError, SignatureError } from "./errors.js";
import type * as T from "./types.js";

/** A message that was made up to try an endpoint has `test: true`. */
type Event<Type extends string, Data> = { type: Type; timestamp: string; test?: true; data: Data };
type OfClaim<More = unknown> = { claim: { id: string; claim_number: string } & More };
type Ending = { id: string; expires_at: string };
type Found = { id: string; url: string | null };

/** A message. Treat a `type` that you do not know as a success: kinds may be added. */
export type WebhookEvent =
  | Event<"claim.status_changed", OfClaim<{ status: T.ClaimStatus }>>
  | Event<"claim.signing_changed", OfClaim<{ signing_status: T.SigningStatus }>>
  | Event<"claim.deadline_changed", OfClaim<{ deadline: string | null }>>
  | Event<"claim.amount_corrected", OfClaim>
  | Event<"report.delivered", { report: { id: string; claims: number } }>
  | Event<"api_key.leaked", { api_key: Found }>
  | Event<"api_token.leaked", { api_token: Found }>
  | Event<"api_key.expiring", { api_key: Ending }>
  | Event<"api_token.expiring", { api_token: Ending }>
  | Event<"webhook.test", { webhook: { id: string; test: true } }>;

type Headers = { get(name: string): string | null } | { [name: string]: string | string[] | undefined };

function header(headers: Headers, name: string): string {
  const value = typeof headers.get === "function" ? headers.get(name) : (headers as { [name: string]: string | undefined })[name];
  if (typeof value !== "string") throw new SignatureError(`the message has no ${name}`);
  return value;
}

const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;

const bytes = (base64: string) => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));

/**
 * Verifies a webhook message and gives its event.
 *
 * @param body the body, exactly as it arrived
 * @param headers those of the request
 * @param secrets the endpoint's secret; during a rotation, both
 * @param options `tolerance` is how many seconds old or early a message may be; `now` is for tests
 * @throws SignatureError if none of the secrets signed the message, or it is too old; OverturnError for what is no secret
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: Headers,
  secrets: string | readonly string[],
  { tolerance = 300, now = new Date() }: { tolerance?: number; now?: Date } = {},
): Promise<WebhookEvent> {
  const all: readonly unknown[] = typeof secrets === "string" ? [secrets] : secrets ?? [];
  if (all.length === 0 || !all.every((secret) => typeof secret === "string" && SECRET.test(secret))) {
    throw new OverturnError("the secret must be that of the webhook: whsec_ and the base64 of 32 bytes");
  }
  const [id, timestamp, given] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => header(headers, name));
  if (!/^\d+$/.test(timestamp!) || Math.abs(now.getTime() / 1000 - Number(timestamp)) > tolerance) {
    throw new SignatureError("the message is too old, or the clock is wrong");
  }
  const encoder = new TextEncoder();
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  const signed = encoder.encode(`${id}.${timestamp}.${text}`);
  const signatures = given!.split(" ").filter((one) => one.startsWith("v1,"));
  for (const secret of all as string[]) {
    const key = await crypto.subtle.importKey("raw", bytes(secret.slice("whsec_".length)), { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
    for (const signature of signatures) {
      // `verify` compares in constant time.
      const isOurs = /^v1,[A-Za-z0-9+/]{43}=$/.test(signature) && (await crypto.subtle.verify("HMAC", key, bytes(signature.slice(3)), signed));
      if (isOurs) return JSON.parse(text) as WebhookEvent;
    }
  }
  throw new SignatureError("none of the secrets signed the message");
}
