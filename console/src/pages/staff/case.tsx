import { date, day, deadline, money, plural, sum, time } from "../../lib/format.ts";
import type { ScreenProps } from "../../lib/router.ts";
import { CLOSING, LEVEL } from "../../lib/terms.ts";
import { Button } from "../../ui/button.tsx";
import { CLAIM_COLUMNS } from "../../ui/claim_columns.tsx";
import { Section } from "../../ui/section.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { BackToQueue } from "./back.tsx";
import { CASE, type Case, type CaseWork, Levels, openNextLevel } from "./case_levels.tsx";
import { Documents } from "./documents.tsx";
import { Opened } from "./work.tsx";

type CaseClaim = Case["claims"][number];

const { number, status, deadline: due, service } = CLAIM_COLUMNS;
const COLUMNS: readonly Column<CaseClaim>[] = [
  number,
  status,
  { head: "Result in this case", cell: result },
  due,
  service,
  { head: "Denied", cell: ({ denied_amount, billed_amount }) => money(denied_amount ?? billed_amount), isNumber: true },
];

function result({ outcome, amount_recovered, closing_reason, decided_at }: CaseClaim) {
  if (outcome === null) return <span class="quiet-text">Still open</span>;
  const words = outcome === "recovered" ? `${money(amount_recovered)} recovered` : closing_reason ? CLOSING[closing_reason] : "Closed";
  return (
    <>
      {words}
      <span class="under">{time(decided_at)}</span>
    </>
  );
}

/** One case: its levels, its claims with their results, and its documents. It names no patient. */
export default function CaseScreen({ params }: ScreenProps) {
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
          {last && <p>{standing(last, found.claims)}</p>}
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
            <p class="quiet-text no-print">To record a result, open the claim. That shows its patient and is recorded.</p>
          </Section>
        </div>
        <Documents practice={path.practice} claims={found.claims} of={{ kind: "case", id: path.id }} />
      </>
    ),
  };
}

/** Where the case stands, in one sentence. */
function standing(last: Case["levels"][number], claims: readonly CaseClaim[]) {
  const open = claims.filter(({ outcome }) => outcome === null).length;
  const name = LEVEL[last.kind].toLowerCase();
  if (open === 0) return `Every claim has its result. The last level was level ${last.level}, ${name}.`;
  if (last.outcome) return `Level ${last.level}, ${name}, is decided. Record the results of the claims, or begin the next level.`;
  if (last.filed_on) return `Level ${last.level}, ${name}, was filed on ${date(last.filed_on)}. It waits for the payer’s decision.`;
  // A claim can be due before the level.
  const dates = claims.flatMap(({ outcome, deadline }) => (outcome === null && deadline ? [deadline.date] : []));
  const due = [...dates, ...(last.due_on ? [last.due_on] : [])].toSorted()[0];
  if (!due) return `Level ${last.level}, ${name}, is not filed yet.`;
  return (
    <>
      Level {last.level}, {name}, must be filed by {date(due)} <span class={`due ${deadline(due).urgency}`}>({deadline(due).words})</span>.
    </>
  );
}
