import type { TokenScope } from "../../generated/rules.ts";
import { type Answer, post } from "../../lib/api.ts";
import { cursor, useGet, user } from "../../lib/index.ts";
import { NothingYet, openForm, RowAction, SelectField } from "../../ui/index.ts";
import { credentials } from "./credentials.tsx";
import { SettingsList } from "./list.tsx";

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
  const { columns, make } = credentials<Token>({
    at: "/api/v1/settings/api_tokens",
    noun: "API token",
    title: "Make a token",
    submit: "Make the token",
    hint: "Which program uses it.",
    scopes: SCOPES,
    children: <SelectField name="expires_in_days" label="It works for" choices={LIFETIMES.map((days) => [String(days), `${days} days`] as const)} value="90" required />,
    about: <p>A program sends it as <code>Authorization: Bearer</code>. It can do what you may do, within its choices.</p>,
    columns: [{ head: "Belongs to", cell: ({ user_id: id }) => (id === user.value?.id ? "You" : "Another member") }],
    actions: (token, show) =>
      token.may.includes("regenerate") && <RowAction label="Replace" of={token.name} run={async () => show(await replace(token))} />,
    changed: tokens.reload,
  });
  return (
    <SettingsList
      title="API tokens"
      lead="A token lets a program of yours read what you may read. To send claims, make an API key instead."
      make={{ label: "Make a token", needs: "manage_api_tokens", act: make }}
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

const replace = ({ id, name }: Token): Promise<string | null | undefined> =>
  openForm({
    title: `Replace “${name}”`,
    lead: "You get a new token with the same name and the same choices.",
    submit: "Make the new token",
    act: async (values, intent) => {
      const body = { grace_days: Number(values.text("grace_days")) };
      return (await post("/api/v1/settings/api_tokens/{id}/regenerate", { path: { id }, body, intent })).token;
    },
    children: <SelectField name="grace_days" label="The old token" choices={GRACE_DAYS.map(grace)} value="1" required />,
  });

function grace(days: number): readonly [string, string] {
  if (days === 0) return ["0", "It ends now"];
  return [String(days), days === 1 ? "It works for one more day" : `It works for ${days} more days`];
}
