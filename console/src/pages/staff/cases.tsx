import { useId } from "preact/hooks";
import type { Answer } from "../../lib/api.ts";
import { addDays, date, LEVEL, OUTCOME, plural, query, setFilters, today, useGet } from "../../lib/index.ts";
import { type Column, Due, NothingYet, Page, PagedTable, Select, Show } from "../../ui/index.ts";
import { Missing } from "./missing.tsx";
import { PracticeFilter } from "./practice_filter.tsx";

type ListedCase = Answer<"/api/v1/staff/cases", "get">["cases"][number];

const COLUMNS: Column<ListedCase>[] = [
  { head: "Case", cell: ({ payer_name, practice }) => <span class="payer">{`${payer_name} (${practice.name})`}</span> },
  { head: "Next", cell: next },
  {
    head: "Level",
    cell: ({ level }) => (
      <>
        {level.level}: {LEVEL[level.kind]}
        <span class="under">{stateOf(level)}</span>
      </>
    ),
  },
  { head: "Claims", cell: ({ claims, in_appeal }) => `${in_appeal} of ${claims} in appeal`, isShort: true },
  { head: "Opened", cell: ({ opened_at, opened_by }) => `${date(opened_at)} by ${opened_by.name}` },
];

/** What has to be done next, and when. */
function next({ standing, due, ask_on: ask, level }: ListedCase) {
  switch (standing) {
    case "to_file":
      return <>To file: {due ? <Due day={due} /> : "no date given"}</>;
    case "awaiting_decision":
      return <>{level.follow_up_on ? "Ask the payer: " : "Decision due: "}{ask ? <Due day={ask} /> : "no day known"}</>;
    case "results_missing":
      return "Record the results, or begin the next level";
    case "outcome_missing":
      return "Record the outcome of the level";
    case "over":
      return <span class="quiet-text">Over</span>;
  }
}

function stateOf({ outcome, decided_on, filed_on }: ListedCase["level"]): string {
  if (outcome) return `${OUTCOME[outcome]}, ${date(decided_on)}`;
  return filed_on ? `Filed ${date(filed_on)}, not decided` : "Not filed yet";
}

const FILTERS = { due_before: undefined, practice: undefined, all: undefined, awaiting: undefined, cursor: undefined };

/** What the list shows: all cases, those that wait for a decision, or those whose decision is due. */
const SHOWN = [
  ["", "All, what must be filed first"],
  ["decision", "Waiting for a decision"],
  ["due", "Decision due or overdue"],
] as const;

/** The cases of all practices. What must be filed first comes first. */
export function Cases() {
  const params = query.value;
  const text = (name: string): string | undefined => params.get(name) || undefined;
  const awaiting = text("awaiting");
  const asked = {
    due_before: awaiting ? undefined : text("due_before"),
    awaiting: awaiting ? ("decision" as const) : undefined,
    ask_before: awaiting === "due" ? addDays(today(), 1) : undefined,
    practice_id: text("practice"),
    open: text("all") ? undefined : ("true" as const),
    cursor: text("cursor"),
  };
  const loaded = useGet("/api/v1/staff/cases", { query: { ...asked, limit: 50 } });
  const isFiltered = Object.keys(FILTERS).some((name) => text(name));
  return (
    <Page
      title="Cases"
      lead={awaiting ? "The appeals that wait for the payer. The decision that is due first comes first." : "The appeals of all practices. What must be filed first comes first."}
    >
      <CaseFilters />
      <Show of={loaded}>
        {({ cases, next_cursor: next, missing_cells: missing }) => (
          <div class="stack">
            <Missing cells={missing} />
            <PagedTable
              caption="Cases"
              columns={COLUMNS}
              rows={cases}
              id={({ id }) => id}
              href={({ id, practice }) => `/work/${practice.id}/cases/${id}`}
              next={next}
              isBusy={loaded.isLoading}
              onClear={isFiltered && (() => setFilters(FILTERS))}
            >
              <NothingYet title="No open cases">
                <p>Open a case from a claim that you review.</p>
              </NothingYet>
            </PagedTable>
            {cases.length > 0 && <p class="quiet-text">{plural(cases.length, "case")} on this page.</p>}
          </div>
        )}
      </Show>
    </Page>
  );
}

function CaseFilters() {
  const id = useId();
  const params = query.value;
  const awaiting = params.get("awaiting") ?? "";
  return (
    <div class="filters" role="search">
      <PracticeFilter />
      <Select label="Show" choices={SHOWN} value={awaiting} onChoose={(value) => setFilters({ awaiting: value || undefined, due_before: undefined })} />
      {!awaiting && (
        <div class="field">
          <label for={`${id}-due`}>To file before</label>
          <input
            id={`${id}-due`}
            type="date"
            value={params.get("due_before") ?? ""}
            onChange={(event) => setFilters({ due_before: event.currentTarget.value })}
          />
        </div>
      )}
      <label class="check" for={`${id}-all`}>
        <input
          id={`${id}-all`}
          type="checkbox"
          checked={params.get("all") !== null}
          onChange={(event) => setFilters({ all: event.currentTarget.checked ? "1" : undefined })}
        />
        Also cases without a claim in appeal
      </label>
    </div>
  );
}
