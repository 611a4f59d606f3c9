// The checks of a send request in Ajv: a JSON Schema that is compiled once, and code for what JSON Schema cannot
// express.

import { Ajv2020 } from "ajv/dist/2020.js";
import schema from "./schema.json" with { type: "json" };
import { isDate, utcDate } from "./text.ts";

const ajv = new Ajv2020({ allErrors: true, formats: { date: isDate } });
const matches = ajv.compile<Body>(schema);

// A byte order mark is not valid JSON.
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

interface Item {
  patient: { date_of_birth: string };
  claim: { claim_number: string; date_of_service: string; denial_date?: string | null };
}

type Body = Item | { claims: Item[] };

/** Every problem of a body, as places and Ajv's words; none if it is valid. */
export function validate(bytes: Uint8Array): string[] {
  let body: unknown;
  try {
    body = JSON.parse(utf8.decode(bytes));
  } catch {
    return ["body must be valid JSON"];
  }
  return validateObject(body);
}

/** The same for an object. */
export function validateObject(body: unknown): string[] {
  if (!matches(body)) return (matches.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  return unsaid("claims" in body ? body.claims : [body]);
}

function unsaid(items: Item[]): string[] {
  const today = utcDate(Date.now());
  const errors: string[] = [];
  const seen = new Set<string>();
  for (const [index, { patient, claim }] of items.entries()) {
    if (seen.has(claim.claim_number)) errors.push(`/${index}/claim/claim_number must be unique`);
    seen.add(claim.claim_number);
    for (const date of [patient.date_of_birth, claim.date_of_service, claim.denial_date]) {
      if (date && date > today) errors.push(`/${index} must have no date in the future`);
    }
  }
  return errors;
}
