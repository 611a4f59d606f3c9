import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { post } from "../lib/api.ts";
import {
  askPasskey, asProblem, type FieldProblem, hasPasskeys, ownProblem, Problem, type Session, useAction,
} from "../lib/index.ts";
import { Button } from "./button.tsx";
import { Form, TextField, useForm } from "./form.tsx";
import { ProblemView } from "./problem.tsx";

/** How many tries a token allows, and how long it lasts. */
const TRIES = 5;
const LASTS_MS = 5 * 60_000;

interface Props {
  /** The continuation token of the sign-in, or of the call that needs a second factor again. */
  token: string;
  /** The label of the button, such as "Sign in". */
  submit: string;
  /** Called with the session of a sign-in; without one, the session that exists may go on. */
  onShown: (session: Session | undefined) => void;
  more?: ComponentChildren;
}

/** Takes a code of the authenticator app, a recovery code or a passkey. */
export function SecondFactor({ token, submit, onShown, more }: Props) {
  const tries = useSignal(0);
  const since = useRef(Date.now());
  // A wrong code is a 401, which is not the end of a session.
  const options = { anonymous: true };
  const refused = (thrown: unknown, field?: FieldProblem): Problem => {
    const problem = asProblem(thrown);
    if (problem.status !== 401) return problem;
    tries.value += 1;
    if (Date.now() - since.current > LASTS_MS) return ownProblem("refused", "It took longer than five minutes. Start again.");
    if (tries.value >= TRIES) return ownProblem("refused", "Too many tries were wrong. Start again to get five more.");
    if (field) return new Problem({ status: 401, code: "validation_failed", detail: "", fields: [field] });
    return ownProblem("passkey", "That passkey was not accepted. Try again, or enter a code.");
  };
  const form = useForm(async (values, intent) => {
    // Codes may be typed in groups, as apps show them.
    const code = values.text("code").replaceAll(/\s/g, "");
    try {
      const body = { continuation_token: token, code };
      onShown(await post("/api/v1/auth/session/2fa", { body, intent, ...options }));
    } catch (thrown) {
      throw refused(thrown, { field: "code", message: "is not right. Each one works once: wait for the next one" });
    }
  });
  const passkey = useAction(async () => {
    const asked = { continuation_token: token };
    try {
      const { options: given } = await post("/api/v1/auth/session/2fa/passkey/options", { body: asked, ...options });
      const credential = await askPasskey(given);
      const body = { ...asked, passkey: { credential } };
      onShown(await post("/api/v1/auth/session/2fa", { body, ...options }));
    } catch (thrown) {
      if (asProblem(thrown).status === 409) throw ownProblem("passkey", "Your account has no passkey. Enter a code.");
      throw refused(thrown);
    }
  });
  return (
    <>
      <Form of={form} submit={submit} more={more}>
        <TextField
          name="code"
          label="Code"
          hint="Six digits from your authenticator app, or one of your recovery codes."
          autocomplete="one-time-code"
          autocapitalize="off"
          spellcheck={false}
          autofocus
          required
        />
      </Form>
      {hasPasskeys() && (
        <div class="other-ways">
          <ProblemView problem={passkey.problem} />
          <Button onClick={() => passkey.run()} isBusy={passkey.isBusy}>
            Use a passkey
          </Button>
        </div>
      )}
    </>
  );
}
