import { type Answer, del, post } from "../../lib/api.ts";
import { choicesOf, cursor, day, may, time, useGet } from "../../lib/index.ts";
import { type KeyScope, keyScopes, limits } from "../../generated/rules.ts";
import {
  atLeastOne, ChoiceField, type Column, Instructions, NothingYet, openForm, RowAction, showSecret, TextField,
} from "../../ui/index.ts";
import { credentialColumns, SettingsList, valueOf } from "./list.tsx";

type Key = Answer<"/api/v1/settings/api_keys", "get">["api_keys"][number];

const SCOPES: Record<KeyScope, string> = {
  "claims:write": "Send claims",
  "claims:read": "Read the status of claims",
};

export function Keys() {
  const keys = useGet("/api/v1/settings/api_keys", { query: { cursor: cursor.value } });
  const make = async (): Promise<void> => {
    const key = await newKey();
    if (key === undefined) return;
    await showSecret({
      title: "Your new API key",
      secret: key,
      children: (
        <>
          <p>
            Give it to the person who runs your billing system: in person, or with a password manager. It belongs on that server
            only, so do not send it by email. The person also needs this message, which has no key and can go by email:
          </p>
          <Instructions />
        </>
      ),
    });
    keys.reload();
  };
  const columns: Column<Key>[] = [
    ...credentialColumns(SCOPES, state),
    { head: "Made by", cell: (key) => <Maker of={key} /> },
    {
      head: "Change",
      cell: (key) =>
        key.may.includes("revoke") && (
          <RowAction
            label="Revoke"
            of={key.name}
            ask={{
              title: `Revoke “${key.name}”?`,
              text: "Your billing system can no longer send or read claims with it, from this moment. This cannot be undone.",
              action: "Revoke the key",
              danger: true,
            }}
            run={(intent) => del("/api/v1/settings/api_keys/{id}", { path: { id: key.id }, intent })}
            said="Revoked."
            then={keys.reload}
          />
        ),
    },
  ];
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

function state({ expires_at: ends }: Key) {
  return (
    <span class="tag good" title={time(ends)}>
      Works until {day(ends)}
    </span>
  );
}

function Maker({ of }: { of: Key }) {
  return (
    <>
      {of.created_by?.name ?? "–"}
      {of.maker_removed && <span class="quiet-text"> (has left)</span>}
    </>
  );
}

/** Asks for the name and the scopes, and gives the new key. */
const newKey = (): Promise<string | undefined> =>
  openForm({
    title: "Make a key",
    submit: "Make the key",
    act: async (values, intent) => {
      const body = { name: values.text("name"), scopes: values.all("scopes") as KeyScope[] };
      return valueOf("key", (await post("/api/v1/settings/api_keys", { body, intent })).key);
    },
    check: atLeastOne("scopes"),
    children: (
      <>
        <TextField name="name" label="Name" hint="Which system uses it, such as “Billing server”." required maxLength={limits.apiKeyName} autocomplete="off" autofocus />
        <ChoiceField name="scopes" label="It may" kind="checkbox" choices={choicesOf(SCOPES)} value={keyScopes} />
        <p class="quiet-text">A key works for one year.</p>
      </>
    ),
  });
