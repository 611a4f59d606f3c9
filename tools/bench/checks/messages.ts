// Zod's issues as the messages of the interface, in the order of items and fields.

import type * as z from "zod";

type Issue = z.core.$ZodIssue;

// The order of the fields of an object. A rule over two fields counts as the later one.
const FIELDS = [
  ...["first_name", "last_name", "date_of_birth", "account_number", "member_id"],
  ...["claim_number", "payer_claim_number", "payer_name", "date_of_service", "denial_date", "plan_type", "procedure_code"],
  ...["billed_amount", "denied_amount", "denial_codes", "denial_reason", "diagnosis_codes"],
];

/** One message for each problem; in a batch, each names its item. */
export function messages(issues: readonly Issue[], isBatch: boolean): string[] {
  const placed = issues.map((issue) => ({ place: place(issue), text: message(issue, isBatch) }));
  placed.sort((a, b) => a.place - b.place);
  // A list reports each kind of bad item once.
  return [...new Set(placed.map(({ text }) => text))];
}

function place({ path, code }: Issue): number {
  const [index, object, field, ...inside] = path;
  const ofObject = object === "claim" ? FIELDS.length : 0;
  // For a list, the number of items is reported first, then the items.
  const ofList = inside.length === 0 ? 0 : code === "invalid_type" ? 1 : 2;
  const position = ofObject + FIELDS.indexOf(String(field));
  return (Number(index) * 2 * FIELDS.length + position + 1) * 3 + ofList;
}

function message(issue: Issue, isBatch: boolean): string {
  const [index, object, field] = issue.path;
  const isWhole = object === undefined || (issue.code === "custom" && issue.params?.["whole"] === true);
  const name = field === undefined ? object : `${String(object)}.${String(field)}`;
  const text = isWhole ? issue.message : `${String(name)} ${issue.message}`;
  return isBatch ? `claims[${String(index)}]: ${text}` : text;
}
