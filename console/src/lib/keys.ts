// Shortcuts. A single key can be switched off (WCAG 2.1.4), because speech input and a hand on the keyboard can press one
// by accident.

import { signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { stored } from "./stored.ts";

/** A shortcut: `"j"`, `"?"`, `"/"`, or two keys after each other such as `"g q"`. */
interface Shortcut {
  keys: string;
  /** What it does, for the list of shortcuts. */
  what: string;
  run: () => void;
  /** A key that is held does it once only. */
  once?: true;
}

const SETTING = "overturn.single-keys";

/** Whether single keys do anything. The choice stays in this browser, unless it stores nothing. */
export const singleKeys = signal(stored(() => localStorage.getItem(SETTING)) !== "off");

export function setSingleKeys(on: boolean): void {
  singleKeys.value = on;
  stored(() => (on ? localStorage.removeItem(SETTING) : localStorage.setItem(SETTING, "off")));
}

/** The shortcuts of what is on the screen, the newest last. */
export const shortcuts = signal<readonly Shortcut[]>([]);

/** Adds shortcuts while a component is on the screen. A newer one goes before an older one with the same keys. */
export function useKeys(given: readonly Shortcut[]): void {
  const latest = useRef(given);
  latest.current = given;
  // A plain effect would miss the keys before the browser has drawn, and act for a screen that is gone.
  useLayoutEffect(() => {
    // Always runs what the component last gave, without adding it again after each rendering.
    const added = given.map((one, n): Shortcut => ({ ...one, run: () => latest.current[n]?.run() }));
    shortcuts.value = [...shortcuts.peek(), ...added];
    return () => {
      shortcuts.value = shortcuts.peek().filter((one) => !added.includes(one));
    };
  }, [given.map(({ keys, what }) => `${keys} ${what}`).join("\n")]);
}

/** Each key once, with what it does now. */
export function inForce(all: readonly Shortcut[]): readonly Shortcut[] {
  return all.filter(({ keys }, n) => all.findLastIndex((other) => other.keys === keys) === n);
}

/** How long the second key of two may take. */
const PAUSE_MS = 1500;

/** Listens to the keyboard. `onPalette` opens the list of commands; `rests` says whether single keys do nothing now. */
export function startKeys(onPalette: () => void, rests: () => boolean): void {
  let first = "";
  let since = 0;
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing) return;
    if ((event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === "k") {
      event.preventDefault();
      if (!rests()) onPalette();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || !singleKeys.peek() || rests() || isTyping(event.target)) return;
    const two = Date.now() - since < PAUSE_MS ? `${first} ${event.key}` : "";
    const named = (wanted: string) => shortcuts.peek().findLast(({ keys }) => keys === wanted);
    const found = named(two) ?? named(event.key);
    [first, since] = [event.key, Date.now()];
    if (found) {
      event.preventDefault();
      first = "";
      if (!(found.once && event.repeat)) found.run();
    }
  });
}

/** True where a key writes a character or has a meaning of its own. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target.matches("textarea, select")) return true;
  return target.matches("input:not([type=checkbox], [type=radio], [type=button])");
}
