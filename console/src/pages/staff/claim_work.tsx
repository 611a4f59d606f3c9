// The claim that is open.

import { type Answer, get } from "../../lib/api.ts";
import { History } from "./claim_history.tsx";
import type { Kind, Work } from "./work.tsx";

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
