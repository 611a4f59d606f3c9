import { get, patch } from "../../lib/api.ts";
import { type Intent, loadSession, may, useGet } from "../../lib/index.ts";
import { changingSetting, RowAction, Section, Show, toast } from "../../ui/index.ts";
import { Settings } from "./frame.tsx";
import type { Sso } from "./sso_detail.tsx";
import { Domains } from "./sso_domains.tsx";
import { Providers } from "./sso_providers.tsx";

/** How the people of the practice sign in: identity providers, mail domains, and whether single sign-on is required. */
export function SingleSignOn() {
  const sso = useGet("/api/v1/settings/sso");
  return (
    <Settings title="Single sign-on" lead="People sign in at your practice’s own identity provider, such as Microsoft Entra, Google or Okta.">
      <Show of={sso}>
        {(data) => (
          <div class="stack">
            <Required of={data} changed={sso.reload} />
            <Providers of={data} changed={sso.reload} />
            <Domains of={data} changed={sso.reload} />
          </div>
        )}
      </Show>
    </Settings>
  );
}

/** Whether everyone except owners must use single sign-on. */
function Required({ of, changed }: { of: Sso; changed: () => void }) {
  const change = async (intent: Intent): Promise<void> => {
    const body = { required: !of.required };
    const facts = ({ required }: Sso) => ({ "Single sign-on": required ? "required" : "not required" });
    const watched = { noun: "practice", read: () => get("/api/v1/settings/sso"), facts };
    await changingSetting(of, watched, (version) => patch("/api/v1/settings/sso", { body, version, intent }));
    toast("Saved.");
    changed();
    await loadSession();
  };
  return (
    <Section title={of.required ? "Single sign-on is required" : "Single sign-on is not required"}>
      <p>
        {of.required
          ? "Everyone except owners signs in at one of the providers below."
          : "People may also sign in with a password and a second factor, or with a passkey."}
      </p>
      {may("manage_sso") && (
        <div>
          <RowAction label={of.required ? "Stop requiring it" : "Require it"} ask={of.required ? STOPPING : REQUIRING} run={change} />
        </div>
      )}
    </Section>
  );
}

const STOPPING = {
  title: "Stop requiring single sign-on?",
  text: "People can sign in with their password and second factor again. All owners get an email.",
  action: "Stop requiring it",
};

const REQUIRING = {
  title: "Require single sign-on?",
  text: "Admins and members who signed in another way have to sign in again. Owners can always sign in with their password and second factor, so that a broken provider locks no one out. All owners get an email.",
  action: "Require it",
};
