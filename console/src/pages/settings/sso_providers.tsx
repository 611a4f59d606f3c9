import { limits, type SsoContext, ssoContexts } from "../../generated/rules.ts";
import { get, patch, post } from "../../lib/api.ts";
import { choicesOf, day, daysUntil, may, ownProblem, today } from "../../lib/index.ts";
import {
  Button, changingSetting, CheckField, ChoiceField, EndAction, openForm, RowAction, Section, SelectField, TextArea, TextField,
  toast, type Values,
} from "../../ui/index.ts";
import { Detail, type Sso } from "./sso_detail.tsx";

type Provider = Sso["providers"][number];

/** A certificate is about to end that many days before. */
const WARNING_DAYS = 30;

export function Providers({ of, changed }: { of: Sso; changed: () => void }) {
  const then = async (asked: Promise<boolean | undefined>): Promise<void> => {
    if (await asked) changed();
  };
  const known = of.available.filter(({ id }) => !of.providers.some(({ provider }) => provider === id));
  return (
    <Section title="Identity providers" look="stack">
      {may("manage_sso") && (
        <div class="actions">
          {of.saml_available && <Button onClick={() => then(newSaml())}>Add a SAML provider</Button>}
          {known.length > 0 && <Button onClick={() => then(newOidc(known))}>Add a provider by name</Button>}
        </div>
      )}
      {of.providers.length === 0 && <p class="quiet-text">There is none yet.</p>}
      {of.providers.map((provider) => (
        <OneProvider key={provider.id} of={provider} changed={changed} />
      ))}
    </Section>
  );
}

function OneProvider({ of, changed }: { of: Provider; changed: () => void }) {
  return (
    <article class="card" aria-label={of.name}>
      <h3>
        {of.name} <span class="tag">{of.kind === "saml" ? "SAML 2.0" : "OpenID Connect"}</span>
      </h3>
      <dl class="stack">
        {of.sign_in_url && <Detail name="Address to sign in at" copy={of.sign_in_url} />}
        {of.metadata_url && <Detail name="Our metadata, also our entity id" copy={of.metadata_url} />}
        {of.acs_url && <Detail name="Address for answers (ACS)" copy={of.acs_url} />}
        {of.certificates.map(({ sha256, expires_at: ends }) => (
          <Detail key={sha256} name={`Certificate ${sha256.slice(0, 12)}…`}>
            <CertificateEnd at={ends} />
          </Detail>
        ))}
        <Detail name="Second factor">
          {of.contexts.length > 0 ? `Not asked again after: ${of.contexts.map((one) => CONTEXTS[one]).join("; ")}` : "Always asked by Overturn"}
        </Detail>
      </dl>
      {may("manage_sso") && (
        <div class="actions">
          <RowAction label="Edit" of={of.name} run={async () => {
            if (await edit(of)) changed();
          }} />
          <EndAction
            of={of.name}
            title={`Remove “${of.name}”?`}
            text="People can no longer sign in by it alone. Their sessions that began there end, unless they have a second factor here."
            action="Remove the provider"
            path="/api/v1/settings/sso/providers/{id}"
            id={of.id}
            then={changed}
          />
        </div>
      )}
    </article>
  );
}

function CertificateEnd({ at }: { at: string }) {
  const days = daysUntil(at, today());
  if (days < 0) return <span class="tag bad">Ended {day(at)}</span>;
  return <span class={days <= WARNING_DAYS ? "tag warn" : "tag good"}>Ends {day(at)}</span>;
}

/** What a provider can report after a sign-in with two factors. Other values prove nothing. */
const CONTEXTS: Record<SsoContext, string> = {
  mfa: "OpenID Connect: mfa",
  "https://refeds.org/profile/mfa": "REFEDS MFA profile",
  "http://schemas.microsoft.com/claims/multipleauthn": "Microsoft Entra and AD FS: multipleauthn",
  "urn:okta:loa:2fa:any": "Okta: two factors (2fa:any)",
  "http://idmanagement.gov/ns/assurance/aal/2": "NIST assurance level AAL2",
  "http://idmanagement.gov/ns/assurance/aal/3": "NIST assurance level AAL3",
  "urn:oasis:names:tc:SAML:2.0:ac:classes:SmartcardPKI": "SAML: smart card with PIN (SmartcardPKI)",
  "urn:oasis:names:tc:SAML:2.0:ac:classes:MobileTwoFactorContract": "SAML: MobileTwoFactorContract",
  "urn:oasis:names:tc:SAML:2.0:ac:classes:MobileTwoFactorUnregistered": "SAML: MobileTwoFactorUnregistered",
};

