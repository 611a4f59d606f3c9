import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { type Answer, post } from "../lib/api.ts";
import { useAction } from "../lib/index.ts";
import { Button } from "./button.tsx";
import { Copy } from "./copy.tsx";
import { Form, TextField, useForm } from "./form.tsx";
import { Loading } from "./loading.tsx";
import { ProblemView } from "./problem.tsx";
import { QrCode } from "./qr.tsx";

type Begun = Answer<"/api/v1/auth/2fa/totp", "post">;

interface Props {
  /** Called with the recovery codes, once the first code has confirmed the app. */
  onConfirmed: (codes: readonly string[] | null) => void;
  onCancel: () => void;
}

/** Sets an authenticator app up: a QR code, or the same as text, and the first code. */
export function AuthenticatorSetup({ onConfirmed, onCancel }: Props) {
  const begun = useSignal<Begun | undefined>(undefined);
  const begins = useAction(async () => {
    const answer = await post("/api/v1/auth/2fa/totp");
    // The key of a repeated answer is gone. A new beginning has a new one.
    begun.value = answer.totp ? answer : await post("/api/v1/auth/2fa/totp");
  });
  useEffect(() => void begins.run(), []);
  const form = useForm(async (values, intent) => {
    const body = { factor_id: begun.value?.factor_id ?? "", code: values.text("code").replaceAll(/\s/g, "") };
    const { recovery_codes: codes } = await post("/api/v1/auth/2fa/totp/confirm", { body, intent });
    onConfirmed(codes === undefined ? [] : codes);
  });
  if (begins.problem) {
    return (
      <>
        <ProblemView problem={begins.problem} onRetry={() => void begins.run()} />
        <p>
          <Button onClick={onCancel}>Back</Button>
        </p>
      </>
    );
  }
  const totp = begun.value?.totp;
  if (!totp) return <Loading />;
  return (
    <>
      <ol class="steps">
        <li>
          <p>Open an authenticator app on your phone, such as Google Authenticator, Microsoft Authenticator or 1Password.</p>
        </li>
        <li>
          <p>Scan this code with it. If you scanned an earlier one, delete that entry.</p>
          <QrCode text={totp.otpauth_uri} label="QR code for your authenticator app. The key below says the same." />
          <details>
            <summary>I cannot scan it</summary>
            <p>Enter this key in the app:</p>
            <p class="secret">
              <code>{totp.secret.match(/.{1,4}/g)?.join(" ")}</code>
            </p>
            <p>
              <Copy text={totp.secret} label="Copy the key" />
            </p>
          </details>
        </li>
        <li>
          <p>Enter the code that the app shows now.</p>
        </li>
      </ol>
      <Form of={form} submit="Confirm" more={<Button onClick={onCancel}>Back</Button>}>
        <TextField
          name="code"
          label="Code"
          hint="Six digits"
          inputMode="numeric"
          autocomplete="one-time-code"
          autocapitalize="off"
          spellcheck={false}
          pattern="[0-9 ]*"
          title="must be six digits"
          required
        />
      </Form>
    </>
  );
}
