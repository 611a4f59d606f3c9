// Reads for a screen. Reads of patients are audited, so nothing is read ahead, on focus or by polling.

import { useSignal } from "@preact/signals";
import { useCallback, useLayoutEffect, useRef } from "preact/hooks";
import { type Answer, get, type Options, type PathOf, type Rest } from "./api.ts";
import { Intent } from "./intent.ts";
import { asProblem, ownProblem, type Problem } from "./problem.ts";

/** A read and its state. While it is repeated, the old `data` stays. */
export interface Loaded<T> {
  data: T | undefined;
  problem: Problem | undefined;
  isLoading: boolean;
  reload: () => void;
  /** Puts a newer value in place, such as the answer to a change. */
  set: (data: T) => void;
}

interface State<T> {
  data: T | undefined;
  problem: Problem | undefined;
  /** The inputs of the read that ended last. */
  ended: readonly unknown[];
}

/**
 * Calls `read` when the screen opens and whenever a value of `inputs` changes. A newer call cancels an older one.
 *
 *   const found = useLoad((signal) => findClaim(number, signal), [number]);
 */
export function useLoad<T>(read: (signal: AbortSignal) => Promise<T>, inputs: readonly unknown[]): Loaded<T> {
  const state = useSignal<State<T>>({ data: undefined, problem: undefined, ended: [] });
  const round = useSignal(0);
  const wanted = [...inputs, round.value];
  // A plain effect would wait until the browser has drawn, and the read with it.
  useLayoutEffect(() => {
    const canceler = new AbortController();
    const end = (found: { data: T } | { problem: Problem }): void => {
      if (!canceler.signal.aborted) state.value = { ...state.peek(), problem: undefined, ...found, ended: wanted };
    };
    read(canceler.signal).then(
      (data) => end({ data }),
      (thrown: unknown) => end({ problem: asProblem(thrown) }),
    );
    return () => canceler.abort();
  }, wanted);
  const reload = useCallback(() => {
    round.value += 1;
  }, []);
  const set = useCallback((data: T) => {
    state.value = { ...state.peek(), data, problem: undefined };
  }, []);
  const { data, problem, ended } = state.value;
  // A state of its own would draw the screen once more for each read.
  const isLoading = ended.length !== wanted.length || wanted.some((value, n) => value !== ended[n]);
  return { data, problem, isLoading, reload, set };
}

/**
 * Reads a record or a page of a list, and reads anew whenever what is asked for changes.
 *
 *   const denials = useGet("/api/v1/denials", { query: { cursor: cursor.value } });
 */
export function useGet<P extends PathOf<"get">>(path: P, ...[options]: Rest<Options<P, "get">>): Loaded<Answer<P, "get">> {
  const read = get as (path: P, options: object) => Promise<Answer<P, "get">>;
  return useLoad((signal) => read(path, { ...options, signal }), [path, JSON.stringify(options)]);
}

/** Waits for a script that is loaded when it is wanted. It can fail as a call does, and can be tried again. */
export async function loadPart<T>(script: Promise<T>): Promise<T> {
  return script.catch(() => {
    throw ownProblem("network", "A part of this page could not be loaded.");
  });
}

interface Action<A extends unknown[]> {
  /** Starts the change. What is under way already is not started again, so a double click changes once. */
  run: (...args: A) => Promise<void>;
  isBusy: boolean;
  problem: Problem | undefined;
}

interface ActionOptions {
  /** Runs with other arguments wait for their turn. Without it, nothing else starts while the change is under way. */
  inTurn?: boolean;
}

/**
 * Keeps the state of a change outside a form. `act` may throw a Problem, which the screen then shows. It gets the Intent
 * of what the person wants: another press with the same arguments has the same one, so that it is another try of the same
 * change until the service has answered.
 *
 *   const revoking = useAction(async (intent, key: Key) => {
 *     await del("/api/v1/settings/api_keys/{id}", { path: { id: key.id }, intent });
 *   });
 */
export function useAction<A extends unknown[]>(
  act: (intent: Intent, ...args: A) => Promise<void>,
  { inTurn = false }: ActionOptions = {},
): Action<A> {
  const isBusy = useSignal(false);
  const problem = useSignal<Problem | undefined>(undefined);
  const intents = useRef(new Map<string, Intent>()).current;
  const started = useRef(new Set<string>()).current;
  const last = useRef(Promise.resolve());
  const once = async (wanted: string, args: A): Promise<void> => {
    const intent = intents.get(wanted) ?? new Intent();
    intents.set(wanted, intent);
    try {
      await act(intent, ...args);
    } catch (thrown) {
      const found = asProblem(thrown);
      if (!found.isCanceled) problem.value = found;
    } finally {
      started.delete(wanted);
      isBusy.value = started.size > 0;
    }
  };
  const run = (...args: A): Promise<void> => {
    const wanted = JSON.stringify(args, (_, value: unknown) => (value instanceof Event ? null : value));
    if (inTurn ? started.has(wanted) : started.size > 0) return last.current;
    if (started.size === 0) problem.value = undefined;
    started.add(wanted);
    isBusy.value = true;
    last.current = last.current.then(() => once(wanted, args));
    return last.current;
  };
  return { run, isBusy: isBusy.value, problem: problem.value };
}