const contextsOf = (values: Values): SsoContext[] => {
  const chosen = values.all("contexts");
  return ssoContexts.filter((one) => chosen.includes(one));
};

function Contexts({ value = [] }: { value?: readonly SsoContext[] }) {
  return (
    <ChoiceField
      name="contexts"
      label="Second factors to trust"
      kind="checkbox"
      hint="What the provider reports after a sign-in with two factors. Choose only what it really reports. With none, we always ask for our own second factor."
      choices={choicesOf(CONTEXTS)}
      value={value}
    />
  );
}

const METADATA_HINT = "Paste the XML that your identity provider gives for a SAML application.";

const BEGUN_THERE = {
  name: "idp_initiated",
  label: "A sign-in may begin at the provider",
  hint: "This protects less against forged sign-ins.",
};

const newSaml = (): Promise<boolean | undefined> =>
  openForm({
    title: "Add a SAML provider",
    submit: "Add the provider",
    wide: true,
    act: async (values, intent) => {
      const body = { name: values.text("name"), metadata: values.text("metadata"), contexts: contextsOf(values), idp_initiated: values.has("idp_initiated") };
      await post("/api/v1/settings/sso/providers", { body, intent });
      toast("Added. Give its administrator our two addresses.");
      return true;
    },
    children: (
      <>
        <TextField name="name" label="Name" hint="As your people know it." required maxLength={limits.ssoProviderName} autocomplete="off" autofocus />
        <TextArea name="metadata" label="Metadata" hint={METADATA_HINT} required rows={6} spellcheck={false} />
        <Contexts />
        <CheckField {...BEGUN_THERE} />
      </>
    ),
  });

const newOidc = (known: Sso["available"]): Promise<boolean | undefined> =>
  openForm({
    title: "Add a provider",
    submit: "Add the provider",
    act: async (values, intent) => {
      const body = { provider: values.text("provider"), contexts: contextsOf(values) };
      await post("/api/v1/settings/sso/providers", { body, intent });
      toast("Added.");
      return true;
    },
    children: (
      <>
        <SelectField name="provider" label="Provider" choices={known.map(({ id, name }) => [id, name] as const)} required />
        <Contexts />
      </>
    ),
  });

/** A provider, to be read again after a change of others. */
const watched = ({ id }: Provider) => ({
  noun: "provider",
  read: async (): Promise<Provider> => {
    const { providers } = await get("/api/v1/settings/sso");
    const found = providers.find((one) => one.id === id);
    if (!found) throw ownProblem("refused", "This provider was removed. Load the page again.");
    return found;
  },
  facts: (of: Provider) => ({
    Name: of.name,
    "Second factors to trust": of.contexts.map((one) => CONTEXTS[one]).join("; ") || "none",
    [BEGUN_THERE.label]: of.idp_initiated ? "yes" : "no",
    Certificates: of.certificates.map(({ sha256 }) => sha256.slice(0, 12)).join(", ") || "none",
  }),
});

function edit(of: Provider): Promise<boolean | undefined> {
  const isSaml = of.kind === "saml";
  return openForm({
    title: `Edit “${of.name}”`,
    submit: "Save",
    wide: true,
    act: async (values, intent) => {
      const metadata = values.text("metadata");
      const [name, contexts, begun] = [values.text("name"), contextsOf(values), values.has("idp_initiated")];
      const body = {
        ...(name !== of.name && { name }),
        ...(contexts.toSorted().join() !== of.contexts.toSorted().join() && { contexts }),
        ...(isSaml && begun !== of.idp_initiated && { idp_initiated: begun }),
        ...(metadata && { metadata }),
      };
      if (Object.keys(body).length > 0) {
        await changingSetting(of, watched(of), (version) => patch("/api/v1/settings/sso/providers/{id}", { path: { id: of.id }, body, version, intent }));
      }
      toast("Saved.");
      return true;
    },
    children: (
      <>
        <TextField name="name" label="Name" defaultValue={of.name} required maxLength={limits.ssoProviderName} autocomplete="off" autofocus />
        {isSaml && <TextArea name="metadata" label="New metadata" hint={`${METADATA_HINT} Leave it empty to keep the one that we have.`} rows={4} spellcheck={false} />}
        <Contexts value={of.contexts} />
        {isSaml && <CheckField {...BEGUN_THERE} defaultChecked={of.idp_initiated} />}
      </>
    ),
  });
}
