import { useEffect } from "preact/hooks";
import type { Answer } from "../../lib/api.ts";
import {
  cursor, findClaim, navigate, plural, query, searched, setFilters, setQuery, useGet, useLoad,
} from "../../lib/index.ts";
import {
  Button, CLAIM_COLUMNS, type Column, inOrder, Nothing, NothingYet, NumberSearch, Page, Pager, Show, SigningTag,
  type Sorted, StatusTag, Table,
} from "../../ui/index.ts";
import { apiQuery, CLEARED, countSet, FILTERS } from "./claim_filters.ts";
import { Download } from "./claims_download.tsx";
import { Filters, isAllOpen } from "./claims_filters.tsx";
import { Sections } from "./sections.tsx";

type Denials = Answer<"/api/v1/denials", "get">;
type Denial = Denials["denials"][number];

const { number, deadline, payer, denied, recovered, service } = CLAIM_COLUMNS;
const COLUMNS: readonly Column<Denial>[] = [
  number,
  { ...deadline, order: "deadline" },
  {
    head: "Status",
    cell: ({ status, signing }) => (
      <span class="tags">
        <StatusTag of={status} />
        {signing.status === "needed" && <SigningTag of="needed" isDead={signing.link_expires_at === null} />}
      </span>
    ),
  },
  { ...payer, order: "payer" },
  { ...denied, head: "Amount denied", order: "denied" },
  { ...recovered, order: "recovered" },
  { ...service, order: "service" },
];

/** What the rows of one page are sorted by. The service lists the newest first, or the earliest deadline. */
const VALUES: Readonly<Record<string, (row: Denial) => string | number | null>> = {
  payer: (row) => row.payer_name,
  denied: (row) => (row.denied_amount === null ? null : Number(row.denied_amount)),
  recovered: (row) => (row.amount_recovered === null ? null : Number(row.amount_recovered)),
  service: (row) => row.date_of_service,
};

function orderOf(address: URLSearchParams): Sorted | undefined {
  const sort = address.get("sort") ?? "";
  if (sort.replace("-", "") in VALUES) return { by: sort.replace("-", ""), isDown: sort.startsWith("-") };
  return address.get("order") === "deadline" ? { by: "deadline", isDown: false } : undefined;
}

/** The earliest deadline first among the open claims, or the newest again; any other order is one of the page. */
function setOrder({ by, isDown }: Sorted): void {
  if (by !== "deadline") setQuery({ sort: `${isDown ? "-" : ""}${by}` });
  else {
    const isKept = isDown || isAllOpen(query.value.get("status"));
    setFilters({ sort: undefined, order: isDown ? undefined : "deadline", ...(!isKept && { status: undefined }) });
  }
}

export function Claims() {
  // The next visit begins with the list.
  useEffect(() => () => void (searched.value = ""), []);
  return (
    <Page title="Denials" actions={<NumberSearch value={searched.value} onSearch={(typed) => (searched.value = typed)} />}>
      <Sections />
      {searched.value ? <Search key={searched.value} /> : <All />}
    </Page>
  );
}

function All() {
  const filters = apiQuery(query.value);
  const denials = useGet("/api/v1/denials", { query: { limit: 50, ...filters } });
  return (
    <>
      <Filters />
      <Show of={denials}>{(data) => <List of={data} isLoading={denials.isLoading} />}</Show>
    </>
  );
}

function List({ of: { denials, next_cursor, more }, isLoading }: { of: Denials; isLoading: boolean }) {
  if (denials.length === 0) {
    const isFiltered = countSet(query.value, FILTERS) > 0;
    return (
      <Nothing next={more ? next_cursor : null} isBusy={isLoading} onClear={isFiltered && (() => setFilters(CLEARED))}>
        <NothingYet title="No denied claims yet">
          <p>
            Claims appear here as soon as your billing system sends them, or when you{" "}
            <a href="/claims/remittances">make them from remittance files</a>.
          </p>
          <p>
            <a href="/home">See the first steps</a>
          </p>
        </NothingYet>
      </Nothing>
    );
  }
  const sorted = orderOf(query.value);
  const value = sorted && VALUES[sorted.by];
  const isWhole = !more && cursor.value === undefined;
  return (
    <div class="stack">
      <div class="bar">
        <Download />
        <p class="quiet-text" role="status">
          {!cursor.value && (isWhole ? `${plural(denials.length, "claim")}.` : `More than ${denials.length} claims.`)}
          {value && !isWhole && " Only this page is in this order."}
        </p>
      </div>
      <Table
        caption="Denied claims"
        columns={COLUMNS}
        rows={value ? inOrder(denials, value, sorted.isDown) : denials}
        id={({ id }) => id}
        href={({ id }) => `/claims/${id}`}
        onSort={setOrder}
        {...(sorted && { sorted })}
      />
      <Pager rows={denials} next={more ? next_cursor : null} />
    </div>
  );
}

/** Looks for a number in all claims, whatever the filters say, and opens the claim that has it. */
function Search() {
  const found = useLoad(async (signal) => ({ id: await findClaim(searched.peek(), signal) }), []);
  const id = found.data?.id;
  useEffect(() => {
    if (id !== undefined) navigate(`/claims/${id}`);
  }, [id]);
  return (
    <Show of={found}>
      {() =>
        id === undefined && (
          <NothingYet title="No claim has this number">
            <p>Enter the whole number exactly as your billing system sent it, with its dashes, zeros and capital letters.</p>
            <Button onClick={() => (searched.value = "")}>Back to the list</Button>
          </NothingYet>
        )
      }
    </Show>
  );
}
