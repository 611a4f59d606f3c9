// The HTTP calls of a restore drill.
//
//   DRILL_KEY=… node tools/dev/drill.mjs send URL      sends the drill's own claims; prints the service's answer for each
//   node tools/dev/drill.mjs check URL < plan.json     reads every claim of the plan, and sends the drill's claims again
//
// plan.json is {"practices": [{"id", "key", "is_served", "claims": [[number, status], …]}], "sent": [{"claim_number", "id"}], "key"}:
// `is_served` says whether the practice may read, `sent` is the output of `send`, and `key` is a key of the sending practice.
// Prints {"read", "refused", "sent_again"}. An error says how many claims differ and of which practice, never which claims.

import { text } from "node:stream/consumers";

const AT_ONCE = 8;
const [action, base] = process.argv.slice(2);

/**
 * The drill's own claims. A claim number is sent once and then again by each later drill, so they do not add up. The last one is
 * what a backup in SQL fails on unless it is written with care: a line break in a text, and a row that is too long for a statement.
 */
const CLAIMS = [1, 2, 3].map((n) => ({
  patient: { first_name: "Drill", last_name: "Backup", date_of_birth: `1980-01-0${n}` },
  claim: {
    claim_number: `DRILL-${n}`,
    payer_claim_number: `DRILL-PAYER-${n}`,
    payer_name: n === 3 ? "Restore\n Drill's; Payer" : "Restore Drill",
    date_of_service: "2026-01-15",
    denial_date: "2026-02-02",
    plan_type: "erisa",
    billed_amount: "100.00",
    denial_codes: ["CO-50"],
    ...(n === 3 && { diagnosis_codes: Array.from({ length: 100 }, () => "🩺".repeat(200)) }),
  },
}));

async function call(key, path, body) {
  const response = await fetch(new URL(path, base), {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  return { status: response.status, json: await response.json() };
}

async function send(key) {
  const { status, json } = await call(key, "/api/v1/claims", { claims: CLAIMS });
  if (status !== 200 && status !== 201) throw new Error(`the drill's claims were answered with ${status}`);
  return json.claims;
}

/** Whether the service says of a claim what the backup does. */
async function isAsStored({ key, is_served }, [number, expected]) {
  const { status, json } = await call(key, `/api/v1/claims/status?claim_number=${encodeURIComponent(number)}`);
  if (!is_served) return status === 403;
  return status === 200 && json.claim.claim_number === number && json.claim.status === expected;
}

async function readAll(practice) {
  let differ = 0;
  const left = practice.claims.values();
  const reader = async () => {
    for (const claim of left) if (!(await isAsStored(practice, claim))) differ += 1;
  };
  await Promise.all(Array.from({ length: AT_ONCE }, reader));
  if (differ > 0) throw new Error(`${differ} of ${practice.claims.length} claims of practice ${practice.id} do not read as in the backup`);
}

async function check({ practices, sent, key }) {
  const counts = { read: 0, refused: 0, sent_again: 0 };
  for (const practice of practices) {
    await readAll(practice);
    counts[practice.is_served ? "read" : "refused"] += practice.claims.length;
  }
  if (sent.length > 0) {
    const again = await send(key);
    const same = (claim, n) => claim.created === false && claim.id === sent[n].id;
    if (again.length !== sent.length || !again.every(same)) throw new Error("a claim that was sent again is not the claim of the backup");
    counts.sent_again = again.length;
  }
  return counts;
}

try {
  const done = action === "send" ? await send(process.env.DRILL_KEY) : await check(JSON.parse(await text(process.stdin)));
  process.stdout.write(`${JSON.stringify(done)}\n`);
} catch (error) {
  process.stderr.write(`drill: ${error.message}\n`);
  process.exitCode = 1;
}
