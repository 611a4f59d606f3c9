import { limits } from "../../generated/rules.ts";
import { post } from "../../lib/api.ts";
import { type Intent, plural, useGet, user } from "../../lib/index.ts";
import {
  AuthenticatorSetup, Dialog, LOST_CODES, openDialog, RecoveryCodes, RowAction, Section, Show, toast,
} from "../../ui/index.ts";

/** With this many codes or fewer, the person should make new ones. */
const FEW = 3;

export function Factors() {
  const left = useGet("/api/v1/auth/2fa/recovery_codes");
  const setUp = async (): Promise<void> => {
    const codes = await setUpApp();
    if (codes === undefined) return;
    toast("Your authenticator app is set up.");
    left.reload();
    await showNew(codes);
  };
  const renew = async (intent: Intent): Promise<void> => {
    const { recovery_codes: codes } = await post("/api/v1/auth/2fa/recovery_codes", { intent });
    left.reload();
    await showNew(codes);
  };
  return (
    <>
      <Section title="Authenticator app" lead="A new app takes the place of the one that you have. All your other sessions end.">
        <div class="actions">
          <RowAction label="Set up a new app" run={setUp} />
        </div>
      </Section>
      <Section title="Recovery codes" lead="Each code signs you in once if you do not have your phone.">
        <Show of={left}>{(data) => <Left count={data.left} />}</Show>
        <div class="actions">
          <RowAction label="Make new codes" ask={RENEWING} run={renew} />
        </div>
      </Section>
    </>
  );
}

const RENEWING = { title: "Make new recovery codes?", text: "The codes that you have stop working.", action: "Make new codes" };

async function showNew(codes: readonly string[] | null): Promise<void> {
  if (codes === null) toast(LOST_CODES);
  else if (codes.length > 0) await showCodes(codes);
}

function Left({ count }: { count: number }) {
  if (count > FEW) return <p>{`You have ${count} of ${limits.recoveryCodes} left.`}</p>;
  const rest = count === 0 ? "You have no recovery code left." : `You have only ${plural(count, "recovery code")} left.`;
  return (
    <div class="notice warn">
      <p>{`${rest} Make new codes now. Without one, you cannot sign in if you lose your phone.`}</p>
    </div>
  );
}

/** Gives the new recovery codes, or nothing if the person goes back. */
function setUpApp(): Promise<readonly string[] | null | undefined> {
  return openDialog<readonly string[] | null | undefined>((close) => (
    <Dialog title="Set up an authenticator app" onCancel={() => close(undefined)}>
      <AuthenticatorSetup onConfirmed={close} onCancel={() => close(undefined)} />
    </Dialog>
  ));
}

/** Shows recovery codes until the person has stored them. */
export function showCodes(codes: readonly string[]): Promise<void> {
  return openDialog<void>((close) => (
    <Dialog title="Your new recovery codes">
      <RecoveryCodes codes={codes} email={user.value?.email ?? ""} action="Done" onStored={() => close()} />
    </Dialog>
  ));
}
