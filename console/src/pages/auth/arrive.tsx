// What the ways of signing in have in common once the first factor is right.

import { forgetFragment } from "../../lib/fragment.ts";
import { asProblem } from "../../lib/problem.ts";
import { navigate, query } from "../../lib/router.ts";
import { destination, session, type Session } from "../../lib/session.ts";
import { Button } from "../../ui/button.tsx";
import { Page } from "../../ui/page.tsx";
import { SecondFactor } from "../../ui/second_factor.tsx";

/** Leads a person who has signed in to where they wanted to go. */
export function arrive(entered: Session | undefined): void {
  session.value = entered;
  forgetFragment();
  navigate(destination(query.value.get("return")), { replace: true });
}

/**
 * Shows a first factor. Resolves to the token with which a second factor completes the sign-in; to `undefined` for an
 * account that has none yet, which is signed in and may only enroll.
 */
export async function firstFactor(sign: () => Promise<Session>): Promise<string | undefined> {
  try {
    arrive(await sign());
    return undefined;
  } catch (thrown) {
    const problem = asProblem(thrown);
    if (problem.token === undefined) throw problem;
    return problem.token;
  }
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
