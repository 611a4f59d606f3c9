// API keys and API tokens, of a practice and of its sandbox: what is listed of each, and how one is made and revoked.

import type { ComponentChildren } from "preact";
import { limits } from "../../generated/rules.ts";
import { type Body, post } from "../../lib/api.ts";
import { ago, choicesOf, day, type Intent, time } from "../../lib/index.ts";
import {
  atLeastOne, ChoiceField, type Column, EndAction, openForm, showSecret, TextField, type Values,
} from "../../ui/index.ts";

type At = `/api/v1/settings/${"api_keys" | "api_tokens" | "sandbox/keys" | "sandbox/tokens"}`;

interface Credential {
  id: string;
  name: string;
  prefix: string;
  scopes: readonly string[];
  last_used_at: string | null;
  revoked_at: string | null;
  replaced_by: string | null;
  expires_at: string;
  /** Without it, all that work can be revoked. */
  may?: readonly string[];
}

type Secret = string | null | undefined;

interface Kind<C> {
  at: At;
  /** What one is called, such as "API key". */
  noun: string;
  scopes: Readonly<Record<string, string>>;
  /** The form for a new one. */
  title: string;
  submit: string;
  /** What its name says. */
  hint: string;
  /** The scopes that are chosen at first. */
  chosen?: readonly string[];
  /** More of the form. */
  children?: ComponentChildren;
  /** What to do with the secret. */
  about: ComponentChildren;
  /** What no longer works without it. */
  stops?: string;
  columns?: readonly Column<C>[];
  /** What else can be done with one. `show` shows the secret that came of it. */
  actions?: (one: C, show: (secret: Secret) => Promise<void>) => ComponentChildren;
  /** How many milliseconds the clock by which they end is ahead. */
  ahead?: number;
  changed: () => void;
}

/** The columns of a list of credentials, and what makes another one. */
export function credentials<C extends Credential>({
  at, noun, scopes, hint, chosen, children, about, stops = "Programs that use it stop working at this moment.", columns = [],
  actions, ahead = 0, changed, ...words
}: Kind<C>) {
  const show = async (secret: Secret): Promise<void> => {
    if (secret === undefined) return;
    await showSecret({ noun, secret, children: about });
    changed();
  };
  const send = async (values: Values, intent: Intent): Promise<string | null> => {
    const days = Number(values.text("expires_in_days"));
    const body = { name: values.text("name"), scopes: values.all("scopes"), ...(days && { expires_in_days: days }) };
    const made = await post(at, { body: body as Body<At, "post">, intent });
    return "key" in made ? made.key : made.token;
  };
  const ask = () =>
    openForm({
      ...words,
      act: send,
      check: atLeastOne("scopes"),
      children: (
        <>
          <TextField name="name" label="Name" hint={hint} required maxLength={limits.apiKeyName} autocomplete="off" autofocus />
          <ChoiceField name="scopes" label="It may" kind="checkbox" choices={choicesOf(scopes)} value={chosen} />
          {children}
        </>
      ),
    });
  const all: Column<C>[] = [
    {
      head: "Name",
      cell: ({ name, prefix }) => (
        <>
          {name}
          <code class="under">{prefix}…</code>
        </>
      ),
    },
    { head: "State", cell: (one) => state(one, Date.now() + ahead) },
    { head: "Allows", cell: (one) => one.scopes.map((scope) => scopes[scope]).join(", ") },
    { head: "Last used", cell: ({ last_used_at: used }) => (used ? ago(used) : "Never") },
    ...columns,
    {
      head: "Change",
      cell: (one) => (
        <div class="actions">
          {actions?.(one, show)}
          {(one.may ? one.may.includes("revoke") : !one.revoked_at) && (
            <EndAction
              label="Revoke"
              of={one.name}
              title={`Revoke “${one.name}”?`}
              text={`${stops} This cannot be undone.`}
              action={`Revoke the ${noun}`}
              path={`${at}/{id}`}
              id={one.id}
              then={changed}
            />
          )}
        </div>
      ),
    },
  ];
  return { columns: all, make: async () => show(await ask()) };
}

function state({ revoked_at: revoked, replaced_by, expires_at: ends }: Credential, now: number) {
  if (revoked) return <span class="tag bad">Revoked {day(revoked)}</span>;
  if (Date.parse(ends) <= now) return <span class="tag bad">Expired {day(ends)}</span>;
  return (
    <span class={replaced_by ? "tag warn" : "tag good"} title={time(ends)}>
      {replaced_by ? "Replaced, ends" : "Works until"} {day(ends)}
    </span>
  );
}
