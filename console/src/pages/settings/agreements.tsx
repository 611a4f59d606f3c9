import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { limits } from "../../generated/rules.ts";
import { type Answer, post } from "../../lib/api.ts";
import { day, loadSession, may, practice, time, useGet } from "../../lib/index.ts";
import {
  Button, CheckField, Form, Markdown, Notice, RowAction, Section, Show, Table, TextField, toast, useForm,
} from "../../ui/index.ts";
import { DataJobs } from "./data_jobs.tsx";
import { Settings } from "./frame.tsx";

type Agreement = Answer<"/api/v1/settings/agreements", "get">["agreements"][number];
type Signed = NonNullable<Agreement["signed"]>;

/** The business associate agreement: its text, the signature, and its end. */
export function Agreements() {
  const agreements = useGet("/api/v1/settings/agreements");
  const changed = async (): Promise<void> => {
    agreements.reload();
    await loadSession();
  };
  return (
    <Settings title="Agreements" lead="The law asks for a business associate agreement, because claims name patients.">
      <Show of={agreements}>
        {({ agreements: all }) => all.map((one) => <OneAgreement key={one.kind} of={one} changed={changed} />)}
      </Show>
      {may("read_data_jobs") && <DataJobs />}
    </Settings>
  );
}

function OneAgreement({ of, changed }: { of: Agreement; changed: () => Promise<void> }) {
  const isNew = of.signed?.version !== of.version;
  const hasSigned = useSignal(false);
  const signed = async (): Promise<void> => {
    hasSigned.value = true;
    await changed();
  };
  return (
    <div class="stack">
      <Standing of={of} changed={changed} hasSigned={hasSigned.value && !isNew} />
      <Section title="The text" look="stack">
        <div class="agreement-text" tabIndex={0} role="region" aria-label="Text of the agreement">
          <Markdown text={of.text} />
        </div>
        <p class="no-print">
          <Button onClick={() => print()}>Print</Button>
        </p>
      </Section>
      {isNew && may("sign_agreement") && <Sign of={of} changed={signed} />}
      {of.history.length > 0 && <History of={of.history} />}
    </div>
  );
}

interface StandingProps {
  of: Agreement;
  changed: () => Promise<void>;
  /** The person has just signed. The form is gone, and the focus goes on to the next step. */
  hasSigned: boolean;
}

/** Whether an agreement is in force, and who can change that. */
function Standing({ of, changed, hasSigned }: StandingProps) {
  const { signed } = of;
  const next = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (hasSigned) next.current?.focus();
  }, [hasSigned]);
  if (!signed) {
    return (
      <Notice look="warn" title={of.history.length > 0 ? "The agreement has ended" : "The agreement is not signed yet"}>
        <p>We take no claims without it. {may("sign_agreement") ? "Read the text below, then sign." : "An owner or an admin of your practice can sign it here."}</p>
      </Notice>
    );
  }
  return (
    <Notice look="good" title={`In force since ${day(signed.signed_at)}`}>
      <p>
        Signed by {signed.signer_name}, {signed.signer_title}. Version {signed.version}.
      </p>
      {hasSigned && (
        <p class="no-print">
          <a ref={next} class="button primary" href="/home">
            Go on to the next step
          </a>
        </p>
      )}
      {signed.version !== of.version && (
        <p>
          There is a newer version, {of.version}. The text below is the newer one. The one that you signed stays in force until you
          sign again; your contact at Overturn can send you its text.
        </p>
      )}
      {may("end_agreement") && (
        <div class="no-print">
          <RowAction
            label="End the agreement"
            look="quiet"
            ask={{
              title: "End the agreement?",
              text: `From this moment, no system and no person can use the claims of ${practice.value?.name}: API keys, denials, our staff and links for patients stop working. Nothing is deleted, and you can sign again. All owners get an email.`,
              action: "End the agreement",
              danger: true,
            }}
            run={async (intent) => {
              await post("/api/v1/settings/agreements/{id}/end", { path: { id: signed.id }, intent });
              toast("The agreement has ended.");
              await changed();
            }}
          />
        </div>
      )}
    </Notice>
  );
}

function Sign({ of, changed }: { of: Agreement; changed: () => Promise<void> }) {
  const form = useForm(async (values, intent) => {
    const body = { kind: of.kind, version: of.version, signer_name: values.text("signer_name"), signer_title: values.text("signer_title") };
    await post("/api/v1/settings/agreements", { body, intent });
    toast("Signed. Your practice can send claims now.");
    await changed();
  });
  return (
    <Section title={`Sign for ${practice.value?.name}`} look="card measure no-print">
      <Form of={form} submit="Sign the agreement">
        <TextField name="signer_name" label="Your full name" hint="Typing it here is your signature." required maxLength={limits.agreementSigner} autocomplete="name" />
        <TextField name="signer_title" label="Your title" hint="Such as “Owner” or “Practice manager”." required maxLength={limits.agreementSigner} autocomplete="organization-title" />
        <CheckField name="read" label="I have read the agreement, and I may sign it for the practice" missing="Check this box to sign" required />
      </Form>
    </Section>
  );
}

function History({ of }: { of: readonly Signed[] }) {
  return (
    <Section title="Signatures so far" look="stack">
      <Table
        caption="Signed agreements"
        rows={of}
        id={({ id }) => id}
        columns={[
          { head: "Signed", cell: ({ signed_at: at }) => time(at) },
          { head: "By", cell: ({ signer_name: name, signer_title: title }) => `${name}, ${title}` },
          { head: "Version", cell: ({ version }) => version, isShort: true },
          { head: "Ended", cell: ({ ended_at: at }) => (at ? time(at) : "In force") },
        ]}
      />
    </Section>
  );
}
