// A dialog with one form. It closes once the form has done its work, and asks before it drops what a person entered.

import type { ComponentChildren, ComponentType } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Intent } from "../lib/intent.ts";
import { Button } from "./button.tsx";
import { confirm, Dialog, openDialog } from "./dialog.tsx";
import { Form, useForm, type Values } from "./form.tsx";

interface Props {
  title: string;
  /** What will happen, and what others will see. */
  lead?: ComponentChildren;
  /** The label of the button that sends the form. */
  submit: string;
  look?: "primary" | "danger";
  /** Sends what was entered. The dialog stays if it resolves to `false`. */
  act: (values: Values, intent: Intent) => Promise<unknown>;
  /** See `useForm`. */
  check?: (values: Values) => Readonly<Record<string, string | undefined>>;
  onClose: () => void;
  children: ComponentChildren;
}

export function FormDialog({ title, lead, submit, look, act, check, onClose, children }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const first = useRef("");
  const isTouched = useRef(false);
  const form = useForm(async (values, intent) => {
    if ((await act(values, intent)) !== false) onClose();
  }, check);
  useEffect(() => {
    first.current = entered(box.current);
    box.current?.querySelector<HTMLElement>("input, select, textarea")?.focus();
  }, []);
  const cancel = async (): Promise<void> => {
    const isKept = !isTouched.current || entered(box.current) === first.current;
    if (isKept || (await confirm(DROPPING))) onClose();
  };
  return (
    <Dialog title={title} onCancel={cancel}>
      {lead && <p>{lead}</p>}
      <div ref={box} onInput={() => (isTouched.current = true)} onKeyDown={sendOnCtrlEnter}>
        <Form of={form} submit={submit} {...(look && { look })} more={<Button onClick={cancel}>Cancel</Button>}>
          {children}
        </Form>
      </div>
    </Dialog>
  );
}

const DROPPING = {
  title: "Drop what you entered?",
  text: "Nothing of it was saved.",
  action: "Drop it",
  danger: true,
};

/** What is entered in the form now, as text. */
function entered(box: HTMLElement | null): string {
  const form = box?.querySelector("form");
  return form ? JSON.stringify([...new FormData(form)]) : "";
}

/** Ctrl+Enter sends the form, also from a field of several lines. */
export function sendOnCtrlEnter(event: KeyboardEvent): void {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  (event.target as HTMLInputElement).form?.requestSubmit();
}

/** Opens a dialog that resolves once it is closed. */
export function openWith<P extends object>(Content: ComponentType<P & { onClose: () => void }>, props: P): Promise<void> {
  return openDialog<void>((close) => <Content {...props} onClose={() => close()} />);
}
