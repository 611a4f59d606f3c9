import type { ComponentChildren } from "preact";

interface Props<R> {
  label: string;
  rows: readonly R[];
  none?: string;
  name: (row: R) => ComponentChildren;
  /** What is known of it. */
  about: (row: R) => ComponentChildren;
  actions: (row: R) => ComponentChildren;
}

/** A person's own things, one below the other: what each is called, what is known of it, and what can be done with it. */
export function Rows<R extends { id: string }>({ label, rows, none, name, about, actions }: Props<R>) {
  return (
    <>
      {none && rows.length === 0 && <p>{none}</p>}
      <ul class="rows" aria-label={label}>
        {rows.map((one) => (
          <li key={one.id}>
            <div>
              <p>{name(one)}</p>
              <p class="quiet-text">{about(one)}</p>
            </div>
            <div class="actions">{actions(one)}</div>
          </li>
        ))}
      </ul>
    </>
  );
}
