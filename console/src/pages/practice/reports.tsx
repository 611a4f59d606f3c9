import { type Answer, get } from "../../lib/api.ts";
import { plural, time } from "../../lib/format.ts";
import { useLoad } from "../../lib/load.ts";
import { query } from "../../lib/router.ts";
import { NothingYet } from "../../ui/empty.tsx";
import { Show } from "../../ui/loading.tsx";
import { Page } from "../../ui/page.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Pager } from "../../ui/pager.tsx";
import { Sections } from "./sections.tsx";

type Report = Answer<"/api/v1/reports", "get">["reports"][number];

const COLUMNS: readonly Column<Report>[] = [
  { head: "Delivered", cell: ({ delivered_at }) => time(delivered_at), isShort: true },
  { head: "Claims", cell: ({ claims }) => plural(claims, "claim") },
];

/** The reports that staff delivered to the practice. */
export default function Reports() {
  const cursor = query.value.get("cursor") ?? undefined;
  const reports = useLoad((signal) => get("/api/v1/reports", { query: { limit: 50, cursor }, signal }), [cursor]);
  return (
    <Page title="Reports" lead="In a report, our staff tells you which claims can be appealed, and how.">
      <Sections />
      <Show of={reports}>
        {(data) =>
          data.reports.length === 0 ? (
            <NothingYet title="No report yet">
              <p>When our staff has looked at your claims, the report is here.</p>
            </NothingYet>
          ) : (
            <div class="stack">
              <Table
                caption="Reports"
                columns={COLUMNS}
                rows={data.reports}
                id={({ id }) => id}
                href={({ id }) => `/claims/reports/${id}`}
              />
              <Pager rows={data.reports} next={data.next_cursor} />
            </div>
          )
        }
      </Show>
    </Page>
  );
}
