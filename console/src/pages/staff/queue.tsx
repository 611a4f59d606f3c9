import { type Signal, signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { get, getCsv } from "../../lib/api.ts";
import { today } from "../../lib/format.ts";
import { useAction, useLoad } from "../../lib/load.ts";
import { query, setFilters } from "../../lib/router.ts";
import { user } from "../../lib/session.ts";
import { Button } from "../../ui/button.tsx";
import { CsvDownload } from "../../ui/csv_download.tsx";
import { Nothing, NothingYet } from "../../ui/empty.tsx";
import { Show } from "../../ui/loading.tsx";
import { Page } from "../../ui/page.tsx";
import { Pager } from "../../ui/pager.tsx";
import { ProblemView } from "../../ui/problem.tsx";
import { lastQueue } from "./back.tsx";
import { openNote } from "./claim_notes.tsx";
import { useColleagues } from "./names.ts";
import { type Bulk, canLetGo, changeClaims, type QueuedClaim, type Standing } from "./queue_bulk.tsx";
import { openLetterOf } from "./queue_letter.tsx";
import { QueueFilters } from "./queue_filters.tsx";
import { isFiltered, NO_FILTERS, queueQuery } from "./queue_query.ts";
import { QueueTable } from "./queue_table.tsx";
import { QueueTiles } from "./queue_tiles.tsx";

const PAGE = 50;

/** The claim number that was searched for last. It stays in the memory of this tab only. */
const searched = signal("");

/** The row that a person left, so that they find their place again, even if the row is gone. */
const left = { key: "", id: "", at: 0 };

export default function Queue() {
  const params = query.value;
  const asked = queueQuery(params, searched.value);
  const key = JSON.stringify(asked);
  const { cursor: _, ...filters } = asked;
  lastQueue.href = `/queue${params.size > 0 ? `?${params}` : ""}`;
  const loaded = useLoad(
    async (signal) => {
      const read = (number = asked.claim_number) =>
        get("/api/v1/staff/claims", { query: { ...asked, claim_number: number, limit: PAGE }, signal });
      const found = await read();
      const upper = asked.claim_number?.toUpperCase();
      const isElsewhere = found.claims.length === 0 && upper !== asked.claim_number;
      return { key, ...(isElsewhere ? await read(upper) : found) };
    },
    [key],
  );
  const summary = useLoad(
    (signal) => get("/api/v1/staff/summary", { query: { practice_id: asked.practice_id, today: today() }, signal }),
    [asked.practice_id],
  );
  const colleagues = useColleagues();
  const selected = useSignal<ReadonlySet<string>>(new Set());
  useEffect(() => {
    selected.value = new Set();
  }, [key]);
  // Several claims change in a row, some of them later: each change goes onto the newest list.
  const newest = useRef(loaded.data);
  newest.current = loaded.data;
  const place = ({ id, version, status, signing_status, taken_by }: Standing): void => {
    const data = newest.current;
    if (!data) return;
    const holder = taken_by === null ? null : { id: taken_by, name: nameOf(taken_by) ?? "A colleague" };
    const claims = data.claims.map((row) => (row.id === id ? { ...row, version, status, signing_status, taken_by: holder } : row));
    newest.current = { ...data, claims };
    loaded.set(newest.current);
  };
  const nameOf = (id: string): string | undefined =>
    id === user.peek()?.id ? user.peek()?.name : colleagues.data?.find((one) => one.id === id)?.name;
  const work = { nameOf, place, onChanged: summary.reload };
  const change = useAction(async (intent, what: Bulk, rows: readonly QueuedClaim[]) => {
    selected.value = new Set(await changeClaims(what, rows, work, intent));
    // The answer does not say how long the new links work.
    if (what === "needed") loaded.reload();
  });
  const underWay = useSignal<readonly string[]>([]);
  // A person may go on to the next claim while the first one is being taken.
  const taking = useAction(
    async (intent, row: QueuedClaim) => {
      await changeClaims("take", [row], work, intent).finally(() => {
        underWay.value = underWay.peek().filter((id) => id !== row.id);
      });
    },
    { inTurn: true },
  );
  const take = (row: QueuedClaim): void => {
    underWay.value = [...underWay.peek(), row.id];
    void taking.run(row);
  };
  const chosen = loaded.data?.claims.filter(({ id }) => selected.value.has(id)) ?? [];
  return (
    <Page
      title="Queue"
      actions={
        <CsvDownload
          name="queue"
          noun="claim"
          of={JSON.stringify(filters)}
          read={(cursor, signal) => getCsv("/api/v1/staff/claims", { query: { ...filters, cursor, limit: 1000 }, signal })}
        />
      }
    >
      {summary.data && <QueueTiles summary={summary.data} />}
      <QueueFilters colleagues={colleagues.data ?? []} searched={searched} />
      <ProblemView problem={change.problem ?? taking.problem} />
      <Show of={loaded}>
        {(data) => (
          <div class="stack">
            <Rows
              {...{ data, selected, underWay }}
              busy={loaded.isLoading}
              onTake={take}
              onTakeKey={(row) => (chosen.length > 0 ? void change.run("take", chosen) : take(row))}
              onNote={({ id, practice }) => openNote({ practice: practice.id, id })}
              onLetter={(row) => openLetterOf(row, work, loaded.reload)}
            />
            {data.claims.length > 0 && <p class="quiet-text">Opening a claim shows its patient, and the practice’s audit trail records it.</p>}
            {data.claims.length > 0 && <Pager rows={data.claims} next={data.next_cursor} />}
          </div>
        )}
      </Show>
      {chosen.length > 0 && (
        <div class="bar bulk" role="region" aria-label="Selected claims">
          <strong role="status">{chosen.length} selected</strong>
          <Button look="primary" isBusy={change.isBusy} onClick={() => change.run("take", chosen)}>
            Take
          </Button>
          <Button isBusy={change.isBusy} onClick={() => change.run("needed", chosen)}>
            Signature needed
          </Button>
          <Button isBusy={change.isBusy} onClick={() => change.run("not_needed", chosen)}>
            Not needed
          </Button>
          {chosen.some(canLetGo) && (
            <Button isBusy={change.isBusy} onClick={() => change.run("let_go", chosen)}>
              Let go
            </Button>
          )}
          <Button look="quiet" onClick={() => (selected.value = new Set())}>
            Clear
          </Button>
        </div>
      )}
    </Page>
  );
}

interface RowsProps {
  data: { key: string; claims: readonly QueuedClaim[]; next_cursor: string | null };
  selected: Signal<ReadonlySet<string>>;
  underWay: Signal<readonly string[]>;
  busy: boolean;
  onTake: (row: QueuedClaim) => void;
  onTakeKey: (row: QueuedClaim) => void;
  onNote: (row: QueuedClaim) => void;
  onLetter: (row: QueuedClaim) => void;
}

function Rows({ data, busy, ...rest }: RowsProps) {
  const { claims, key, next_cursor: next } = data;
  if (claims.length > 0) {
    const place = claims.find(({ id }) => id === left.id) ?? claims[Math.min(left.at, claims.length - 1)];
    const onLeave = (id: string): void => {
      Object.assign(left, { key, id, at: claims.findIndex((row) => row.id === id) });
    };
    return <QueueTable key={key} rows={claims} start={left.key === key ? place?.id : undefined} onLeave={onLeave} {...rest} />;
  }
  // A search looks among all claims, whatever page the address has.
  if (searched.value && !next) {
    return (
      <NothingYet title="No claim has this number">
        <p>We looked for “{searched.value}” among the claims of all practices, ended ones too. A search finds the whole number only.</p>
        <Button onClick={() => (searched.value = "")}>Show the queue</Button>
      </NothingYet>
    );
  }
  return (
    <Nothing next={next} isBusy={busy} onClear={isFiltered(query.value) && (() => setFilters(NO_FILTERS))}>
      <NothingYet title="The queue is empty">
        <p>Claims appear here as soon as a practice’s billing system sends them.</p>
      </NothingYet>
    </Nothing>
  );
}
