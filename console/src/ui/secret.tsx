import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { guardLeaving } from "../lib/index.ts";
import { Button } from "./button.tsx";
import { Copy } from "./copy.tsx";
import { confirm, Dialog, openDialog } from "./dialog.tsx";
import { toast } from "./toast.tsx";

interface Secret {
  /** What it is, such as "API key". */
  noun: string;
  /** The service gives it once: with a second answer to the same change, it is `null`. */
  secret: string | null;
  /** What to do about one that was lost. */
  lost?: string;
  children?: ComponentChildren;
}

/**
 * Shows a secret once. Resolves when the person says that they stored it. Escape does not close it, and leaving the page
 * asks first.
 */
export async function showSecret({ noun, secret, lost = "Revoke it, and make another one.", children }: Secret): Promise<void> {
  if (secret === null) return toast(`The ${noun} was made, but its value was lost on the way. ${lost}`);
  return openDialog<void>((close) => (
    <Dialog title={`Your new ${noun}`}>
      {children}
      <p>
        <strong>You see this only now.</strong> It cannot be shown again.
      </p>
      <p class="secret">
        <code>{secret}</code>
      </p>
      <p>
        <Copy text={secret} />
      </p>
      <Stored
        label="I stored it in a safe place"
        question="Leave before you stored it?"
        text="You cannot see it again. You could only make a new one."
        action="Done"
        onStored={() => close()}
      />
    </Dialog>
  ));
}

interface StoredProps {
  label: string;
  /** The question to a person who leaves without it, and what that means. */
  question: string;
  text: string;
  action: string;
  onStored: () => void;
}

/** The end of what is shown once: the person confirms that they stored it. Until then, leaving the page asks first. */
export function Stored({ label, question, text, action, onStored }: StoredProps) {
  const isStored = useSignal(false);
  const release = useRef(() => {});
  useLayoutEffect(() => {
    release.current = guardLeaving(() => confirm({ title: question, text, action: "Leave without it", danger: true }));
    return release.current;
  }, []);
  return (
    <>
      <label class="check">
        <input type="checkbox" checked={isStored} onChange={(event) => (isStored.value = event.currentTarget.checked)} />
        {label}
      </label>
      <div class="form-actions">
        <Button
          look="primary"
          disabled={!isStored.value}
          onClick={() => {
            release.current();
            onStored();
          }}
        >
          {action}
        </Button>
      </div>
    </>
  );
}
