// The sign-in over a page whose session has ended while something typed is not sent. The page leaves the document, and comes
// back as it was for the same person.

import { useSignal } from "@preact/signals";
import { type ComponentChildren, render } from "preact";
import { useEffect } from "preact/hooks";
import { get, post } from "../lib/api.ts";
import {
  asProblem, type Farewell, firstFactor, hasPasskeys, hearTabs, onBack, ownProblem, type Session, session,
  signInByPasskey, startOver, tellTabs, useAction,
} from "../lib/index.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Form, TextField, useForm } from "./form.tsx";
import { ProblemView } from "./problem.tsx";
import { SecondFactor } from "./second_factor.tsx";

/** How long a page waits for its person. */
const WAITS_MS = 4 * 60 * 60_000;

/** Uncovers the page; `undefined` while it is not covered. */
let uncover: (() => void) | undefined;

/** True while the page is out of sight. Shortcuts rest then. */
export const isCovered = (): boolean => uncover !== undefined;

/** Takes the page out of the document, and asks its person to sign in. Resolves to true once they have. */
export function askAgain(why: Farewell): Promise<boolean> {
  const page = document.getElementById("app");
  const before = session.peek();
  if (!page || !before) return Promise.resolve(false);
  return new Promise((resolve) => {
    const waiting = setTimeout(startOver, WAITS_MS);
    uncover = takeAway(page, (
      <Again
        why={why}
        of={before}
        onEnter={(now) => {
          if (!isSame(before, now)) return startOver();
          clearTimeout(waiting);
          uncover?.();
          uncover = undefined;
          session.value = now;
          tellTabs({ user: now.user.id });
          resolve(true);
        }}
      />
    ));
  });
}

/** The page may show what another role or practice may not see. */
const isSame = (before: Session, now: Session): boolean =>
  before.user.id === now.user.id && before.user.role === now.user.role && before.practice?.id === now.practice?.id;

/** Puts something in the place of the page. Gives what brings the page back, with its dialogs, the focus and the place. */
function takeAway(page: HTMLElement, shown: ComponentChildren): () => void {
  const [focused, top, { title }] = [document.activeElement, scrollY, document];
  const host = document.createElement("div");
  host.id = page.id;
  page.replaceWith(host);
  document.title = "Sign in again – Overturn";
  // The browser's back would act on a page that is not there.
  const takesBack = onBack(() => true);
  render(shown, host);
  return () => {
    onBack(takesBack);
    render(null, host);
    host.replaceWith(page);
    document.title = title;
    // A dialog that left the document is no longer modal.
    for (const dialog of page.querySelectorAll<HTMLDialogElement>("dialog[open]")) {
      dialog.close();
      dialog.showModal();
    }
    scrollTo(0, top);
    const next = focused?.isConnected ? focused : page.querySelector("h1");
    (next as HTMLElement | null)?.focus({ preventScroll: true });
  };
}

const WHY: Record<Farewell, string> = {
  "signed-out": "You signed out in another tab.",
  idle: "You were signed out because nothing was done for a while.",
  expired: "Your session has ended.",
};

interface Props {
  why: Farewell;
  of: Session;
  onEnter: (now: Session) => void;
}

function Again({ why, of: { user }, onEnter }: Props) {
  const token = useSignal<string | undefined>(undefined);
  const isDropping = useSignal(false);
  // The person may sign in in another tab, which shares the session.
  useEffect(
    () =>
      hearTabs(async (word) => {
        if (typeof word === "string" || !("user" in word) || word.user !== user.id) return;
        const now = await get("/api/v1/auth/session", { anonymous: true }).catch(() => undefined);
        if (now) onEnter(now);
      }),
    [],
  );
  const drop = <Button onClick={() => (isDropping.value = true)}>I am somebody else</Button>;
  return (
    <>
      <header class="top">
        <span class="brand">Overturn</span>
      </header>
      <main id="main">
        <div class="page narrow">
          <h1 tabIndex={-1}>This page is hidden</h1>
        </div>
      </main>
      {isDropping.value ? (
        <Dialog key="drop" title="Drop what was typed?" onCancel={() => (isDropping.value = false)}>
          <p>What {user.name} typed here is lost. You can then sign in.</p>
          <div class="dialog-actions">
            <Button look="danger" onClick={startOver}>
              Drop it
            </Button>
            <Button onClick={() => (isDropping.value = false)}>Cancel</Button>
          </div>
        </Dialog>
      ) : (
        <Dialog key={token.value} title="Sign in again">
          <p>{WHY[why]} What you typed is kept in this tab. Sign in to go on where you were.</p>
          {token.value === undefined ? (
            <FirstFactor email={user.email} onToken={(given) => (token.value = given)} onEnter={onEnter} more={drop} />
          ) : (
            <SecondFactor
              token={token.value}
              submit="Sign in"
              onShown={(now) => now && onEnter(now)}
              more={<Button onClick={() => (token.value = undefined)}>Start again</Button>}
            />
          )}
        </Dialog>
      )}
    </>
  );
}

interface FirstProps {
  email: string;
  onToken: (token: string) => void;
  onEnter: (now: Session) => void;
  more: ComponentChildren;
}

function FirstFactor({ email, onToken, onEnter, more }: FirstProps) {
  const form = useForm(async (values, intent) => {
    const body = { email, password: values.raw("password") };
    try {
      const token = await firstFactor(() => post("/api/v1/auth/session", { body, intent, anonymous: true }), onEnter);
      if (token !== undefined) onToken(token);
    } catch (thrown) {
      throw asProblem(thrown).status === 401 ? ownProblem("refused", "The password is wrong.") : thrown;
    }
  });
  const passkey = useAction(async () => onEnter(await signInByPasskey()));
  return (
    <>
      <Form of={form} submit="Sign in" more={more}>
        <TextField name="email" label="Email address" type="email" defaultValue={email} autocomplete="username" readOnly required />
        <TextField name="password" label="Password" type="password" autocomplete="current-password" autofocus required />
      </Form>
      <div class="other-ways">
        <ProblemView problem={passkey.problem} />
        {hasPasskeys() && (
          <Button onClick={() => passkey.run()} isBusy={passkey.isBusy}>
            Sign in with a passkey
          </Button>
        )}
        <a href="/sign-in" target="_blank">
          Sign in another way, in a new tab
        </a>
      </div>
    </>
  );
}
