import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import {
  destination, endGuards, guardLeaving, hasPasskeys, homePath, loadSession, mustEnrol, navigate, user,
} from "../../lib/index.ts";
import {
  AuthenticatorSetup, Button, confirm, LOST_CODES, Page, PasskeySetup, RecoveryCodes, Section, toast,
} from "../../ui/index.ts";

type Step = "choose" | "app" | "passkey" | "codes";

const TITLES: Record<Step, string> = {
  choose: "Protect your account",
  app: "Set up an authenticator app",
  passkey: "Make a passkey",
  codes: "Store your recovery codes",
};

/** `/enrol`: a second factor, which every account needs, and the recovery codes. */
export function Enrol() {
  const step = useSignal<Step>("choose");
  const codes = useSignal<readonly string[]>([]);
  const begin = (next: Step): void => {
    step.value = next;
  };
  const finish = (given: readonly string[] | null | undefined): void => {
    codes.value = given ?? [];
    if (given === null) toast(LOST_CODES);
    if (codes.value.length > 0) begin("codes");
    else void leave();
  };
  // The session stays the old one for the console until the codes are stored. So no menu leads away from them.
  const leave = async (): Promise<void> => {
    endGuards();
    await loadSession();
    navigate(destination(), { replace: true });
  };
  useEffect(() => (step.value === "app" ? guardSetup() : undefined), [step.value]);
  // The session can become a full one while the codes are shown, when the person says that they are still there.
  // A person whom a provider signed in may have a full session and no factor of their own.
  if (!mustEnrol.value && user.value?.two_factor && step.value !== "codes") return <Enrolled />;
  const back = (): void => begin("choose");
  return (
    <Page key={step.value} title={TITLES[step.value]} narrow>
      {step.value === "choose" && <Choose onChosen={begin} />}
      {step.value === "app" && <AuthenticatorSetup onConfirmed={finish} onCancel={back} />}
      {step.value === "passkey" && (
        <PasskeySetup
          onEnrolled={(passkey) => finish("recovery_codes" in passkey ? passkey.recovery_codes : undefined)}
          onCancel={back}
        />
      )}
      {step.value === "codes" && (
        <RecoveryCodes
          codes={codes.value}
          email={user.value?.email ?? ""}
          action="Go on"
          onStored={() => void leave()}
        />
      )}
    </Page>
  );
}

/** Asks before the setup of an app is left halfway. */
function guardSetup(): () => void {
  return guardLeaving(() =>
    confirm({
      title: "Leave before the app is confirmed?",
      text: "The entry in your app will not work. You can begin again, and must then scan a new code.",
      action: "Leave",
      danger: true,
    }),
  );
}

function Choose({ onChosen }: { onChosen: (step: Step) => void }) {
  return (
    <>
      <p>
        Your account opens data of patients. So signing in takes a second factor besides your password. Until you have one, you
        can only do this.
      </p>
      <Section title="Authenticator app">
        <p>An app on your phone shows six digits, which you enter when you sign in.</p>
        <p class="form-actions">
          <Button look="primary" onClick={() => onChosen("app")}>
            Use an app
          </Button>
        </p>
      </Section>
      {hasPasskeys() && (
        <Section title="Passkey">
          <p>This device or a security key signs you in, with your fingerprint, your face or a PIN.</p>
          <p class="form-actions">
            <Button onClick={() => onChosen("passkey")}>Use a passkey</Button>
          </p>
        </Section>
      )}
    </>
  );
}

function Enrolled() {
  return (
    <Page title="Your account is protected" narrow>
      <p>It has a second factor. If you did not store your recovery codes, make new ones in your account.</p>
      <p class="form-actions">
        <a class="button primary" href={homePath()}>
          Go on
        </a>
        <a class="button" href="/me">
          Your account
        </a>
      </p>
    </Page>
  );
}
