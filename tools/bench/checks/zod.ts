// The checks of a send request in Zod 4: the schema of an item, and every problem of a body in the words of the interface.

import * as z from "zod";
import { type Envelope, envelopeOf, readEnvelope } from "./envelope.ts";
import { messages } from "./messages.ts";
import { cents, FILLED, fits, isBlank, utcDate, PRINTABLE } from "./text.ts";

const PLAN_TYPES = [
  "commercial",
  "erisa",
  "aca_individual",
  "medicare",
  "medicare_advantage",
  "medi_cal_managed",
  "medi_cal_ffs",
  "tricare",
  "workers_comp",
  "other",
] as const;

const DATE = "must be a date (YYYY-MM-DD)";
const MONEY = "must be a positive amount as text with two decimals";
const TEXT = "must be text";
const OBJECT = "must be an object";
const LIST = "must be an array of text";
const PLAN = `must be one of ${PLAN_TYPES.join(", ")}`;
/** More than any list may have: items after this are not checked. */
const LIST_KEPT = 101;

type Issue = { input?: unknown };
const textOr = (missing: string, wrong: string) => ({
  error: ({ input }: Issue) => (isBlank(input) ? missing : wrong),
});

const textElse = (wrong: string) => ({
  error: ({ input }: Issue) => (typeof input === "string" ? wrong : TEXT),
});

// Blank text passes: another rule reports it as missing.
const text = (max: number) => z.string(TEXT).max(max, `must be at most ${max} characters`);
const required = (max: number) =>
  z
    .string(textOr("is required", TEXT))
    .regex(FILLED, "is required")
    .refine((value) => fits(value, max) || isBlank(value), `must be at most ${max} characters`);
const number = () =>
  required(128).refine((value) => PRINTABLE.test(value) || isBlank(value), "must have printable characters only");

/** `null` and blank text are the same as absent. */
const optional = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (isBlank(value) ? undefined : value), schema.optional());

// Zod's own dates begin in the year 0.
const date = (today: string, missing: string = DATE) =>
  z.iso
    .date(textOr(missing, DATE))
    .refine((day) => !day.startsWith("0000"), { error: DATE, when: isClean })
    .refine((day) => day <= today, { error: "must not be in the future", when: isClean });
const isClean = ({ issues }: { issues: readonly unknown[] }) => issues.length === 0;
const requiredDate = (today: string) => date(today, "is required (YYYY-MM-DD)");

const amount = z.string(MONEY).transform((value, context) => {
  const found = cents(value);
  if (found !== undefined) return found;
  context.issues.push({ code: "custom", input: value, message: MONEY });
  return z.NEVER;
});

/** A list of codes without its blank ones. */
const codes = (max: number, split: (text: string) => unknown) =>
  z.preprocess(
    (value) => {
      const list = typeof value === "string" ? split(value) : value;
      if (!Array.isArray(list)) return list ?? [];
      return list.filter((code) => typeof code !== "string" || FILLED.test(code)).slice(0, LIST_KEPT);
    },
    z
      .array(z.string(LIST).refine((code) => fits(code, 200), "must have items of at most 200 characters"), LIST)
      // Zod's own `max` would skip the items of a list that is too long.
      .refine((list) => list.length <= max, { error: `must have at most ${max} items`, when: isList }),
  );
const isList = ({ value }: { value: unknown }) => Array.isArray(value);
const byCommas = (text: string) => text.split(",").map((code) => code.trim());
const blankOnly = (text: string) => (isBlank(text) ? [] : text);

const patient = (today: string) =>
  z.object(
    {
      first_name: required(200),
      last_name: required(200),
      date_of_birth: requiredDate(today),
      account_number: optional(text(200)),
      member_id: optional(text(200)),
    },
    OBJECT,
  );

const claim = (today: string) =>
  z
    .object(
      {
        claim_number: number(),
        payer_claim_number: number(),
        payer_name: required(200),
        date_of_service: requiredDate(today),
        denial_date: optional(date(today)),
        plan_type: optional(z.enum(PLAN_TYPES, textElse(PLAN))),
        procedure_code: optional(text(200)),
        billed_amount: optional(amount),
        denied_amount: optional(amount),
        denial_codes: codes(20, byCommas),
        denial_reason: optional(text(2000)),
        diagnosis_codes: codes(100, blankOnly),
      },
      OBJECT,
    )
    .refine(
      ({ billed_amount, denied_amount }) => !(isBlank(billed_amount) && isBlank(denied_amount)),
      whole("denied_amount", "claim.billed_amount or claim.denied_amount is required"),
    )
    .refine(
      ({ denial_codes, denial_reason }) => !(isBlankList(denial_codes) && isBlank(denial_reason)),
      whole("denial_reason", "claim.denial_codes or claim.denial_reason is required"),
    );

/** A rule over several fields: it is checked even if other rules fail, and its message names the fields. */
const whole = (field: string, error: string) => ({ path: [field], error, params: { whole: true }, when: isObject });
const isObject = ({ value }: { value: unknown }) => typeof value === "object" && !Array.isArray(value);
const isBlankList = (list: unknown) => isBlank(list) || (Array.isArray(list) && list.length === 0);

/** A missing object counts as one without fields, so the errors name each required field. */
const object = <T extends z.ZodType>(schema: T) => z.preprocess((value) => value ?? {}, schema);

const items = (today: string) =>
  z
    .array(z.object({ patient: object(patient(today)), claim: object(claim(today)) }, "item must be an object"))
    .superRefine(once, { when: () => true });

export type Item = z.output<ReturnType<typeof items>>[number];

/** A claim number may occur once; the later item gets the error. */
function once(items: unknown[], context: z.RefinementCtx): void {
  const seen = new Set<unknown>();
  for (const [index, item] of items.entries()) {
    const number = (item as Partial<Item> | null)?.claim?.claim_number;
    if (typeof number !== "string" || isBlank(number)) continue;
    if (seen.has(number)) {
      const path = [index, "claim", "claim_number"];
      context.addIssue({ code: "custom", path, message: "appears more than once" });
    }
    seen.add(number);
  }
}

let current: { today: string; schema: ReturnType<typeof items> } | undefined;

/** The schema contains today's date, and is rebuilt every day. */
function schemaOf(today: string) {
  if (current?.today !== today) current = { today, schema: items(today) };
  return current.schema;
}

/** The valid items of a body, or all of its problems, in the order of items and fields. */
export type Parsed = { items: Item[]; errors?: never } | { items?: never; errors: string[] };

/** Checks a body on a UTC day, `YYYY-MM-DD`. */
export const parse = (bytes: Uint8Array, today: string): Parsed => parseEnvelope(readEnvelope(bytes), today);

function parseEnvelope(envelope: Envelope, today: string): Parsed {
  if (envelope.items === undefined) return { errors: envelope.errors };
  const parsed = schemaOf(today).safeParse(envelope.items);
  if (parsed.success && envelope.errors.length === 0) return { items: parsed.data };
  const issues = parsed.error?.issues ?? [];
  return { errors: [...envelope.errors, ...messages(issues, envelope.isBatch)] };
}

/** Every problem of a body; none if it is valid. */
export const validate = (bytes: Uint8Array): string[] => parse(bytes, utcDate(Date.now())).errors ?? [];

/** Every problem of an object; none if it is valid. */
export const validateObject = (body: unknown): string[] =>
  parseEnvelope(envelopeOf(body), utcDate(Date.now())).errors ?? [];
