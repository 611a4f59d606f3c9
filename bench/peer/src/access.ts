// Decides whether a key may make a call. The checks run in order.

import type { Verdict } from "./limiter.ts";
import { Refusal } from "./refusal.ts";

export type Scope = "claims:write" | "claims:read";

export interface Credential {
  practiceId: string;
  apiKeyId: string;
  scopes: string[];
  expiresAt: number;
  isRevoked: boolean;
  lastUsedAt: number | null;
  practiceState: string;
  baaSigned: boolean;
  appealButton: boolean;
}

/** How long the stored time of a key's last use may lag behind. */
const LAST_USED_LAG_MS = 5 * 60_000;

/** True if a key exists and is still valid. */
export const isInForce = (credential: Credential | undefined, now: number): credential is Credential =>
  credential !== undefined && !credential.isRevoked && now < credential.expiresAt;

/** Returns the credential of a caller that may make the call, or throws the first failed check. */
export function authorise(
  credential: Credential | undefined,
  verdict: Verdict | undefined,
  scope: Scope,
  now: number,
): Credential {
  if (!isInForce(credential, now)) throw Refusal.notAuthenticated();
  if (verdict !== undefined && !verdict.allowed) throw Refusal.rateLimited(verdict);
  if (!credential.scopes.includes(scope)) throw Refusal.forbidden(`the API key lacks the permission ${scope}`);
  if (credential.practiceState !== "active") throw Refusal.forbidden("the organization is not an active practice");
  if (!credential.baaSigned) {
    throw Refusal.forbidden("a signed business associate agreement is required", "baa_required");
  }
  return credential;
}

/** True if the stored time of last use is too old. */
export const lags = ({ lastUsedAt }: Credential, now: number) =>
  lastUsedAt === null || now - lastUsedAt >= LAST_USED_LAG_MS;
