import type { ComponentChildren } from "preact";
import { Button, Page } from "../../ui/index.ts";

interface Props {
  /** Leads to where the person can get another link. */
  onAgain?: () => void;
  children?: ComponentChildren;
}

/** The screen for a link that cannot be used. It does not know why. */
export function DeadLink({ onAgain, children }: Props) {
  return (
    <Page title="This link does not work" narrow>
      <p>It was used before, it is too old, or a part of it is missing.</p>
      {children}
      {onAgain && (
        <p>
          <Button onClick={onAgain}>Get a new link</Button>
        </p>
      )}
      <p>
        <a href="/sign-in">Go to the sign-in</a>
      </p>
    </Page>
  );
}
