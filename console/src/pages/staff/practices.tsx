import { limits } from "../../generated/rules.ts";
import type { Answer } from "../../lib/api.ts";
import { cursor, query, setFilters, today, useGet, whole } from "../../lib/index.ts";
import { Button, type Column, NothingYet, Page, PagedTable, Show } from "../../ui/index.ts";
import { Missing } from "./missing.tsx";

type Practice = Answer<"/api/v1/staff/practices", "get">["practices"][number];

const AGREEMENT = { in_force: "In force", missing: "Never signed", ended: "Ended" } as const;

const COLUMNS: Column<Practice>[] = [
  { head: "Practice", cell: ({ name }) => name },
  { head: "Open claims", cell: ({ claims }) => whole(claims.open), isNumber: true },
  { head: "Late", cell: ({ claims }) => <span class={claims.late > 0 ? "due late" : undefined}>{whole(claims.late)}</span>, isNumber: true },
  { head: "Due within a week", cell: ({ claims }) => <span class={claims.due_soon > 0 ? "due soon" : undefined}>{whole(claims.due_soon)}</span>, isNumber: true },
  { head: "Account", cell: ({ status }) => (status === "active" ? "Active" : <span class="tag warn">Not active</span>) },
  {
    head: "Agreement",
    cell: ({ agreement }) => (agreement === "in_force" ? AGREEMENT[agreement] : <span class="tag warn">{AGREEMENT[agreement]}</span>),
  },
  { head: "Cases", cell: ({ id, name }) => <a href={`/cases?practice=${id}`} aria-label={`Cases of ${name}`}>Cases</a> },
];

/** All practices. Each leads to its part of the queue. */
export function Practices() {
  const name = query.value.get("name") || undefined;
  const loaded = useGet("/api/v1/staff/practices", { query: { name, cursor: cursor.value, limit: 50, today: today() } });
  return (
    <Page title="Practices" lead="A practice leads to its claims in the queue.">
      <form
        class="search"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          setFilters({ name: String(new FormData(event.currentTarget).get("name") ?? "").trim() });
        }}
      >
        <div class="field">
          <label for="practice-name">Name begins with</label>
          <input id="practice-name" name="name" type="text" key={name} defaultValue={name ?? ""} maxLength={limits.practiceName} autocomplete="off" />
        </div>
        <Button type="submit">Find</Button>
      </form>
      <Show of={loaded}>
        {({ practices, next_cursor: next, missing_cells: missing }) => (
          <div class="stack">
            <Missing cells={missing} />
            <PagedTable
              caption="Practices"
              columns={COLUMNS}
              rows={practices}
              id={({ id }) => id}
              href={({ id }) => `/queue?practice=${id}`}
              next={next}
              onClear={name !== undefined && (() => setFilters({ name: undefined }))}
            >
              <NothingYet title="There is no practice yet" />
            </PagedTable>
          </div>
        )}
      </Show>
    </Page>
  );
}
