import { useSignal } from "@preact/signals";
import { post } from "../../lib/api.ts";
import { asProblem, firstFactor, forgetFragment, fragmentOf, navigate, useAction } from "../../lib/index.ts";
import { Button, Page, ProblemView } from "../../ui/index.ts";
import { arrive, Code } from "./arrive.tsx";
import { DeadLink } from "./dead_link.tsx";
import { MailRequest } from "./mail_request.tsx";

/** `/magic-link`: asks for a sign-in link, or uses the one that was opened. A mail scanner opens links, too, so only the button uses it. */
export function MagicLink() {
  const token = fragmentOf("/magic-link");
  const factor = useSignal<string | undefined>(undefined);
  const isDead = useSignal(false);
  const signs = useAction(async () => {
    try {
      factor.value = await firstFactor(() => post("/api/v1/auth/magic_link/verify", { body: { token }, anonymous: true }), arrive);
    } catch (thrown) {
      if (asProblem(thrown).status !== 401) throw thrown;
      isDead.value = true;
    }
    // The link is used up either way.
    forgetFragment();
  });
  if (factor.value) return <Code token={factor.value} onBack={() => navigate("/sign-in", { replace: true })} />;
  if (isDead.value) return <DeadLink onAgain={() => (isDead.value = false)} />;
  if (!token) return <MailRequest kind="link" />;
  return (
    <Page title="Sign in with your link" lead="Press the button to sign in here, in this browser." narrow>
      <ProblemView problem={signs.problem} />
      <p class="form-actions">
        <Button look="primary" onClick={() => signs.run()} isBusy={signs.isBusy}>
          Sign in
        </Button>
      </p>
    </Page>
  );
}
