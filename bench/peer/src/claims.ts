// `POST /api/v1/claims`.

import { parse, type Item } from "../../checks/zod.ts";
import { authorise, type Credential } from "./access.ts";
import { readBody } from "./body.ts";
import { noteUse, open, type AppContext } from "./call.ts";
import { commitStatements } from "./commit.ts";
import { CredentialWithdrawn, type Database, type Statement } from "./database.ts";
import { settingsOf } from "./env.ts";
import { uuids } from "./ids.ts";
import { decide, Known } from "./intake.ts";
import { presentedKey } from "./key.ts";
import { keyringOf } from "./keyring.ts";
import { Refusal } from "./refusal.ts";
import { claimsOf, credentialOf, outcomeOf, type StoredClaim } from "./rows.ts";
import * as sql from "./sql.ts";

/** Rounds of writing there can be: a second one only corrects. */
const MAX_ROUNDS = 2;

export async function send(c: AppContext): Promise<Response> {
  const keyHash = await presentedKey(c.req.header("Authorization"), settingsOf(c.env));
  const body = await readBody(c.req);
  const now = c.var.trace.began;
  const parsed = body === undefined ? undefined : parse(body, new Date(now).toISOString().slice(0, 10));
  const reads = parsed?.items === undefined ? [] : [claimsRead(keyHash, parsed.items)];
  const { database, caller, verdict, read } = await open(c, keyHash, "claims:write", reads);
  try {
    if (parsed === undefined) throw Refusal.tooLarge();
    if (parsed.items === undefined) throw Refusal.invalid(parsed.errors);
    const again = async (items: Item[]) => {
      const [row, claims] = await database.batch([{ sql: sql.CREDENTIAL, params: [keyHash] }, claimsRead(keyHash, items)]);
      return { caller: authorise(credentialOf(row), verdict, "claims:write", now), claims: claimsOf(claims) };
    };
    const answer = await settle(c, database, parsed.items, { caller, claims: claimsOf(read[0]) }, again);
    return c.json(answer, answer.submission_id === null ? 200 : 201);
  } finally {
    noteUse(c, database, caller);
  }
}

const claimsRead = (keyHash: string, items: Item[]): Statement => ({
  sql: sql.CLAIMS_OF_KEY,
  params: [keyHash, JSON.stringify(items.map(({ claim }) => claim.claim_number))],
});

interface Loaded {
  caller: Credential;
  claims: StoredClaim[];
}

/** Decides and writes until nothing is left to write. */
async function settle(
  c: AppContext,
  database: Database,
  items: Item[],
  loaded: Loaded,
  reload: (items: Item[]) => Promise<Loaded>,
) {
  const { began: now, request_id: requestId } = c.var.trace;
  const keyring = await keyringOf(c.env.SEALING_KEYS);
  const [submissionId, auditA, auditB, ...ids] = uuids(items.length + 3, now) as [string, string, string, ...string[]];
  const sent = items.map((item, n) => ({ id: ids[n]!, item }));
  let { caller, claims } = loaded;
  let stored = new Known(claims);
  for (let round = 0; round <= MAX_ROUNDS; round += 1) {
    const decision = await decide(sent, caller.practiceId, stored, keyring);
    const { results, newClaims, corrections } = decision;
    if (newClaims.length === 0 && corrections.length === 0) {
      const isNew = results.some(({ created }) => created);
      return { claims: results, submission_id: isNew ? submissionId : null };
    }
    const writing = { caller, keyring, now, requestId, submissionId, auditIds: [auditA, auditB] as [string, string] };
    try {
      const read = await database.batch(await commitStatements(decision, writing));
      stored.learn(decision, outcomeOf(read.at(-1)));
    } catch (error) {
      if (!(error instanceof CredentialWithdrawn)) throw error;
      ({ caller, claims } = await reload(items));
      stored = new Known(claims);
    }
  }
  throw Refusal.unavailable("rounds");
}
