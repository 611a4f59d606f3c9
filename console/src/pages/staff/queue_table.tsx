import type { Signal } from "@preact/signals";
import { ago, isOpen, money, PLAN, user } from "../../lib/index.ts";
import {
  Button, CLAIM_COLUMNS, ClaimDue, Codes, type Column, Due, inOrder, planOf, type Sorted, StatusTag, Table,
} from "../../ui/index.ts";
import type { QueuedClaim } from "./queue_bulk.tsx";

interface Props {
  rows: readonly QueuedClaim[];
  selected: Signal<ReadonlySet<string>>;
  underWay: Signal<readonly string[]>;
  start: string | undefined;
  onTake: (row: QueuedClaim) => void;
  /** Takes the selected claims, or else the one of the row. */
  onTakeKey: (row: QueuedClaim) => void;
  onNote: (row: QueuedClaim) => void;
  /** More keys for the selected claims, or else for the one of the row. */
  moreKeys: readonly { keys: string; what: string; run: (row: QueuedClaim) => void }[];
  sorted: Sorted;
  onSort: (to: Sorted) => void;
  /** The focus came to a row, from which the person may go to its claim. */
  onLeave: (id: string) => void;
}

/** The claims of the queue. The patient is not in it: a claim is opened only on purpose. */
export function QueueTable({ rows, underWay, onTake, onTakeKey, onNote, onLeave, moreKeys, ...rest }: Props) {
  const columns: Column<QueuedClaim>[] = [
    { ...CLAIM_COLUMNS.number, head: "Claim" },
    { head: "Deadline", cell: (row) => <NextDay {...row} />, isShort: true, order: "deadline" },
    { head: "Status", cell: ({ status, signing_status, link_expires_at }) => <Standing {...{ status, signing_status, link_expires_at }} /> },
    { head: "Taken by", cell: (row) => <Holder {...{ row, onTake }} isBusy={underWay.value.includes(row.id)} /> },
    {
      head: "Practice and payer",
      cell: (row) => {
        const plan = planOf(row);
        return (
          <span class="payer">
            {row.practice.name}
            <span class="under">
              {row.payer_name}
              {plan && `, ${PLAN[plan]}`}
            </span>
          </span>
        );
      },
    },
    { head: "Codes", cell: ({ denial_codes }) => <Codes of={denial_codes} /> },
    { head: "Denied", cell: (row) => <Amount row={row} />, isNumber: true, isShort: true, order: "denied" },
    { head: "Arrived", cell: ({ received_at }) => ago(received_at), isShort: true, order: "arrived" },
  ];
  return (
    <div
      onFocusIn={(event) => {
        const link = (event.target as Element).closest("tr")?.querySelector<HTMLAnchorElement>("th a");
        const id = link?.pathname.split("/").at(-1);
        if (id) onLeave(id);
      }}
    >
      <Table
        caption="Claims in the queue"
        columns={columns}
        rows={rows}
        id={({ id }) => id}
        name={({ claim_number }) => claim_number}
        href={({ practice, id }) => `/work/${practice.id}/claims/${id}`}
        rowKeys={[
          { keys: "t", what: "Take the claim, or those that are selected", run: (row) => (isFree(row) || rest.selected.value.size > 0) && onTakeKey(row) },
          { keys: "n", what: "Write a note on the claim", run: onNote },
          ...moreKeys,
        ]}
        {...rest}
      />
    </div>
  );
}

/** What has to be filed for a claim, or else the payer's decision that it waits for. */
function NextDay({ deadline, status, ask_on: ask }: QueuedClaim) {
  if (deadline || !ask) return <ClaimDue {...{ deadline, status }} />;
  return (
    <>
      <Due day={ask} />
      <span class="under">Payer’s decision</span>
    </>
  );
}

/** What the rows of a list that is whole are sorted by. */
const VALUES: Readonly<Record<string, (row: QueuedClaim) => string | number | null>> = {
  deadline: ({ deadline }) => deadline?.date ?? null,
  denied: ({ denied_amount }) => (denied_amount === null ? null : Number(denied_amount)),
  arrived: ({ received_at }) => received_at,
};

/** The rows in an order. The service sorts the queue, but not what a search finds. */
export function sortedRows(rows: readonly QueuedClaim[], { by, isDown }: Sorted, isFound: boolean): readonly QueuedClaim[] {
  const value = isFound && VALUES[by];
  return value ? inOrder(rows, value, isDown) : rows;
}

const SIGNING_NOTE: Readonly<Partial<Record<QueuedClaim["signing_status"], string>>> = {
  needed: "Patient must sign",
  signed: "Patient signed",
};

function Standing({ status, signing_status: signing, link_expires_at }: Pick<QueuedClaim, "status" | "signing_status" | "link_expires_at">) {
  const note = signing === "needed" && link_expires_at === null ? "Patient must sign, link no longer works" : SIGNING_NOTE[signing];
  return (
    <>
      <StatusTag of={status} />
      {isOpen(status) && note && <span class="under">{note}</span>}
    </>
  );
}

const isFree = ({ taken_by, may }: QueuedClaim): boolean => taken_by?.id !== user.value?.id && may.includes("take");

function Holder({ row, onTake, isBusy }: { row: QueuedClaim; onTake: (row: QueuedClaim) => void; isBusy: boolean }) {
  if (row.taken_by === null && isFree(row)) {
    return (
      <Button look="quiet" isBusy={isBusy} onClick={() => onTake(row)} aria-label={`Take ${row.claim_number}`}>
        Take
      </Button>
    );
  }
  if (row.taken_by === null) return <span class="quiet-text">No one</span>;
  return row.taken_by.id === user.value?.id ? <strong>You</strong> : <span class="holder">{row.taken_by.name}</span>;
}

/** What was denied; what was billed if the practice did not say. */
function Amount({ row: { denied_amount, billed_amount } }: { row: QueuedClaim }) {
  if (denied_amount !== null) return <>{money(denied_amount)}</>;
  return (
    <>
      –<span class="under">{money(billed_amount)} billed</span>
    </>
  );
}
