// The end of a session that is not used: a warning two minutes before, and an empty page at the end, in every tab. All times
// are the service's, in milliseconds since 1970.

import { computed, effect, signal } from "@preact/signals";
import { get } from "./api.ts";
import { serviceNow } from "./clock.ts";
import { asProblem } from "./problem.ts";
import { endSession, session, startOver } from "./session.ts";
import { hearTabs, tellTabs } from "./tabs.ts";

/** The warning comes this long before the end. */
const WARNING_MS = 120_000;
/** How long before the end the service is asked for the last time. It may take as long to answer. */
const LAST_QUESTION_MS = 3000;
/** The service notes at most one use a minute. A few seconds more make up for the way to it. */
const NOTED_EVERY_MS = 65_000;

/** When the session ends if it is not used; `undefined` while there is no session. */
const endsAt = signal<number | undefined>(undefined);
/** The latest end that every tab knows. */
let told = 0;
/** How long a session may be idle, from the answers that said when it ends. */
let lasts = 0;
const now = signal(serviceNow());

/** What was asked about the end: nothing yet, whether the warning is right, or whether the end is. */
type Stage = 0 | 1 | 2;
let asked: Stage = 0;
let isAsking = false;
/** The end that the service has confirmed for the warning. */
const confirmed = signal<number | undefined>(undefined);

const leftUntil = (end: number): number => end - now.value;
const stageOf = (left: number): Stage => (left > WARNING_MS ? 0 : left > LAST_QUESTION_MS ? 1 : 2);

/** Whole seconds until the end while the warning shows; `undefined` otherwise. */
export const secondsLeft = computed(() => {
  if (endsAt.value === undefined || confirmed.value !== endsAt.value) return undefined;
  const left = leftUntil(endsAt.value);
  return left > WARNING_MS ? undefined : Math.max(0, Math.ceil(left / 1000));
});

/** Notes that this tab used the session with a request that was sent at `since`. */
export function used(since: number): void {
  const facts = session.peek()?.session;
  const end = endsAt.peek();
  if (!facts || end === undefined) return;
  const later = Math.min(since + lasts, Date.parse(facts.ends_at));
  if (later - end >= NOTED_EVERY_MS) putOff(later);
}

function putOff(later: number): void {
  asked = 0;
  endsAt.value = later;
}

export async function stay(): Promise<void> {
  session.value = await get("/api/v1/auth/session");
}

function end(): void {
  endsAt.value = undefined;
  tellTabs("idle");
  void endSession("idle");
}

/**
 * Asks the service when the session ends, without using it. Another browser may have used it, or a call of another tab that
 * this one has not heard of.
 */
async function ask(stage: Stage): Promise<void> {
  asked = stage;
  isAsking = true;
  try {
    // A network that never answers must not keep the page on the screen.
    const signal = AbortSignal.timeout(LAST_QUESTION_MS);
    session.value = await get("/api/v1/auth/session", { passive: true, anonymous: true, signal });
  } catch (thrown) {
    // Without an answer, what this tab knows counts.
    if (asProblem(thrown).status === 401) {
      if (stage === 2) return end();
      endsAt.value = undefined;
      void endSession("expired");
      return;
    }
  } finally {
    isAsking = false;
  }
  confirmed.value = endsAt.peek();
  setTimers();
  look();
}

/** Compares the end with the clock, and does what is due. */
function look(): void {
  now.value = serviceNow();
  const at = endsAt.peek();
  if (at === undefined || isAsking) return;
  const left = leftUntil(at);
  const stage = stageOf(left);
  if (stage === 0) asked = 0;
  // After a sleep, the end may have passed before any question. The service is asked then.
  if (stage > asked) void ask(stage);
  else if (left <= 0) end();
}

let timers: ReturnType<typeof setTimeout>[] = [];

/** Sets a timer for each moment that matters. A browser slows down the repeated timers of hidden tabs, but not single ones. */
function setTimers(): void {
  timers.forEach(clearTimeout);
  const at = endsAt.peek();
  const moments = at === undefined ? [] : [WARNING_MS, LAST_QUESTION_MS, 0].map((before) => at - before - serviceNow());
  timers = moments.filter((wait) => wait > 0).map((wait) => setTimeout(look, wait + 1));
}

/** Watches the session. `main.tsx` calls this once. */
export function startIdle(): void {
  effect(() => {
    const facts = session.value?.session;
    if (!facts) {
      asked = 0;
      endsAt.value = undefined;
      return;
    }
    const idleEnd = Date.parse(facts.idle_ends_at);
    lasts = Math.max(lasts, idleEnd - serviceNow());
    endsAt.value = Math.min(idleEnd, Date.parse(facts.ends_at));
  });
  effect(() => {
    setTimers();
    if (endsAt.value === undefined || endsAt.value <= told) return;
    told = endsAt.value;
    tellTabs({ endsAt: told });
  });
  // For the countdown, and for the time after a sleep, which stops timers.
  setInterval(look, 1000);
  for (const event of ["visibilitychange", "resume"]) document.addEventListener(event, look);
  for (const event of ["focus", "pageshow"]) addEventListener(event, look);
  const who = computed(() => session.value?.user.id);
  effect(() => {
    if (who.value !== undefined) tellTabs({ user: who.value });
  });
  hearTabs((word) => {
    if (who.peek() === undefined) return;
    if (typeof word === "string") {
      endsAt.value = undefined;
      void endSession(word);
    } else if ("user" in word) {
      // All tabs share the session. Without this, one would show one person and act as another.
      if (word.user !== who.peek()) startOver();
    } else if (word.endsAt > told) {
      told = word.endsAt;
      putOff(told);
    }
  });
}
