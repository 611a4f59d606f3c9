import type { ComponentChildren } from "preact";
import { Copy } from "../../ui/index.ts";

interface Props {
  name: string;
  /** A value to enter elsewhere. */
  copy?: string;
  /** A value to read. */
  children?: ComponentChildren;
}

/** A fact about a provider or a domain. */
export function Detail({ name, copy, children }: Props) {
  return (
    <div>
      <dt class="quiet-text">{name}</dt>
      {copy === undefined ? (
        <dd>{children}</dd>
      ) : (
        <dd class="bar">
          <code class="breaks">{copy}</code> <Copy text={copy} />
        </dd>
      )}
    </div>
  );
}
