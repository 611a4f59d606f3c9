import { useSignal } from "@preact/signals";
import { post } from "../../lib/api.ts";
import { user } from "../../lib/index.ts";
import { checkPassword, Form, NewPassword, Section, TextField, toast, useForm } from "../../ui/index.ts";

/** A new password in place of the current one. */
export function PasswordChange() {
  // Another round is another form, so that nothing that was typed stays in the fields.
  const round = useSignal(0);
  return (
    <Section title="Password" lead="A new password ends all your other sessions.">
      <Fields key={round.value} onChanged={() => (round.value += 1)} />
    </Section>
  );
}

function Fields({ onChanged }: { onChanged: () => void }) {
  const form = useForm(
    async (values, intent) => {
      const body = { current_password: values.raw("current_password"), new_password: values.raw("new_password") };
      await post("/api/v1/auth/password", { body, intent });
      toast("Your password is changed. Your other sessions have ended.");
      onChanged();
    },
    (values) => ({ new_password: checkPassword(values.raw("new_password")) }),
  );
  return (
    <Form of={form} submit="Change the password">
      <span class="hidden" aria-hidden="true">
        <input type="email" value={user.value?.email} autocomplete="username" readOnly tabIndex={-1} />
      </span>
      <TextField name="current_password" label="Current password" type="password" autocomplete="current-password" required />
      <NewPassword name="new_password" />
    </Form>
  );
}
