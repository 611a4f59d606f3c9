import type { ComponentChildren } from "preact";
import type { Loaded } from "../lib/index.ts";
import { ProblemView } from "./problem.tsx";

interface Props<T> {
  of: Loaded<T>;
  children: (data: T) => ComponentChildren;
}

/** What a read found: a placeholder while it runs, the problem if it fails, and otherwise `children` with the data. */
export function Show<T>({ of, children }: Props<T>) {
  if (of.data === undefined) {
    return of.problem ? <ProblemView problem={of.problem} onRetry={of.reload} /> : <Loading />;
  }
  return (
    <>
      {of.problem && <ProblemView problem={of.problem} onRetry={of.reload} />}
      <div aria-busy={of.isLoading}>{children(of.data)}</div>
    </>
  );
}

/** Appears only after a moment, so that quick reads do not flicker. */
export function Loading() {
  return (
    <p class="loading" role="status">
      Loading…
    </p>
  );
}
