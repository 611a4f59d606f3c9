import { useEffect } from "preact/hooks";
import {
  date, day, deadline, LEVEL, money, plural, query, type ScreenProps, setQuery, sum, time, useKeys,
} from "../../lib/index.ts";
import { Button, CLAIM_COLUMNS, type Column, hint, Section, Table } from "../../ui/index.ts";
import { BackToQueue } from "./back.tsx";
import { CASE, type Case, type CaseClaim, type CaseWork, Levels, openNextLevel, resultOf } from "./case_levels.tsx";
import { openDecision } from "./decision_dialog.tsx";
import { Documents } from "./documents.tsx";
import { Opened } from "./work.tsx";

const { number, status, deadline: due, service } = CLAIM_COLUMNS;
const COLUMNS: readonly Column<CaseClaim>[] = [
  number,
  status,
  { head: "Result in this case", cell: result },
  due,
  service,
  { head: "Denied", cell: ({ denied_amount, billed_amount }) => money(denied_amount ?? billed_amount), isNumber: true },
];

function result(claim: CaseClaim) {
  const words = resultOf(claim);
  if (words === undefined) return <span class="quiet-text">Still open</span>;
  return (
    <>
      {words}
      <span class="under">{time(claim.decided_at)}</span>
    </>
  );
}

/** One case: its levels, its claims with their results, and its documents. It names no patient. */
export function CaseScreen({ params }: ScreenProps) {
  return <Opened kind={CASE} title="Case" params={params} page={page} />;
}

function page(work: CaseWork) {
  const { of: found, path } = work;
  const last = found.levels.at(-1);
  const recovered = sum(found.claims.flatMap(({ amount_recovered }) => amount_recovered ?? []));
  return {
    heading: `Appeal to ${found.payer_name}`,
    lead: `${found.practice.name}, opened by ${found.opened_by.name} on ${day(found.opened_at)}`,
    actions: (
      <>
        <AskedToDecide work={work} />
        {work.may("decide") && <Decide work={work} />}
        {work.may("begin_level") && (
          <Button look="primary" onClick={() => openNextLevel(work)}>
            Begin the next level
          </Button>
        )}
        <Button look="quiet" onClick={() => print()}>
          Print
        </Button>
        <BackToQueue />
      </>
    ),
    children: (
      <>
        <div class="stack">
          {last && <p>{standing(last, found, work.may("begin_level"))}</p>}
          <Levels work={work} />
          <Section
            title={plural(found.claims.length, "claim")}
            beside={<span>{money(recovered)} recovered in this case</span>}
            look="stack tight"
          >
            <Table
              caption="Claims of the case"
              columns={COLUMNS}
              rows={found.claims}
              id={(claim) => claim.id}
              href={(claim) => `/work/${path.practice}/claims/${claim.id}`}
            />
            <p class="quiet-text no-print">To see a patient, open the claim. That is recorded.</p>
          </Section>
        </div>
        <Documents practice={path.practice} claims={found.claims} of={{ kind: "case", id: path.id }} />
      </>
    ),
  };
}

/** Opens the dialog of a decision at once if the address of a claim's link asks for it, or says what comes first. */
function AskedToDecide({ work }: { work: CaseWork }) {
  useEffect(() => {
    if (query.value.get("decision") === null) return;
    setQuery({ decision: undefined }, { replace: true });
    if (work.may("decide")) void openDecision(work);
    else hint("Record first when the level was filed.");
  }, []);
  return null;
}

/** Records a decision, also with a key. */
function Decide({ work }: { work: CaseWork }) {
  const open = (): void => void openDecision(work);
  useKeys([{ keys: "r", what: "A decision arrived", run: open }]);
  return (
    <Button look={work.of.standing === "results_missing" ? undefined : "primary"} onClick={open}>
      A decision arrived
    </Button>
  );
}

/** Where the case stands, in one sentence. The service says which. */
function standing(last: Case["levels"][number], { claims, standing: at }: Case, mayBegin: boolean) {
  const name = `Level ${last.level}, ${LEVEL[last.kind].toLowerCase()},`;
  switch (at) {
    case "over":
      return `Every claim has its result. ${name} was the last level.`;
    case "outcome_missing":
      return `Every claim has its result, and the outcome of level ${last.level}, ${LEVEL[last.kind].toLowerCase()}, is missing. Record the decision.`;
    case "results_missing":
      return `${name} is decided. Record the results of the claims${mayBegin ? ", or begin the next level" : ""}.`;
    case "awaiting_decision": {
      const { decision_due: due, follow_up_on: ask } = last;
      return (
        <>
          {`${name} was filed on ${date(last.filed_on)}. `}
          {due ? "The payer must decide by " : "No rule is known for when the payer must decide."}
          {due && <InWords day={due} />}
          {ask && " Ask the payer on "}
          {ask && <InWords day={ask} />}
        </>
      );
    }
    case "to_file": {
      // A claim can be due before the level.
      const dates = claims.flatMap(({ outcome, deadline }) => (outcome === null && deadline ? [deadline.date] : []));
      const due = [...dates, ...(last.due_on ? [last.due_on] : [])].toSorted()[0];
      if (!due) return `${name} is not filed yet.`;
      return (
        <>
          {name} must be filed by <InWords day={due} />
        </>
      );
    }
  }
}

/** A day at the end of a sentence. */
function InWords({ day: on }: { day: string }) {
  const { words, urgency } = deadline(on);
  return (
    <>
      {date(on)} <span class={`due ${urgency}`}>({words})</span>.
    </>
  );
}
