import { useSignal } from "@preact/signals";
import { post } from "../../lib/api.ts";
import { forgetFragment, fragmentOf } from "../../lib/fragment.ts";
import { asProblem } from "../../lib/problem.ts";
import { session } from "../../lib/session.ts";
import { Form, useForm } from "../../ui/form.tsx";
import { checkPassword, NewPassword } from "../../ui/new_password.tsx";
import { Page } from "../../ui/page.tsx";
import { DeadLink } from "./dead_link.tsx";
import { MailRequest } from "./mail_request.tsx";

/** `/password-reset`: asks for a link, or takes the new password of the one that was opened. */
export default function PasswordReset() {
  const token = fragmentOf("/password-reset");
  const state = useSignal<"open" | "done" | "dead">("open");
  const form = useForm(
    async (values, intent) => {
      try {
        const body = { token, password: values.raw("password") };
        await post("/api/v1/auth/password_reset/confirm", { body, intent, anonymous: true });
        // A new password ends every session of the account.
        session.value = undefined;
        state.value = "done";
      } catch (thrown) {
        if (asProblem(thrown).status !== 401) throw thrown;
        state.value = "dead";
      }
      forgetFragment();
    },
    (values) => ({ password: checkPassword(values.raw("password")) }),
  );
  if (state.value === "done") {
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
  if (state.value === "dead") return <DeadLink onAgain={() => (state.value = "open")} />;
  if (!token) return <MailRequest kind="password" />;
  return (
    <Page title="Choose a new password" narrow>
      <Form of={form} submit="Set the password">
        <NewPassword name="password" />
      </Form>
    </Page>
  );
}
