// A decision of the payer arrived: its outcome, the result of each claim, and the next level, in one dialog.

import { type Signal, signal } from "@preact/signals";
import { useRef, useState } from "preact/hooks";
import { type ClosingReason, closingReasonsOf, type LevelKind, type LevelOutcome, levelKinds, limits } from "../../generated/rules.ts";
import {
  amountOf, choicesOf, CLOSING, compareAmounts, LEVEL, money, OUTCOME, ownProblem, today, user,
} from "../../lib/index.ts";
import { type Body, post } from "../../lib/api.ts";
import { CheckField, openForm, SelectField, TextField, toast, type Values } from "../../ui/index.ts";
import { type Case, type CaseClaim, type CaseWork, dueBetween } from "./case_levels.tsx";

type Decision = Body<"/api/v1/staff/practices/{practice}/cases/{id}/decisions", "post">;
type Result = NonNullable<Decision["claims"]>[number]["result"];

const RESULTS: readonly (readonly [Result, string])[] = [
  ["in_appeal", "The appeal goes on"],
  ["recovered", "Recovered"],
  ["closed", "Closed"],
];

/** The usual result of a claim and the usual reason, by the outcome of the level. */
const USUAL: Readonly<Record<LevelOutcome, readonly [Result, ClosingReason]>> = {
  overturned: ["recovered", "denial_upheld"],
  partly_overturned: ["recovered", "denial_upheld"],
  upheld: ["in_appeal", "denial_upheld"],
  dismissed: ["in_appeal", "denial_upheld"],
  withdrawn: ["closed", "withdrawn"],
};

/** Those of the claims that are in appeal now. One that joins the case while the dialog is open is left as it is. */
const stillOpen = (claims: readonly CaseClaim[], { appealed }: Case): CaseClaim[] => claims.filter(({ id }) => appealed.some((one) => one.id === id));

const field = (n: number, name: string): string => `claims[${n}].${name}`;

/** What was entered about the claims, by their ids. The fields of a claim have its place among those that were shown. */
function resultsOf(values: Values, shown: readonly CaseClaim[]) {
  return new Map(
    shown.map(({ id }, n) => {
      const result = values.text(field(n, "result")) as Result;
      const entered = {
        result,
        ...(result === "recovered" && { amount_recovered: amountOf(values.text(field(n, "amount_recovered"))) ?? "" }),
        ...(result === "closed" && { reason: values.text(field(n, "reason")) as ClosingReason }),
      };
      return [id, entered] as const;
    }),
  );
}

/** The colleagues who have claims with a new result. Two may have one name. */
function holdersOf({ appealed }: Case, resultOf: (id: string) => Result | undefined): Map<string, string> {
  const theirs = appealed.filter(({ id }) => (resultOf(id) ?? "in_appeal") !== "in_appeal");
  return new Map(theirs.flatMap(({ taken_by: holder }) => (holder && holder.id !== user.value?.id ? [[holder.id, holder.name] as const] : [])));
}

const named = (names: Iterable<string>): string => [...new Set(names)].join(", ");

/** What was entered, for the newest version of the case. The claims are in the order of the fields. */
function bodyOf(values: Values, results: ReturnType<typeof resultsOf>, now: Case): Decision {
  const kind = values.text("next_level.kind");
  return {
    outcome: values.text("outcome") as LevelOutcome,
    decided_on: values.text("decided_on"),
    claims: [...results].flatMap(([id, entered]) => {
      const version = now.appealed.find((one) => one.id === id)?.version;
      return version === undefined ? [] : { id, version, ...entered };
    }),
    ...(kind && { next_level: { kind: kind as LevelKind, due_on: values.text("next_level.due_on") } }),
    take_over: values.has("take_over"),
  };
}

function check(values: Values, claims: readonly CaseClaim[]): Readonly<Record<string, string>> {
  const wrong: Record<string, string> = {};
  if (values.text("decided_on") > today()) wrong.decided_on = "must not be in the future";
  claims.forEach((_, n) => {
    if (values.text(field(n, "result")) !== "recovered") return;
    const amount = amountOf(values.text(field(n, "amount_recovered")));
    if (amount === undefined || compareAmounts(amount, "0.00") <= 0) wrong[field(n, "amount_recovered")] = "must be an amount in dollars, such as 80.00";
  });
  return wrong;
}

export function openDecision({ of: found, path, change }: CaseWork): Promise<unknown> {
  // Others may record results and take claims while the dialog is open.
  const newest = signal(found);
  const first = stillOpen(found.claims, found).slice(0, limits.claimsAtOnce);
  const lead = "The practice sees the decision, the results and the next level. Its webhooks get a message for each claim.";
  return openForm({
    title: "A decision arrived",
    lead: first.length > 0 ? lead : "Every claim has its result already. Record how the payer decided the level. The practice sees it.",
    submit: "Record the decision",
    wide: first.length > 0,
    act: async (values, intent) => {
      const results = resultsOf(values, stillOpen(first, newest.peek()));
      const resultOf = (id: string) => results.get(id)?.result;
      const asked = holdersOf(newest.peek(), resultOf);
      await change((version, now) => {
        newest.value = now;
        const others = [...holdersOf(now, resultOf)].flatMap(([id, name]) => (asked.has(id) ? [] : [name]));
        if (others.length > 0) throw ownProblem("refused", `${named(others)} took a claim in the meantime. Take it over, or let its appeal go on.`);
        return post("/api/v1/staff/practices/{practice}/cases/{id}/decisions", { path, body: bodyOf(values, results, now), version, intent });
      });
      toast("The decision was recorded.");
    },
    check: (values) => check(values, stillOpen(first, newest.peek())),
    children: <Fields newest={newest} first={first} />,
  });
}

