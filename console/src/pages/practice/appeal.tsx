import type { Answer } from "../../lib/api.ts";
import { CLOSING, day, LEVEL, type ScreenProps, useGet } from "../../lib/index.ts";
import { CLAIM_COLUMNS, type Column, Section, Table, Timeline } from "../../ui/index.ts";
import { StandsAt } from "./appeals.tsx";
import { Attached } from "./attached.tsx";
import { RecordPage } from "./record.tsx";

type Appealed = Answer<"/api/v1/appeals/{id}", "get">;
type AppealedClaim = Appealed["claims"][number];

const { number, status, billed, denied, recovered, service } = CLAIM_COLUMNS;
const COLUMNS: readonly Column<AppealedClaim>[] = [
  number,
  status,
  { head: "Result of this appeal", cell: result },
  billed,
  denied,
  recovered,
  service,
];

function result({ outcome, decided_at, closing_reason }: AppealedClaim): string {
  if (outcome === null) return "still open";
  const what = outcome === "recovered" ? "The payer paid." : closing_reason ? `${CLOSING[closing_reason]}.` : "Ended without payment.";
  return decided_at ? `${what} ${day(decided_at)}` : what;
}

export function Appeal({ params: { id = "" } }: ScreenProps) {
  const appeal = useGet("/api/v1/appeals/{id}", { path: { id } });
  return (
    <RecordPage
      title="Appeal"
      of={appeal}
      heading={({ payer_name }) => `Appeal to ${payer_name}`}
      lead={({ opened_at }) => `Opened on ${day(opened_at)}`}
      back={{ href: "/claims/appeals", label: "All appeals" }}
    >
      {({ claims, levels, documents, standing }) => (
        <div class="stack">
          <Levels of={levels} standing={standing} />
          <Table caption="Claims in this appeal" columns={COLUMNS} rows={claims} id={(one) => one.id} href={(one) => `/claims/${one.id}`} />
          <Attached documents={documents} none="No file is attached to this appeal." />
        </div>
      )}
    </RecordPage>
  );
}

function Levels({ of: levels, standing }: Pick<Appealed, "standing"> & { of: Appealed["levels"] }) {
  return (
    <Section title="Steps">
      <Timeline
        steps={levels
          .toSorted((a, b) => b.level - a.level)
          .map((level) => ({
            id: level.level,
            title: `${level.level}. ${LEVEL[level.kind]}`,
            by: "Begun",
            at: level.begun_at,
            more: (
              <p>
                <StandsAt of={level} standing={standing} />
              </p>
            ),
          }))}
      />
    </Section>
  );
}
