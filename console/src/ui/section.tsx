import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface Props {
  title: ComponentChildren;
  /** The classes of the frame: a card, unless something else is said. */
  look?: string;
  beside?: ComponentChildren;
  /** One sentence under the heading. */
  lead?: ComponentChildren;
  children: ComponentChildren;
}

/** A part of a screen with its heading, which names it for screen readers. */
export function Section({ title, look = "card", beside, lead, children }: Props) {
  const id = useId();
  const heading = <h2 id={id}>{title}</h2>;
  return (
    <section class={look} aria-labelledby={id}>
      {beside ? (
        <div class="card-head">
          {heading}
          {beside}
        </div>
      ) : (
        heading
      )}
      {lead && <p class="quiet-text">{lead}</p>}
      {children}
    </section>
  );
}
