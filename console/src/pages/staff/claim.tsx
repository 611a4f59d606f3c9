import { type Intent, navigate, type ScreenProps, useAction, useKeys, user } from "../../lib/index.ts";
import { Button, confirm, pick, ProblemView, Section, StatusTag, toast } from "../../ui/index.ts";
import { askColleague } from "./assign_dialog.tsx";
import { BackToQueue, lastClaim, NextClaim } from "./back.tsx";
import { ClaimFacts } from "./claim_facts.tsx";
import { History } from "./claim_history.tsx";
import { Notes } from "./claim_notes.tsx";
import { Signing } from "./claim_signing.tsx";
import { move, take } from "./claim_moves.ts";
import { CLAIM, type ClaimWork } from "./claim_work.tsx";
import { Documents } from "./documents.tsx";
import { openCase, openReport } from "./report_or_case_dialogs.tsx";
import { openJoin } from "./join_dialog.tsx";
import { RelatedClaims } from "./related.tsx";
import { openAmount, openClosed, openRecovered } from "./result_dialogs.tsx";
import { Opened } from "./work.tsx";

/** One claim with its patient. Opening it is recorded in the practice's audit trail. */
export function ClaimScreen({ params }: ScreenProps) {
  return <Opened kind={CLAIM} title="Claim" params={params} page={page} />;
}

function page(work: ClaimWork) {
  const { of: claim, path } = work;
  lastClaim.id = path.id;
  return {
    heading: (
      <>
        {claim.claim_number} <StatusTag of={claim.status} />
      </>
    ),
    actions: <Moves work={work} />,
    children: (
      <>
        <div class="stack">
          <ClaimFacts work={work} />
          <Section title="History">
            <History entries={claim.history.toReversed()} practice={path.practice} />
          </Section>
        </div>
        <div class="stack">
          <Notes work={work} />
          <Signing work={work} />
          <Documents practice={path.practice} claims={[claim]} />
          <RelatedClaims path={path} />
        </div>
      </>
    ),
  };
}

/** What can be done with the claim now, as the service says. */
function Moves({ work }: { work: ClaimWork }) {
  const { of: claim, may } = work;
  const acting = useAction((intent, act: typeof takeIt) => act(work, intent));
  const canTake = may("take") && claim.taken_by?.id !== user.value?.id;
  const cases = casesOf(work);
  const decision = decisionOf(work);
  const results = resultsOf(work);
  useKeys([
    ...(canTake ? [{ keys: "t", what: "Take", run: () => void acting.run(takeIt) }] : []),
    ...(may("take") ? [{ keys: "a", what: "Give to a colleague", run: () => void acting.run(giveIt) }] : []),
    ...(cases.length > 0 ? [{ keys: "c", what: "Case", run: () => void pick("Case", cases).then((act) => act?.()) }] : []),
    ...(results.length > 0 ? [{ keys: "r", what: "Record the result", run: () => void pick("Result", results).then((act) => act?.()) }] : []),
  ]);
  return (
    <>
      <ProblemView problem={acting.problem} />
      {canTake && (
        <Button look="primary" isBusy={acting.isBusy} onClick={() => acting.run(takeIt)}>
          Take
        </Button>
      )}
      {may("take") && (
        <Button isBusy={acting.isBusy} onClick={() => acting.run(giveIt)}>
          Give to a colleague
        </Button>
      )}
      {may("let_go") && (
        <Button isBusy={acting.isBusy} onClick={() => acting.run(letGo)}>
          Let go
        </Button>
      )}
      {may("review") && claim.status !== "received" && (
        <Button isBusy={acting.isBusy} onClick={() => acting.run(reviewAgain)}>
          Review again
        </Button>
      )}
      {may("report") && <Button onClick={() => openReport(work)}>Deliver a report</Button>}
      {may("open_case") && <Button onClick={() => openCase(work)}>Open a case</Button>}
      {may("join_case") && <Button onClick={() => openJoin(work)}>Join a case</Button>}
      {decision && (
        <a class="button" href={decision}>
          A decision arrived
        </a>
      )}
      {may("correct_amount") && <Button onClick={() => openAmount(work)}>Correct the amount</Button>}
      {may("recover") && (
        <Button look="primary" onClick={() => openRecovered(work)}>
          Recovered
        </Button>
      )}
      {may("close") && (
        <Button look="danger" onClick={() => openClosed(work)}>
          Close
        </Button>
      )}
      {may("reopen") && <Button onClick={() => openJoin(work)}>Appeal again</Button>}
      <Button look="quiet" onClick={() => print()}>
        Print
      </Button>
      <NextClaim id={work.path.id} />
      <BackToQueue />
    </>
  );
}

