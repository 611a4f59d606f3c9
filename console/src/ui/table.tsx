import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useKeys } from "../lib/index.ts";

/** A column. The first one names the row, and its cell holds the link. */
export interface Column<R> {
  head: string;
  cell: (row: R) => ComponentChildren;
  /** Right-aligned, with digits of one width. */
  isNumber?: boolean;
  /** Keeps the cell on one line. */
  isShort?: boolean;
  /** The name of the order by this column, if the head sorts. */
  order?: string;
}

/** The order of a table. */
export interface Sorted {
  by: string;
  isDown: boolean;
}

/** The same rows in the order of a value, which may be missing: such rows come last in either direction. */
export function inOrder<R>(rows: readonly R[], value: (row: R) => string | number | null, isDown: boolean): R[] {
  const compare = (one: string | number, other: string | number): number =>
    typeof one === "number" && typeof other === "number" ? one - other : String(one).localeCompare(String(other), "en");
  return rows.toSorted((one, other) => {
    const [a, b] = [value(one), value(other)];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return isDown ? compare(b, a) : compare(a, b);
  });
}

/** A shortcut for the row that has the focus. */
interface RowKey<R> {
  keys: string;
  what: string;
  run: (row: R) => void;
}

export interface TableProps<R> {
  /** What the table lists, for screen readers, such as "Claims in the queue". */
  caption: string;
  columns: readonly Column<R>[];
  rows: readonly R[];
  id: (row: R) => string;
  /** Where the row's link leads. */
  href?: (row: R) => string;
  /** The ids of the selected rows. With it, each row has a box to check. */
  selected?: Signal<ReadonlySet<string>>;
  /** What a row is called in "Select …". It must not name a patient. */
  name?: (row: R) => string;
  /** More shortcuts for the row that has the focus. */
  rowKeys?: readonly RowKey<R>[];
  /** The order now. The heads of columns with an `order` change it. */
  sorted?: Sorted;
  onSort?: (to: Sorted) => void;
  /** The row that takes the focus when the table appears: the one that the person came back from. */
  start?: string | undefined;
}

/**
 * A table that the keyboard works in: `j` and `k` move to the link of the next and the previous row, `x` selects the
 * row. The head stays in sight without hiding the row that has the focus. On a narrow screen, parts.css makes a card of each
 * row. The roles are written out, because some browsers forget them for rows that are not laid out as a table.
 */
export function Table<R>({ caption, columns, rows, id, href, selected, name = id, rowKeys = [], start, sorted, onSort }: TableProps<R>) {
  const body = useRef<HTMLTableSectionElement>(null);
  const current = useSignal(-1);
  const go = (to: number): void => {
    const row = body.current?.rows[Math.min(Math.max(to, 0), rows.length - 1)];
    const target = row?.querySelector<HTMLElement>("th a") ?? row;
    target?.focus();
  };
  const toggle = (of: string): void => {
    if (!selected) return;
    const next = new Set(selected.peek());
    if (!next.delete(of)) next.add(of);
    selected.value = next;
  };
  const here = (): R | undefined => {
    const row = body.current?.rows[current.peek()];
    return row?.contains(document.activeElement) ? rows[current.peek()] : undefined;
  };
  useKeys([
    { keys: "j", what: "Next row", run: () => go(current.peek() + 1) },
    { keys: "k", what: "Previous row", run: () => go(current.peek() - 1) },
    ...(selected ? [{ keys: "x", what: "Select the row", run: (row: R) => toggle(id(row)) }, ...rowKeys] : rowKeys).map(
      ({ keys, what, run }) => ({
        keys,
        what,
        run: () => {
          const row = here();
          if (row !== undefined) run(row);
        },
      }),
    ),
  ]);
  useEffect(() => {
    const at = rows.findIndex((row) => id(row) === start);
    if (at >= 0) go(at);
  }, []);
  const all = rows.length > 0 && rows.every((row) => selected?.value.has(id(row)));
  return (
    // Without links to move to, the keyboard needs the frame itself to scroll sideways.
    <div class="table-frame" {...(href ? {} : { role: "region", "aria-label": caption, tabIndex: 0 })}>
      <table class="list" role="table">
        <caption class="hidden">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {selected && (
              <th scope="col" role="columnheader" class="tick">
                <input
                  type="checkbox"
                  aria-label="Select all rows"
                  checked={all}
                  onChange={() => (selected.value = all ? new Set() : new Set(rows.map(id)))}
                />
              </th>
            )}
            {columns.map(({ head, isNumber, order }) => (
              <th scope="col" role="columnheader" key={head} class={isNumber ? "number" : undefined} aria-sort={sortOf(order, sorted)}>
                {order && onSort ? <SortButton {...{ head, order, sorted, onSort }} /> : head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody
          role="rowgroup"
          ref={body}
          onFocusIn={(event) => {
            current.value = [...(body.current?.rows ?? [])].findIndex((row) => row.contains(event.target as Node));
          }}
        >
          {rows.map((row) => (
            <tr role="row" key={id(row)} tabIndex={-1} class={selected?.value.has(id(row)) ? "selected" : undefined}>
              {selected && (
                <td role="cell" class="tick">
                  <input
                    type="checkbox"
                    aria-label={`Select ${name(row)}`}
                    checked={selected.value.has(id(row))}
                    onChange={() => toggle(id(row))}
                  />
                </td>
              )}
              {columns.map(({ head, cell, isNumber, isShort }, n) => {
                const look = [isNumber && "number", isShort && "short"].filter(Boolean).join(" ") || undefined;
                if (n > 0) {
                  return (
                    <td role="cell" key={head} class={look} data-head={head}>
                      {cell(row)}
                    </td>
                  );
                }
                return (
                  <th scope="row" role="rowheader" key={head} class={look}>
                    {href ? <a href={href(row)}>{cell(row)}</a> : cell(row)}
                  </th>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function sortOf(order: string | undefined, sorted: Sorted | undefined): "ascending" | "descending" | undefined {
  if (!order || sorted?.by !== order) return undefined;
  return sorted.isDown ? "descending" : "ascending";
}

interface SortProps {
  head: string;
  order: string;
  sorted: Sorted | undefined;
  onSort: (to: Sorted) => void;
}

/** The head of a column as a button: sorts by the column, and then the other way around. */
function SortButton({ head, order, sorted, onSort }: SortProps) {
  const isHere = sorted?.by === order;
  return (
    <button type="button" class="sort" onClick={() => onSort({ by: order, isDown: isHere && !sorted.isDown })}>
      {head}
      <span aria-hidden="true">{isHere ? (sorted.isDown ? " ▼" : " ▲") : " ↕"}</span>
    </button>
  );
}
