import { useSignal } from "@preact/signals";
import { limits } from "../generated/rules.ts";
import { TextField } from "./form.tsx";

/** A field for a new password, with its rules and a box that shows what was typed. */
export function NewPassword({ name }: { name: string }) {
  const isShown = useSignal(false);
  return (
    <div class="field">
      <TextField
        name={name}
        label="New password"
        type={isShown.value ? "text" : "password"}
        hint={
          <>
            At least {limits.passwordLeast} characters, such as four words that do not belong together. Not a common password, and not
            made of your name, your address or your practice.
          </>
        }
        autocomplete="new-password"
        autocapitalize="off"
        spellcheck={false}
        maxLength={limits.passwordMost}
        required
      />
      <label class="check">
        <input type="checkbox" checked={isShown} onChange={(event) => (isShown.value = event.currentTarget.checked)} />
        Show the password
      </label>
    </div>
  );
}

/** Refuses a password that is too short before it is sent. The other rules need the service. */
export function checkPassword(password: string): string | undefined {
  return [...password].length < limits.passwordLeast ? `must have at least ${limits.passwordLeast} characters` : undefined;
}
