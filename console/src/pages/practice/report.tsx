import type { Answer } from "../../lib/api.ts";
import { deniedInWords, plural, type ScreenProps, sum, time, useGet } from "../../lib/index.ts";
import { CLAIM_COLUMNS, type Column, Table } from "../../ui/index.ts";
import { Attached } from "./attached.tsx";
import { RecordPage } from "./record.tsx";

type ReportedClaim = Answer<"/api/v1/reports/{id}", "get">["claims"][number];

const { number, payer, status, deadline, billed, denied, recovered } = CLAIM_COLUMNS;
const COLUMNS: readonly Column<ReportedClaim>[] = [number, payer, status, deadline, billed, denied, recovered];

export function Report({ params: { id = "" } }: ScreenProps) {
  const report = useGet("/api/v1/reports/{id}", { path: { id } });
  return (
    <RecordPage
      title="Report"
      of={report}
      heading={({ delivered_at }) => `Report of ${time(delivered_at)}`}
      back={{ href: "/claims/reports", label: "All reports" }}
    >
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
    </RecordPage>
  );
}
