import { limits } from "../../generated/rules.ts";
import { type Answer, patch } from "../../lib/api.ts";
import { ago, hasPasskeys, time, useGet } from "../../lib/index.ts";
import {
  Dialog, EndAction, mayDrop, openDialog, openForm, PasskeySetup, RowAction, Rows, Section, Show, TextField, toast,
} from "../../ui/index.ts";
import { showCodes } from "./factors.tsx";

type Listed = Answer<"/api/v1/auth/passkeys", "get">["passkeys"][number];

export function Passkeys() {
  const loaded = useGet("/api/v1/auth/passkeys");
  const add = async (): Promise<void> => {
    const codes = await addPasskey();
    if (!codes) return;
    toast("The passkey was added.");
    loaded.reload();
    if (codes.length > 0) await showCodes(codes);
  };
  return (
    <Section title="Passkeys" lead="A passkey signs you in without a password and without a code.">
      <Show of={loaded}>
        {({ passkeys }) => (
          <>
            <Rows
              label="Passkeys"
              rows={passkeys}
              none="You have none yet."
              name={({ name, synced }) => (
                <>
                  <bdi>{name}</bdi> {synced && <span class="tag">Synced</span>}
                </>
              )}
              about={({ last_used_at: used, created_at }) => `${used ? `Used ${ago(used)}` : "Not used yet"}, since ${time(created_at)}`}
              actions={(one) => (
                <>
                  <RowAction label="Rename" of={one.name} run={async () => (await rename(one)) && loaded.reload()} />
                  <EndAction
                    of={one.name}
                    look="danger"
                    title="Remove the passkey?"
                    text={<Removal of={one} />}
                    path="/api/v1/auth/passkeys/{id}"
                    id={one.id}
                    said="The passkey was removed."
                    then={loaded.reload}
                  />
                </>
              )}
            />
            {passkeys.length >= limits.passkeys && <p>You have the most that an account can have.</p>}
            {!hasPasskeys() && <p>This browser cannot make passkeys.</p>}
            {hasPasskeys() && passkeys.length < limits.passkeys && (
              <div class="actions">
                <RowAction label="Add a passkey" run={add} />
              </div>
            )}
          </>
        )}
      </Show>
    </Section>
  );
}

function Removal({ of }: { of: Listed }) {
  return (
    <p>
      <bdi>{of.name}</bdi> no longer signs you in, and all your other sessions end. Your device may still offer it: delete it there,
      too.
    </p>
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

const rename = ({ id, name }: Listed): Promise<boolean | undefined> =>
  openForm({
    title: "Rename the passkey",
    submit: "Rename",
    act: async (values, intent) => {
      await patch("/api/v1/auth/passkeys/{id}", { path: { id }, body: { name: values.text("name") }, intent });
      return true;
    },
    children: <TextField name="name" label="Name" defaultValue={name} maxLength={limits.passkeyName} required />,
  });
