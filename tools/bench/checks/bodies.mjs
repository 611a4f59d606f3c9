// Valid and invalid bodies of send requests, with each kind of mistake. All checkers must agree on them.

import { batch, item } from "./batch.mjs";

/** An item with fields set, as in `item({ "patient.first_name": "Ann" })`; `undefined` removes one. */
function changed(changes, n = 0) {
  const base = item("B-", n);
  for (const [path, value] of Object.entries(changes)) {
    const [object, field] = path.split(".");
    if (field === undefined) base[object] = value;
    else base[object][field] = value;
  }
  return base;
}

const long = (length) => "x".repeat(length);
const codes = (count) => Array.from({ length: count }, (_, n) => `N${n}`);
const NO_AMOUNT = { "claim.billed_amount": undefined, "claim.denied_amount": undefined };
const NO_REASON = { "claim.denial_codes": undefined, "claim.denial_reason": undefined };
// Tomorrow can have begun in Guam.
const future = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);

const VALID = [
  {},
  { "patient.account_number": undefined, "patient.member_id": null, "claim.plan_type": null, "claim.denial_date": null },
  { "patient.member_id": " ", "claim.plan_type": "", "claim.denial_date": "", "claim.procedure_code": " " },
  { "claim.billed_amount": undefined },
  { "claim.denied_amount": " " },
  { "claim.denial_codes": undefined },
  { "claim.denial_codes": "CO-45, N130,,MA01" },
  { "claim.denial_reason": undefined },
  { "claim.denial_codes": codes(20) },
  { "claim.diagnosis_codes": undefined },
  { "claim.diagnosis_codes": "" },
  { "claim.claim_number": long(128) },
  { "claim.claim_number": "é 漢".repeat(42) },
  { "patient.first_name": "\u{1f9b7}".repeat(200) },
  { "claim.denial_reason": long(2000) },
  { "claim.date_of_service": "2024-02-29" },
  { "claim.billed_amount": "0.01" },
  { "claim.unknown": { nested: [1, 2, null] } },
];

const INVALID = [
  { patient: undefined },
  { patient: null, claim: null },
  { patient: [] },
  { claim: "text" },
  { "patient.first_name": undefined },
  { "patient.first_name": "  " },
  { "patient.last_name": 5 },
  { "patient.last_name": long(201) },
  { "patient.date_of_birth": null },
  { "patient.date_of_birth": "02/29/1980" },
  { "patient.date_of_birth": "1981-02-29" },
  { "patient.date_of_birth": "0000-01-01" },
  { "patient.date_of_birth": future },
  { "patient.account_number": 17 },
  { "patient.member_id": long(201) },
  { "claim.claim_number": undefined },
  { "claim.claim_number": 417 },
  { "claim.claim_number": long(129) },
  { "claim.claim_number": "A\u200b1" },
  { "claim.claim_number": `A\u0000${long(128)}` },
  { "claim.payer_claim_number": "\t" },
  { "claim.payer_claim_number": "A\nB" },
  { "claim.payer_name": false },
  { "claim.date_of_service": "2025-13-01" },
  { "claim.date_of_service": "2025-1-1" },
  { "claim.date_of_service": 20250101 },
  { "claim.denial_date": future },
  { "claim.plan_type": "hmo" },
  { "claim.plan_type": 3 },
  { "claim.procedure_code": ["99213"] },
  NO_AMOUNT,
  { ...NO_AMOUNT, "claim.billed_amount": "", "claim.denied_amount": null },
  { "claim.billed_amount": "0.00" },
  { "claim.billed_amount": "12" },
  { "claim.billed_amount": "-1.00" },
  { "claim.denied_amount": 12.5 },
  { "claim.denied_amount": "1,200.00" },
  NO_REASON,
  { ...NO_REASON, "claim.denial_codes": [], "claim.denial_reason": " " },
  { ...NO_REASON, "claim.denial_codes": [" ", ""] },
  { ...NO_REASON, "claim.denial_codes": " , " },
  { "claim.denial_codes": codes(21) },
  { "claim.denial_codes": [...codes(21), 5, long(201)] },
  { "claim.denial_codes": ["CO-45", null] },
  { "claim.denial_codes": 45 },
  { "claim.denial_codes": `CO-45,${long(201)}` },
  { "claim.denial_reason": long(2001) },
  { "claim.diagnosis_codes": "M17.11" },
  { "claim.diagnosis_codes": codes(101) },
  { "claim.diagnosis_codes": [{}] },
  { ...NO_AMOUNT, ...NO_REASON, "patient.first_name": null, "claim.payer_name": long(300), "claim.plan_type": "x" },
];

const ENVELOPES = [
  [true, batch("B-", 100)],
  [true, { claims: [changed({})] }],
  [false, []],
  [false, null],
  [false, "text"],
  [false, {}],
  [false, { claims: [] }],
  [false, { claims: null }],
  [false, { claims: {} }],
  [false, { claims: [changed({})], patient: null }],
  [false, { claims: [changed({}, 1)], note: 1 }],
  [false, batch("B-", 101)],
  [false, { claims: [changed({}), null, changed({}, 1), 5] }],
  [false, { claims: [changed({}), changed({}), changed({ "claim.claim_number": "B-00000" }, 2)] }],
  [false, { claims: [changed({}), changed({ "patient.first_name": "" }, 1), changed(NO_AMOUNT, 2)] }],
];

const TEXTS = ["", "{", '{"patient": {}', "\ufeff{}", '{"claims": [1,]}', "{} {}"];

const encoder = new TextEncoder();
const body = (isValid, text) => ({ isValid, bytes: encoder.encode(text) });

/** Every body as bytes, and whether it is valid. */
export const bodies = [
  ...VALID.map((changes) => body(true, JSON.stringify(changed(changes)))),
  ...INVALID.map((changes) => body(false, JSON.stringify(changed(changes)))),
  ...ENVELOPES.map(([isValid, value]) => body(isValid, JSON.stringify(value))),
  ...TEXTS.map((text) => body(false, text)),
  { isValid: false, bytes: Uint8Array.of(0x22, 0xff, 0x22) },
];
