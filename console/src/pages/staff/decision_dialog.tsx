// A decision of the payer arrived: its outcome, the result of each claim, and the next level, in one dialog.

import { useRef, useState } from "preact/hooks";
import { type ClosingReason, closingReasonsOf, type LevelKind, type LevelOutcome, levelKinds, limits } from "../../generated/rules.ts";
import { amountOf, compareAmounts } from "../../lib/amount.ts";
import { type Body, post } from "../../lib/api.ts";
import { money, today } from "../../lib/format.ts";
import { user } from "../../lib/session.ts";
import { choicesOf, CLOSING, LEVEL, OUTCOME } from "../../lib/terms.ts";
import { CheckField, SelectField, TextField, type Values } from "../../ui/form.tsx";
import { openForm } from "../../ui/form_dialog.tsx";
import { toast } from "../../ui/toast.tsx";
import { type Case, type CaseWork, dueBetween } from "./case_levels.tsx";

type Decision = Body<"/api/v1/staff/practices/{practice}/cases/{id}/decisions", "post">;
type Result = NonNullable<Decision["claims"]>[number]["result"];
type CaseClaim = Case["claims"][number];

/** The most claims of one decision. */
const MOST = 100;

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

/** The claims in appeal, in the order of the fields. */
const openClaims = ({ claims, appealed }: Case): CaseClaim[] =>
  claims.filter(({ id }) => appealed.some((one) => one.id === id)).slice(0, MOST);

const field = (n: number, name: string): string => `claims[${n}].${name}`;

/** What was entered, for the newest version of the case. A claim keeps the place that its fields have. */
function bodyOf(values: Values, shown: readonly CaseClaim[], now: Case): Decision {
  const kind = values.text("next_level.kind");
  return {
    outcome: values.text("outcome") as LevelOutcome,
    decided_on: values.text("decided_on"),
    claims: shown.map(({ id }, n) => {
      const result = values.text(field(n, "result")) as Result;
      return {
        id,
        version: now.appealed.find((one) => one.id === id)?.version ?? 1,
        result,
        ...(result === "recovered" && { amount_recovered: amountOf(values.text(field(n, "amount_recovered"))) ?? "" }),
        ...(result === "closed" && { reason: values.text(field(n, "reason")) as ClosingReason }),
      };
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

/** Records a decision. */
export function openDecision({ of: found, path, change }: CaseWork): Promise<unknown> {
  const claims = openClaims(found);
  const lead = "The practice sees the decision, the results and the next level. Its webhooks get a message for each claim.";
  return openForm({
    title: "A decision arrived",
    lead: claims.length > 0 ? lead : "Every claim has its result already. Record how the payer decided the level. The practice sees it.",
    submit: "Record the decision",
    wide: claims.length > 0,
    act: async (values, intent) => {
      await change((version, now) =>
        post("/api/v1/staff/practices/{practice}/cases/{id}/decisions", { path, body: bodyOf(values, claims, now), version, intent }),
      );
      toast("The decision was recorded.");
    },
    check: (values) => check(values, claims),
    children: <Fields found={found} claims={claims} />,
  });
}

/** The fields. The outcome chooses the usual result of each claim that has no other yet. */
function Fields({ found, claims }: { found: Case; claims: readonly CaseClaim[] }) {
  const before = found.levels.at(-1);
  const [outcome, setOutcome] = useState<LevelOutcome | undefined>(before?.outcome ?? undefined);
  const [chosen, setChosen] = useState<Readonly<Record<string, Result>>>({});
  // Another outcome does not take away an amount that was typed.
  const typed = useRef<Record<string, string>>({});
  const [usual, reason] = outcome ? USUAL[outcome] : (["in_appeal", "denial_upheld"] as const);
  const resultOf = ({ id }: CaseClaim): Result => chosen[id] ?? usual;
  const goesOn = claims.some((claim) => resultOf(claim) === "in_appeal");
  const holders = claims.flatMap((claim) => {
    const holder = found.appealed.find(({ id }) => id === claim.id)?.taken_by;
    return holder && holder.id !== user.value?.id && resultOf(claim) !== "in_appeal" ? [holder.name] : [];
  });
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
      <TextField name="decided_on" label="Decided on" type="date" max={today()} required defaultValue={before?.decided_on ?? today()} />
      {claims.map((claim, n) => (
        <div key={claim.id} class="filters">
          <SelectField
            name={field(n, "result")}
            label={`Result of ${claim.claim_number}`}
            hint={`${money(claim.denied_amount ?? claim.billed_amount)} ${claim.denied_amount ? "denied" : "billed"}`}
            choices={RESULTS}
            value={resultOf(claim)}
            required
            onChange={(event) => setChosen({ ...chosen, [claim.id]: event.currentTarget.value as Result })}
          />
          {resultOf(claim) === "recovered" && (
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
          {resultOf(claim) === "closed" && (
            <SelectField
              key={outcome}
              name={field(n, "reason")}
              label={`Why ${claim.claim_number} is closed`}
              choices={closingReasonsOf.in_appeal.map((one) => [one, CLOSING[one]] as const)}
              value={reason}
              required
            />
          )}
        </div>
      ))}
      {holders.length > 0 && (
        <CheckField
          name="take_over"
          label={`Take over the claims of ${[...new Set(holders)].join(", ")}`}
          hint="Only the person who has a claim records its result."
          required
          missing="Check this box to take the claims over, or let their appeals go on."
        />
      )}
      {goesOn && <NextLevel />}
    </>
  );
}

function NextLevel() {
  const [kind, setKind] = useState("");
  return (
    <>
      <SelectField
        name="next_level.kind"
        label="Next level for the claims that go on"
        choices={[["", "Begin none yet"], ...levelKinds.map((one) => [one, LEVEL[one]] as const)]}
        value={kind}
        onChange={(event) => setKind(event.currentTarget.value)}
      />
      {kind && (
        <TextField name="next_level.due_on" label="Next level due on" type="date" {...dueBetween(limits.dueDaysAgo)} hint="The day that the payer’s letter gives." />
      )}
    </>
  );
}
