// Claims as billing systems send them: most have every field, some have accents, and no two are alike. Every run makes
// the same claims.
//
//   node tools/bench/checks/batch.mjs [--prefix TEXT] [--count N]     prints the batch as JSON

import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const FIRST = ["Dana", "José", "Mary Anne", "Zoë", "Wei", "Oluwaseun", "Robert", "Siobhán"];
const LAST = ["Whitfield", "García-Núñez", "O'Brien", "Nguyen", "Smith", "Okafor", "Müller", "Vandenberg"];
const PAYERS = [
  "Blue Prairie Health",
  "Anthem Blue Cross of California",
  "UnitedHealthcare",
  "Medicare Part B - Noridian",
  "Aetna Better Health",
];
const PLANS = ["commercial", "erisa", "medicare", "medi_cal_managed", "other"];
const CODES = [["CO-50", "N130"], ["PR-204", "CO-45", "MA01"], ["CO-16", "M51"], ["OA-B7"]];
const REASONS = [
  "The service is not deemed a medical necessity by the payer.",
  "Claim lacks information or has submission errors needed for adjudication; see remark codes.",
  "Precertification was not obtained before the service.",
];

const digits = (number, width) => String(number).padStart(width, "0");
const of = (list, n) => list[n % list.length];

/** The nth claim of a sender. */
export function item(prefix, n) {
  const patient = {
    first_name: of(FIRST, n),
    last_name: of(LAST, Math.floor(n / 3)),
    date_of_birth: `${1935 + ((n * 7) % 80)}-${digits(1 + (n % 12), 2)}-${digits(1 + ((n * 5) % 28), 2)}`,
    account_number: `ACC-${digits((n * 7919) % 10_000_000, 7)}`,
    member_id: `W${digits((n * 104_729) % 1_000_000_000, 9)}`,
  };
  const claim = {
    claim_number: `${prefix}${digits(n, 5)}`,
    payer_claim_number: `2025${digits(n % 365, 3)}XK${digits((n * 31) % 1_000_000, 6)}`,
    payer_name: of(PAYERS, n),
    date_of_service: `2025-${digits(1 + (n % 12), 2)}-${digits(1 + ((n * 3) % 28), 2)}`,
    denial_date: `2026-${digits(1 + (n % 9), 2)}-${digits(1 + ((n * 11) % 28), 2)}`,
    plan_type: of(PLANS, n),
    procedure_code: n % 3 === 0 ? "99214-25" : "27447",
    billed_amount: `${80 + ((n * 37) % 4000)}.${digits(n % 100, 2)}`,
    denied_amount: `${40 + ((n * 17) % 39)}.${digits(n % 100, 2)}`,
    denial_codes: of(CODES, n),
    denial_reason: of(REASONS, n),
    diagnosis_codes: ["M17.11", "E11.9"],
  };
  // Fields that many systems do not have.
  if (n % 4 === 3) {
    delete claim.denial_reason;
    delete claim.plan_type;
    delete patient.account_number;
  }
  return { patient, claim };
}

/** A batch of claims whose numbers start with `prefix`. */
export const batch = (prefix, count) => ({ claims: Array.from({ length: count }, (_, n) => item(prefix, n)) });

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { prefix: { type: "string", default: "CH-" }, count: { type: "string", default: "100" } } });
  process.stdout.write(`${JSON.stringify(batch(values.prefix, Number(values.count)))}\n`);
}
