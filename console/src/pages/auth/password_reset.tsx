import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { post } from "../../lib/api.ts";
import { asProblem, forgetFragment, fragmentOf, session, useLoad } from "../../lib/index.ts";
import { checkPassword, Form, Loading, NewPassword, Page, ProblemView, TextField, useForm } from "../../ui/index.ts";
import { DeadLink } from "./dead_link.tsx";
import { MailRequest } from "./mail_request.tsx";

/** `/password-reset`: asks for a link, or takes the new password of the one that was opened. */
export function PasswordReset() {
  const token = fragmentOf("/password-reset");
  return token ? <Opened key={token} token={token} /> : <MailRequest kind="password" />;
}

/** Asks whether the link still works, which does not use it up. A mail scanner that opens the page uses up nothing. */
function Opened({ token }: { token: string }) {
  const account = useLoad(
    (signal) => post("/api/v1/auth/password_reset/preview", { body: { token }, anonymous: true, signal }),
    [token],
  );
  const state = useSignal<"open" | "done" | "dead">("open");
  // The person who comes back later wants another link.
  useEffect(() => forgetFragment, []);
  if (state.value === "done") return <Done />;
  if (state.value === "dead" || account.problem?.status === 401) return <DeadLink onAgain={forgetFragment} />;
  return (
    <Page title="Choose a new password" narrow>
      {account.problem && <ProblemView problem={account.problem} onRetry={account.reload} />}
      {account.data && <NewOne token={token} email={account.data.email} onEnd={(end) => (state.value = end)} />}
      {account.isLoading && !account.data && <Loading />}
    </Page>
  );
}

function NewOne({ token, email, onEnd }: { token: string; email: string; onEnd: (end: "done" | "dead") => void }) {
  const form = useForm(
    async (values, intent) => {
      try {
        const body = { token, password: values.raw("password") };
        await post("/api/v1/auth/password_reset/confirm", { body, intent, anonymous: true });
        // A new password ends every session of the account.
        session.value = undefined;
        onEnd("done");
      } catch (thrown) {
        if (asProblem(thrown).status !== 401) throw thrown;
        onEnd("dead");
      }
    },
    (values) => ({ password: checkPassword(values.raw("password")) }),
  );
  return (
    <Form of={form} submit="Set the password">
      <TextField name="email" label="Email address" type="email" defaultValue={email} autocomplete="username" readOnly required />
      <NewPassword name="password" />
    </Form>
  );
}

function Done() {
  return (
    <Page title="Your password is set" narrow>
      <div class="notice good" role="status">
        <p>Every session of your account has ended. Sign in with your new password and your second factor.</p>
      </div>
      <p class="form-actions">
        <a class="button primary" href="/sign-in">
          Sign in
        </a>
      </p>
    </Page>
  );
}
