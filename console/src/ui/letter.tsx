// The payer's letter about a claim: what a person read in it, and what follows for the deadline. The service decides that.

import { limits, type PlanType } from "../generated/rules.ts";
import type { Answer, Body } from "../lib/api.ts";
import { addDays, choicesOf, date, type Intent, isOpen, PLAN, today } from "../lib/index.ts";
import { changes, ChoiceField, SelectField, TextField, type Values } from "./form.tsx";
import { openForm } from "./form_dialog.tsx";
import { toast } from "./toast.tsx";

type OfStaff = Answer<"/api/v1/staff/practices/{practice}/claims/{id}", "get">;
type Own = Answer<"/api/v1/denials/{id}", "get">;
/** A claim as staff or its practice see it. */
type Claim = Pick<OfStaff | Own, "deadline" | "deadline_by_rule" | "letter" | "denial_date" | "plan_type" | "status">;
export type LetterEdit = Body<"/api/v1/denials/{id}/letter", "patch">;
type Recorded = Answer<"/api/v1/denials/{id}/letter", "patch">;
type Facts = Pick<NonNullable<Claim["letter"]>, "denial_date" | "plan_type" | "appeal_due" | "counts">;

/** The person who looks at a claim: of the staff, or of the practice. */
type Reader = NonNullable<Claim["letter"]>["read_by"];

/** The name of the dialog, and of what opens it. */
export const SET_LETTER = "Set the date of the letter";

const NOTHING: Facts = { denial_date: null, plan_type: null, appeal_due: null, counts: "earliest" };

/** What a letter says about a claim, beside what was sent. */
export type LetterOf = Pick<Claim, "letter" | "plan_type" | "denial_date">;

/** The kind of plan: as a person read it, or else as it was sent. */
export const planOf = ({ letter, plan_type }: Omit<LetterOf, "denial_date">): PlanType | null =>
  letter?.plan_type ?? (plan_type as PlanType | null);

/** The date of the denial: as a person read it, or else as it was sent. */
export const deniedOf = ({ letter, denial_date }: Omit<LetterOf, "plan_type">): string | null => letter?.denial_date ?? denial_date;

const nameOf = (plan: string): string => (PLAN as Readonly<Record<string, string>>)[plan] ?? plan;

function readBy({ read_by: side, read_at }: NonNullable<Claim["letter"]>, reader: Reader): string {
  const who = side === "staff" ? "Overturn staff" : reader === "practice" ? "your practice" : "the practice";
  return `read by ${who} on ${date(read_at)}`;
}

/** Where the deadline comes from, and the dates that do not count, each with the reason. */
export function DeadlineSources({ of, reader }: { of: Claim; reader: Reader }) {
  const { deadline, deadline_by_rule: rule, letter } = of;
  const due = letter?.appeal_due;
  return (
    <>
      <span class="under">
        {counted(of, reader)}
        {deadline?.from === "rule" && rule && (
          <>
            {" "}
            Source: <cite>{rule.source}</cite>
          </>
        )}
      </span>
      {letter && due && deadline?.from !== "letter" && (
        <span class="under">
          {`The payer’s letter, ${readBy(letter, reader)}: ${date(due)}. `}
          {whyNot(of, due)}
        </span>
      )}
      {rule && deadline?.from !== "rule" && (
        <span class="under">
          {`The rule for ${nameOf(rule.plan_type)}, ${rule.days} days: ${date(rule.date)}. `}
          {whyNot(of, rule.date)}
        </span>
      )}
    </>
  );
}

function counted(of: Claim, reader: Reader): string {
  const { deadline, deadline_by_rule: rule, letter } = of;
  if (deadline?.from === "case") return reader === "staff" ? "From the current level of the case." : "The date of the appeal’s current step.";
  if (deadline?.from === "letter" && letter) return `The last day in the payer’s letter, ${readBy(letter, reader)}.`;
  if (deadline) return `By the rule for ${nameOf(rule?.plan_type ?? "the plan")}${rule ? `: ${rule.days} days` : ""}, counted from the denial on ${date(deniedOf(of))}.`;
  if (of.status === "in_appeal") return reader === "staff" ? "The current level is filed or has no date. The case says which." : "The current step is filed or has no date.";
  const [denied, plan] = [deniedOf(of), planOf(of)];
  const missing = [!denied && "denial date", !plan && "plan type"].filter(Boolean).join(" and no ");
  if (missing) return `We have no ${missing}, so no rule gives a date. Look at the payer’s letter.`;
  return `We know no rule for ${nameOf(plan ?? "")}. Look at the payer’s letter.`;
}

