import { useSignal } from "@preact/signals";
import { limits } from "../../generated/rules.ts";
import { post } from "../../lib/api.ts";
import { keepReturn, query, withReturn } from "../../lib/index.ts";
import { Form, Page, TextField, useForm } from "../../ui/index.ts";

const TEXTS = {
  password: {
    title: "Reset your password",
    lead: "We email you a link to choose a new password. It works once, for ten minutes.",
  },
  link: {
    title: "Get a sign-in link",
    lead: "We email you a link that signs you in without your password. It works once, for ten minutes, and you still need your second factor.",
  },
};

/** Asks for a link by email. The answer is the same for an address without an account. */
export function MailRequest({ kind }: { kind: keyof typeof TEXTS }) {
  const { title, lead } = TEXTS[kind];
  const sentTo = useSignal<string | undefined>(undefined);
  const form = useForm(async (values, intent) => {
    const options = { body: { email: values.text("email") }, intent, anonymous: true };
    if (kind === "password") await post("/api/v1/auth/password_reset", options);
    else await post("/api/v1/auth/magic_link", options);
    keepReturn(query.peek().get("return"), "browser");
    sentTo.value = options.body.email;
  });
  return (
    <Page title={title} lead={sentTo.value ? undefined : lead} narrow>
      {sentTo.value ? (
        <div class="notice good" role="status">
          <p>
            If {sentTo.value} has an account, the email is on its way. Look into the spam folder, too.
          </p>
        </div>
      ) : (
        <Form of={form} submit="Email me a link">
          <TextField name="email" label="Email address" type="email" autocomplete="username" maxLength={limits.email} required />
        </Form>
      )}
      {!sentTo.value && (
        <p class="quiet-text">
          Did you open a link in an email, and see this page? Open the link again. A reload forgets it, and it has not been
          used.
        </p>
      )}
      <p>
        <a href={withReturn("/sign-in")}>Back to the sign-in</a>
      </p>
    </Page>
  );
}
