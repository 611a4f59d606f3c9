import type { ComponentChildren } from "preact";
import type { Answer } from "../../lib/api.ts";
import { Copy } from "../../ui/index.ts";

export type Sso = Answer<"/api/v1/settings/sso", "get">;

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
