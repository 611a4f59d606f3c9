// The changes of a claim that several screens make.

import { type Answer, type Body, patch, post } from "../../lib/api.ts";
import type { Intent } from "../../lib/intent.ts";
import type { LetterEdit } from "../../ui/index.ts";
import type { ClaimWork } from "./claim_work.tsx";
import type { Path } from "./work.tsx";

type Move = Body<"/api/v1/staff/practices/{practice}/claims/{id}/moves", "post">;
type Standing = Answer<"/api/v1/staff/practices/{practice}/claims/{id}/moves", "post">;

export function move(path: Path, body: Move, version: number, intent?: Intent): Promise<Standing> {
  return post("/api/v1/staff/practices/{practice}/claims/{id}/moves", { path, body, version, intent });
}

/** Takes a claim, also from a colleague; or gives it to the staff member with the id `to`. */
export function take(path: Path, version: number, intent?: Intent, to?: string): Promise<Standing> {
  const body = to === undefined ? {} : { user_id: to };
  return post("/api/v1/staff/practices/{practice}/claims/{id}/take", { path, body, version, intent });
}

/** Records what the payer's letter says, in the version that the person has seen. */
export function setLetterOf({ path, change }: Pick<ClaimWork, "path" | "change">, body: LetterEdit, intent: Intent): ReturnType<typeof sendLetter> {
  return change((version) => sendLetter(path, body, version, intent));
}

export function sendLetter(path: Path, body: LetterEdit, version: number, intent: Intent) {
  return patch("/api/v1/staff/practices/{practice}/claims/{id}/letter", { path, body, version, intent });
}
