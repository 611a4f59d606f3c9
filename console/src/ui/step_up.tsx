import { Button } from "./button.tsx";
import { Dialog, openDialog } from "./dialog.tsx";
import { SecondFactor } from "./second_factor.tsx";

let shown: Promise<boolean> | undefined;

/**
 * Asks for a second factor: the last one is too old for a sensitive action, or staff opened unusually many patients
 * (`isPatient`). Resolves to true once the service has accepted it. Calls that need it at the same time share one dialog.
 */
export function stepUp(token: string, isPatient: boolean): Promise<boolean> {
  shown ??= ask(token, isPatient).finally(() => {
    shown = undefined;
  });
  return shown;
}

function ask(token: string, isPatient: boolean): Promise<boolean> {
  return openDialog<boolean>((close) => (
    <Dialog title="Confirm that it is you" onCancel={() => close(false)}>
      {isPatient ? (
        <p>
          You have opened many patients within an hour. To protect them, show your second factor once more. The claim opens after
          that.
        </p>
      ) : (
        <p>This is a sensitive action, and your last second factor was more than ten minutes ago.</p>
      )}
      <SecondFactor
        token={token}
        submit="Confirm"
        onShown={() => close(true)}
        more={<Button onClick={() => close(false)}>Cancel</Button>}
      />
    </Dialog>
  ));
}
