// What the ways of signing in have in common once the first factor is right.

import { destination, forgetFragment, navigate, query, session, type Session } from "../../lib/index.ts";
import { Button, Page, SecondFactor } from "../../ui/index.ts";

/** Leads a person who has signed in to where they wanted to go. */
export function arrive(entered: Session | undefined): void {
  session.value = entered;
  forgetFragment();
  navigate(destination(query.value.get("return")), { replace: true });
}

/** The screen for the second factor of a sign-in. */
export function Code({ token, onBack }: { token: string; onBack: () => void }) {
  return (
    <Page title="Enter your code" narrow>
      <SecondFactor
        token={token}
        submit="Sign in"
        onShown={arrive}
        more={<Button onClick={onBack}>Start again</Button>}
      />
      <details>
        <summary>I have neither the app nor a recovery code</summary>
        <p>An owner of your practice can ask us to reset your second factor. We never give out codes.</p>
      </details>
    </Page>
  );
}
