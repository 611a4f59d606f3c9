import { practice, signOut, user, words } from "../../lib/index.ts";
import { Fact, Page, RowAction, Section, SingleKeys } from "../../ui/index.ts";
import { Factors } from "./factors.tsx";
import { Identities } from "./identities.tsx";
import { Passkeys } from "./passkeys.tsx";
import { PasswordChange } from "./password.tsx";
import { Sessions } from "./sessions.tsx";

/** `/me`: what a person may change about signing in, and where they are signed in. */
export function Account() {
  return (
    <Page
      title="Your account"
      actions={<RowAction label="Sign out" run={signOut} />}
    >
      <dl class="facts own">
        <Fact name="Name">{user.value?.name}</Fact>
        <Fact name="Email address">{user.value?.email}</Fact>
        <Fact name="Role">{words(user.value?.role ?? "")}</Fact>
        {practice.value && <Fact name="Practice">{practice.value.name}</Fact>}
      </dl>
      <div class="account-parts">
        <Sessions />
        <PasswordChange />
        <Factors />
        <Passkeys />
        <Identities />
        <Section title="Keyboard">
          <SingleKeys>
            Use single keys as shortcuts, such as <kbd>j</kbd> for the next row. Press <kbd>?</kbd> on any page for the list.
          </SingleKeys>
          <p class="quiet-text">Switch this off if speech input or a slip of the hand presses them. It counts for this browser.</p>
        </Section>
      </div>
    </Page>
  );
}
