// Short messages about what was done, with a way to undo it.

import { signal } from "@preact/signals";
import { asProblem } from "../lib/index.ts";
import { Button } from "./button.tsx";
import { sentence } from "./problem.tsx";

interface Toast {
  id: number;
  text: string;
  undo?: (() => Promise<void>) | undefined;
}

const STAYS_MS = 12_000;
const toasts = signal<readonly Toast[]>([]);
/** While the pointer or the focus is on a message, none goes away. */
const isHeld = signal(false);
let count = 0;
/** What had the focus before it came to a message. */
let before: HTMLElement | undefined;

/** Counts what was taken back, so that a list can be read again. */
export const undone = signal(0);

/** What was done last and can be taken back. It outlasts its message. */
let last: Toast | undefined;

/** Takes back what was done last, even if its message is gone. The service refuses it if others have changed the record since. */
export async function undoLast(): Promise<void> {
  if (last) await takeBack(last);
  else hint("There is nothing to undo.");
}

/** Says that something was done. With `undo`, offers to take it back. Without it, what was done before is no longer the last. */
export function toast(text: string, undo?: () => Promise<void>): void {
  const added = show(text, undo);
  last = undo ? added : undefined;
}

/** Says something about a key, where nothing was done. */
export function hint(text: string): void {
  show(text);
}

function show(text: string, undo?: () => Promise<void>): Toast {
  count += 1;
  const id = count;
  // More than three would hide the page, but no way to undo goes away.
  const plain = toasts.value.filter((one) => !one.undo).slice(-2);
  const added = { id, text, undo };
  toasts.value = [...toasts.value.filter((one) => one.undo || plain.includes(one)), added];
  const end = (): void => {
    if (isHeld.peek()) setTimeout(end, 1000);
    else dismiss(id);
  };
  setTimeout(end, STAYS_MS);
  return added;
}

function dismiss(id: number): void {
  toasts.value = toasts.value.filter((one) => one.id !== id);
}

/** Takes a message away. If it had the focus, that goes back to the screen. */
function leave(id: number): void {
  const isHere = document.activeElement?.closest(".toasts");
  dismiss(id);
  isHeld.value = false;
  if (!isHere) return;
  const target = before?.isConnected ? before : document.querySelector<HTMLElement>("h1");
  target?.focus();
}

async function takeBack(one: Toast): Promise<void> {
  const { id, text, undo } = one;
  if (last?.id === id) last = undefined;
  if (toasts.value.some((one) => one.id === id)) leave(id);
  try {
    await undo?.();
    undone.value += 1;
    hint(`Undone: ${text}`);
  } catch (thrown) {
    const problem = asProblem(thrown);
    if (problem.isRetryable) last ??= one;
    if (!problem.isCanceled) hint(`${text} This could not be undone: ${sentence(problem.detail)}`);
  }
}

/** The messages. The app has it once, so that screen readers know the region before the first message. */
export function Toasts() {
  const hold = (held: boolean) => (): void => {
    isHeld.value = held;
  };
  return (
    <div
      class="toasts"
      role="status"
      onPointerEnter={hold(true)}
      onPointerLeave={hold(false)}
      onFocusIn={(event) => {
        isHeld.value = true;
        const from = event.relatedTarget;
        if (from instanceof HTMLElement && !event.currentTarget.contains(from)) before = from;
      }}
      onFocusOut={hold(false)}
    >
      {toasts.value.map((one) => (
        <div class="toast" key={one.id}>
          <span>{one.text}</span>
          {one.undo && (
            <Button look="quiet" onClick={() => takeBack(one)}>
              Undo
            </Button>
          )}
          <Button look="quiet" aria-label="Dismiss" onClick={() => leave(one.id)}>
            ✕
          </Button>
        </div>
      ))}
    </div>
  );
}
