import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface Props {
  title: string;
  /** One sentence under the heading. */
  lead?: ComponentChildren;
  children: ComponentChildren;
}

/** One part of the account. */
export function Section({ title, lead, children }: Props) {
  const id = useId();
  return (
    <section class="card" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {lead && <p class="quiet-text">{lead}</p>}
      {children}
    </section>
  );
}
