import { limits } from "../../generated/rules.ts";
import { post } from "../../lib/api.ts";
import { day, may } from "../../lib/index.ts";
import { EndAction, Form, RowAction, Section, TextField, toast, useForm } from "../../ui/index.ts";
import { Detail, type Sso } from "./sso_detail.tsx";

type Domain = Sso["domains"][number];

/** The mail domains whose people become members when they first sign in at a provider. */
export function Domains({ of, changed }: { of: Sso; changed: () => void }) {
  const form = useForm(async (values, intent) => {
    await post("/api/v1/settings/sso/domains", { body: { domain: values.text("domain") }, intent });
    toast("Added. Publish the TXT record, then verify it.");
    changed();
  });
  return (
    <Section title="Mail domains" look="stack">
      <p class="measure">
        People with an address of a verified domain become members when they first sign in at one of your providers.
      </p>
      {of.domains.map((domain) => (
        <OneDomain key={domain.id} of={domain} changed={changed} />
      ))}
      {may("manage_sso") && (
        <div class="card measure">
          <Form key={of.domains.length} of={form} submit="Add the domain">
            <TextField name="domain" label="Domain" hint="Such as cedarhill.example." required maxLength={limits.ssoDomain} autocomplete="off" spellcheck={false} />
          </Form>
        </div>
      )}
    </Section>
  );
}

function OneDomain({ of, changed }: { of: Domain; changed: () => void }) {
  return (
    <article class="card" aria-label={of.domain}>
      <h3>
        {of.domain}{" "}
        {of.verified_at ? <span class="tag good">Verified {day(of.verified_at)}</span> : <span class="tag warn">Not verified yet</span>}
      </h3>
      {!of.verified_at && (
        <>
          <p>Publish this TXT record where your domain is managed. It can take hours until it is seen.</p>
          <dl class="stack">
            <Detail name="Name" copy={of.txt_name} />
            <Detail name="Text" copy={of.txt_value} />
          </dl>
        </>
      )}
      {may("manage_sso") && (
        <div class="actions">
          {!of.verified_at && (
            <RowAction
              label="Verify"
              of={of.domain}
              run={(intent) => post("/api/v1/settings/sso/domains/{id}/verify", { path: { id: of.id }, intent })}
              said="Verified."
              then={changed}
            />
          )}
          <EndAction
            of={of.domain}
            title={`Remove ${of.domain}?`}
            text="People of this domain no longer become members by themselves. Those who are members stay."
            action="Remove the domain"
            path="/api/v1/settings/sso/domains/{id}"
            id={of.id}
            then={changed}
          />
        </div>
      )}
    </article>
  );
}
