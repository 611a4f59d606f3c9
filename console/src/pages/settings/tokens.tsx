import { type Answer, del, post } from "../../lib/api.ts";
import { choicesOf, cursor, day, useGet, user } from "../../lib/index.ts";
import { limits, type TokenScope } from "../../generated/rules.ts";
import {
  atLeastOne, ChoiceField, type Column, NothingYet, openForm, RowAction, SelectField, showSecret, TextField,
} from "../../ui/index.ts";
import { credentialColumns, SettingsList, valueOf } from "./list.tsx";

type Token = Answer<"/api/v1/settings/api_tokens", "get">["api_tokens"][number];

const SCOPES: Record<TokenScope, string> = {
  "denials:read": "Read denials",
  "documents:write": "Upload documents",
  "settings:read": "Read the settings",
  "audit:read": "Read the audit trail",
  "api_keys:rotate": "Replace API keys with new ones",
};
const LIFETIMES = [30, 90, 180, 365];
const GRACE_DAYS = [0, 1, 3, 7];

/** The tokens with which a person's programs read. */
export function Tokens() {
  const tokens = useGet("/api/v1/settings/api_tokens", { query: { cursor: cursor.value } });
  const show = async (token: string | undefined): Promise<void> => {
    if (token !== undefined) {
      const children = <p>A program sends it as <code>Authorization: Bearer</code>. It can do what you may do, within its choices.</p>;
      await showSecret({ title: "Your new API token", secret: token, children });
    }
    tokens.reload();
  };
  const columns: Column<Token>[] = [
    ...credentialColumns(SCOPES, state),
    { head: "Belongs to", cell: ({ user_id: id }) => (id === user.value?.id ? "You" : "Another member") },
    {
      head: "Change",
      cell: (token) => (
        <div class="actions">
          {token.may.includes("regenerate") && <RowAction label="Replace" of={token.name} run={async () => show(await replace(token))} />}
          {token.may.includes("revoke") && (
            <RowAction
              label="Revoke"
              of={token.name}
              ask={{
                title: `Revoke “${token.name}”?`,
                text: "Programs that use it stop working at this moment. This cannot be undone.",
                action: "Revoke the token",
                danger: true,
              }}
              run={(intent) => del("/api/v1/settings/api_tokens/{id}", { path: { id: token.id }, intent })}
              said="Revoked."
              then={tokens.reload}
            />
          )}
        </div>
      ),
    },
  ];
  return (
    <SettingsList
      title="API tokens"
      lead="A token lets a program of yours read what you may read. To send claims, make an API key instead."
      make={{ label: "Make a token", needs: "manage_api_tokens", act: async () => show(await newToken()) }}
      of={tokens}
      rows={({ api_tokens }) => api_tokens}
      columns={columns}
    >
      <NothingYet title="There is no token yet">
        <p>Most practices need none.</p>
      </NothingYet>
    </SettingsList>
  );
}

function state({ replaced_by, expires_at: ends }: Token) {
  return replaced_by ? <span class="tag warn">Replaced, ends {day(ends)}</span> : <span class="tag good">Works until {day(ends)}</span>;
}

const newToken = (): Promise<string | undefined> =>
  openForm({
    title: "Make a token",
    submit: "Make the token",
    act: async (values, intent) => {
      const scopes = values.all("scopes") as TokenScope[];
      const body = { name: values.text("name"), scopes, expires_in_days: Number(values.text("expires_in_days")) };
      return valueOf("token", (await post("/api/v1/settings/api_tokens", { body, intent })).token);
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
      return valueOf("token", (await post("/api/v1/settings/api_tokens/{id}/regenerate", { path: { id }, body, intent })).token);
    },
    children: <SelectField name="grace_days" label="The old token" choices={GRACE_DAYS.map(grace)} value="1" required />,
  });

function grace(days: number): readonly [string, string] {
  if (days === 0) return ["0", "It ends now"];
  return [String(days), days === 1 ? "It works for one more day" : `It works for ${days} more days`];
}
