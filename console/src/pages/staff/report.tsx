import type { Answer } from "../../lib/api.ts";
import { deniedInWords, money, plural, type ScreenProps, sum, time, useGet } from "../../lib/index.ts";
import { Button, CLAIM_COLUMNS, type Column, Page, Show, Table } from "../../ui/index.ts";
import { BackToQueue } from "./back.tsx";
import { Documents } from "./documents.tsx";

type Report = Answer<"/api/v1/staff/practices/{practice}/reports/{id}", "get">;
type Reported = Report["claims"][number];

const { number, status, deadline, payer, billed, denied, recovered } = CLAIM_COLUMNS;
const COLUMNS: readonly Column<Reported>[] = [number, status, deadline, payer, billed, denied, recovered];

/** One report as the practice has it, with the present state of its claims. It names no patient, and prints well. */
export function ReportScreen({ params }: ScreenProps) {
  const { practice = "", id = "" } = params;
  const loaded = useGet("/api/v1/staff/practices/{practice}/reports/{id}", { path: { practice, id } });
  const report = loaded.data;
  return (
    <Page
      title="Report"
      heading={report ? `Report for ${report.practice.name}` : "Report"}
      lead={report && `Delivered by ${report.delivered_by.name}, ${time(report.delivered_at)}`}
      actions={
        <>
          <Button onClick={() => print()}>Print</Button>
          <BackToQueue />
        </>
      }
    >
      <Show of={loaded}>
        {({ claims }) => (
          <div class="stack">
            <p>
              {plural(claims.length, "claim")}, {deniedInWords(claims.length, sum(claims.flatMap((claim) => claim.denied_amount ?? [])))},{" "}
              {money(sum(claims.flatMap((claim) => claim.amount_recovered ?? [])))} recovered so far.
            </p>
            <Table
              caption="Claims of the report"
              columns={COLUMNS}
              rows={claims}
              id={(claim) => claim.id}
              href={(claim) => `/work/${practice}/claims/${claim.id}`}
            />
            <Documents practice={practice} claims={claims} of={{ kind: "report", id }} />
          </div>
        )}
      </Show>
    </Page>
  );
}
