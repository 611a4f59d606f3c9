import type { ComponentChildren } from "preact";
import { type Action, type Loaded, may } from "../../lib/index.ts";
import { Button, type Column, PagedTable, Show } from "../../ui/index.ts";
import { Settings } from "./frame.tsx";

interface Props<P, R> {
  title: string;
  lead: string;
  /** How another one is made, and who may do it. */
  make: { label: string; needs: Action; act: () => Promise<void> };
  of: Loaded<P>;
  rows: (page: P) => readonly R[];
  columns: readonly Column<R>[];
  children?: ComponentChildren;
}

/** A screen of the settings with a list of what was made, page by page. */
export function SettingsList<P extends { next_cursor: string | null }, R extends { id: string }>({
  title,
  lead,
  make,
  of,
  rows,
  columns,
  children,
}: Props<P, R>) {
  const button = (
    <Button look="primary" onClick={make.act}>
      {make.label}
    </Button>
  );
  return (
    <Settings title={title} lead={lead} actions={may(make.needs) && button}>
      <Show of={of}>
        {(page) => (
          <PagedTable caption={title} columns={columns} rows={rows(page)} id={({ id }) => id} next={page.next_cursor}>
            {children}
          </PagedTable>
        )}
      </Show>
    </Settings>
  );
}
