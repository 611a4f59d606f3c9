// `POST /api/v1/claims`.

import { parse, type Item } from "../../checks/zod.ts";
import { authorise, type Credential } from "./access.ts";
import { readBody } from "./body.ts";
import { noteUse, open, type AppContext } from "./call.ts";
import { commit } from "./commit.ts";
import { dataKeyOf } from "./data_key.ts";
import { Stale, type Database, type Statement } from "./database.ts";
import { settingsOf } from "./env.ts";
import { uuids } from "./ids.ts";
import { decide, Known } from "./intake.ts";
import { presentedKey } from "./key.ts";
import { keyringOf } from "./keyring.ts";
import { Refusal } from "./refusal.ts";
import { senderOf, storedOf, type Counts, type StoredClaim, type StoredDataKey } from "./rows.ts";
import * as sql from "./sql.ts";
import * as lean from "./sql/lean.ts";

/** How many times a request is decided. A send without conflicts takes two. */
const MAX_DECISIONS = 16;

export async function send(c: AppContext): Promise<Response> {
  const keyHash = await presentedKey(c.req.header("Authorization"), settingsOf(c.env));
  const body = await readBody(c.req);
  const now = c.var.trace.began;
  const today = new Date(now).toISOString().slice(0, 10);
  const parsed = body === undefined ? undefined : parse(body, today);
  const reads = readsOf(keyHash, parsed?.items, today);
  const { database, caller, verdict, loaded } = await open(c, keyHash, "claims:write", reads, loadedOf);
  try {
    if (parsed === undefined) throw Refusal.tooLarge();
    if (parsed.items === undefined) throw Refusal.invalid(parsed.errors);
    const again = async () => {
      const loaded = loadedOf(await database.batch(reads));
      return { ...loaded, caller: authorise(loaded.credential, verdict, "claims:write", now) };
    };
    const answer = await settle(c, database, parsed.items, { ...loaded, caller }, again);
    return c.json(answer, answer.submission_id === null ? 200 : 201);
  } finally {
    noteUse(c, database, caller);
  }
}

function readsOf(keyHash: string, items: Item[] | undefined, today: string): Statement[] {
  const credential = { sql: sql.CREDENTIAL_TO_SEND, params: [keyHash] };
  if (items === undefined) return [credential];
  const numbers = JSON.stringify(items.map(({ claim }) => claim.claim_number));
  const claims = LEAN
    ? { sql: lean.CLAIMS_OF_KEY, params: [keyHash, numbers] }
    : { sql: sql.CLAIMS_OF_KEY, params: [keyHash, numbers, today] };
  return [credential, claims];
}

const loadedOf = ([sender, stored]: unknown[]) => ({ ...senderOf(sender), ...storedOf(stored) });

interface Loaded {
  caller: Credential;
  dataKey: StoredDataKey | undefined;
  claims: StoredClaim[];
  counts: Counts;
}

/** Decides and writes until nothing is left to write. */
async function settle(c: AppContext, database: Database, items: Item[], loaded: Loaded, reload: () => Promise<Loaded>) {
  const { began: now, request_id: requestId } = c.var.trace;
  const address = c.req.header("CF-Connecting-IP") || null;
  const service = await keyringOf(c.env.SEALING_KEYS);
  const [submissionId, auditA, auditB, ...ids] = uuids(items.length + 3, now) as [string, string, string, ...string[]];
  const sent = items.map((item, place) => ({ place, id: ids[place]!, item }));
  const known = new Known(loaded.claims, loaded.counts);
  const keysOf = async ({ caller, dataKey }: Loaded) => ({
    data: await dataKeyOf(caller.practiceId, dataKey, service, now),
    service,
  });
  let { caller } = loaded;
  let keys = await keysOf(loaded);
  const again = async () => {
    const found = await reload();
    caller = found.caller;
    keys = await keysOf(found);
    known.reload(found.claims, found.counts);
  };
  for (let round = 0; round < MAX_DECISIONS; round += 1) {
    const decision = await decide(sent, caller.practiceId, known, keys, now);
    const { results, newClaims, corrections, mismatches } = decision;
    if (decision.looksAgain) {
      await again();
      continue;
    }
    if (newClaims.length === 0 && corrections.length === 0 && mismatches.length === 0) {
      const isNew = results.some(({ created }) => created);
      return { claims: results, submission_id: isNew ? submissionId : null };
    }
    const auditIds: [string, string] = [auditA, auditB];
    const closes = known.tally.isExceededBy(mismatches);
    const writing = { caller, keys, now, requestId, address, submissionId, auditIds, closes };
    try {
      known.learn(decision, await commit(database, decision, writing));
    } catch (error) {
      if (!(error instanceof Stale)) throw error;
      await again();
    }
  }
  throw Refusal.unavailable("rounds");
}
