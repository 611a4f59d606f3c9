import type { ComponentChildren } from "preact";
import { cursor } from "../lib/index.ts";
import { Nothing } from "./empty.tsx";
import { Pager } from "./pager.tsx";
import { Table, type TableProps } from "./table.tsx";

interface Props<R> extends TableProps<R> {
  /** The cursor of the next page; `null` on the last one. */
  next: string | null;
  /** The next page is being read. */
  isBusy?: boolean;
  /** Removes the filters of the list; `false` if none is set. */
  onClear?: (() => void) | false;
  /** What to say instead if the list has nothing. */
  children?: ComponentChildren;
}

/** One page of a list that the service gives page by page. */
export function PagedTable<R>({ next, isBusy = false, onClear = false, children, ...table }: Props<R>) {
  if (table.rows.length === 0 && (children || cursor.value)) return <Nothing {...{ next, isBusy, onClear, children }} />;
  return (
    <div class="stack">
      <Table {...table} />
      <Pager rows={table.rows} next={next} />
    </div>
  );
}
