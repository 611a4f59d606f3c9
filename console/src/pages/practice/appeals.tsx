import type { Answer } from "../../lib/api.ts";
import { cursor, date, day, LEVEL, plural, useGet } from "../../lib/index.ts";
import { type Column, Due, NothingYet, Page, PagedTable, Show } from "../../ui/index.ts";
import { Sections } from "./sections.tsx";
import { OUTCOMES } from "./words.ts";

type Appeal = Answer<"/api/v1/appeals", "get">["appeals"][number];

const COLUMNS: readonly Column<Appeal>[] = [
  { head: "Payer", cell: ({ payer_name }) => <span class="payer">{payer_name}</span> },
  {
    head: "Claims",
    cell: ({ claims, in_appeal }) => {
      if (in_appeal === claims) return plural(claims, "claim");
      return `${plural(claims, "claim")}, ${in_appeal === 0 ? "all decided" : `${in_appeal} still open`}`;
    },
  },
  { head: "Step", cell: ({ level }) => `${level.level}. ${LEVEL[level.kind]}` },
  { head: "Stands at", cell: ({ level, standing }) => <StandsAt of={level} standing={standing} /> },
  { head: "Opened", cell: ({ opened_at }) => day(opened_at), isShort: true },
];

type Level = Appeal["level"];

/** What a level of an appeal waits for, or how it ended. `standing` is that of the appeal, if the level is its last one. */
export function StandsAt({ of: { due_on, filed_on, decided_on, outcome, decision_due, decision_source }, standing }: { of: Level; standing: Appeal["standing"] }) {
  if (outcome) return <>{`${OUTCOMES[outcome]}${decided_on ? `, ${date(decided_on)}` : ""}`}</>;
  switch (standing) {
    case "over":
    case "outcome_missing":
    case "results_missing":
      return <>The claims were decided. No result of this step is recorded.</>;
    case "awaiting_decision":
      return (
        <>
          {`Sent to the payer on ${date(filed_on)}. `}
          {decision_due ? "The payer must answer: " : "We wait for the answer."}
          {decision_due && <Due day={decision_due} />}
          {decision_source && <span class="under">{decision_source}</span>}
        </>
      );
    case "to_file":
      return (
        <>
          We prepare it. To be sent: <Due day={due_on} />
        </>
      );
  }
}

export function Appeals() {
  const appeals = useGet("/api/v1/appeals", { query: { limit: 50, cursor: cursor.value } });
  return (
    <Page title="Appeals" lead="In an appeal, our staff asks a payer to pay after all. It can go through several steps.">
      <Sections />
      <Show of={appeals}>
        {({ appeals: rows, next_cursor: next }) => (
          <PagedTable caption="Appeals" columns={COLUMNS} rows={rows} id={({ id }) => id} href={({ id }) => `/claims/appeals/${id}`} next={next}>
            <NothingYet title="No appeal yet">
              <p>When our staff opens an appeal for one of your claims, it is here.</p>
            </NothingYet>
          </PagedTable>
        )}
      </Show>
    </Page>
  );
}
