import type { ComponentChildren } from "preact";

interface Props {
  name: string;
  value: string;
  /** Where the number leads. */
  href?: string;
  /** What the number is a part of. */
  children: ComponentChildren;
}

/** A number that says much, in a `<dl class="cards figures">`. */
export function Figure({ name, value, href, children }: Props) {
  return (
    <div class="card">
      <dt>{href ? <a href={href}>{name}</a> : name}</dt>
      <dd>
        <span class="figure">{value}</span>
        <span class="quiet-text">{children}</span>
      </dd>
    </div>
  );
}