/** Why a date does not count, in terms of the one that does. */
function whyNot({ deadline, letter, status }: Claim, day: string): string {
  if (!deadline) return isOpen(status) ? "It does not count: a level was filed." : "It does not count: the appeal has ended.";
  if (deadline.date === day) return "It is the same day.";
  if (deadline.from === "case") return "It does not count: the date of the case does.";
  if (deadline.from === "letter" && letter?.counts === "letter") return "It does not count: a person decided that the letter’s day does.";
  return "It does not count: the other day is earlier.";
}

/** What was sent, beside what a person read in the letter. */
export function Sent({ as }: { as: string | null }) {
  return <span class="under">{as ? `in the letter; sent as ${as}` : "in the letter; not sent"}</span>;
}

export function letterInWords(facts: Partial<Facts> | null): string {
  if (facts === null) return "Nothing is recorded of the payer’s letter any more.";
  const said = [
    facts.appeal_due && `last day ${date(facts.appeal_due)}${facts.counts === "letter" ? ", which counts" : ""}`,
    facts.denial_date && `denied on ${date(facts.denial_date)}`,
    facts.plan_type && nameOf(facts.plan_type),
  ];
  return `The payer’s letter: ${said.filter(Boolean).join("; ")}.`;
}

const COUNTS: Readonly<Record<Facts["counts"], string>> = {
  earliest: "The earlier one of the letter and the rule",
  letter: "The letter’s, even if the rule’s is earlier",
};

/** Records what the payer's letter says. `save` sends what changed. */
export function openLetter(of: Claim, save: (body: LetterEdit, intent: Intent) => Promise<Recorded>): Promise<unknown> {
  const known: Facts = of.letter ?? NOTHING;
  const { deadline_by_rule: rule, denial_date: denied, plan_type: plan } = of;
  const [min, max] = [addDays(today(), -limits.levelDaysAgo), addDays(today(), limits.dueDaysAhead)];
  const byRule = rule ? `By the rule for ${nameOf(rule.plan_type)}, the last day is ${date(rule.date)} now.` : "No rule gives a day now.";
  return openForm({
    title: SET_LETTER,
    lead: "Enter what the payer’s letter says. What was sent stays as it was sent, and staff and the practice see these facts.",
    submit: "Save",
    act: async (values, intent) => {
      const body = changes<Facts>(known, {
        appeal_due: values.textOrNull("appeal_due"),
        denial_date: values.textOrNull("denial_date"),
        plan_type: values.textOrNull("plan_type") as PlanType | null,
        counts: values.text("counts") as Facts["counts"],
      });
      if (!body) return;
      const { deadline } = await save(body, intent);
      toast(deadline ? `The deadline is ${date(deadline.date)}.` : "Saved. No deadline is known.");
    },
    check: checkLetter,
    children: (
      <>
        <TextField
          name="appeal_due"
          label="Last day to appeal"
          type="date"
          hint="As the letter names it."
          {...{ min, max }}
          title={`must be from ${date(min)} to ${date(max)}`}
          defaultValue={known.appeal_due ?? ""}
        />
        <TextField
          name="denial_date"
          label="Denial date"
          type="date"
          hint={denied ? `Only if it is not ${date(denied)}, as it was sent.` : "It was not sent."}
          defaultValue={known.denial_date ?? ""}
        />
        <SelectField
          name="plan_type"
          label="Plan type"
          choices={[["", plan ? `${nameOf(plan)}, as sent` : "Not known"], ...choicesOf(PLAN)]}
          value={known.plan_type ?? ""}
        />
        <ChoiceField kind="radio" name="counts" label="Which day counts" hint={byRule} choices={choicesOf(COUNTS)} value={[known.counts]} required />
      </>
    ),
  });
}

function checkLetter(values: Values): Readonly<Record<string, string>> {
  const isFuture = values.text("denial_date") > today();
  const isMissing = values.text("counts") === "letter" && !values.text("appeal_due");
  return {
    ...(isFuture && { denial_date: "must not be in the future" }),
    ...(isMissing && { appeal_due: "is required if the letter’s day counts" }),
  };
}
