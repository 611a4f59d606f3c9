import type { Answer } from "../../lib/api.ts";
import { cursor, plural, time, useGet } from "../../lib/index.ts";
import { type Column, NothingYet, Page, PagedTable, Show } from "../../ui/index.ts";
import { Sections } from "./sections.tsx";

type Report = Answer<"/api/v1/reports", "get">["reports"][number];

const COLUMNS: readonly Column<Report>[] = [
  { head: "Delivered", cell: ({ delivered_at }) => time(delivered_at), isShort: true },
  { head: "Claims", cell: ({ claims }) => plural(claims, "claim") },
];

export function Reports() {
  const reports = useGet("/api/v1/reports", { query: { limit: 50, cursor: cursor.value } });
  return (
    <Page title="Reports" lead="In a report, our staff tells you which claims can be appealed, and how.">
      <Sections />
      <Show of={reports}>
        {({ reports: rows, next_cursor: next }) => (
          <PagedTable caption="Reports" columns={COLUMNS} rows={rows} id={({ id }) => id} href={({ id }) => `/claims/reports/${id}`} next={next}>
            <NothingYet title="No report yet">
              <p>When our staff has looked at your claims, the report is here.</p>
            </NothingYet>
          </PagedTable>
        )}
      </Show>
    </Page>
  );
}
