import { limits } from "../generated/rules.ts";
import { type Answer, post } from "../lib/api.ts";
import { makePasskey } from "../lib/index.ts";
import { Button } from "./button.tsx";
import { Form, TextField, useForm } from "./form.tsx";

type Enrolled = Answer<"/api/v1/auth/passkeys", "post">;

interface Props {
  /** Called with the passkey; the first second factor of an account comes with recovery codes. */
  onEnrolled: (passkey: Enrolled) => void;
  onCancel: () => void;
}

/** Makes a passkey on this device. The browser asks how. */
export function PasskeySetup({ onEnrolled, onCancel }: Props) {
  const form = useForm(async (values, intent) => {
    const { options } = await post("/api/v1/auth/passkeys/options");
    const body = { name: values.text("name"), credential: await makePasskey(options) };
    onEnrolled(await post("/api/v1/auth/passkeys", { body, intent }));
  });
  return (
    <>
      <p>
        A passkey signs you in with your fingerprint, your face or the PIN of this device, without a password and without a
        code.
      </p>
      <Form of={form} submit="Make a passkey" more={<Button onClick={onCancel}>Back</Button>}>
        <TextField
          name="name"
          label="Name"
          hint="So that you recognize it later."
          defaultValue={deviceName()}
          maxLength={limits.passkeyName}
          required
        />
      </Form>
    </>
  );
}

const DEVICES: readonly [RegExp, string][] = [
  [/iPhone/, "iPhone"],
  [/iPad/, "iPad"],
  [/Android/, "Android phone"],
  [/Macintosh/, "Mac"],
  [/Windows/, "Windows computer"],
  [/CrOS/, "Chromebook"],
  [/Linux/, "Linux computer"],
];

function deviceName(): string {
  return DEVICES.find(([pattern]) => pattern.test(navigator.userAgent))?.[1] ?? "This device";
}
