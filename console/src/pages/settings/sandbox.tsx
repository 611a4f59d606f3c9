import { type Answer, del, post } from "../../lib/api.ts";
import { choicesOf, day, type Intent, may, plural, useGet } from "../../lib/index.ts";
import { type KeyScope, keyScopes, limits, type TokenScope } from "../../generated/rules.ts";
import {
  atLeastOne, Button, ChoiceField, type Column, Fact, NothingYet, openForm, PlainTable, RowAction, Section, Show,
  showSecret, Table, TextField,
} from "../../ui/index.ts";
import { Settings } from "./frame.tsx";
import { credentialColumns, valueOf } from "./list.tsx";

type Sandbox = NonNullable<Answer<"/api/v1/settings/sandbox", "get">["sandbox"]>;

const KEY_SCOPES: Record<KeyScope, string> = {
  "claims:write": "Send claims and advance the clock",
  "claims:read": "Read the status of claims",
};
/** What a token of a sandbox may do. It sends claims and manages webhooks as well. */
const TOKEN_SCOPES: Partial<Record<TokenScope, string>> = {
  "denials:read": "Read denials",
  "documents:write": "Upload documents",
  "settings:read": "Read webhooks",
  "audit:read": "Read the audit trail",
};

/** What the beginning of a claim number does, and after how many days. */
const SCRIPTS = [
  ["RECOVER-", "In review after 1 day, in appeal after 3, recovered after 35"],
  ["CLOSE-", "The same, and closed after 35 days"],
  ["REPORT-", "In review after 1 day, in a report after 3"],
  ["SIGN-", "In review after 1 day. After 2, the patient has to sign, and the link works"],
  ["SLOW-", "In review after 20 days, in appeal after 40, recovered after 225"],
  ["DIFFERENT-PATIENT-", "The claim is refused, as if the number were another patient’s"],
  ["LIMIT-", "The send is refused with 429"],
  ["DOWN-", "The send is refused with 503 three times, and then accepted"],
] as const;

/** A practice beside the own one, for the developers of a billing system. */
export function SandboxSettings() {
  const own = useGet("/api/v1/settings/sandbox");
  const make = <RowAction label="Make the sandbox" run={(intent) => post("/api/v1/settings/sandbox", { intent })} then={own.reload} />;
  return (
    <Settings title="Sandbox" lead="A practice beside yours, where the developers of your billing system try everything without a patient and without our staff.">
      <Show of={own}>
        {({ sandbox }) =>
          sandbox === null ? (
            <NothingYet title="There is no sandbox yet">
              <p>Its keys begin with ovt_test_ and never reach your own claims.</p>
              {may("manage_sandbox") && make}
            </NothingYet>
          ) : (
            <Made of={sandbox} changed={own.reload} />
          )
        }
      </Show>
    </Settings>
  );
}

function Made({ of, changed }: { of: Sandbox; changed: () => void }) {
  const days = Math.floor(of.ahead_seconds / 86_400);
  const add = async (what: "key" | "token"): Promise<void> => {
    const value = await (what === "key" ? newKey() : newToken());
    if (value === undefined) return;
    await showSecret({ title: `Your new sandbox ${what}`, secret: value, children: <p>It works for the sandbox alone, at the same addresses.</p> });
    changed();
  };
  return (
    <div class="stack">
      <dl class="facts">
        <Fact name="Claims">
          {of.emptying ? "Being emptied" : `${of.claims.toLocaleString("en")} of ${of.limits.claims.toLocaleString("en")}`}
        </Fact>
        <Fact name="Clock">{days > 0 ? `${plural(days, "day")} ahead` : "Real time"}</Fact>
      </dl>
      <div class="actions">
        <Button look="primary" onClick={() => add("key")}>
          Make a sandbox key
        </Button>
        <Button onClick={() => add("token")}>Make a sandbox token</Button>
        <RowAction
          label="Empty the sandbox"
          ask={{
            title: "Empty the sandbox?",
            text: "All of its claims, documents and webhooks go, in the next minutes. Its keys and its clock stay.",
            action: "Empty the sandbox",
            danger: true,
          }}
          run={(intent) => post("/api/v1/settings/sandbox/empty", { intent })}
          then={changed}
        />
      </div>
      <Credentials
        title="Keys"
        rows={of.keys}
        scopes={KEY_SCOPES}
        ahead={of.ahead_seconds * 1000}
        revoke={(id, intent) => del("/api/v1/settings/sandbox/keys/{id}", { path: { id }, intent })}
        changed={changed}
      />
      <Credentials
        title="Tokens"
        rows={of.tokens}
        scopes={TOKEN_SCOPES}
        ahead={of.ahead_seconds * 1000}
        revoke={(id, intent) => del("/api/v1/settings/sandbox/tokens/{id}", { path: { id }, intent })}
        changed={changed}
      />
      <Section title="What claim numbers do">
        <p class="measure">
          The beginning of a claim number says what happens to the claim. Days are those of the sandbox’s clock. A program
          advances it with a sandbox key, by POST /api/v1/sandbox/clock.
        </p>
        <PlainTable
          rows={SCRIPTS}
          id={([beginning]) => beginning}
          columns={[
            { head: "Begins with", cell: ([beginning]) => <code>{beginning}</code> },
            { head: "What happens", cell: ([, what]) => what },
          ]}
        />
      </Section>
    </div>
  );
}

