import type { ComponentChildren } from "preact";

interface Props {
  name: string;
  /** The classes of the value. */
  look?: string;
  children: ComponentChildren;
}

/** A name and its value, in a `<dl>`. */
export function Fact({ name, look, children }: Props) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class={look}>{children}</dd>
    </div>
  );
}
