// Addresses and screens: matches the path, moves through the history, and keeps filters in the query.

import { computed, signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { takeFragment } from "./fragment.ts";

/** The parts of a path, such as `id` of `/claims/:id`. */
export type Params = Readonly<Record<string, string>>;

export interface ScreenProps {
  params: Params;
}

/** A part of the console, for the people who have it. */
export type Area = "practice" | "staff" | "auditor";

/** One row of `routes.ts`. */
export interface Route {
  /** The path with its parameters, such as `/claims/:id`. */
  path: string;
  /** Who may open it: all people, all who are signed in, a practice's people, staff, or auditors. */
  for: "anyone" | "signed-in" | Area;
  load: () => Promise<ComponentType<ScreenProps>>;
}

export const here = signal(new URL(location.href));
export const pathname = computed(() => here.value.pathname);
export const query = computed(() => here.value.searchParams);
/** The page of a list: the service's cursor. */
export const cursor = computed(() => query.value.get("cursor") ?? undefined);
/** Counts the moves to another screen. The screen's heading takes the focus after each. */
export const moves = signal(0);

/** The values of a path's parameters, or `undefined` if the path does not match. */
export function match(pattern: string, path: string): Params | undefined {
  const wanted = pattern.split("/");
  const given = path.replace(/(?<=.)\/$/, "").split("/");
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [n, part] of wanted.entries()) {
    const value = given[n] ?? "";
    if (!part.startsWith(":")) {
      if (part !== value) return undefined;
    } else if (value === "") {
      return undefined;
    } else {
      params[part.slice(1)] = value;
    }
  }
  return params;
}

/** What would be lost if the screen were left. */
interface Guard {
  asks: () => Promise<boolean>;
  /** For what a person typed: false once the service has it. What they typed also outlasts the session. */
  isUnsent?: (() => boolean) | undefined;
}

let guards: readonly Guard[] = [];
const standing = (): readonly Guard[] => guards.filter(({ isUnsent }) => isUnsent?.() ?? true);
const onUnload = (event: Event): void => {
  if (standing().length > 0) event.preventDefault();
};

/** True if a person typed something that the service does not have. */
export const hasUnsent = (): boolean => guards.some(({ isUnsent }) => isUnsent?.());

/** Asks before the screen is left, until the returned function is called. A reload and a closed tab ask, too. */
export function guardLeaving(asks: Guard["asks"], isUnsent?: () => boolean): () => void {
  const one = { asks, isUnsent };
  setGuards([...guards, one]);
  return () => setGuards(guards.filter((other) => other !== one));
}

function setGuards(now: readonly Guard[]): void {
  guards = now;
  // A page with such a listener is not kept for the browser's back.
  if (now.length > 0) addEventListener("beforeunload", onUnload);
  else removeEventListener("beforeunload", onUnload);
}

/** Lets the screen be left without asking: what it had is safe, or the session is over. */
export const endGuards = (): void => setGuards([]);

/** Asks each question once. Resolves to true if the screen may be left, and then nothing asks again. */
export async function mayLeave(): Promise<boolean> {
  for (const asks of new Set(standing().map((one) => one.asks))) {
    if (!(await asks())) return false;
  }
  endGuards();
  return true;
}

interface Going {
  replace?: boolean;
  /** Called once the screen may be left, before the address opens. */
  onLeave?: () => void;
}

export function navigate(to: string, { replace = false, onLeave }: Going = {}): void {
  leaveScreen(() => {
    onLeave?.();
    open(to, replace);
  });
}

/** Leaves the screen, at once or after the person has agreed. */
function leaveScreen(go: () => void): void {
  if (standing().length === 0) go();
  else void mayLeave().then((may) => may && go());
}

function open(to: string, replace: boolean): void {
  const url = new URL(to, location.href);
  record(url, replace);
  arrive();
  scrollTo(0, 0);
}

/** Changes filters and keeps the others. An empty value removes one. The screen stays, and so does the focus. */
export function setQuery(changes: Readonly<Record<string, string | undefined>>, { replace = false } = {}): void {
  const url = new URL(here.value);
  for (const [name, value] of Object.entries(changes)) {
    if (value) url.searchParams.set(name, value);
    else url.searchParams.delete(name);
  }
  record(url, replace);
  arrive();
}

/** Changes filters of a list, which then begins with its first page. */
export const setFilters = (changes: Readonly<Record<string, string | undefined>>): void => setQuery({ ...changes, cursor: undefined });

/** The place of the screen in this tab's history. The browser keeps it with the address. */
const placeOf = (state: unknown): number => (state as { at?: number } | null)?.at ?? Number.NaN;
let at = 0;

function record(url: URL, replace: boolean): void {
  if (!replace) at += 1;
  const state = { at };
  if (replace) history.replaceState(state, "", url);
  else history.pushState(state, "", url);
}

/** Takes the browser's back and forward for itself, and returns true if it did. The screen then stays. */
type Taker = () => boolean;
let takesBack: Taker = () => false;

/** Sets what may take the browser's back and forward: an open dialog, which it closes. Gives what took them before. */
export function onBack(taker: Taker): Taker {
  const before = takesBack;
  takesBack = taker;
  return before;
}

function arrive(): void {
  const before = here.value.pathname;
  here.value = new URL(location.href);
  if (before !== here.value.pathname) moves.value += 1;
}

let knows: (path: string) => boolean = () => false;

export const isScreen = (path: string): boolean => knows(path);

/** Follows links within the console, and the browser's back and forward. `isKnown` says whether a path is a screen. */
export function startRouter(isKnown: (path: string) => boolean): void {
  knows = isKnown;
  at = placeOf(history.state) || 0;
  history.replaceState({ at }, "", location.href);
  let isReturning = false;
  addEventListener("popstate", () => {
    takeFragment();
    const before = at;
    at = placeOf(history.state);
    // A link to a place on the screen makes an address of its own.
    if (Number.isNaN(at)) {
      at = before + 1;
      history.replaceState({ at }, "", location.href);
    }
    if (isReturning) {
      isReturning = false;
      return;
    }
    if (at !== before && takesBack()) {
      isReturning = true;
      history.go(before - at);
      return;
    }
    if (standing().length === 0) {
      arrive();
      return;
    }
    // The browser is at the other address already. It goes back there if the person agrees.
    const to = location.href;
    record(here.peek(), false);
    leaveScreen(() => open(to, true));
  });
  document.addEventListener("click", (event) => {
    const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    if (event.defaultPrevented || !isPlain) return;
    const link = (event.target as Element).closest("a");
    if (!link?.href || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
    // The skip link and others to a place on the same screen.
    if (link.hash && link.pathname === location.pathname) return;
    if (!knows(link.pathname)) return;
    event.preventDefault();
    navigate(link.href);
  });
}
