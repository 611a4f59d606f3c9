// The requests that go to the compared services, in order.

import { batch, item } from "../checks/batch.mjs";
import { bodies } from "../checks/bodies.mjs";

const send = (key, body) => ({ method: "POST", path: "/api/v1/claims", key, body: JSON.stringify(body) });
const read = (key, query) => ({ method: "GET", path: `/api/v1/claims/status${query}`, key });
const asks = (number) => `?claim_number=${encodeURIComponent(number)}`;

/** The n-th claim with fields of it set. */
function changed(n, { patient = {}, claim = {} }) {
  const base = item("CH-", n);
  return { patient: { ...base.patient, ...patient }, claim: { ...base.claim, ...claim } };
}

/** What a well-behaved sender of one practice sends. The floor does as much. */
export const plain = ({ full, read: reader }) => [
  read(undefined, asks("CH-00001")),
  send(full, item("CH-", 0)),
  send(full, item("CH-", 0)),
  send(full, batch("CH-", 100)),
  send(full, batch("CH-", 100)),
  ...[0, 1, 3, 50, 99].map((n) => read(reader, asks(item("CH-", n).claim.claim_number))),
  read(full, asks("CH-00007")),
];

/** More than Overturn would let a key send and read, where that is two and three a minute. */
export const hasty = ({ active: { full, read: reader } }) => [
  ...Array.from({ length: 5 }, (_, n) => send(full, item("CH-", n))),
  ...Array.from({ length: 5 }, (_, n) => read(full, asks(item("CH-", n).claim.claim_number))),
  read(reader, asks("CH-00000")),
];

/** Names and numbers that look different and are the same patient and claim, or look the same and are not. */
const resends = [
  { patient: { first_name: " DANA " } },
  { patient: { last_name: "WhitField" } },
  { claim: { procedure_code: undefined } },
  { claim: { procedure_code: " 99214-25" } },
  { claim: { payer_claim_number: "NEW-1" } },
  { claim: { billed_amount: "999.99" } },
  { claim: { billed_amount: undefined, denied_amount: "1.00" } },
  { claim: { payer_name: "Another", denial_codes: "N1", diagnosis_codes: [] } },
  { patient: { first_name: "Dan" } },
  { patient: { last_name: "Whitfield Jr" } },
  { patient: { date_of_birth: "1935-01-02" } },
  { claim: { date_of_service: "2025-01-02" } },
  { claim: { procedure_code: "27447" } },
  { patient: { first_name: "Dan" }, claim: { date_of_service: "2025-01-02" } },
];

// Each has a different deadline. The two years of Medicare Advantage have different rules.
const PLANS = ["commercial", "erisa", "aca_individual", "medicare", "medicare_advantage", "medicare_advantage", "medi_cal_managed"];
PLANS.push("medi_cal_ffs", "tricare", "workers_comp", "other");

const others = [
  { patient: { first_name: "Jose\u0301", last_name: "GARCÍA-NÚÑEZ" }, claim: { claim_number: "N-1" } },
  { patient: { first_name: "JOSÉ", last_name: "garcía-núñez" }, claim: { claim_number: "N-1" } },
  { patient: { first_name: "Jürgen", last_name: "Groß" }, claim: { claim_number: "N-2" } },
  { patient: { first_name: "JÜRGEN", last_name: "GROSS" }, claim: { claim_number: "N-2" } },
  { patient: { first_name: "Γιώργος", last_name: "Yılmaz" }, claim: { claim_number: "N-3" } },
  { patient: { first_name: "ＡＮＮ\u00a0 Mary", last_name: "漢字" }, claim: { claim_number: "N-4", procedure_code: " j1885 " } },
  { claim: { claim_number: "N-5", denial_codes: "co45, CO 45,pr-B7 ,see letter,ma01,N1234,N12345,OA--16,COB" } },
  { claim: { claim_number: "N-6", denial_codes: ["", "CO-50"], denial_reason: " ", plan_type: "", denial_date: null } },
  { claim: { claim_number: "naïve / 漢 #6" } },
  ...PLANS.map((plan_type, n) => ({ claim: { claim_number: `P-${n}`, plan_type, denial_date: n % 2 ? "2024-12-31" : "2025-01-01" } })),
  { claim: { claim_number: "N-7", billed_amount: undefined, denied_amount: "0000123.45" } },
  { claim: { claim_number: "N-8", billed_amount: "90071992547409.91", diagnosis_codes: "" } },
];

const queries = ["", "?claim_number=", "?claim_number=%20", "?claim_number=CH-00001&claim_number=CH-00002", "?other=1"];
const numbers = ["N-1", "na\u00efve / 漢 #6", "nobody's", "x".repeat(128), "x".repeat(129), "ch-00001"];

/** All that a caller may meet. */
export function requests({ active, other, no_baa, inactive }) {
  const { full, write, read: reader, expired, revoked } = active;
  const wrong = `${full.slice(0, -1)}${full.endsWith("A") ? "B" : "A"}`;
  const one = send(full, item("CH-", 1));
  const mixed = { claims: [changed(0, { patient: { last_name: "Else" } }), item("CH-", 1), item("M-", 1), changed(2, { claim: { billed_amount: "5.00" } })] };
  return [
    ...plain(active),
    ...resends.map((changes) => send(write, changed(0, changes))),
    ...others.map((changes) => send(full, changed(1, changes))),
    send(full, mixed),
    send(full, mixed),
    send(other.full, batch("CH-", 3)),
    read(other.full, asks("CH-00099")),
    ...bodies.map(({ bytes }) => ({ method: "POST", path: "/api/v1/claims", key: full, body: bytes })),
    ...[undefined, "", "nonsense", wrong, full.slice(0, -1), full.replace("_test_", "_live_"), expired, revoked].flatMap((key) => [
      { ...one, key },
      read(key, asks("CH-00001")),
    ]),
    ...[reader, no_baa.full, inactive.full].flatMap((key) => [{ ...one, key }, { ...one, key, body: "{" }]),
    ...[write, no_baa.full, inactive.full].flatMap((key) => [read(key, asks("CH-00001")), read(key, "")]),
    ...queries.map((query) => read(reader, query)),
    ...numbers.map((number) => read(reader, asks(number))),
    { ...one, body: "x".repeat(2 * 1024 * 1024 + 1) },
    { ...read(reader, asks("N-1")), method: "HEAD" },
    { ...one, method: "PUT" },
    { ...one, path: "/api/v1/claims/status" },
    ...["/", "/api/v1/claims/", "/api/v1/claims/x", "/api/v1/claimsx", "/api/v1"].map((path) => ({ method: "GET", path })),
  ];
}
