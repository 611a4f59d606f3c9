import { auditActions } from "../../generated/rules.ts";
import { type Answer, get, getCsv } from "../../lib/api.ts";
import { time, words } from "../../lib/format.ts";
import { useLoad } from "../../lib/load.ts";
import { cursor, query, setFilters } from "../../lib/router.ts";
import { Button } from "../../ui/button.tsx";
import { CsvDownload } from "../../ui/csv_download.tsx";
import { Nothing, NothingYet } from "../../ui/empty.tsx";
import { Show } from "../../ui/loading.tsx";
import { Pager } from "../../ui/pager.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Verify } from "./verify.tsx";

const PATHS = { practice: "/api/v1/settings/audit", staff: "/api/v1/staff/audit" } as const;
type Row = Answer<"/api/v1/settings/audit", "get">["audit"][number];

/** How many characters of a fact the list shows. */
const LONGEST = 40;

const ACTIONS = [...auditActions].sort();

const FILTERS = ["action", "actor", "record", "from", "to"] as const;

const COLUMNS: Column<Row>[] = [
  { head: "When", cell: ({ at }) => time(at), isShort: true },
  { head: "Who", cell: ({ actor }) => <Who of={actor} /> },
  { head: "What", cell: ({ action }) => whatOf(action) },
  { head: "Record", cell: ({ record }) => <Filter name="record" value={record} /> },
  { head: "More", cell: (row) => row.detail && <Details of={row.detail} from={row.address} /> },
  { head: "From", cell: ({ address }) => address ?? "–" },
];

/** An audit trail with filters in the address, its check, and its download. */
export function AuditTrail({ of }: { of: "practice" | "staff" }) {
  const filters = Object.fromEntries(FILTERS.map((name) => [name, query.value.get(name) ?? undefined]));
  const rows = useLoad((signal) => get(PATHS[of], { query: { ...filters, cursor: cursor.value, limit: 50 }, signal }), [query.value.toString()]);
  const clear = (): void => setFilters(Object.fromEntries(FILTERS.map((name) => [name, undefined])));
  const isFiltered = FILTERS.some((name) => filters[name]);
  return (
    <div class="stack">
      <Filters />
      <div class="bar">
        <CsvDownload
          name="audit"
          noun="row"
          of={of + JSON.stringify(filters)}
          read={(cursor, signal) => getCsv(PATHS[of], { query: { ...filters, cursor }, signal })}
        />
        <Verify of={of} />
      </div>
      <Show of={rows}>
        {({ audit, next_cursor: next }) => (
          <div class="stack">
            {audit.length > 0 ? (
              <Table caption="Audit trail" columns={COLUMNS} rows={audit} id={({ id }) => id} />
            ) : (
              <Nothing next={next} isBusy={rows.isLoading} onClear={isFiltered && clear}>
                <NothingYet title="Nothing has happened yet" />
              </Nothing>
            )}
            {audit.length > 0 && <Pager rows={audit} next={next} />}
          </div>
        )}
      </Show>
    </div>
  );
}

const whatOf = (action: string): string => words(action.replace(".", ": "));

/** The facts of a row. Long ones, such as digests, are whole in the download. */
function Details({ of, from }: { of: NonNullable<Row["detail"]>; from: string | null }) {
  // The last column has the address.
  const facts = Object.entries(of).filter(([name, value]) => name !== "ip" || value !== from);
  const text = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));
  return (
    <ul class="lines">
      {facts.map(([name, value]) => (
        <li key={name} class="breaks">
          {words(name)}: {text(value).length > LONGEST ? `${text(value).slice(0, LONGEST)}…` : text(value)}
        </li>
      ))}
    </ul>
  );
}

function Who({ of }: { of: Row["actor"] }) {
  const name = of.name ?? words(of.type);
  return of.id ? <Filter name="actor" value={of.id} shown={name} /> : <>{name}</>;
}

/** A value that shows the rows with the same value when it is chosen. */
function Filter({ name, value, shown }: { name: "actor" | "record"; value: string; shown?: string }) {
  return (
    <a
      href={`?${new URLSearchParams({ [name]: value })}`}
      onClick={(event) => {
        event.preventDefault();
        setFilters({ [name]: value });
      }}
    >
      {shown ?? <code>{value.slice(0, 13)}…</code>}
    </a>
  );
}

function Filters() {
  const value = (name: string): string => query.value.get(name) ?? "";
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const entered = new FormData(event.currentTarget as HTMLFormElement);
    const given = FILTERS.map((name) => [name, String(entered.get(name) ?? "").trim() || undefined]);
    setFilters(Object.fromEntries(given));
  };
  const field = (name: (typeof FILTERS)[number], label: string) => {
    const input = { id: `audit-${name}`, name, key: value(name), defaultValue: value(name), autocomplete: "off" };
    return (
      <div class="field">
        <label for={input.id}>{label}</label>
        {name === "from" || name === "to" ? <input {...input} type="date" /> : <input {...input} type="text" />}
      </div>
    );
  };
  return (
    <form class="filters" onSubmit={submit}>
      <div class="field">
        <label for="audit-action">What</label>
        <select id="audit-action" name="action" key={value("action")}>
          <option value="">Anything</option>
          {ACTIONS.map((action) => (
            <option key={action} value={action} selected={action === value("action")}>
              {whatOf(action)}
            </option>
          ))}
        </select>
      </div>
      {field("actor", "Who (choose a name below)")}
      {field("record", "Record (choose one below)")}
      {field("from", "From (UTC)")}
      {field("to", "To (UTC)")}
      <Button type="submit">Filter</Button>
    </form>
  );
}
