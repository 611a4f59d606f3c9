import { limits } from "../../generated/rules.ts";
import { type Answer, del, get, patch } from "../../lib/api.ts";
import { ago, time } from "../../lib/format.ts";
import type { Intent } from "../../lib/intent.ts";
import { useAction, useLoad } from "../../lib/load.ts";
import { hasPasskeys } from "../../lib/passkey.ts";
import {
  Button, confirm, Dialog, mayDrop, openDialog, openForm, PasskeySetup, ProblemView, Section, Show, TextField, toast,
} from "../../ui/index.ts";
import { showCodes } from "./factors.tsx";

type Listed = Answer<"/api/v1/auth/passkeys", "get">["passkeys"][number];

/** The passkeys of the person. */
export function Passkeys() {
  const loaded = useLoad((signal) => get("/api/v1/auth/passkeys", { signal }), []);
  const adds = useAction(async () => {
    const codes = await addPasskey();
    if (!codes) return;
    toast("The passkey was added.");
    loaded.reload();
    if (codes.length > 0) await showCodes(codes);
  });
  const changes = useAction(async (intent, change: typeof remove, one: Listed) => {
    if (await change(one, intent)) loaded.reload();
  });
  return (
    <Section title="Passkeys" lead="A passkey signs you in without a password and without a code.">
      <ProblemView problem={adds.problem ?? changes.problem} />
      <Show of={loaded}>
        {({ passkeys }) => (
          <>
            {passkeys.length === 0 && <p>You have none yet.</p>}
            <ul class="rows" aria-label="Passkeys">
              {passkeys.map((one) => (
                <li key={one.id}>
                  <div>
                    <p>
                      <bdi>{one.name}</bdi> {one.synced && <span class="tag">Synced</span>}
                    </p>
                    <p class="quiet-text">
                      {one.last_used_at ? `Used ${ago(one.last_used_at)}` : "Not used yet"}, since {time(one.created_at)}
                    </p>
                  </div>
                  <div class="actions">
                    <Button aria-label={`Rename ${one.name}`} onClick={() => changes.run(rename, one)}>
                      Rename
                    </Button>
                    <Button look="danger" aria-label={`Remove ${one.name}`} onClick={() => changes.run(remove, one)}>
                      Remove
                    </Button>
                  </div>
                </li>
              ))}
            </ul>
            {passkeys.length >= limits.passkeys && <p>You have the most that an account can have.</p>}
            {!hasPasskeys() && <p>This browser cannot make passkeys.</p>}
            {hasPasskeys() && passkeys.length < limits.passkeys && (
              <p class="actions">
                <Button onClick={() => adds.run()} isBusy={adds.isBusy}>
                  Add a passkey
                </Button>
              </p>
            )}
          </>
        )}
      </Show>
    </Section>
  );
}

/** Gives the recovery codes that come with a first second factor, or nothing if the person goes back. */
function addPasskey(): Promise<readonly string[] | undefined> {
  return openDialog<readonly string[] | undefined>((close) => {
    const cancel = async (): Promise<void> => {
      if (await mayDrop()) close(undefined);
    };
    return (
      <Dialog title="Add a passkey" onCancel={cancel}>
        <PasskeySetup
          onEnrolled={(passkey) => close(("recovery_codes" in passkey && passkey.recovery_codes) || [])}
          onCancel={cancel}
        />
      </Dialog>
    );
  });
}

/** Resolves to true if the passkey was renamed. */
async function rename({ id, name }: Listed): Promise<boolean> {
  const renamed = await openForm({
    title: "Rename the passkey",
    submit: "Rename",
    act: async (values, intent) => {
      await patch("/api/v1/auth/passkeys/{id}", { path: { id }, body: { name: values.text("name") }, intent });
      return true;
    },
    children: <TextField name="name" label="Name" defaultValue={name} maxLength={limits.passkeyName} required />,
  });
  return renamed ?? false;
}

/** Resolves to true if the passkey was removed. */
async function remove(one: Listed, intent: Intent): Promise<boolean> {
  const yes = await confirm({
    title: "Remove the passkey?",
    text: (
      <p>
        <bdi>{one.name}</bdi> no longer signs you in, and all your other sessions end. Your device may still offer it: delete it
        there, too.
      </p>
    ),
    action: "Remove",
    danger: true,
  });
  if (!yes) return false;
  await del("/api/v1/auth/passkeys/{id}", { path: { id: one.id }, intent });
  toast("The passkey was removed.");
  return true;
}
