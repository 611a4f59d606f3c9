// Where a person wanted to go before they signed in. The address of the sign-in screen has it. Signing in at a provider or by
// a link in an email leaves that address, so this browser keeps the path until then: its filters and ids, never a patient.

import { isScreen, query } from "./router.ts";
import { stored } from "./stored.ts";

const NAME = "overturn.return";
/** As long as a link in an email works. */
const LASTS_MS = 10 * 60_000;

/** Screens to which signing in does not lead back. */
const NEVER = ["/", "/sign-in", "/enrol", "/magic-link", "/password-reset", "/invitation"];

/** A path of a screen to return to after signing in; `undefined` for anything else. */
export function returnPath(given: string | null): string | undefined {
  if (!given?.startsWith("/")) return undefined;
  const url = new URL(given, location.origin);
  // A path with two slashes would be read as another site.
  if (url.origin !== location.origin || url.pathname.startsWith("//")) return undefined;
  return NEVER.includes(url.pathname) || !isScreen(url.pathname) ? undefined : url.pathname + url.search;
}

/** The address of another way to sign in, which still says where the person wanted to go. */
export function withReturn(path: string): string {
  const wanted = returnPath(query.value.get("return"));
  return wanted === undefined ? path : `${path}?${new URLSearchParams({ return: wanted })}`;
}

/** How a person signs in: `tab` at a provider, which leads this tab back, `browser` by an email, whose link opens a new tab. */
type Reach = "tab" | "browser";
const storage = (reach: Reach): Storage => (reach === "tab" ? sessionStorage : localStorage);

/** Keeps the path that the address of this screen names, until the person has signed in. */
export function keepReturn(path: string | null, reach: Reach): void {
  const wanted = returnPath(path);
  if (wanted === undefined) return;
  stored(() => storage(reach).setItem(NAME, JSON.stringify({ path: wanted, until: Date.now() + LASTS_MS })));
}

/** Gives the kept path, and forgets it. */
export function takeReturn(): string | undefined {
  const found = (["tab", "browser"] as const).map((reach) =>
    stored(() => {
      const kept = JSON.parse(storage(reach).getItem(NAME) ?? "{}") as { path?: string; until?: number };
      storage(reach).removeItem(NAME);
      return Date.now() < (kept.until ?? 0) ? returnPath(kept.path ?? null) : undefined;
    }),
  );
  return found.find((path) => path !== undefined);
}
