// Who is signed in. Nothing of it is stored: a reload asks the service again.

import { computed, signal } from "@preact/signals";
import { type Answer, get, post } from "./api.ts";
import { askPasskey } from "./passkey.ts";
import { asProblem } from "./problem.ts";
import { keepReturn, returnPath, takeReturn } from "./return.ts";
import { type Area, endGuards, hasUnsent, mayLeave } from "./router.ts";
import { tellTabs } from "./tabs.ts";

export type Session = Answer<"/api/v1/auth/session", "get">;
export type Action = Session["may"][number];

export const session = signal<Session | undefined>(undefined);
export const user = computed(() => session.value?.user);
/** The practice; `undefined` for staff. */
export const practice = computed(() => session.value?.practice ?? undefined);
export const role = computed(() => session.value?.user.role);
/** The part of the console that is for the person. */
export const area = computed((): Area | undefined => {
  if (practice.value) return "practice";
  return role.value === "staff" || role.value === "auditor" ? role.value : undefined;
});
const HOMES: Record<Area, string> = { practice: "/home", staff: "/queue", auditor: "/audit" };
/** What the person may do now, as `core` computes it. Ask with `may("manage_api_keys")`. */
export const may = (action: Action): boolean => session.value?.may?.includes(action) ?? false;
/** True while the person may only enroll a second factor. */
export const mustEnrol = computed(() => session.value?.session?.kind === "enrolment");

/** Asks the service who is signed in. Only the service's word ends the session, not a lost connection. */
export async function loadSession(): Promise<Session | undefined> {
  try {
    session.value = await get("/api/v1/auth/session", { anonymous: true });
  } catch (problem) {
    if ((problem as { status?: number }).status !== 401) throw problem;
    session.value = undefined;
  }
  return session.value;
}

export function homePath(): string {
  if (mustEnrol.value) return "/enrol";
  return area.value === undefined ? "/me" : HOMES[area.value];
}

/**
 * Where a person goes who has just signed in: to enroll a second factor, to the screen that they wanted, or to their first
 * one. `wanted` is the path in the address, which is kept while they enroll.
 */
export function destination(wanted: string | null = null): string {
  if (mustEnrol.value) {
    keepReturn(wanted, "tab");
    return "/enrol";
  }
  const kept = takeReturn();
  return returnPath(wanted) ?? kept ?? homePath();
}

/** True once the session is over. Nothing may then keep the person, or what the page shows, on the page. */
export let isLeaving = false;

/** Why a session is over. The sign-in screen says it. */
export type Farewell = "signed-out" | "idle" | "expired";

/** Asks the same person to sign in again. Resolves to true once they have. */
type Asker = (why: Farewell) => Promise<boolean>;
let asker: Asker = async () => false;
let again: Promise<boolean> | undefined;

/** Sets what asks a person to sign in again who typed something. `main.tsx` does this once. */
export function onEnd(given: Asker): void {
  asker = given;
}

/**
 * The session is over. If a person typed something that is not sent, it stays while they sign in again, and this resolves to
 * true once they have. Otherwise it leaves the page, and resolves to false.
 */
export async function endSession(why: Farewell): Promise<boolean> {
  if (again || hasUnsent()) return (again ??= asker(why).finally(() => (again = undefined)));
  leave(why);
  return false;
}

/**
 * Signs in with a first factor, and calls `enter` with the session. Gives the token with which a second factor completes the
 * sign-in; `undefined` for an account that has none yet, which is signed in and may only enroll.
 */
export async function firstFactor(sign: () => Promise<Session>, enter: (entered: Session) => void): Promise<string | undefined> {
  try {
    enter(await sign());
    return undefined;
  } catch (thrown) {
    const problem = asProblem(thrown);
    if (problem.token === undefined) throw problem;
    return problem.token;
  }
}

export async function signInByPasskey(how?: Parameters<typeof askPasskey>[1]): Promise<Session> {
  const { options } = await post("/api/v1/auth/session/passkey/options", { anonymous: true });
  const credential = await askPasskey(options, how);
  return post("/api/v1/auth/session/passkey", { body: { credential }, anonymous: true });
}

/**
 * Shows the sign-in screen by a new page load, which empties the memory of this tab. Unless the person signed out, the
 * address leads back to where they were.
 */
export function leave(why: Farewell): void {
  isLeaving = true;
  const to = new URL("/sign-in", location.origin);
  to.searchParams.set("because", why);
  const back = returnPath(location.pathname + location.search);
  if (why !== "signed-out" && back !== undefined) to.searchParams.set("return", back);
  endGuards();
  takeReturn();
  location.replace(to);
}

/** Loads the page again, because another person has signed in in this browser. No question of the first person's screen stops it. */
export function startOver(): void {
  isLeaving = true;
  endGuards();
  session.value = undefined;
  location.reload();
}

export async function signOut(): Promise<void> {
  if (!(await mayLeave())) return;
  await post("/api/v1/auth/session/logout");
  tellTabs("signed-out");
  leave("signed-out");
}
