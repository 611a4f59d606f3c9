import { useEffect } from "preact/hooks";
import { type KeyScope, keyScopes, type TokenScope } from "../../generated/rules.ts";
import { type Answer, post } from "../../lib/api.ts";
import { may, plural, useGet, whole } from "../../lib/index.ts";
import { Button, Fact, NothingYet, PlainTable, RowAction, Section, Show, Table } from "../../ui/index.ts";
import { credentials } from "./credentials.tsx";
import { Settings } from "./frame.tsx";

/** How soon the page looks whether a sandbox is empty. It has no patients, so no read of it is audited. */
const LOOKS_AGAIN_MS = 1000;

type Sandbox = NonNullable<Answer<"/api/v1/settings/sandbox", "get">["sandbox"]>;

const KEY_SCOPES: Record<KeyScope, string> = {
  "claims:write": "Send claims and advance the clock",
  "claims:read": "Read the status of claims",
};
/** What a token of a sandbox may do. It sends claims and manages webhooks as well. */
const TOKEN_SCOPES: Partial<Record<TokenScope, string>> = {
  "denials:read": "Read denials",
  "documents:write": "Upload documents",
  "settings:read": "Read webhooks and keys",
  "api_keys:rotate": "Renew keys",
  "audit:read": "Read the audit trail",
};

/** What the beginning of a claim number does, and after how many days. */
const SCRIPTS = [
  ["RECOVER-", "In review after 1 day, in appeal after 3, recovered after 35"],
  ["PART-", "The same, and half of what was denied is paid"],
  ["CLOSE-", "In review after 1 day, in appeal after 3, closed after 35"],
  ["DISMISS-", "The same: the payer dismisses the appeal as too late"],
  ["SILENT-", "In review after 1 day, in appeal after 3, and the payer does not answer"],
  ["RECORDS-", "In review after 1 day, in appeal after 3. The payer asks for records after 25, recovered after 55"],
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
  useEffect(() => {
    const look = of.emptying ? setTimeout(changed, LOOKS_AGAIN_MS) : undefined;
    return () => clearTimeout(look);
  }, [of]);
  const days = Math.floor(of.ahead_seconds / 86_400);
  const shared = {
    hint: "Which program uses it.",
    about: <p>It works for the sandbox alone, at the same addresses.</p>,
    ahead: of.ahead_seconds * 1000,
    changed,
  };
  const keys = credentials<Sandbox["keys"][number]>({
    ...shared,
    at: "/api/v1/settings/sandbox/keys",
    noun: "sandbox key",
    title: "Make a sandbox key",
    submit: "Make the key",
    scopes: KEY_SCOPES,
    chosen: keyScopes,
  });
  const tokens = credentials<Sandbox["tokens"][number]>({
    ...shared,
    at: "/api/v1/settings/sandbox/tokens",
    noun: "sandbox token",
    title: "Make a sandbox token",
    submit: "Make the token",
    scopes: TOKEN_SCOPES,
    chosen: ["denials:read", "settings:read"],
    children: (
      <>
        <input type="hidden" name="expires_in_days" value="365" />
        <p class="quiet-text">It also sends claims and manages webhooks of the sandbox. It works for one year of the sandbox’s clock.</p>
      </>
    ),
  });
  return (
    <div class="stack">
      <dl class="facts">
        <Fact name="Claims">
          {of.emptying ? "Being emptied" : `${whole(of.claims)} of ${whole(of.limits.claims)}`}
        </Fact>
        <Fact name="Clock">{days > 0 ? `${plural(days, "day")} ahead` : "Real time"}</Fact>
      </dl>
      <div class="actions">
        <Button look="primary" onClick={keys.make}>
          Make a sandbox key
        </Button>
        <Button onClick={tokens.make}>Make a sandbox token</Button>
        <RowAction
          label="Empty the sandbox"
          ask={{
            title: "Empty the sandbox?",
            text: "All of its claims, documents and webhooks go, which takes moments. Until then it takes no new claims. Its keys stay, and its clock goes back to the real time.",
            action: "Empty the sandbox",
            danger: true,
          }}
          run={(intent) => post("/api/v1/settings/sandbox/empty", { intent })}
          then={changed}
        />
      </div>
      {of.keys.length > 0 && (
        <Section title="Keys" look="stack">
          <Table caption="Keys of the sandbox" columns={keys.columns} rows={of.keys} id={({ id }) => id} />
        </Section>
      )}
      {of.tokens.length > 0 && (
        <Section title="Tokens" look="stack">
          <Table caption="Tokens of the sandbox" columns={tokens.columns} rows={of.tokens} id={({ id }) => id} />
        </Section>
      )}
      <Section title="What claim numbers do">
        <p class="measure">
          The beginning of a claim number says what happens to the claim. Days are those of the sandbox’s clock. A program
          advances it with a sandbox key, by POST /api/v1/sandbox/clock. The <a href="/docs">quick start for developers</a> shows
          how.
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