interface CredentialsProps<R> {
  title: string;
  rows: readonly R[];
  scopes: Readonly<Record<string, string>>;
  ahead: number;
  revoke: (id: string, intent: Intent) => Promise<unknown>;
  changed: () => void;
}

function Credentials<R extends Sandbox["keys"][number] | Sandbox["tokens"][number]>({ title, rows, scopes, ahead, revoke, changed }: CredentialsProps<R>) {
  const columns: Column<R>[] = [
    ...credentialColumns<R>(scopes, ({ expires_at: ends }) => <span class="tag good">Works until {day(ends)}</span>, ahead),
    {
      head: "Change",
      cell: (one) =>
        one.revoked_at === null && (
          <RowAction
            label="Revoke"
            of={one.name}
            ask={{
              title: `Revoke “${one.name}”?`,
              text: "Programs that use it stop working at this moment. This cannot be undone.",
              action: "Revoke it",
              danger: true,
            }}
            run={(intent) => revoke(one.id, intent)}
            said="Revoked."
            then={changed}
          />
        ),
    },
  ];
  if (rows.length === 0) return null;
  return (
    <Section title={title}>
      <Table caption={`${title} of the sandbox`} columns={columns} rows={rows} id={({ id }) => id} />
    </Section>
  );
}

const NAME = <TextField name="name" label="Name" hint="Which program uses it." required maxLength={limits.apiKeyName} autocomplete="off" autofocus />;

const newKey = (): Promise<string | undefined> =>
  openForm({
    title: "Make a sandbox key",
    submit: "Make the key",
    act: async (values, intent) => {
      const body = { name: values.text("name"), scopes: values.all("scopes") as KeyScope[] };
      return valueOf("key", (await post("/api/v1/settings/sandbox/keys", { body, intent })).key);
    },
    check: atLeastOne("scopes"),
    children: (
      <>
        {NAME}
        <ChoiceField name="scopes" label="It may" kind="checkbox" choices={choicesOf(KEY_SCOPES)} value={keyScopes} />
      </>
    ),
  });

const newToken = (): Promise<string | undefined> =>
  openForm({
    title: "Make a sandbox token",
    submit: "Make the token",
    act: async (values, intent) => {
      const body = { name: values.text("name"), scopes: values.all("scopes") as TokenScope[], expires_in_days: 365 };
      return valueOf("token", (await post("/api/v1/settings/sandbox/tokens", { body, intent })).token);
    },
    check: atLeastOne("scopes"),
    children: (
      <>
        {NAME}
        <ChoiceField name="scopes" label="It may" kind="checkbox" choices={choicesOf(TOKEN_SCOPES as Record<TokenScope, string>)} />
        <p class="quiet-text">It also sends claims and manages webhooks of the sandbox. It works for one year of the sandbox’s clock.</p>
      </>
    ),
  });
