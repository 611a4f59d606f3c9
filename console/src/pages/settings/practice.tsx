import { limits } from "../../generated/rules.ts";
import { get, patch } from "../../lib/api.ts";
import { LINK_SETTING, type Loaded, loadSession, may, ownProblem, plural, useGet } from "../../lib/index.ts";
import type { Answer } from "../../lib/api.ts";
import {
  changes, changingSetting, CheckField, confirm, Fact, Form, Section, SelectField, Show, TextField, toast, useForm,
} from "../../ui/index.ts";
import { Settings } from "./frame.tsx";
import { Details } from "./practice_details.tsx";
import { type Practice, PRACTICE } from "./practice_record.ts";

type Documents = Answer<"/api/v1/settings/documents", "get">;

/** The name of the practice, the link for patients, sessions, what appeals say, and how long documents are kept. */
export function PracticeSettings() {
  const practice = useGet("/api/v1/settings/practice");
  const documents = useGet("/api/v1/settings/documents");
  return (
    <Settings title="Practice">
      <Show of={practice}>
        {(data) => (
          <div class="stack">
            <PracticeForm of={data} loaded={practice} />
            <Details of={data} loaded={practice} />
          </div>
        )}
      </Show>
      <Section title="Documents" look="stack">
        <Show of={documents}>{(data) => <DocumentsForm of={data} loaded={documents} />}</Show>
      </Section>
    </Settings>
  );
}

const DOCUMENTS = {
  noun: "setting",
  read: () => get("/api/v1/settings/documents"),
  facts: (of: Documents) => ({ "Days to keep a document": String(of.retention_days), "Legal hold": of.legal_hold ? "on" : "off" }),
};

function PracticeForm({ of, loaded }: { of: Practice; loaded: Loaded<Practice> }) {
  const form = useForm(async (values, intent) => {
    const sessions = values.text("concurrent_sessions") === "1" ? 1 : "unlimited";
    const entered = { name: values.text("name"), appeal_button: values.has("appeal_button"), concurrent_sessions: sessions } as const;
    const body = changes(of, entered);
    if (body) loaded.set(await changingSetting(of, PRACTICE, (version) => patch("/api/v1/settings/practice", { body, version, intent })));
    toast("Saved.");
    await loadSession();
  });
  if (!may("edit_practice")) {
    return (
      <dl class="facts card">
        <Fact name="Name">{of.name}</Fact>
        <Fact name={LINK_SETTING}>{of.appeal_button ? "On: your billing system gets it" : "Off"}</Fact>
        <Fact name="Signed in at the same time">{of.concurrent_sessions === 1 ? "One browser for each person" : "Any number of browsers"}</Fact>
      </dl>
    );
  }
  return (
    <div class="card measure">
      <Form of={form} submit="Save">
        <TextField name="name" label="Name of the practice" defaultValue={of.name} required maxLength={limits.practiceName} autocomplete="organization" />
        <CheckField
          name="appeal_button"
          label={LINK_SETTING}
          hint="When a patient has to sign, the claim’s page shows your people the link, and your billing system gets it with the claim’s status."
          defaultChecked={of.appeal_button}
        />
        <SelectField
          name="concurrent_sessions"
          label="Signed in at the same time"
          hint="With one browser, a new sign-in ends the one before it."
          choices={[
            ["unlimited", "Any number of browsers"],
            ["1", "One browser for each person"],
          ]}
          value={String(of.concurrent_sessions)}
          required
        />
      </Form>
    </div>
  );
}

const confirmLifting = (): Promise<boolean> =>
  confirm({
    title: "Lift the legal hold?",
    text: "Documents whose time is over can then be deleted. Ask the person who set the hold first.",
    action: "Lift the hold",
    danger: true,
  });

function DocumentsForm({ of, loaded }: { of: Documents; loaded: Loaded<Documents> }) {
  const form = useForm(async (values, intent) => {
    const body = changes(of, { retention_days: Number(values.text("retention_days")), legal_hold: values.has("legal_hold") });
    if (body?.legal_hold === false && !(await confirmLifting())) throw ownProblem("canceled", "Nothing was saved.");
    if (body) loaded.set(await changingSetting(of, DOCUMENTS, (version) => patch("/api/v1/settings/documents", { body, version, intent })));
    toast("Saved.");
  });
  if (!may("edit_retention")) {
    return (
      <dl class="facts card">
        <Fact name="Kept for">{plural(of.retention_days, "day")}</Fact>
        <Fact name="Legal hold">{of.legal_hold ? "On: nothing may be deleted" : "Off"}</Fact>
      </dl>
    );
  }
  return (
    <div class="card measure">
      <Form of={form} submit="Save">
        <TextField
          name="retention_days"
          label="Days to keep a document"
          hint={`Counted from the day that the claim is final, or from the upload if a document has no claim. At least ${limits.retentionLeast}.`}
          type="number"
          inputMode="numeric"
          min={String(limits.retentionLeast)}
          max={String(limits.retentionMost)}
          defaultValue={String(of.retention_days)}
          required
        />
        <CheckField
          name="legal_hold"
          label="Legal hold"
          hint="While it is on, no document of the practice can be deleted."
          defaultChecked={of.legal_hold}
        />
      </Form>
    </div>
  );
}
