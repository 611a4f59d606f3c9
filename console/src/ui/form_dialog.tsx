// Dialogs with one form.

import type { ComponentChildren, ComponentType } from "preact";
import { hasUnsent, type Intent, ownProblem } from "../lib/index.ts";
import { Button } from "./button.tsx";
import { confirm, Dialog, openDialog } from "./dialog.tsx";
import { type Check, Form, useForm, type Values } from "./form.tsx";

interface Question<T> {
  title: string;
  /** What will happen, and what others will see. */
  lead?: ComponentChildren;
  submit: string;
  look?: "primary" | "danger";
  wide?: boolean;
  /** Sends what was entered. The dialog stays if it resolves to `false`. */
  act: (values: Values, intent: Intent) => Promise<T>;
  /** See `useForm`. */
  check?: Check;
  children: ComponentChildren;
}

interface Props<T> extends Question<T> {
  /** Called with what `act` gave, or with nothing if the person canceled. */
  onClose: (answer?: T) => void;
}

/** Closes once the form has done its work, and asks before it drops what a person entered. */
export function FormDialog<T>({ title, lead, wide = false, act, check, onClose, children, ...rest }: Props<T>) {
  const form = useForm(async (values, intent) => {
    const answer = await act(values, intent);
    // The dialog stays, with what was entered.
    if (answer === false) throw ownProblem("canceled", "Nothing was sent.");
    onClose(answer);
  }, check);
  const cancel = async (): Promise<void> => {
    if (!form.isUnsent() || (await confirm(DROPPING))) onClose();
  };
  return (
    <Dialog title={title} onCancel={cancel} wide={wide}>
      {lead && <p>{lead}</p>}
      <Form of={form} {...rest} more={<Button onClick={cancel}>Cancel</Button>}>
        {children}
      </Form>
    </Dialog>
  );
}

/** Asks with a form. Resolves to what `act` gives; to `undefined` if the person cancels. */
export function openForm<T>(question: Question<T>): Promise<T | undefined> {
  return openDialog<T | undefined>((close) => <FormDialog {...question} onClose={close} />);
}

const DROPPING = {
  title: "Drop what you entered?",
  text: "Nothing of it was saved.",
  action: "Drop it",
  danger: true,
};

/** Asks before a dialog drops what a person entered in a form of its own. Resolves to true if it may. */
export const mayDrop = async (): Promise<boolean> => !hasUnsent() || confirm(DROPPING);

/** Opens a dialog that resolves once it is closed. */
export function openWith<P extends object>(Content: ComponentType<P & { onClose: () => void }>, props: P): Promise<void> {
  return openDialog<void>((close) => <Content {...props} onClose={() => close()} />);
}
