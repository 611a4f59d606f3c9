import { type Answer, del, get, post } from "../../lib/api.ts";
import { day } from "../../lib/format.ts";
import type { Intent } from "../../lib/intent.ts";
import { useLoad } from "../../lib/load.ts";
import { cursor } from "../../lib/router.ts";
import { may, user } from "../../lib/session.ts";
import { limits, type TokenScope } from "../../generated/rules.ts";
import { choicesOf } from "../../lib/terms.ts";
import {
  atLeastOne, Button, ChoiceField, type Column, confirm, NothingYet, openForm, PagedTable, RowAction, SelectField, Show,
  showSecret, TextField, toast,
} from "../../ui/index.ts";
import { credentialColumns } from "./credentials.tsx";
import { Settings } from "./frame.tsx";

type Token = Answer<"/api/v1/settings/api_tokens", "get">["api_tokens"][number];

const SCOPES: Record<TokenScope, string> = {
  "denials:read": "Read denials",
  "documents:write": "Upload documents",
  "settings:read": "Read the settings",
  "audit:read": "Read the audit trail",
};
const LIFETIMES = [30, 90, 180, 365];
const GRACE_DAYS = [0, 1, 3, 7];

/** The tokens with which a person's programs read. */
export default function Tokens() {
  const tokens = useLoad((signal) => get("/api/v1/settings/api_tokens", { query: { cursor: cursor.value }, signal }), [cursor.value]);
  const show = async (token: string | undefined): Promise<void> => {
    if (token !== undefined) {
      const children = <p>A program sends it as <code>Authorization: Bearer</code>. It can do what you may do, within its choices.</p>;
      await showSecret({ title: "Your new API token", secret: token, children });
    }
    tokens.reload();
  };
  const canMake = may("manage_api_tokens");
  const columns: Column<Token>[] = [
    ...credentialColumns(SCOPES, state),
    { head: "Belongs to", cell: ({ user_id: id }) => (id === user.value?.id ? "You" : "Another member") },
    {
      head: "Change",
      cell: (token) => (
        <div class="actions">
          {token.may.includes("regenerate") && (
            <RowAction label="Replace" of={token.name} run={async () => show(await replace(token))} />
          )}
          {token.may.includes("revoke") && <RowAction label="Revoke" of={token.name} run={(intent) => revoke(token, intent, tokens.reload)} />}
        </div>
      ),
    },
  ];
  const make = (
    <Button look="primary" onClick={async () => show(await newToken())}>
      Make a token
    </Button>
  );
  return (
    <Settings
      title="API tokens"
      lead="A token lets a program of yours read what you may read. To send claims, make an API key instead."
      actions={canMake && make}
    >
      <Show of={tokens}>
        {({ api_tokens: rows, next_cursor: next }) => (
          <PagedTable caption="API tokens" columns={columns} rows={rows} id={({ id }) => id} next={next}>
            <NothingYet title="There is no token yet">
              <p>Most practices need none.</p>
            </NothingYet>
          </PagedTable>
        )}
      </Show>
    </Settings>
  );
}

async function revoke(token: Token, intent: Intent, reload: () => void): Promise<void> {
  const text = "Programs that use it stop working at this moment. This cannot be undone.";
  if (!(await confirm({ title: `Revoke “${token.name}”?`, text, action: "Revoke the token", danger: true }))) return;
  await del("/api/v1/settings/api_tokens/{id}", { path: { id: token.id }, intent });
  toast("Revoked.");
  reload();
}

function state({ replaced_by, expires_at: ends }: Token) {
  return replaced_by ? <span class="tag warn">Replaced, ends {day(ends)}</span> : <span class="tag good">Works until {day(ends)}</span>;
}

const LOST = "The token was made, but its value was lost on the way. Revoke it, and make another one.";

/** Gives the value of a token that was made. */
function valueOf({ token }: { token: string | null }): string | undefined {
  if (token === null) toast(LOST);
  return token ?? undefined;
}

const newToken = (): Promise<string | undefined> =>
  openForm({
    title: "Make a token",
    submit: "Make the token",
    act: async (values, intent) => {
      const scopes = values.all("scopes") as TokenScope[];
      const body = { name: values.text("name"), scopes, expires_in_days: Number(values.text("expires_in_days")) };
      return valueOf(await post("/api/v1/settings/api_tokens", { body, intent }));
    },
    check: atLeastOne("scopes"),
    children: (
      <>
        <TextField name="name" label="Name" hint="Which program uses it." required maxLength={limits.apiTokenName} autocomplete="off" autofocus />
        <ChoiceField name="scopes" label="It may" kind="checkbox" choices={choicesOf(SCOPES)} />
        <SelectField name="expires_in_days" label="It works for" choices={LIFETIMES.map((days) => [String(days), `${days} days`] as const)} value="90" required />
      </>
    ),
  });

const replace = ({ id, name }: Token): Promise<string | undefined> =>
  openForm({
    title: `Replace “${name}”`,
    lead: "You get a new token with the same name and the same choices.",
    submit: "Make the new token",
    act: async (values, intent) => {
      const body = { grace_days: Number(values.text("grace_days")) };
      return valueOf(await post("/api/v1/settings/api_tokens/{id}/regenerate", { path: { id }, body, intent }));
    },
    children: <SelectField name="grace_days" label="The old token" choices={GRACE_DAYS.map(grace)} value="1" required />,
  });

function grace(days: number): readonly [string, string] {
  if (days === 0) return ["0", "It ends now"];
  return [String(days), days === 1 ? "It works for one more day" : `It works for ${days} more days`];
}
