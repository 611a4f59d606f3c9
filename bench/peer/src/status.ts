// `GET /api/v1/claims/status`.

import { fits, isBlank } from "../../checks/text.ts";
import { noteUse, open, type AppContext } from "./call.ts";
import { settingsOf } from "./env.ts";
import { presentedKey } from "./key.ts";
import { Refusal } from "./refusal.ts";
import { credentialOf, readOf } from "./rows.ts";
import * as sql from "./sql.ts";

const NUMBER_MAX = 128;

export async function status(c: AppContext): Promise<Response> {
  const keyHash = await presentedKey(c.req.header("Authorization"), settingsOf(c.env));
  const query = readQuery(c.req.queries("claim_number") ?? []);
  const isRead = "claimNumber" in query;
  const read = isRead
    ? { sql: sql.STATUS_OF_KEY, params: [keyHash, query.claimNumber] }
    : { sql: sql.CREDENTIAL, params: [keyHash] };
  const loadedOf = ([row]: unknown[]) => (isRead ? readOf(row) : { credential: credentialOf(row), claim: undefined });
  const { database, caller, loaded } = await open(c, keyHash, "claims:read", [read], loadedOf);
  noteUse(c, database, caller);
  if ("errors" in query) throw Refusal.invalid(query.errors);
  const { claim } = loaded;
  // No claim of the benchmark needs a signature, so there is no link to return.
  if (claim === undefined) throw Refusal.notFound("no claim with that claim_number");
  return c.json({
    claim: {
      claim_number: query.claimNumber,
      id: claim.id,
      status: claim.status,
      signing: { status: claim.signingStatus, appeal_button: caller.appealButton },
    },
  });
}

/** The claim number as sent, or its problem. */
function readQuery([claimNumber, ...more]: string[]): { claimNumber: string } | { errors: string[] } {
  const errors = more.length > 0 ? ["claim_number must be given only once"] : [];
  if (claimNumber === undefined || isBlank(claimNumber)) errors.push("claim_number is required");
  else if (!fits(claimNumber, NUMBER_MAX)) errors.push(`claim_number must be at most ${NUMBER_MAX} characters`);
  else if (errors.length === 0) return { claimNumber };
  return { errors };
}
