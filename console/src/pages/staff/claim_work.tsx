// The claim that is open, and the changes of it that several parts of its screen make.

import { type Answer, type Body, get, post } from "../../lib/api.ts";
import type { Intent } from "../../lib/intent.ts";
import { History } from "./claim_history.tsx";
import type { Kind, Path, Work } from "./work.tsx";

export type Claim = Answer<"/api/v1/staff/practices/{practice}/claims/{id}", "get">;
export type ClaimWork = Work<Claim>;

export const CLAIM: Kind<Claim> = {
  noun: "claim",
  read: (path, signal) => get("/api/v1/staff/practices/{practice}/claims/{id}", { path, signal }),
  changes: (before, now) => {
    const newer = now.history.filter(({ version }) => version > before.version);
    return newer.length > 0 ? <History entries={newer} /> : <p>The change is older than the history that is shown.</p>;
  },
};

type Move = Body<"/api/v1/staff/practices/{practice}/claims/{id}/moves", "post">;
type Standing = Answer<"/api/v1/staff/practices/{practice}/claims/{id}/moves", "post">;

/** Moves a claim to another status. */
export function move(path: Path, body: Move, version: number, intent?: Intent): Promise<Standing> {
  return post("/api/v1/staff/practices/{practice}/claims/{id}/moves", { path, body, version, intent });
}

/** Takes a claim, also from a colleague; or gives it to the staff member with the id `to`. */
export function take(path: Path, version: number, intent?: Intent, to?: string): Promise<Standing> {
  const body = to === undefined ? {} : { user_id: to };
  return post("/api/v1/staff/practices/{practice}/claims/{id}/take", { path, body, version, intent });
}
