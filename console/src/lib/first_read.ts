// The read with which a screen begins. The first page starts it before the other scripts have arrived, so that the answer is
// there when the screen is drawn. No such read has a patient: a read of a patient is audited.

import { today } from "./format.ts";

/** The address of the read by the path of its screen without filters. */
const READS: Readonly<Record<string, () => string>> = {
  "/home": () => `/api/v1/denials/summary?today=${today()}`,
  "/queue": () => "/api/v1/staff/claims?limit=50",
};

let first: { url: string; answer: Promise<Response> } | undefined;

/** Starts the read of the screen at this path. */
export function startFirstRead({ pathname, search }: Location): void {
  const url = search === "" ? READS[pathname]?.() : undefined;
  if (url === undefined) return;
  const answer = fetch(url, { headers: { Accept: "application/json" }, credentials: "same-origin", redirect: "error" });
  // Whoever takes it hears of a failure.
  answer.catch(() => undefined);
  first = { url, answer };
}

/** The answer of that read, if it has this address. It is given once: a screen that reads again wants a new answer. */
export function takeFirstRead(url: string): Promise<Response> | undefined {
  if (first?.url !== url) return undefined;
  const { answer } = first;
  first = undefined;
  return answer;
}

/** Drops an answer that the first screen did not take. A later screen may be of another session. */
export function dropFirstRead(): void {
  first = undefined;
}
