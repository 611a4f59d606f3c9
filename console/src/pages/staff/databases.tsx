import type { Answer } from "../../lib/api.ts";
import { listed, plural, useGet, whole } from "../../lib/index.ts";
import { type Column, MissingCells, Notice, Page, Show, Table } from "../../ui/index.ts";

type Database = Answer<"/api/v1/staff/cells", "get">["cells"][number];

const COLUMNS: Column<Database>[] = [
  {
    head: "Database",
    cell: ({ binding, filling }) => (
      <>
        {binding} {filling && <span class="tag warn">Filling up</span>}
      </>
    ),
  },
  { head: "Practices", cell: ({ practices }) => whole(practices), isNumber: true },
  { head: "Claims", cell: ({ claims }) => whole(claims), isNumber: true },
  { head: "Changes", cell: ({ changes }) => whole(changes), isNumber: true },
  { head: "Changes a minute", cell: ({ changes_a_minute }) => changes_a_minute.toFixed(1), isNumber: true },
  { head: "Size", cell: sizeOf, isNumber: true },
  { head: "Full in", cell: ({ days_left: days }) => (days === null ? "–" : plural(days, "day")), isNumber: true },
];

function sizeOf({ bytes, most }: Database) {
  if (bytes === null) return "–";
  if (most === null) return decimal(bytes);
  return (
    <>
      {decimal(bytes)}
      <span class="under">
        {Math.round((bytes / most) * 100)}% of {decimal(most)}
      </span>
    </>
  );
}

/** A size in the unit in which databases are sold. */
function decimal(bytes: number): string {
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}

/** How full each database is, and for how long it lasts. */
export function Databases() {
  const loaded = useGet("/api/v1/staff/cells", {});
  return (
    <Page title="Databases" lead="How full each one is, and for how long it lasts at the rate of the last 24 hours.">
      <Show of={loaded}>
        {({ cells, missing_cells: missing }) => (
          <div class="stack">
            <MissingCells cells={missing} />
            <Filling names={cells.filter(({ filling }) => filling).map(({ binding }) => binding)} />
            <Table caption="Databases" columns={COLUMNS} rows={cells} id={({ binding }) => binding} />
          </div>
        )}
      </Show>
    </Page>
  );
}

function Filling({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <Notice look="bad" role="alert" title={`${listed(names)} ${names.length === 1 ? "is" : "are"} almost full`}>
      <p>Tell the operator of the service to add a database, or to move practices to another one.</p>
    </Notice>
  );
}
