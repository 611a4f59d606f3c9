import type { Answer } from "../../lib/api.ts";
import { deniedInWords, plural, type ScreenProps, sum, time, useGet } from "../../lib/index.ts";
import { Button, CLAIM_COLUMNS, type Column, Page, Show, Table } from "../../ui/index.ts";
import { Attached } from "./attached.tsx";

type ReportedClaim = Answer<"/api/v1/reports/{id}", "get">["claims"][number];

const { number, payer, status, deadline, billed, denied, recovered } = CLAIM_COLUMNS;
const COLUMNS: readonly Column<ReportedClaim>[] = [number, payer, status, deadline, billed, denied, recovered];

/** One report with its claims, as they are now. */
export default function Report({ params: { id = "" } }: ScreenProps) {
  const report = useGet("/api/v1/reports/{id}", { path: { id } });
  return (
    <Page
      title="Report"
      heading={report.data && `Report of ${time(report.data.delivered_at)}`}
      actions={report.data && <Button onClick={() => print()}>Print</Button>}
    >
      <p class="bar">
        <a href="/claims/reports">All reports</a>
      </p>
      <Show of={report}>
        {({ claims, documents }) => (
          <div class="stack">
            <p>
              {plural(claims.length, "claim")}, {deniedInWords(claims.length, sum(claims.flatMap(({ denied_amount }) => denied_amount ?? [])))}. The table
              shows each claim as it is now.
            </p>
            <Table caption="Claims in this report" columns={COLUMNS} rows={claims} id={(one) => one.id} href={(one) => `/claims/${one.id}`} />
            <Attached documents={documents} none="No file is attached to this report." />
          </div>
        )}
      </Show>
    </Page>
  );
}
