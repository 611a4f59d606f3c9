import type { ComponentChildren } from "preact";
import type { Loaded } from "../../lib/index.ts";
import { Button, Page, Show } from "../../ui/index.ts";

interface Props<T> {
  /** The title of the tab, which names no claim. */
  title: string;
  of: Loaded<T>;
  heading: (data: T) => string;
  lead?: (data: T) => string;
  /** The way to the list. */
  back: { href: string; label: string };
  children: (data: T) => ComponentChildren;
}

/** The screen of one record of the practice, which can be printed. */
export function RecordPage<T>({ title, of, heading, lead, back, children }: Props<T>) {
  const { data } = of;
  return (
    <Page title={title} heading={data && heading(data)} lead={data && lead?.(data)} actions={data && <Button onClick={() => print()}>Print</Button>}>
      <p class="bar">
        <a href={back.href}>{back.label}</a>
      </p>
      <Show of={of}>{children}</Show>
    </Page>
  );
}
