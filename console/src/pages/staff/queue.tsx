import { type Signal, signal, useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { limits } from "../../generated/rules.ts";
import { get, getCsv } from "../../lib/api.ts";
import {
  loadPart, query, setFilters, setQuery, today, useAction, useGet, useLoad, user, wantsPatient,
} from "../../lib/index.ts";
import {
  Button, CsvDownload, Nothing, NothingYet, Page, Pager, pick, ProblemView, SET_LETTER, Show, type Sorted, undone,
} from "../../ui/index.ts";
import { lastQueue, walk } from "./back.tsx";
import { openNote } from "./claim_notes.tsx";
import { claimsOfPatient, openFindPatient, type PatientSearch, patientSearch } from "./find_patient.tsx";
import { Missing } from "./missing.tsx";
import { useColleagues } from "./names.ts";
import { type Bulk, canLetGo, changeClaims, could, type QueuedClaim, type Standing } from "./queue_bulk.tsx";
import { QueueFilters } from "./queue_filters.tsx";
import type { ReportOrCase } from "./report_or_case_dialogs.tsx";
import { OfPatient, QueueHead } from "./queue_head.tsx";
import { openLetterOf } from "./queue_letter.tsx";
import { isFiltered, NO_FILTERS, orderIn, orderOf, PAGE, queueQuery } from "./queue_query.ts";
import { QueueTable, sortedRows } from "./queue_table.tsx";
import { QueueTiles } from "./queue_tiles.tsx";
import { SavedFilters } from "./saved_filters.tsx";

/** The claim number that was searched for last. It stays in the memory of this tab only. */
const searched = signal("");

/** The row that a person left, so that they find their place again, even if the row is gone. */
const left = { key: "", id: "", at: 0 };

export function Queue() {
  const params = query.value;
  const asked = queueQuery(params, searched.value);
  const { cursor: _, ...filters } = asked;
  const at = JSON.stringify({ ...filters, order: undefined });
  const patient = patientSearch.value?.at === at ? patientSearch.value : undefined;
  const sorted = orderOf(params);
  const isFound = patient !== undefined || searched.value !== "";
  // Each search for a patient is recorded, so that another order must not search again.
  const ofPatient = patient && JSON.stringify(["patient", patient.asked, patient.made]);
  const key = ofPatient ?? JSON.stringify(asked);
  const list = ofPatient ?? JSON.stringify({ ...asked, order: undefined });
  const counted = isFiltered(params) || sorted.by !== "deadline" ? { count: "true" as const } : {};
  lastQueue.href = `/queue${params.size > 0 ? `?${params}` : ""}`;
  const loaded = useLoad(
    async (signal): Promise<Listed> => {
      if (patient) return { key, list, next_cursor: null, ...(await claimsOfPatient(patient, signal)) };
      const read = (number = asked.claim_number) =>
        get("/api/v1/staff/claims", { query: { ...asked, ...counted, claim_number: number, limit: PAGE }, signal });
      const found = await read();
      const upper = asked.claim_number?.toUpperCase();
      const isElsewhere = found.claims.length === 0 && upper !== asked.claim_number;
      return { key, list, ...(isElsewhere ? await read(upper) : found) };
    },
    [key, patient ? 0 : undone.value],
  );
  // Whatever the rows' order is, the person goes from claim to claim in it.
  if (loaded.data?.key === key) {
    Object.assign(walk, { stops: sortedRows(loaded.data.claims, sorted, isFound), asked: filters, next: loaded.data.next_cursor });
  }
  const summary = useGet("/api/v1/staff/summary", { query: { practice_id: asked.practice_id, today: today() } });
  const colleagues = useColleagues();
  const selected = useSignal<ReadonlySet<string>>(new Set());
  // A key on a row that is not selected does not select it.
  const keep = (left: readonly string[]): void => {
    selected.value = new Set(left.filter((id) => selected.peek().has(id)));
  };
  useEffect(() => {
    selected.value = new Set();
  }, [key]);
  // Several claims change in a row, some of them later: each change goes onto the newest list.
  const newest = useRef(loaded.data);
  newest.current = loaded.data;
  const isReading = useRef(false);
  isReading.current = loaded.isLoading;
  const place = ({ id, version, status, signing_status, taken_by }: Standing): void => {
    const data = newest.current;
    if (!data) return;
    const holder = taken_by === null ? null : { id: taken_by, name: nameOf(taken_by) ?? "A colleague" };
    const claims = data.claims.map((row) => (row.id === id ? { ...row, version, status, signing_status, taken_by: holder, isOld: true as const } : row));
    newest.current = { ...data, claims };
    loaded.set(newest.current);
    // A read that is under way may have seen the claim before its change.
    if (isReading.current) loaded.reload();
  };
  const nameOf = (id: string): string | undefined =>
    id === user.peek()?.id ? user.peek()?.name : colleagues.data?.find((one) => one.id === id)?.name;
  const work = { nameOf, place, onChanged: summary.reload };
  const change = useAction(async (intent, what: Bulk, rows: readonly QueuedClaim[]) => {
    keep(await changeClaims(what, rows, work, intent));
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
  const making = useAction(async (_, what: ReportOrCase, rows: readonly QueuedClaim[]) => {
    // Loaded when it is wanted, because the queue has to show soon.
    const { openReportOrCase } = await loadPart(import("./staff.ts"));
    const left = await openReportOrCase(what, rows);
    if (left === undefined) return;
    keep(left);
    loaded.reload();
    summary.reload();
  });
  const find = (): void => void openFindPatient(at, () => setQuery({ cursor: undefined }, { replace: true }));
  useSignalEffect(() => {
    if (!wantsPatient.value) return;
    wantsPatient.value = false;
    find();
  });
  const sign = async (rows: readonly QueuedClaim[]): Promise<void> => {
    const decision = await pick("Patient’s signature", SIGNATURE);
    if (decision) await change.run(decision, rows);
  };
  const those = (row: QueuedClaim): readonly QueuedClaim[] => (chosen.length > 0 ? chosen : [row]);
  return (
    <Page
      title="Queue"
      actions={
        <>
          <Button onClick={find}>Find a patient</Button>
          {!patient && (
            <CsvDownload
              name="queue"
              noun="claim"
              of={JSON.stringify(filters)}
              read={(cursor, signal) => getCsv("/api/v1/staff/claims", { query: { ...filters, cursor, limit: limits.csvPage }, signal })}
            />
          )}
        </>
      }
    >
      {summary.data && <QueueTiles summary={summary.data} />}
      {!patient && <SavedFilters searched={searched} />}
      {!patient && <QueueFilters colleagues={colleagues.data ?? []} searched={searched} />}
      <ProblemView problem={change.problem ?? taking.problem ?? making.problem} />
      <Show of={loaded}>
        {(data) => (
          <div class="stack">
            <Missing cells={data.missing_cells} />
            {patient && <OfPatient search={patient} isComplete={data.complete ?? true} />}
            {!patient && (
              <QueueHead count={data.count} of={JSON.stringify(filters)} sorted={sorted} />
            )}
            <Rows
              {...{ data, patient, selected, underWay, sorted }}
              busy={loaded.isLoading}
              onTake={take}
              onTakeKey={(row) => (chosen.length > 0 ? void change.run("take", chosen) : take(row))}
              onNote={({ id, practice }) => openNote({ practice: practice.id, id })}
              onSort={(to) => setFilters(orderIn(to))}
              moreKeys={[
                { keys: "d", what: SET_LETTER, run: (row) => row.may.includes("set_letter") && void openLetterOf(row, work, loaded.reload) },
                { keys: "a", what: "Give the claim, or those that are selected, to a colleague", run: (row) => void change.run("give", those(row)) },
                { keys: "s", what: "Decide about the patient’s signature", run: (row) => void sign(those(row)) },
                { keys: "c", what: "Open a case with the claim, or those that are selected", run: (row) => void making.run("open_case", those(row)) },
              ]}
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
          <Button isBusy={change.isBusy} onClick={() => change.run("give", chosen)}>
            Give to a colleague
          </Button>
          <Button isBusy={change.isBusy} onClick={() => change.run("needed", chosen)}>
            Signature needed
          </Button>
          <Button isBusy={change.isBusy} onClick={() => change.run("not_needed", chosen)}>
            Not needed
          </Button>
          {chosen.some((row) => could(row, "report")) && <Button onClick={() => making.run("report", chosen)}>Deliver a report</Button>}
          {chosen.some((row) => could(row, "open_case")) && <Button onClick={() => making.run("open_case", chosen)}>Open a case</Button>}
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

const SIGNATURE = [
  ["needed", "Signature needed"],
  ["not_needed", "Not needed"],
] as const;

/** What the list shows: a page of the queue, or the claims of a patient. */
interface Listed {
  key: string;
  /** The same for every order: the table stays with another order, and the focus on its head. */
  list: string;
  claims: readonly QueuedClaim[];
  next_cursor: string | null;
  count?: { claims: number; more: boolean };
  complete?: boolean;
  missing_cells?: readonly number[];
}

interface RowsProps {
  data: Listed;
  patient: PatientSearch | undefined;
  sorted: Sorted;
  onSort: (to: Sorted) => void;
  moreKeys: Parameters<typeof QueueTable>[0]["moreKeys"];
  selected: Signal<ReadonlySet<string>>;
  underWay: Signal<readonly string[]>;
  busy: boolean;
  onTake: (row: QueuedClaim) => void;
  onTakeKey: (row: QueuedClaim) => void;
  onNote: (row: QueuedClaim) => void;
}

function Rows({ data, patient, busy, ...rest }: RowsProps) {
  const { key, list, next_cursor: next } = data;
  const claims = sortedRows(data.claims, rest.sorted, patient !== undefined || searched.value !== "");
  if (claims.length > 0) {
    const place = claims.find(({ id }) => id === left.id) ?? claims[Math.min(left.at, claims.length - 1)];
    const onLeave = (id: string): void => {
      Object.assign(left, { key, id, at: claims.findIndex((row) => row.id === id) });
    };
    return <QueueTable key={list} rows={claims} start={left.key === key ? place?.id : undefined} onLeave={onLeave} {...rest} />;
  }
  if (patient) {
    return (
      <NothingYet title="No claim of this patient was found">
        <p>The name and the date of birth must be those that the practice sent. Upper and lower case do not matter.</p>
      </NothingYet>
    );
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
