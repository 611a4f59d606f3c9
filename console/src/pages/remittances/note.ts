// How far the last sending of this tab came, for a person who loads the page anew in the middle. It is two numbers: nothing
// of a claim or a patient is stored.

import { user } from "../../lib/session.ts";
import { stored } from "../../lib/stored.ts";

const NAME = "overturn.remittances";

interface Note {
  sent: number;
  all: number;
}

export function keep({ sent, all }: Note): void {
  stored(() => sessionStorage.setItem(NAME, JSON.stringify({ sent, all, user: user.peek()?.id })));
}

export function forget(): void {
  stored(() => sessionStorage.removeItem(NAME));
}

/** The note of the same person; `undefined` if the last sending reached its end. */
export function kept(): Note | undefined {
  const found = stored(() => JSON.parse(sessionStorage.getItem(NAME) ?? "null") as (Note & { user: string }) | null);
  return found && found.user === user.peek()?.id ? found : undefined;
}
