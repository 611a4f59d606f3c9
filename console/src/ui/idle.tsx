import { useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import { plural, secondsLeft, signOut, stay, useAction } from "../lib/index.ts";
import { Button } from "./button.tsx";
import { Dialog, openDialog } from "./dialog.tsx";
import { ProblemView } from "./problem.tsx";

/** Opens the warning two minutes before the session ends, and closes it once the session goes on. */
export function IdleWarning() {
  const close = useRef<(() => void) | undefined>(undefined);
  useSignalEffect(() => {
    const isDue = secondsLeft.value !== undefined;
    if (isDue && !close.current) {
      void openDialog<void>((done) => {
        close.current = () => done();
        return <Warning />;
      }).then(() => (close.current = undefined));
    } else if (!isDue) {
      close.current?.();
      close.current = undefined;
    }
  });
  return null;
}

function Warning() {
  const stays = useAction(stay);
  const left = secondsLeft.value ?? 0;
  const about = left > 60 ? "about two minutes" : left > 30 ? "about one minute" : "less than half a minute";
  return (
    <Dialog title="Are you still there?" onCancel={() => stays.run()}>
      <p>For the safety of patients, you will be signed out because nothing was done here.</p>
      <p aria-hidden="true" class="countdown">
        {plural(left, "second")}
      </p>
      <p role="status" class="hidden">
        You will be signed out in {about}.
      </p>
      <ProblemView problem={stays.problem} />
      <div class="dialog-actions">
        <Button look="primary" onClick={() => stays.run()} isBusy={stays.isBusy}>
          Stay signed in
        </Button>
        <Button onClick={() => void signOut()}>Sign out</Button>
      </div>
    </Dialog>
  );
}
