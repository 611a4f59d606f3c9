// The levels of an appeal, and changes of them.

import { levelKinds, type LevelKind, type LevelOutcome, limits, type PlanType, stepsOf } from "../../generated/rules.ts";
import { type Answer, type Body, get, patch, post } from "../../lib/api.ts";
import {
  addDays, choicesOf, CLOSING, FIRST_STEPS, date, type Intent, LEVEL, money, OUTCOME, time, today, words,
} from "../../lib/index.ts";
import {
  Button, changes, Due, Fact, isStale, openForm, RowAction, Section, SelectField, TextField, toast, type Values,
} from "../../ui/index.ts";
import type { Kind, Work } from "./work.tsx";

export type Case = Answer<"/api/v1/staff/practices/{practice}/cases/{id}", "get">;
type Level = Case["levels"][number];
export type CaseClaim = Case["claims"][number];
type LevelChange = Body<"/api/v1/staff/practices/{practice}/cases/{id}/levels/{level}", "patch">;

export type CaseWork = Work<Case>;

export const CASE: Kind<Case> = {
  noun: "case",
  read: (path, signal) => get("/api/v1/staff/practices/{practice}/cases/{id}", { path, signal }),
  changes: (before, now) => {
    const levels = now.levels.flatMap((level) => changesOf(before.levels.find((one) => one.level === level.level), level));
    const changes = [...levels, ...now.claims.flatMap((claim) => claimChanges(claim, before, now))];
    if (changes.length === 0) return <p>Something that the case does not show.</p>;
    return (
      <ul>
        {changes.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    );
  },
  // The result of a claim leaves the version of its case as it is.
  isStale: (problem) => isStale(problem) || problem.fields.some(({ field }) => /^claims\[\d+\]\.id$/.test(field)),
};

const FIELDS = ["kind", "due_on", "filed_on", "decided_on", "outcome", "follow_up_on"] as const;

function changesOf(before: Level | undefined, after: Level): string[] {
  if (!before) return [`${after.begun_by.name} began level ${after.level}: ${LEVEL[after.kind]}.`];
  const changed = FIELDS.filter((field) => before[field] !== after[field]);
  return changed.map((field) => `Level ${after.level}, ${words(field).toLowerCase()}: ${before[field] ?? "nothing"} became ${after[field] ?? "nothing"}.`);
}

/** What others did with a claim. */
function claimChanges(claim: CaseClaim, before: Case, now: Case): string[] {
  const { id, claim_number: number } = claim;
  const was = before.claims.find((one) => one.id === id);
  if (!was) return [`${number} joined the case.`];
  const holderIn = ({ appealed }: Case) => appealed.find((one) => one.id === id)?.taken_by;
  const [holder, had] = [holderIn(now), holderIn(before)];
  return [
    ...(resultOf(claim) === resultOf(was) ? [] : [`${number}: ${resultOf(claim) ?? "still open"}.`]),
    ...(holder === undefined || holder?.id === had?.id ? [] : [`${number}: taken by ${holder?.name ?? "no one"}.`]),
  ];
}

/** The result of a claim in this case, in words; `undefined` if it is still open. */
export function resultOf({ outcome, amount_recovered, closing_reason }: CaseClaim): string | undefined {
  if (outcome === null) return undefined;
  if (outcome === "recovered") return `${money(amount_recovered)} recovered`;
  return closing_reason ? CLOSING[closing_reason] : "Closed";
}

/** By when the payer must decide, with the source of the rule. A date is in words as long as the payer has the level. */
function DecisionDue({ level: { decision_due: due, decision_source: source, decided_on: decided } }: { level: Pick<Level, "decision_due" | "decision_source" | "decided_on"> }) {
  if (!due) return <span class="quiet-text">No rule is known</span>;
  return (
    <>
      {decided ? date(due) : <Due day={due} />}
      <span class="under">{source}</span>
    </>
  );
}

/** All levels, the current one first. */
export function Levels({ work }: { work: CaseWork }) {
  const { levels } = work.of;
  return (
    <Section title="Levels">
      <ol class="timeline">
        {levels.toReversed().map((level) => (
          <li key={level.level}>
            <div class="card-head">
              <h3>
                Level {level.level}: {LEVEL[level.kind]}
              </h3>
              {work.may("edit_level") && level.level === levels.length && !level.filed_on && !level.outcome && <FiledToday {...{ work, level }} />}
              {work.may("edit_level") && (
                <Button look="quiet" onClick={() => openEdit(work, level)} aria-label={`Edit level ${level.level}`}>
                  Edit
                </Button>
              )}
            </div>
            <dl class="facts dense">
              <Fact name="Due">
                {level.due_on && !level.filed_on && !level.outcome && level.level === levels.length ? <Due day={level.due_on} /> : date(level.due_on)}
              </Fact>
              <Fact name="Filed">{level.filed_on ? date(level.filed_on) : "Not yet"}</Fact>
              {level.filed_on && (
                <Fact name="Payer must decide by">
                  <DecisionDue level={level} />
                </Fact>
              )}
              {level.follow_up_on && (
                <Fact name="Ask the payer on">
                  <Due day={level.follow_up_on} />
                </Fact>
              )}
              <Fact name="Decided">{level.decided_on ? date(level.decided_on) : "Not yet"}</Fact>
              <Fact name="Outcome">{level.outcome ? OUTCOME[level.outcome] : "Open"}</Fact>
            </dl>
            <span class="under">
              Begun by {level.begun_by.name}, {time(level.begun_at)}
            </span>
          </li>
        ))}
      </ol>
    </Section>
  );
}

/** Records the common case with one press and a question. */
function FiledToday({ work, level: { level } }: { work: CaseWork; level: Level }) {
  const text = "The practice sees that the level is filed today. Its claims have no deadline until the next level, and the payer’s time to decide begins.";
  const ask = { title: `Level ${level}: filed today?`, text, action: "Filed today" };
  return <RowAction label="Filed today" ask={ask} run={(intent) => save(work, level, { filed_on: today() }, intent)} />;
}

async function save({ path: at, change }: CaseWork, level: number, body: LevelChange, intent: Intent): Promise<void> {
  const path = { ...at, level };
  await change((version) => patch("/api/v1/staff/practices/{practice}/cases/{id}/levels/{level}", { path, body, version, intent }));
  toast("The level was saved.");
}

/** Only one of an outcome and its day makes no sense, and nothing was done in the future. */
function checkLevel(values: Values): Readonly<Record<string, string>> {
  const [outcome, decided] = [values.text("outcome"), values.text("decided_on")];
  const isFuture = (name: string) => values.text(name) > today() && { [name]: "must not be in the future" };
  return {
    ...isFuture("filed_on"),
    ...isFuture("decided_on"),
    ...(outcome && !decided && { decided_on: "is required with an outcome" }),
    ...(decided && !outcome && { outcome: "is required with the day of the decision" }),
  };
}

function openEdit(work: CaseWork, level: Level): Promise<unknown> {
  const isWithPayer = level.filed_on !== null && level.outcome === null;
  return openForm({
    title: `Level ${level.level}`,
    lead: "The practice sees these facts. Once the level is filed, its claims have no deadline until the next level.",
    submit: "Save the level",
    act: async (values, intent) => {
      const entered = {
        kind: values.text("kind") as LevelKind,
        due_on: values.textOrNull("due_on"),
        filed_on: values.textOrNull("filed_on"),
        decided_on: values.textOrNull("decided_on"),
        outcome: values.textOrNull("outcome") as LevelOutcome | null,
        ...(isWithPayer && { follow_up_on: values.textOrNull("follow_up_on") }),
      };
      const body = changes<Level>(level, entered);
      if (body) await save(work, level.level, body, intent);
    },
    check: checkLevel,
    children: (
      <>
        <SelectField name="kind" label="Kind" choices={choicesOf(LEVEL)} value={level.kind} required />
        <TextField name="due_on" label="Due on" type="date" {...dueBetween(limits.levelDaysAgo)} defaultValue={level.due_on ?? ""} />
        <TextField name="filed_on" label="Filed on" type="date" defaultValue={level.filed_on ?? ""} />
        {isWithPayer && (
          <TextField
            name="follow_up_on"
            label="Ask the payer on"
            type="date"
            {...dueBetween(limits.levelDaysAgo)}
            hint="Another day than the one by which the payer must decide. The case is among the decisions that are due from then on."
            defaultValue={level.follow_up_on ?? ""}
          />
        )}
        <TextField name="decided_on" label="Decided on" type="date" defaultValue={level.decided_on ?? ""} />
        <SelectField name="outcome" label="Outcome" choices={[["", "Open"], ...choicesOf(OUTCOME)]} value={level.outcome ?? ""} />
      </>
    ),
  });
}

export function openNextLevel({ path, change }: CaseWork): Promise<unknown> {
  return openForm({
    title: "Begin the next level",
    lead: "The practice sees the new level. The claims that are still in appeal are due on its day, or earlier if nothing was filed for them yet. Webhooks get a message.",
    submit: "Begin the level",
    act: async (values, intent) => {
      const body = { kind: values.text("kind") as LevelKind, due_on: values.textOrNull("due_on") };
      await change((version) => post("/api/v1/staff/practices/{practice}/cases/{id}/levels", { path, body, version, intent }));
      toast("The next level has begun.");
    },
    children: <LevelFields label="Next step" hint="The day that the payer’s letter gives. Without it, a claim has no deadline unless nothing was filed for it." />,
  });
}

interface LevelFieldsProps {
  label: string;
  hint: string;
  /** The usual steps, which come first in the list. The first one is chosen. */
  usual?: readonly LevelKind[];
  plan?: PlanType | null | undefined;
  due?: string | undefined;
}

/** The first and the last day on which a level can be due. */
export function dueBetween(daysAgo: number) {
  const [min, max] = [addDays(today(), -daysAgo), addDays(today(), limits.dueDaysAhead)];
  return { min, max, title: `must be from ${date(min)} to ${date(max)}` };
}

/** The kind of a new level, and the day on which it is due. */
function LevelFields({ label, hint, usual = [], plan, due }: LevelFieldsProps) {
  const all: readonly LevelKind[] = plan ? stepsOf[plan] : levelKinds;
  const kinds = [...usual, ...all.filter((kind) => !usual.includes(kind))];
  return (
    <>
      <SelectField
        name="kind"
        label={label}
        choices={kinds.map((kind) => [kind, LEVEL[kind]] as const)}
        required
        autofocus
        {...(usual[0] && { value: usual[0] })}
      />
      <TextField name="due_on" label="Due on" type="date" {...dueBetween(limits.dueDaysAgo)} {...{ hint }} defaultValue={due ?? ""} />
    </>
  );
}

/** The first step of an appeal, with the earliest deadline of its claims. */
export function FirstStep({ plan, due }: Pick<LevelFieldsProps, "plan" | "due">) {
  return (
    <LevelFields
      label="First step"
      hint="The earliest deadline that we know. If the payer’s letter gives another day, enter that. A claim with an earlier deadline keeps it."
      usual={(plan && FIRST_STEPS[plan]) ?? []}
      plan={plan}
      due={due}
    />
  );
}
