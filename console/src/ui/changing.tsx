// A change of a record that others may have changed. It is never sent again by itself.

import type { ComponentChildren } from "preact";
import { asProblem, type Loaded, ownProblem, type Problem } from "../lib/index.ts";
import { Button } from "./button.tsx";
import { Dialog, openDialog } from "./dialog.tsx";

/** What a change is made of: how to read it again, and what is different then. */
export interface Watched<R> {
  /** What it is called, such as "claim". */
  noun: string;
  read: () => Promise<R>;
  /** What others changed; `undefined` if it is nothing. */
  changes: (before: R, now: R) => ComponentChildren;
  /** Whether a refusal may come from a change of others. */
  isStale: (problem: Problem) => boolean;
}

/**
 * Sends a change of what the person has seen. If others have changed it since, this reads it again, shows the changes,
 * and asks whether to send the change for the new version. What the person entered stays. Rejects with a canceled Problem
 * if the person no longer wants it.
 */
export async function changing<R, T>(seen: { current: R }, of: Watched<R>, send: (record: R) => Promise<T>): Promise<T> {
  const isStillWanted = async (): Promise<boolean> => {
    const before = seen.current;
    seen.current = await of.read();
    const changes = of.changes(before, seen.current);
    if (changes === undefined) return false;
    if (!(await askToApply(of.noun, changes))) throw ownProblem("canceled", "Nothing was changed.");
    return true;
  };
  for (;;) {
    try {
      return await send(seen.current);
    } catch (thrown) {
      if (!of.isStale(asProblem(thrown)) || !(await isStillWanted())) throw thrown;
    }
  }
}

/** Resolves to true if the change is still wanted. */
function askToApply(noun: string, changes: ComponentChildren): Promise<boolean> {
  return openDialog<boolean>((close) => (
    <Dialog title={`This ${noun} was changed in the meantime`} onCancel={() => close(false)}>
      <p>Your change is not made yet. This is different from what you saw:</p>
      {changes}
      <p>Nothing that you entered is lost.</p>
      <div class="dialog-actions">
        <Button look="primary" autofocus onClick={() => close(false)}>
          Go back and look
        </Button>
        <Button onClick={() => close(true)}>Apply my change to the new version</Button>
      </div>
    </Dialog>
  ));
}

/** A record with versions: what it is called, how it is read, and what others changed. */
interface Kind<R> extends Omit<Watched<R>, "isStale"> {
  /** Whether a refusal may come from a change of others, if not only another version does. */
  isStale?: Watched<R>["isStale"];
}

/**
 * What sends changes of a record that a screen shows, in the version that the person has seen, as `changing` does. The screen
 * then shows the newest one, because a second press must find the new version.
 */
export function changerOf<R extends { version: number }>(kind: Kind<R>, found: R, { set, reload }: Loaded<R>) {
  // A dialog keeps this. What the person saw in the meantime counts for its next try.
  const seen = { current: found };
  const read = async (): Promise<R> => {
    const now = await kind.read();
    set(now);
    return now;
  };
  return async <T,>(send: (version: number, seen: R) => Promise<T>): Promise<T> => {
    const answer = await changing(seen, { isStale, ...kind, read }, (now) => send(now.version, now));
    await read().catch(reload);
    return answer;
  };
}

export const isStale = ({ reason }: Problem): boolean => reason === "version_conflict";

interface Setting<R> {
  noun: string;
  read: () => Promise<R>;
  /** What the screen shows of the record: names and values. */
  facts: (of: R) => Readonly<Record<string, string>>;
}

/** Sends a change of a setting in the version that the person has seen, as `changing` does. */
export function changingSetting<R extends { version: number }, T>(seen: R, of: Setting<R>, send: (version: number) => Promise<T>): Promise<T> {
  const changes = (before: R, now: R): ComponentChildren => {
    const were = of.facts(before);
    const others = Object.entries(of.facts(now)).filter(([name, value]) => were[name] !== value);
    if (others.length === 0) return before.version === now.version ? undefined : <p>Something that this screen does not show.</p>;
    return (
      <ul>
        {others.map(([name, value]) => (
          <li key={name}>{`${name}: ${value}`}</li>
        ))}
      </ul>
    );
  };
  return changing({ current: seen }, { ...of, changes, isStale }, ({ version }) => send(version));
}
