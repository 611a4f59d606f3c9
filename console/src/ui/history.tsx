// What happened to a record, one step after the other, and what a correction changed.

import type { ComponentChildren } from "preact";
import { time } from "../lib/index.ts";
import { Fact } from "./fact.tsx";

interface Step {
  id: number;
  title: ComponentChildren;
  /** Who did it, if the title does not say so. */
  by?: string;
  at: string;
  more?: ComponentChildren;
}

export function Timeline({ steps }: { steps: readonly Step[] }) {
  return (
    <ol class="timeline">
      {steps.map(({ id, title, by, at, more }) => (
        <li key={id}>
          <strong>{title}</strong>
          {more}
          <span class="under">
            {by && `${by}, `}
            <time dateTime={at}>{time(at)}</time>
          </span>
        </li>
      ))}
    </ol>
  );
}

/** One value: its name, what it was, and what it is now. */
type Changed = readonly [name: string, before: string | null | undefined, after: string | null | undefined];

/** What a correction changed: the old value struck out, then the new one. Values that stayed are left out. */
export function Difference({ of }: { of: readonly Changed[] }) {
  const changed = of.filter(([, before, after]) => before !== after);
  if (changed.length === 0) return null;
  return (
    <dl class="difference">
      {changed.map(([name, before, after]) => (
        <Fact key={name} name={name}>
          <del>{before || "nothing"}</del> <span class="hidden">became</span> <ins>{after || "nothing"}</ins>
        </Fact>
      ))}
    </dl>
  );
}
