import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { area, navigate, pathname, practice, session, signOut, useAction, useKeys, user, words } from "../lib/index.ts";
import { Button } from "./button.tsx";
import { Dialogs } from "./dialog.tsx";
import { openHelp } from "./help.tsx";
import { IdleWarning } from "./idle.tsx";
import { Links } from "./links.tsx";
import { menu } from "./navigation.ts";
import { openPalette } from "./palette.tsx";
import { Toasts, undoLast } from "./toast.tsx";

/** What stands around every screen: header, menu, dialogs and messages. The footer is in index.html. */
export function Shell({ children }: { children: ComponentChildren }) {
  useKeys([
    ...menu.value.map(({ label, path, keys = "" }) => ({ keys, what: `Go to ${label}`, run: () => navigate(path) })),
    { keys: "?", what: "Show the keyboard shortcuts", run: openHelp },
    ...(area.value === "staff" ? [{ keys: "z", what: "Undo taking or giving a claim", run: undoLast }] : []),
  ]);
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <Header />
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <Toasts />
      <Dialogs />
      <IdleWarning />
    </>
  );
}

function Header() {
  const at = pathname.value;
  const isWithin = (path: string): boolean => at === path || at.startsWith(`/${path.split("/")[1]}/`);
  return (
    <header class="top">
      <a class="brand" href="/">
        Overturn
      </a>
      {session.value && <span class="whose">{practice.value?.name ?? words(user.value?.role ?? "")}</span>}
      {menu.value.length > 0 && (
        <nav aria-label="Main">
          <Links of={menu.value} isHere={isWithin} />
        </nav>
      )}
      {session.value && <Account />}
    </header>
  );
}

function Account() {
  const details = useRef<HTMLDetailsElement>(null);
  const leaving = useAction(signOut);
  const close = (): void => {
    if (details.current) details.current.open = false;
  };
  useEffect(() => {
    const outside = (event: Event): void => {
      if (!details.current?.contains(event.target as Node)) close();
    };
    document.addEventListener("pointerdown", outside);
    document.addEventListener("focusin", outside);
    return () => {
      document.removeEventListener("pointerdown", outside);
      document.removeEventListener("focusin", outside);
    };
  }, []);
  return (
    <details
      class="account"
      ref={details}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        close();
        details.current?.querySelector("summary")?.focus();
      }}
    >
      <summary>{user.value?.name}</summary>
      <div class="menu">
        <p>
          {user.value?.email}
          <br />
          {words(user.value?.role ?? "")}
        </p>
        <a href="/me" onClick={close}>
          Your account
        </a>
        <Button look="quiet" onClick={() => (close(), void openPalette())}>
          Find a command <kbd>Ctrl K</kbd>
        </Button>
        <Button look="quiet" onClick={() => (close(), void openHelp())}>
          Keyboard shortcuts
        </Button>
        <Button look="quiet" onClick={() => leaving.run()} isBusy={leaving.isBusy}>
          Sign out
        </Button>
        {leaving.problem && <p role="alert">{leaving.problem.title}</p>}
      </div>
    </details>
  );
}
