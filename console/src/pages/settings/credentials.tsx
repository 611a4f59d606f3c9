import type { ComponentChildren } from "preact";
import { ago, day } from "../../lib/format.ts";
import type { Column } from "../../ui/index.ts";

interface Credential {
  name: string;
  prefix: string;
  scopes: readonly string[];
  last_used_at: string | null;
  revoked_at: string | null;
  expires_at: string;
}

/** The columns that API keys and API tokens have in common. `working` is the state of one that has not ended. */
export function credentialColumns<C extends Credential>(
  scopes: Readonly<Record<string, string>>,
  working: (credential: C) => ComponentChildren,
): Column<C>[] {
  const state = (one: C) => {
    if (one.revoked_at) return <span class="tag bad">Revoked {day(one.revoked_at)}</span>;
    if (Date.parse(one.expires_at) <= Date.now()) return <span class="tag bad">Expired {day(one.expires_at)}</span>;
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
