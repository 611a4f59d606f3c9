import { useSignalEffect } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { moves } from "../lib/index.ts";

interface Props {
  /** The title of the browser's tab: never a patient, never a claim number. */
  title: string;
  /** The heading, if it says more than the title. */
  heading?: ComponentChildren;
  /** Links and buttons beside the heading. */
  actions?: ComponentChildren;
  /** One sentence under the heading. */
  lead?: ComponentChildren;
  /** A narrow column, for forms. */
  narrow?: boolean;
  children: ComponentChildren;
}

let focused = 0;
/** True until the first screen of this page load is there, which takes no focus. */
let isFirst = true;

/** One screen: it names the tab, and its heading takes the focus after each navigation. */
export function Page({ title, heading, actions, lead, narrow = false, children }: Props) {
  const h1 = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} – Overturn`;
  }, [title]);
  useSignalEffect(() => {
    if (focused === moves.value) return;
    focused = moves.value;
    h1.current?.focus({ preventScroll: true });
  });
  useEffect(() => {
    // A step of the same screen took the place of another, whose button had the focus.
    if (!isFirst && document.activeElement === document.body) h1.current?.focus({ preventScroll: true });
    isFirst = false;
  }, []);
  return (
    <div class={narrow ? "page narrow" : "page"}>
      <header class="page-head">
        <h1 tabIndex={-1} ref={h1}>
          {heading ?? title}
        </h1>
        {actions && <div class="actions">{actions}</div>}
        {lead && <p class="lead">{lead}</p>}
      </header>
      {children}
    </div>
  );
}
