// Correct code of a sender compiles, and incorrect code does not: an expected error that does not occur is an error.

import {
  adviceCodes,
  advise,
  checkKey,
  checkToken,
  moves,
  planTypes,
  statuses,
  validate,
  type Advice,
  type AdviceCode,
  type ClaimStatus,
  type Item,
  type PlanType,
  type Report,
  type SendRequest,
} from "@overturn/core";
import { payer, type Expected, type Script } from "@overturn/core/payer";
import { remit, Remit, type HoldReason, type Outcome, type Progress, type RemitFile } from "@overturn/core/remit";

const patient = { first_name: "Dana", last_name: "Whitfield", date_of_birth: "1984-06-02" };
const required = {
  claim_number: "A-1",
  payer_claim_number: "P-1",
  payer_name: "Blue Prairie Health",
  date_of_service: "2025-01-14",
};
const item: Item = { patient, claim: { ...required, billed_amount: "245.00", denial_codes: ["CO-50"] } };
const others: SendRequest[] = [
  { patient, claim: { ...required, denied_amount: "1.00", denial_reason: "not covered", plan_type: "erisa" } },
  { patient, claim: { ...required, denied_amount: "1.00", denial_codes: "CO-50, N130" } },
  { claims: [item, item] as const },
];

const report: Report = validate(item);
const fromElsewhere: unknown = JSON.parse("{}");
validate(fromElsewhere);
validate(JSON.stringify(item), { now: new Date(0) });
const bytes = new TextEncoder().encode("{}");
[bytes, bytes.buffer, new DataView(bytes.buffer), new Uint16Array(bytes.buffer)].forEach((body) => validate(body, {}));
others.forEach((request) => validate(request));
export const errors: string[] = report.errors;
export const advice: Advice[] = report.advice;
export const advised: Advice[] = advise(item, { now: new Date(0) });

declare class TextEncoder {
  encode(text: string): Uint8Array;
}

// The unions are exactly these.
type Same<A, B> = [A, B] extends [B, A] ? true : false;
const same: [
  Same<ClaimStatus, "received" | "reviewing" | "in_report" | "in_appeal" | "recovered" | "closed">,
  Same<(typeof statuses)[number], ClaimStatus>,
  Same<keyof typeof moves, ClaimStatus>,
  Same<(typeof planTypes)[number], PlanType>,
  Same<(typeof adviceCodes)[number], AdviceCode>,
] = [true, true, true, true, true];
export default same;

const key = checkKey("ovt_test_");
export const token: typeof key = checkToken("ovu_test_");
export const environment: "live" | "test" | "prefix" | "form" | "checksum" = key.valid ? key.environment : key.problem;

declare class ReadableStream<T> {
  getReader(): { read(): Promise<{ done: false; value: T } | { done: true; value?: T }>; cancel(reason?: unknown): Promise<void>; releaseLock(): void };
}
declare class Blob {
  stream(): ReadableStream<Uint8Array>;
}
declare class File extends Blob {
  readonly name: string;
}
declare const signal: { readonly aborted: boolean; throwIfAborted(): void };

export async function read(files: File[], stream: ReadableStream<Uint8Array>, parts: AsyncIterable<Uint8Array>): Promise<Outcome> {
  using run = new Remit({ now: new Date(0), births: "", appendDay: true });
  run.open("a");
  const goesOn: boolean = run.push(bytes) && run.push(bytes.buffer);
  run.close();
  const count: number = run.claimPayments;
  await remit(files);
  const all: RemitFile[] = [...files, { name: "s", data: stream }, { name: "p", data: parts }, { name: "b", data: new Blob() }, { name: "l", data: [bytes] }];
  const onProgress = ({ name, bytes, claimPayments }: Progress) => [name, bytes + claimPayments + count, goesOn];
  const { claims, held, files: reports } = await remit(all, { explain: "A-1", onProgress, signal });
  const item: Item = JSON.parse(claims[0]!.json);
  const why: HoldReason | undefined = held[0]?.reason;
  const later: HoldReason = "later_answer";
  const twice: HoldReason = "answered_twice";
  const note: string | null | undefined = reports[0]?.note;
  // @ts-expect-error: text is not bytes
  run.push("ISA");
  // @ts-expect-error: a file needs a name
  await remit([{ data: bytes }]);
  // @ts-expect-error: no such option
  new Remit({ append_day: true });
  // @ts-expect-error: not before the end of the run
  run.claims;
  validate([item, why, later, twice, note]);
  return run.finish();
}

const script: Script = { act: "deny", codes: { group: "CO", carc: "50" }, replies: [{ outcome: "part", after: 30 }] };
export const denials: Expected[] = payer({ seed: 7, claims: payer().submission, script }).expected;
// @ts-expect-error: no such act
payer({ script: { act: "lose" } });

// @ts-expect-error: no such status
export const status: ClaimStatus = "denied";
// @ts-expect-error: neither amount
({ patient, claim: { ...required, denial_codes: ["CO-50"] } }) satisfies SendRequest;
// @ts-expect-error: neither codes nor a reason
({ patient, claim: { ...required, billed_amount: "245.00" } }) satisfies SendRequest;
// @ts-expect-error: an amount is text
({ patient, claim: { ...required, billed_amount: 245, denial_codes: ["CO-50"] } }) satisfies SendRequest;
// @ts-expect-error: a plan type outside the list
({ patient, claim: { ...required, plan_type: "hmo", billed_amount: "245.00", denial_codes: ["CO-50"] } }) satisfies SendRequest;
// @ts-expect-error: no patient
({ claim: item.claim }) satisfies SendRequest;
// @ts-expect-error: another key beside a batch
({ claims: [item], note: 1 }) satisfies SendRequest;
// @ts-expect-error: a Date is wanted
validate(item, { now: Date.now() });
// @ts-expect-error: only an invalid key has a problem
export const problem = key.problem;
// @ts-expect-error: the moves are read-only
moves.received.push("closed");
// @ts-expect-error: no such export
export { compile } from "@overturn/core";
