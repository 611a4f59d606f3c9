// Dialogs with one form.

import type { ComponentChildren, ComponentType } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Intent } from "../lib/intent.ts";
import { Button } from "./button.tsx";
import { confirm, Dialog, openDialog } from "./dialog.tsx";
import { type Check, Form, useForm, type Values } from "./form.tsx";

interface Question<T> {
  title: string;
  /** What will happen, and what others will see. */
  lead?: ComponentChildren;
  /** The label of the button that sends the form. */
  submit: string;
  look?: "primary" | "danger";
  wide?: boolean;
  /** Sends what was entered. The dialog stays if it resolves to `false`. */
  act: (values: Values, intent: Intent) => Promise<T>;
  /** See `useForm`. */
  check?: Check;
  /** The first field does not take the focus by itself, and what was entered is dropped without asking. */
  isSmall?: boolean;
  children: ComponentChildren;
}

interface Props<T> extends Question<T> {
  /** Called with what `act` gave, or with nothing if the person canceled. */
  onClose: (answer?: T) => void;
}

/** Closes once the form has done its work, and asks before it drops what a person entered. */
export function FormDialog<T>({ title, lead, wide = false, act, check, isSmall = false, onClose, children, ...rest }: Props<T>) {
  const box = useRef<HTMLDivElement>(null);
  const first = useRef("");
  const isTouched = useRef(false);
  const form = useForm(async (values, intent) => {
    const answer = await act(values, intent);
    if (answer !== false) onClose(answer);
  }, check);
  useEffect(() => {
    first.current = entered(box.current);
    if (!isSmall) box.current?.querySelector<HTMLElement>("input, select, textarea")?.focus();
  }, []);
  const cancel = async (): Promise<void> => {
    const isKept = isSmall || !isTouched.current || entered(box.current) === first.current;
    if (isKept || (await confirm(DROPPING))) onClose();
  };
  return (
    <Dialog title={title} onCancel={cancel} wide={wide}>
      {lead && <p>{lead}</p>}
      <div ref={box} onInput={() => (isTouched.current = true)} onKeyDown={isSmall ? undefined : sendOnCtrlEnter}>
        <Form of={form} {...rest} more={<Button onClick={cancel}>Cancel</Button>}>
          {children}
        </Form>
      </div>
    </Dialog>
  );
}

/** Asks with a form. Resolves to what `act` gives; to `undefined` if the person cancels. */
export function openForm<T>(question: Question<T>): Promise<T | undefined> {
  return openDialog<T | undefined>((close) => <FormDialog {...question} onClose={close} />);
}

/** Asks a small question with a form. */
export const ask = <T,>(question: Question<T>): Promise<T | undefined> => openForm({ ...question, isSmall: true });

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
