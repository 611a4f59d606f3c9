// Tokens in the fragment of the address: of the links in emails, and of a sign-in at a provider. A browser sends the
// fragment to no server. It is taken out of the address and of the history at once, and kept in memory only, so a reload
// forgets it.
//
// This module runs before the router, which reads the address.

import { signal } from "@preact/signals";

/** The screens that are opened with a fragment of their own. Elsewhere, a fragment is a place on the screen. */
const CARRIERS = new Set(["/sign-in", "/magic-link", "/password-reset", "/invitation"]);

interface Held {
  path: string;
  text: string;
}

const held = signal<Held | undefined>(undefined);

/** Takes the fragment out of the address, if the screen has one of its own. */
export function takeFragment(): void {
  if (!CARRIERS.has(location.pathname) || location.hash.length < 2) return;
  held.value = { path: location.pathname, text: location.hash.slice(1) };
  history.replaceState(history.state, "", location.pathname + location.search);
}

takeFragment();

/** The fragment that a screen was opened with; `""` if there was none, or if it is used up. */
export function fragmentOf(path: string): string {
  return held.value?.path === path ? held.value.text : "";
}

/** Forgets the fragment, because it is used up. */
export function forgetFragment(): void {
  held.value = undefined;
}
