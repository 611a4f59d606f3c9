// Changes of several claims from the queue. Each claim has a result of its own. None of this opens a patient.

import { type Answer, post } from "../../lib/api.ts";
import { type Intent, plural, STATUS, user } from "../../lib/index.ts";
import { Button, confirm, Dialog, openDialog, PlainTable, sentence, toast } from "../../ui/index.ts";
import { askColleague } from "./assign_dialog.tsx";
import { move, take } from "./claim_moves.ts";
import type { Named } from "./names.ts";

export type QueuedClaim = Answer<"/api/v1/staff/claims", "get">["claims"][number] & {
  /** It was changed here since the list was read, so that its `may` is old. The service then decides. */
  isOld?: true;
};
type Result = Answer<"/api/v1/staff/claims/take", "post">["results"][number];
export type Standing = NonNullable<Result["claim"]>;

/** What can be done with several claims at once. */
export type Bulk = "take" | "give" | "needed" | "not_needed" | "let_go";

const DONE: Readonly<Record<Bulk, string>> = {
  take: "taken",
  give: "given to your colleague",
  let_go: "now free for others",
  needed: "now waiting for the patient’s signature",
  not_needed: "marked as needing no signature",
};

interface Page {
  /** The name of a colleague; `undefined` if it is not known. */
  nameOf: (id: string) => string | undefined;
  place: (standing: Standing) => void;
  /** Something was changed, so that counts are old. */
  onChanged: () => void;
}

type Sent = Exclude<Bulk, "let_go">;
type Seen = Pick<QueuedClaim, "id" | "version" | "practice" | "claim_number" | "status" | "taken_by">;

/** A change, and the colleague who gets the claims. */
interface Change {
  what: Sent;
  to?: Named | undefined;
}

/** Whether to offer an action for a claim. */
export const could = ({ isOld, may }: QueuedClaim, action: QueuedClaim["may"][number]): boolean => isOld === true || may.includes(action);

/** True for a claim in review that the person has. The list says it only of claims that were taken before it was read. */
export const canLetGo = ({ status, taken_by }: QueuedClaim): boolean => status === "reviewing" && taken_by?.id === user.peek()?.id;

/** Asks for what others will notice, does it, and says what became of each claim. Gives the ids of the refused claims. */
export async function changeClaims(what: Bulk, rows: readonly QueuedClaim[], page: Page, intent: Intent): Promise<string[]> {
  if (what === "let_go") return letGoOf(rows.filter(canLetGo), page);
  if (what === "give") return give(rows, page, intent);
  // A claim that the person has already is not taken again.
  const wanted = what === "take" ? rows.filter(({ taken_by }) => taken_by?.id !== user.peek()?.id) : rows;
  if (wanted.length === 0) return [];
  if (!(await isWanted(what, wanted))) return rows.map(({ id }) => id);
  return send({ what }, wanted, page, intent);
}

async function give(rows: readonly QueuedClaim[], page: Page, intent: Intent): Promise<string[]> {
  const holders = new Set(rows.map(({ taken_by }) => taken_by?.id));
  const question = {
    claims: rows.length,
    isNew: rows.some(({ status }) => status === "received"),
    holder: holders.size === 1 ? [...holders][0] : undefined,
  };
  const to = await askColleague(question);
  if (!to) return rows.map(({ id }) => id);
  const wanted = rows.filter(({ taken_by }) => taken_by?.id !== to.id);
  return wanted.length === 0 ? [] : send({ what: "give", to }, wanted, page, intent);
}

async function isWanted(what: Exclude<Sent, "give">, rows: readonly QueuedClaim[]): Promise<boolean> {
  const many = plural(rows.length, "claim");
  if (what === "needed") {
    return confirm({
      title: `Ask for the patient’s signature for ${many}?`,
      text: "Each practice gets a link to the signing page with the claim’s status, and its webhooks get a message. A link that a claim has now stops working.",
      action: "Ask for signatures",
    });
  }
  if (what === "not_needed") {
    return confirm({
      title: `No signature for ${many}?`,
      text: "Signing links that these claims have stop working at once. Each practice sees that no signature is needed.",
      action: "No signature needed",
    });
  }
  const others = [...new Set(rows.flatMap(({ taken_by }) => (taken_by && taken_by.id !== user.peek()?.id ? [taken_by.name] : [])))];
  if (others.length === 0) return true;
  return confirm({
    title: `Take claims from ${others.join(", ")}?`,
    text: "Colleagues lose the claims that they have taken. They do not get a message.",
    action: "Take them",
  });
}

