// Claims for the tests of the practice's screens, sent and worked on through the service's own interface.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { demo, origin, signIn } from "./harness.mjs";

/** The date some days from now, as the service counts. */
export const day = (days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

let count = 0;
/** A claim with a number of its own. `changes` goes over its fields. */
export function claim(changes = {}, patient = {}) {
  count += 1;
  return {
    patient: { first_name: "Dana", last_name: "Canarybird", date_of_birth: "1984-06-02", ...patient },
    claim: {
      claim_number: `P${process.pid}-${String(count).padStart(4, "0")}`,
      payer_claim_number: `25014XK${count}`,
      payer_name: "Blue Prairie Health",
      date_of_service: day(-60),
      denial_date: day(-40),
      plan_type: "erisa",
      procedure_code: "99214-25",
      billed_amount: "245.00",
      denied_amount: "180.00",
      denial_codes: ["CO-50", "N130"],
      ...changes,
    },
  };
}

/** Sends claims with a key of a practice of the demo, and gives `{id, claim_number}` of each. */
export async function send(claims, practice = "active") {
  const answer = await fetch(`${origin}/api/v1/claims`, {
    method: "POST",
    headers: { Authorization: `Bearer ${demo.practices[practice].keys.full}`, "Content-Type": "application/json" },
    body: JSON.stringify({ claims }),
  });
  const { claims: sent, ...rest } = await answer.json();
  assert.ok(sent?.every(({ id }) => id), JSON.stringify([rest, sent]));
  return sent;
}

/** Calls as a signed-in person: `call("POST", path, body, version)` gives the parsed answer. */
export async function person(page, role) {
  await signIn(page, role);
  const { request } = page.context();
  return async (method, path, data, version) => {
    const cookies = await page.context().cookies();
    const headers = {
      "X-CSRF-Token": cookies.find(({ name }) => name === "csrf_token").value,
      "Idempotency-Key": randomUUID(),
      ...(version !== undefined && { "If-Match": `"${version}"` }),
    };
    const answer = await request.fetch(path, { method, headers, ...(data && { data }) });
    const text = await answer.text();
    assert.ok(answer.ok(), `${method} ${path}: ${answer.status()} ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  };
}

/** What staff do with claims of the demo's active practice. `call` is from `person(page, "staff")`. */
export function work(call) {
  const base = `/api/v1/staff/practices/${demo.practices.active.id}`;
  const version = async (id) => (await call("GET", `${base}/claims/${id}`)).version;
  const seen = (ids) => Promise.all(ids.map(async (id) => ({ id, version: await version(id) })));
  const move = async (id, body) => call("POST", `${base}/claims/${id}/moves`, body, await version(id));
  return {
    take: async (id) => call("POST", `${base}/claims/${id}/take`, undefined, await version(id)),
    sign: async (id, status) => call("POST", `${base}/claims/${id}/signing`, { status }, await version(id)),
    report: async (claims) => call("POST", `${base}/reports`, { claims: await seen(claims) }),
    appeal: async (claims, kind = "internal_appeal", due_on = day(25)) => call("POST", `${base}/cases`, { claims: await seen(claims), kind, due_on }),
    recover: (id, amount_recovered) => move(id, { status: "recovered", amount_recovered }),
    close: (id, reason) => move(id, { status: "closed", reason }),
  };
}

/** Fails if a name is in what the browser keeps or shows outside of the page: storage, cookies, address, title, history. */
export async function assertNoTrace(page, name) {
  const kept = await page.evaluate(async () => {
    const databases = (await indexedDB.databases?.()) ?? [];
    const caches = await globalThis.caches.keys();
    return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href, document.title, history.state, databases, caches]);
  });
  assert.ok(!kept.includes(name), kept);
}

/** Takes what the browser said about a lost line out of what went wrong. */
export function lostLine(wrong) {
  assert.ok(wrong.length > 0, "the line was lost");
  const others = wrong.filter((text) => !/net::ERR_(INTERNET_DISCONNECTED|FAILED|EMPTY_RESPONSE|CONTENT_LENGTH_MISMATCH|CONNECTION_\w+)/.test(text));
  wrong.splice(0, wrong.length, ...others);
}
