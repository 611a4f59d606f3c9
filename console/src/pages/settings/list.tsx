import type { ComponentChildren } from "preact";
import { type Action, ago, day, type Loaded, may } from "../../lib/index.ts";
import { Button, type Column, PagedTable, Show, toast } from "../../ui/index.ts";
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

/** The value of what was made, which the service gives once: with a second answer to the same change, it is gone. */
export function valueOf(noun: string, value: string | null): string | undefined {
  if (value === null) toast(`The ${noun} was made, but its value was lost on the way. Revoke it, and make another one.`);
  return value ?? undefined;
}

interface Credential {
  name: string;
  prefix: string;
  scopes: readonly string[];
  last_used_at: string | null;
  revoked_at: string | null;
  expires_at: string;
}

/** The columns that API keys and API tokens have in common. `working` is the state of one that has not ended. `ahead` is how many milliseconds the clock by which they end is ahead. */
export function credentialColumns<C extends Credential>(
  scopes: Readonly<Record<string, string>>,
  working: (credential: C) => ComponentChildren,
  ahead = 0,
): Column<C>[] {
  const state = (one: C) => {
    if (one.revoked_at) return <span class="tag bad">Revoked {day(one.revoked_at)}</span>;
    if (Date.parse(one.expires_at) <= Date.now() + ahead) return <span class="tag bad">Expired {day(one.expires_at)}</span>;
    return working(one);
  };
  return [
    { head: "Name", cell: ({ name }) => name },
    { head: "State", cell: state },
    { head: "Begins with", cell: ({ prefix }) => <code>{prefix}…</code>, isShort: true },
    { head: "Allows", cell: (one) => one.scopes.map((scope) => scopes[scope]).join(", ") },
    { head: "Last used", cell: ({ last_used_at: at }) => (at ? ago(at) : "Never") },
  ];
}
