import { type KeyScope, keyScopes } from "../../generated/rules.ts";
import type { Answer } from "../../lib/api.ts";
import { cursor, may, useGet } from "../../lib/index.ts";
import { Instructions, NothingYet } from "../../ui/index.ts";
import { credentials } from "./credentials.tsx";
import { SettingsList } from "./list.tsx";

type Key = Answer<"/api/v1/settings/api_keys", "get">["api_keys"][number];

const SCOPES: Record<KeyScope, string> = {
  "claims:write": "Send claims",
  "claims:read": "Read the status of claims",
};

export function Keys() {
  const keys = useGet("/api/v1/settings/api_keys", { query: { cursor: cursor.value } });
  const { columns, make } = credentials<Key>({
    at: "/api/v1/settings/api_keys",
    noun: "API key",
    title: "Make a key",
    submit: "Make the key",
    hint: "Which system uses it, such as “Billing server”.",
    scopes: SCOPES,
    chosen: keyScopes,
    children: <p class="quiet-text">A key works for one year.</p>,
    about: (
      <>
        <p>
          Give it to the person who runs your billing system: in person, or with a password manager. It belongs on that server
          only, so do not send it by email. The person also needs this message, which has no key and can go by email:
        </p>
        <Instructions />
      </>
    ),
    stops: "Your billing system can no longer send or read claims with it, from this moment.",
    columns: [
      {
        head: "Made by",
        cell: ({ created_by: maker, maker_removed: hasLeft }) => (
          <>
            {maker?.name ?? "–"}
            {hasLeft && <span class="quiet-text"> (has left)</span>}
          </>
        ),
      },
    ],
    changed: keys.reload,
  });
  return (
    <SettingsList
      title="API keys"
      lead="Your billing system sends denied claims with a key. Make one key for each system."
      make={{ label: "Make a key", needs: "manage_api_keys", act: make }}
      of={keys}
      rows={({ api_keys }) => api_keys}
      columns={columns}
    >
      <NothingYet title="There is no key yet">
        <p>
          {may("manage_api_keys") ? "Make the first one, and give it to the person who runs your billing system." : "An owner or an admin can make one."}
        </p>
      </NothingYet>
    </SettingsList>
  );
}
