// Modal dialogs. The browser keeps the focus inside, and gives it back afterwards.
//
//   if (await confirm({ title: "Close the claim?", text: "The practice gets an email.", action: "Close the claim" })) …
//   const note = await openDialog<string | undefined>((close) => <NoteDialog onClose={close} />);

import { effect, signal } from "@preact/signals";
import { type ComponentChildren, Fragment } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { moves, onBack } from "../lib/index.ts";
import { Button } from "./button.tsx";

interface Open {
  id: number;
  content: ComponentChildren;
  /** Closes it without an answer. */
  dismiss: () => void;
}

const open = signal<readonly Open[]>([]);
let count = 0;

/** True while a dialog is open. Single-key shortcuts rest then. */
export const isDialogOpen = (): boolean => open.peek().length > 0;

// A dialog belongs to its screen. On the way to another one, it closes without an answer.
effect(() => {
  if (moves.value > 0) for (const { dismiss } of open.peek()) dismiss();
});

/** Shows a dialog until it calls `close`, and resolves to what it gives; to `undefined` if the person leaves the screen. */
export function openDialog<T>(render: (close: (value: T) => void) => ComponentChildren): Promise<T> {
  count += 1;
  const id = count;
  return new Promise((resolve) => {
    const close = (value: T): void => {
      open.value = open.value.filter((one) => one.id !== id);
      resolve(value);
    };
    open.value = [...open.value, { id, content: render(close), dismiss: () => close(undefined as T) }];
  });
}

/** What cancels each dialog, the newest last. It returns true if the dialog can be canceled. */
const cancels: (() => boolean)[] = [];

// The browser's back closes a dialog, like Escape, and the screen stays. Without a way to cancel, the screen is left.
onBack(() => cancels.at(-1)?.() ?? false);

// Escape works wherever the focus is. Left to the browser, a second Escape would close the dialog without asking us.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.defaultPrevented || cancels.length === 0) return;
  event.preventDefault();
  cancels.at(-1)?.();
});

/** The open dialogs. The app has it once. */
export function Dialogs() {
  return (
    <>
      {open.value.map(({ id, content }) => (
        <Fragment key={id}>{content}</Fragment>
      ))}
    </>
  );
}

/** What takes the focus: a field that asks for it, the first field, or the button that confirms. */
const START = [
  "[autofocus]",
  "input:not([type=hidden], [readonly], :disabled), select, textarea",
  ":is(.dialog-actions, .form-actions) button",
] as const;

function toStart(dialog: HTMLElement | null): void {
  const first = START.find((wanted) => dialog?.querySelector(wanted));
  if (first) dialog?.querySelector<HTMLElement>(first)?.focus();
}

interface Props {
  title: string;
  /** Called for Escape and the browser's back. Without it, only the dialog's own buttons close it. */
  onCancel?: (() => void) | undefined;
  /** Wider, for tables and comparisons. */
  wide?: boolean;
  children: ComponentChildren;
}

/** The frame of a dialog. Put its buttons into a `<div class="dialog-actions">`. */
export function Dialog({ title, onCancel, wide = false, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  const latest = useRef(onCancel);
  latest.current = onCancel;
  // A plain effect would wait until the browser has drawn. A key that comes before that would go to what the dialog covers,
  // and after its end to a dialog that is gone.
  useLayoutEffect(() => {
    const cancel = (): boolean => {
      latest.current?.();
      return latest.current !== undefined;
    };
    cancels.push(cancel);
    const element = dialog.current;
    const before = document.activeElement;
    element?.showModal();
    // What is still loading comes later. It takes the focus unless the person has begun.
    const starts = new MutationObserver(() => toStart(element));
    if (element) starts.observe(element, { childList: true, subtree: true });
    for (const begun of ["keydown", "pointerdown"]) element?.addEventListener(begun, () => starts.disconnect());
    toStart(element);
    return () => {
      starts.disconnect();
      cancels.splice(cancels.indexOf(cancel), 1);
      element?.close();
      // The browser gives the focus back on its own only while the dialog is still in the page.
      if (before instanceof HTMLElement && before !== document.body && before.isConnected) before.focus();
      else document.querySelector("h1")?.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={wide ? "wide" : undefined}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        onCancel?.();
      }}
      onKeyDown={(event) => {
        // The key that opened the dialog is still down. It must not confirm as well.
        if (event.repeat && event.key === "Enter" && event.target instanceof HTMLButtonElement) event.preventDefault();
      }}
      onClose={({ currentTarget }) => {
        // The browser closed it on its own, which it may do for a second gesture. What was typed stays until the person agrees.
        if (!currentTarget.isConnected || currentTarget.open) return;
        currentTarget.showModal();
        onCancel?.();
      }}
    >
      <h2 id={heading} tabIndex={-1}>
        {title}
      </h2>
      {children}
    </dialog>
  );
}

export function DialogEnd({ onClose, canPrint = false }: { onClose: () => void; canPrint?: boolean }) {
  return (
    <div class="dialog-actions">
      <Button look="primary" onClick={onClose}>
        Close
      </Button>
      {canPrint && <Button onClick={() => print()}>Print</Button>}
    </div>
  );
}

interface Question {
  title: string;
  /** What will happen, and what others will be told. */
  text: ComponentChildren;
  /** The label of the button that does it, such as "Remove the member". */
  action: string;
  danger?: boolean;
}

/** Asks before something that others notice or that cannot be undone. */
export function confirm({ title, text, action, danger = false }: Question): Promise<boolean> {
  return openDialog<boolean>((close) => (
    <Dialog title={title} onCancel={() => close(false)}>
      {typeof text === "string" ? <p>{text}</p> : text}
      <div class="dialog-actions">
        <Button look={danger ? "danger" : "primary"} onClick={() => close(true)}>
          {action}
        </Button>
        <Button onClick={() => close(false)}>Cancel</Button>
      </div>
    </Dialog>
  ));
}