/** The fields. The outcome chooses the usual result of each claim that has no other yet. */
function Fields({ newest, first }: { newest: Signal<Case>; first: readonly CaseClaim[] }) {
  const found = newest.value;
  const claims = stillOpen(first, found);
  const before = found.levels.at(-1);
  const [outcome, setOutcome] = useState<LevelOutcome | undefined>(before?.outcome ?? undefined);
  const [chosen, setChosen] = useState<Readonly<Record<string, Result>>>({});
  // Another outcome takes away nothing that was entered.
  const [reasons, setReasons] = useState<Readonly<Record<string, ClosingReason>>>({});
  const [next, setNext] = useState<Next>({ kind: "", due: "" });
  const typed = useRef<Record<string, string>>({});
  const [usual, reason] = outcome ? USUAL[outcome] : (["in_appeal", "denial_upheld"] as const);
  const resultOf = (id: string): Result => chosen[id] ?? usual;
  const goesOn = claims.some(({ id }) => resultOf(id) === "in_appeal");
  const holders = holdersOf(found, (id) => (claims.some((one) => one.id === id) ? resultOf(id) : undefined));
  return (
    <>
      <SelectField
        name="outcome"
        label="Outcome"
        choices={choicesOf(OUTCOME)}
        required
        autofocus
        {...(outcome && { value: outcome })}
        onChange={(event) => setOutcome((event.currentTarget.value || undefined) as LevelOutcome | undefined)}
      />
      {claims.map((claim, n) => (
        <div key={claim.id} class="filters">
          <SelectField
            name={field(n, "result")}
            label={`Result of ${claim.claim_number}`}
            hint={`${money(claim.denied_amount ?? claim.billed_amount)} ${claim.denied_amount ? "denied" : "billed"}`}
            choices={RESULTS}
            value={resultOf(claim.id)}
            required
            onChange={(event) => setChosen({ ...chosen, [claim.id]: event.currentTarget.value as Result })}
          />
          {resultOf(claim.id) === "recovered" && (
            <TextField
              key={outcome}
              name={field(n, "amount_recovered")}
              label={`Paid so far for ${claim.claim_number}`}
              inputMode="decimal"
              autocomplete="off"
              required
              defaultValue={typed.current[claim.id] ?? ((outcome === "overturned" && (claim.denied_amount ?? claim.billed_amount)) || "")}
              onInput={(event) => {
                typed.current[claim.id] = event.currentTarget.value;
              }}
            />
          )}
          {resultOf(claim.id) === "closed" && (
            <SelectField
              name={field(n, "reason")}
              label={`Why ${claim.claim_number} is closed`}
              choices={closingReasonsOf.in_appeal.map((one) => [one, CLOSING[one]] as const)}
              value={reasons[claim.id] ?? reason}
              required
              onChange={(event) => setReasons({ ...reasons, [claim.id]: event.currentTarget.value as ClosingReason })}
            />
          )}
        </div>
      ))}
      {/* It is right most often, and the keyboard needs several keys to pass it. */}
      <TextField name="decided_on" label="Decided on" type="date" max={today()} required defaultValue={before?.decided_on ?? today()} />
      {holders.size > 0 && (
        <CheckField
          key={[...holders.keys()].join()}
          name="take_over"
          label={`Take over the claims of ${named(holders.values())}`}
          hint="Only the person who has a claim records its result."
          required
          missing="Check this box to take the claims over, or let their appeals go on."
        />
      )}
      {goesOn && <NextLevel next={next} onChange={setNext} />}
    </>
  );
}

/** What was entered about the next level. */
interface Next {
  kind: string;
  due: string;
}

function NextLevel({ next, onChange }: { next: Next; onChange: (next: Next) => void }) {
  return (
    <>
      <SelectField
        name="next_level.kind"
        label="Next level for the claims that go on"
        choices={[["", "Begin none yet"], ...levelKinds.map((one) => [one, LEVEL[one]] as const)]}
        value={next.kind}
        onChange={(event) => onChange({ ...next, kind: event.currentTarget.value })}
      />
      {next.kind && (
        <TextField
          name="next_level.due_on"
          label="Next level due on"
          type="date"
          {...dueBetween(limits.dueDaysAgo)}
          hint="The day that the payer’s letter gives."
          required
          defaultValue={next.due}
          onInput={(event) => onChange({ ...next, due: event.currentTarget.value })}
        />
      )}
    </>
  );
}