async function send(change: Change, rows: readonly Seen[], page: Page, intent: Intent): Promise<string[]> {
  const { what, to } = change;
  const claims = rows.map(({ id, version, practice }) => ({ id, version, practice_id: practice.id }));
  const { results } =
    what === "take" || what === "give"
      ? await post("/api/v1/staff/claims/take", { body: { claims, ...(to && { user_id: to.id }) }, intent })
      : await post("/api/v1/staff/claims/signing", { body: { decision: what, claims }, intent });
  for (const { claim } of results) if (claim) page.place(claim);
  page.onChanged();
  const done = results.filter(({ status }) => status === "done");
  const refused = results.filter(({ status }) => status === "refused");
  if (done.length > 0) say(change, rows, done, page);
  if (refused.length === 0) return [];
  const again = await openDialog<boolean>((close) => (
    <Refused {...{ what, rows, refused, page }} done={done.length} onClose={close} />
  ));
  const left = refused.map(({ id }) => id);
  if (!again) return left;
  const newer = conflicts(refused).flatMap(({ id, claim }) => {
    const row = rows.find((one) => one.id === id);
    if (!row || !claim) return [];
    const holder = claim.taken_by === null ? null : { id: claim.taken_by, name: page.nameOf(claim.taken_by) ?? "A colleague" };
    return [{ ...row, version: claim.version, status: claim.status, taken_by: holder }];
  });
  const still = await send(change, newer, page, intent);
  return left.filter((id) => still.includes(id) || !newer.some((one) => one.id === id));
}

/** The claims that were refused only because they were changed. */
function conflicts(refused: readonly Result[]): Result[] {
  return refused.filter(({ reason, claim }) => reason === "version_conflict" && claim !== null);
}

function say({ what, to }: Change, rows: readonly Seen[], done: readonly Result[], page: Page): void {
  const taken = done.flatMap(({ id, claim }) => {
    const row = rows.find((one) => one.id === id);
    return row && claim ? [{ row, claim }] : [];
  });
  const one = done.length === 1 && taken[0]?.row.claim_number;
  const text = `${one || plural(done.length, "claim")} ${to ? `given to ${to.name}` : DONE[what]}.`;
  const isUndoable = (what === "take" || what === "give") && taken.every(({ row, claim }) => canTakeBack(row, claim));
  toast(text, isUndoable ? () => takeBack(taken, page) : undefined);
}

/** A claim and its state after it was taken or given. */
interface Taken {
  row: Seen;
  claim: Standing;
}

/** A claim goes back to who had it, or becomes free again if it was not reviewed before and the person has it now. */
function canTakeBack({ status, taken_by: before }: Seen, { taken_by: now }: Standing): boolean {
  return status === "received" ? now === user.peek()?.id : before !== null;
}

async function takeBack(taken: readonly Taken[], page: Page): Promise<void> {
  for (const { row, claim } of taken) {
    const path = { practice: row.practice.id, id: row.id };
    page.place(row.status === "received" ? await free(row, claim.version) : await take(path, claim.version, undefined, row.taken_by?.id));
  }
  page.onChanged();
}

/** Lets claims go, one after the other. Gives the ids of those that could not be. */
async function letGoOf(rows: readonly QueuedClaim[], page: Page): Promise<string[]> {
  const refused: string[] = [];
  let why: unknown;
  for (const row of rows) {
    try {
      page.place(await free(row, row.version));
    } catch (thrown) {
      refused.push(row.id);
      why = thrown;
    }
  }
  page.onChanged();
  if (refused.length < rows.length) toast(`${plural(rows.length - refused.length, "claim")} ${DONE.let_go}.`);
  if (why) throw why;
  return refused;
}

function free({ id, practice }: Pick<Seen, "id" | "practice">, version: number): Promise<Standing> {
  return move({ practice: practice.id, id }, { status: "received" }, version);
}

const AGAIN: Readonly<Record<Sent, string>> = { take: "Take", give: "Give", needed: "Decide", not_needed: "Decide" };

interface RefusedProps {
  what: Sent;
  rows: readonly Seen[];
  refused: readonly Result[];
  done: number;
  page: Page;
  onClose: (again: boolean) => void;
}

/** Which claims were not changed, and why. */
function Refused({ what, rows, refused, done, page, onClose }: RefusedProps) {
  const changed = conflicts(refused);
  return (
    <Dialog title={`${plural(refused.length, "claim")} not changed`} onCancel={() => onClose(false)} wide>
      {done > 0 && <p>{`${plural(done, "claim")} ${DONE[what]}.`}</p>}
      <div class="table-frame" role="region" aria-label="Claims that were not changed" tabIndex={0}>
        <PlainTable
          rows={refused}
          id={({ id }) => id}
          columns={[
            { head: "Claim", cell: ({ id }) => rows.find((row) => row.id === id)?.claim_number },
            {
              head: "Why",
              cell: ({ reason, message }) => (reason === "version_conflict" ? "It was changed since you loaded the list." : sentence(message ?? "")),
            },
            { head: "Now", cell: ({ claim }) => (claim ? now(claim, page) : "–") },
          ]}
        />
      </div>
      <div class="dialog-actions">
        <Button look="primary" autofocus onClick={() => onClose(false)}>
          Leave {refused.length === 1 ? "it" : "them"} as {refused.length === 1 ? "it is" : "they are"}
        </Button>
        {changed.length > 0 && (
          <Button onClick={() => onClose(true)}>
            {AGAIN[what]} {plural(changed.length, "changed claim")} anyway
          </Button>
        )}
      </div>
    </Dialog>
  );
}

function now({ status, taken_by }: Standing, { nameOf }: Page): string {
  if (taken_by === null) return `${STATUS[status]}, taken by no one`;
  if (taken_by === user.peek()?.id) return `${STATUS[status]}, taken by you`;
  return `${STATUS[status]}, taken by ${nameOf(taken_by) ?? "a colleague"}`;
}
