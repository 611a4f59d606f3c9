import { useSignal } from "@preact/signals";
import { get, getCsv } from "../../lib/api.ts";
import { cursor, query, setFilters, time, useLoad } from "../../lib/index.ts";
import { Button, type Column, CsvDownload, MissingCells, NothingYet, NumberSearch, PagedTable, Show } from "../../ui/index.ts";
import { Verify } from "./verify.tsx";
import { ACTIONS, factsOf, recordOf, type Row, whatOf, whoOf } from "./words.ts";

const PATHS = { practice: "/api/v1/settings/audit", staff: "/api/v1/staff/audit" } as const;

const HINTS = {
  practice: "Shows what was done with this claim, and who looked at it.",
  staff: "Shows who of the staff found a claim with this number.",
} as const;

/** How many characters of a fact the list shows. */
const LONGEST = 40;

/** The actions in the order of their words. */
const CHOICES = Object.entries(ACTIONS).sort(([, one], [, other]) => one.localeCompare(other));

const FILTERS = ["action", "actor", "record", "from", "to"] as const;

const COLUMNS: Column<Row>[] = [
  { head: "When", cell: ({ at }) => time(at), isShort: true },
  { head: "Who", cell: ({ actor }) => (actor.id ? <Filter name="actor" value={actor.id} shown={whoOf(actor)} /> : whoOf(actor)) },
  { head: "What", cell: ({ action }) => whatOf(action) },
  { head: "About", cell: (row) => <Filter name="record" value={row.record} shown={recordOf(row)} /> },
  { head: "More", cell: (row) => <Details of={row} /> },
  { head: "From", cell: ({ address }) => address ?? "–" },
];

interface Search {
  of: "practice" | "staff";
  /** Stays in memory, because the browser keeps addresses. */
  number: string;
}

type Filters = Readonly<Record<string, string | undefined>>;

/** A page of the trail, and the number that it is about. A number is looked for as typed, then in capital letters. */
async function read({ of, number }: Search, filters: Filters, signal: AbortSignal) {
  const page = async (claim_number: string) => ({
    number: claim_number,
    ...(await get(PATHS[of], { query: { ...filters, claim_number: claim_number || undefined, limit: 50 }, signal })),
  });
  const found = await page(number);
  const capitals = number.toUpperCase();
  const isNone = found.audit.length === 0 && found.next_cursor === null && number !== capitals;
  return isNone ? page(capitals) : found;
}

/** An audit trail with filters in the address, a search by claim number, its check, and its download. */
export function AuditTrail({ of }: { of: "practice" | "staff" }) {
  const number = useSignal("");
  const filters = Object.fromEntries(FILTERS.map((name) => [name, query.value.get(name) ?? undefined]));
  const rows = useLoad(
    (signal) => read({ of, number: number.peek() }, { ...filters, cursor: cursor.value }, signal),
    [query.value.toString(), number.value],
  );
  const claim = rows.data?.number || undefined;
  const clear = (): void => {
    number.value = "";
    setFilters(Object.fromEntries(FILTERS.map((name) => [name, undefined])));
  };
  const isFiltered = number.value !== "" || FILTERS.some((name) => filters[name]);
  const search = (typed: string): void => {
    number.value = typed;
    setFilters({});
  };
  return (
    <div class="stack">
      <NumberSearch value={number.value} onSearch={search} hint={HINTS[of]} />
      <FilterForm />
      <div class="bar">
        <CsvDownload
          name="audit"
          noun="row"
          of={of + (claim ?? "") + JSON.stringify(filters)}
          read={(cursor, signal) =>
            getCsv(PATHS[of], { query: { ...filters, claim_number: claim, cursor }, signal })
          }
        />
        <Verify of={of} />
      </div>
      <Show of={rows}>
        {({ audit, next_cursor: next, missing_cells: missing }) => (
          <>
            <MissingCells cells={missing} />
            <PagedTable
              caption="Audit trail"
              columns={COLUMNS}
              rows={audit}
              id={({ id }) => id}
              next={next}
              isBusy={rows.isLoading}
              onClear={isFiltered && clear}
            >
              <NothingYet title="Nothing has happened yet" />
            </PagedTable>
          </>
        )}
      </Show>
    </div>
  );
}

/** The facts of a row. Ids, and the whole of long facts, are in the download. */
function Details({ of }: { of: Row }) {
  const facts = factsOf(of);
  if (facts.length === 0) return null;
  return (
    <ul class="lines">
      {facts.map(([name, value]) => (
        <li key={name} class="breaks">
          {name}: {value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value}
        </li>
      ))}
    </ul>
  );
}

/** A value that shows the rows with the same value when it is chosen. */
function Filter({ name, value, shown }: { name: "actor" | "record"; value: string; shown: string }) {
  return (
    <a
      class="breaks"
      href={`?${new URLSearchParams({ [name]: value })}`}
      onClick={(event) => {
        event.preventDefault();
        setFilters({ [name]: value });
      }}
    >
      {shown}
    </a>
  );
}

function FilterForm() {
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
          {CHOICES.map(([action, shown]) => (
            <option key={action} value={action} selected={action === value("action")}>
              {shown}
            </option>
          ))}
        </select>
      </div>
      {field("actor", "Who (choose a name below)")}
      {field("record", "About (choose one below)")}
      {field("from", "From (UTC)")}
      {field("to", "To (UTC)")}
      <Button type="submit">Filter</Button>
    </form>
  );
}
