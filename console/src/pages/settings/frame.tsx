import type { ComponentChildren } from "preact";
import { type Action, may, pathname, practice, role, session } from "../../lib/index.ts";
import { Links, Notice, Page } from "../../ui/index.ts";

interface Section {
  label: string;
  path: string;
  /** What a person must be allowed to do for the section to help them. */
  needs: Action;
  /** True if it is for the people who connect other systems. */
  isTechnical?: boolean;
}

const SECTIONS: readonly Section[] = [
  { label: "Practice", path: "/settings/practice", needs: "read_practice" },
  { label: "Agreements", path: "/settings/agreements", needs: "read_agreements" },
  { label: "Members", path: "/settings/members", needs: "list_members" },
  { label: "Audit trail", path: "/settings/audit", needs: "read_audit" },
  { label: "API keys", path: "/settings/keys", needs: "list_api_keys", isTechnical: true },
  { label: "API tokens", path: "/settings/tokens", needs: "list_api_tokens", isTechnical: true },
  { label: "Webhooks", path: "/settings/webhooks", needs: "list_webhooks", isTechnical: true },
  { label: "Sandbox", path: "/settings/sandbox", needs: "read_sandbox", isTechnical: true },
  { label: "Single sign-on", path: "/settings/sso", needs: "read_sso", isTechnical: true },
];

interface Props {
  title: string;
  lead?: ComponentChildren;
  actions?: ComponentChildren;
  children: ComponentChildren;
}

/** A screen of the settings, with the way to the others. Says so if the person's role does not allow it. */
export function Settings({ title, lead, actions, children }: Props) {
  const shown = SECTIONS.filter(({ needs }) => may(needs));
  const isAllowed = shown.some(({ path }) => path === pathname.value);
  const technical = shown.filter(({ isTechnical }) => isTechnical);
  return (
    <div class="settings">
      <nav aria-label="Settings">
        <Links of={shown.filter(({ isTechnical }) => !isTechnical)} />
        {technical.length > 0 && (
          <>
            <p class="quiet-text">For your IT and billing system</p>
            <Links of={technical} />
          </>
        )}
      </nav>
      <Page title={title} lead={isAllowed ? lead : undefined} actions={isAllowed ? actions : undefined}>
        {isAllowed ? children : <NotAllowed />}
      </Page>
    </div>
  );
}

function NotAllowed() {
  const own = practice.value;
  if (own?.status === "inactive") {
    return (
      <Notice look="bad" title="Your practice is not active">
        <p>Nothing is lost. Ask your contact at Overturn to have it switched on again.</p>
      </Notice>
    );
  }
  if (own?.sso_required && role.value !== "owner" && !session.value?.session?.sso) {
    return (
      <Notice title="Your practice requires single sign-on">
        <p>Sign out, and sign in again at your practice’s identity provider.</p>
      </Notice>
    );
  }
  return (
    <Notice title="Your role does not include this">
      <p>Ask an owner or an admin of your practice, such as the person who invited you.</p>
    </Notice>
  );
}
