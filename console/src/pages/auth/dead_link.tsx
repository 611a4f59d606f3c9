import type { ComponentChildren } from "preact";
import { Page } from "../../ui/page.tsx";

/** The screen for a link that cannot be used. It does not know why. */
export function DeadLink({ children }: { children: ComponentChildren }) {
  return (
    <Page title="This link does not work" narrow>
      <p>It was used before, it is too old, or a part of it is missing.</p>
      {children}
      <p>
        <a href="/sign-in">Go to the sign-in</a>
      </p>
    </Page>
  );
}