const RECEIVED = { status: "received" } as const;

type Act = readonly [act: () => unknown, label: string];

/** What can be done about a case of the claim: what the service allows, or else the way to the case. */
function casesOf(work: ClaimWork): Act[] {
  const { of: claim, may, path } = work;
  const { case_id: known } = claim;
  return [
    ...(may("open_case") && !may("reopen") ? [[() => openCase(work), "Open a case"] as const] : []),
    ...(may("join_case") ? [[() => openJoin(work), "Join a case"] as const] : []),
    ...(may("reopen") ? [[() => openJoin(work), "Appeal again"] as const] : []),
    ...(known === null ? [] : [[() => navigate(`/work/${path.practice}/cases/${known}`), "Show the case"] as const]),
  ];
}

/** Where a decision about the claim's case is recorded. */
function decisionOf({ of: { status, case_id: known }, path }: ClaimWork): string | undefined {
  return status === "in_appeal" && known !== null ? `/work/${path.practice}/cases/${known}?decision=1` : undefined;
}

function resultsOf(work: ClaimWork): Act[] {
  const decision = decisionOf(work);
  return [
    ...(decision ? [[() => navigate(decision), "A decision arrived"] as const] : []),
    ...(work.may("recover") ? [[() => openRecovered(work), "Recovered"] as const] : []),
    ...(work.may("close") ? [[() => openClosed(work), "Closed"] as const] : []),
  ];
}

/** How a claim goes back to who had it; `undefined` if it cannot. A claim that nobody reviewed is let go by who has it. */
function backTo(work: ClaimWork, version: number, isMine: boolean): (() => Promise<void>) | undefined {
  const { path, of: { status, taken_by: before } } = work;
  if (status === "received" ? !isMine : before === null) return undefined;
  return async () => {
    if (status === "received") await move(path, RECEIVED, version);
    else await take(path, version, undefined, before?.id);
    // The person may have gone on to another claim, which must not be read again.
    if (lastClaim.id === path.id) work.reload();
  };
}

async function takeIt(work: ClaimWork, intent: Intent): Promise<void> {
  const { of: claim, path } = work;
  const name = claim.taken_by?.name;
  if (name && !(await confirm({ title: `Take the claim from ${name}?`, text: `${name} no longer has it then.`, action: "Take it" }))) return;
  const { version } = await work.change((seen) => take(path, seen, intent));
  toast(`You have ${claim.claim_number}.`, backTo(work, version, true));
}

async function giveIt(work: ClaimWork, intent: Intent): Promise<void> {
  const { of: claim, path } = work;
  const to = await askColleague({ claims: 1, isNew: claim.status === "received", holder: claim.taken_by?.id });
  if (!to) return;
  const { version } = await work.change((seen) => take(path, seen, intent, to.id));
  toast(`${to.name} has ${claim.claim_number}.`, backTo(work, version, false));
}

async function letGo(work: ClaimWork, intent: Intent): Promise<void> {
  const { path } = work;
  const { version } = await work.change((seen) => move(path, RECEIVED, seen, intent));
  toast(`${work.of.claim_number} is free for others.`, async () => {
    await take(path, version);
    if (lastClaim.id === path.id) work.reload();
  });
}

const REVIEWING = { title: "Review the claim again?", action: "Review again" };
const REVIEWED = "You have the claim then. The practice sees the new status, and its webhooks get a message.";

async function reviewAgain(work: ClaimWork, intent: Intent): Promise<void> {
  const first = work.of.status === "closed" ? "The claim has its deadline again." : "The claim leaves its report.";
  if (!(await confirm({ ...REVIEWING, text: `${first} ${REVIEWED}` }))) return;
  await work.change((version) => move(work.path, { status: "reviewing" }, version, intent));
}
