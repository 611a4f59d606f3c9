import { useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { type Body, post } from "../../lib/api.ts";
import { bytes, guardLeaving, type Intent, plural, whole } from "../../lib/index.ts";
import { Button, confirm, Notice, Page, Section } from "../../ui/index.ts";
import { limits } from "../../generated/rules.ts";
import type { Failure, Outcome, WrittenClaim } from "../../worker/messages.ts";
import { Sections } from "../practice/sections.tsx";
import { Chooser } from "./chooser.tsx";
import { Files, Unread, unread } from "./files.tsx";
import { MissingBirths } from "./missing_births.tsx";
import { forget, keep, kept } from "./note.ts";
import { Figures, HeldClaims } from "./result.tsx";
import { Run } from "./run.ts";
import { SendClaims } from "./send_claims.tsx";
import { Sending } from "./sending.ts";

const BOUNDS = { claims: limits.claimsOfSend, bytes: limits.sendSize };
type SendBody = Body<"/api/v1/denials", "post">;

/** Sends one batch under the key of its intent. */
async function sendBatch(claims: readonly unknown[], intent: Intent) {
  const answer = await post("/api/v1/denials", { body: { claims } as SendBody, intent });
  return answer.claims;
}

/** Turns remittances into claims, in this browser, and sends them. */
export function Remittances() {
  const run = useMemo(() => new Run(), []);
  const sending = useSignal<Sending | undefined>(undefined);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(
    () => () => {
      run.cancel();
      // The person left, and nothing shows any more what is sent.
      sending.peek()?.stop();
    },
    [],
  );
  useAsking(run, () => sending.value);
  useSignalEffect(() => {
    // The button or the field that had the focus is gone.
    if (run.result.value) heading.current?.focus();
  });
  useEffect(() => {
    const resume = (): void => sending.peek()?.resume();
    addEventListener("online", resume);
    return () => removeEventListener("online", resume);
  }, []);
  useSignalEffect(() => {
    const now = sending.value;
    if (now === undefined) return;
    if (now.stage.value === "done") forget();
    else keep({ sent: now.count.value, all: now.all });
    if (!["sending", "stopping"].includes(now.stage.value)) run.answered(now.outbox.answered());
  });
  const send = (claims: readonly WrittenClaim[]): void => {
    sending.value = new Sending(claims, BOUNDS, sendBatch);
    void sending.value.run();
  };
  const isSending = sending.value?.isUnderWay.value ?? false;
  const result = run.result.value;
  const found = new Set(run.files.value.filter((file) => file.isFound).map(({ name }) => name));
  const isFound = (name: string): boolean => found.has(name);
  const problems = unread(result?.files ?? [], isFound);
  return (
    <Page title="Remittances" lead="Turn remittance files (835) into denied claims. They are read in this browser, and nothing leaves it until you send.">
      <Sections />
      <LastTime />
      {run.progress.value ? <Reading run={run} /> : !isSending && <Chooser run={run} onRead={() => run.start()} />}
      {run.failure.value && <Failed why={run.failure.value} />}
      {result && !run.progress.value && (
        <div class="stack">
          <h2 tabIndex={-1} ref={heading}>
            What the files say
          </h2>
          <Figures of={result} unread={problems.length} files={result.files.length} />
          <Unread files={problems} />
          {!isSending && <MissingBirths run={run} result={result} onUse={() => run.start()} />}
          <SendClaims run={run} sending={sending.value} onSend={send} />
          {!isSending && <Rest result={result} isFound={isFound} />}
        </div>
      )}
      <p class="quiet-text">
        This page keeps nothing. After a reload, or when your session ends, choose the files again. Claims that you sent are
        not doubled.
      </p>
    </Page>
  );
}

/** What is not sent, and why. */
function Rest({ result, isFound }: { result: Outcome; isFound: (name: string) => boolean }) {
  return (
    <>
      <HeldClaims of={result.held} />
      <Files files={result.files} counts={result.counts} isFound={isFound} />
    </>
  );
}

/** Asks before something of the person's work is lost. */
function useAsking(run: Run, sendingNow: () => Sending | undefined): void {
  const sending = sendingNow();
  const isSending = sending?.isUnderWay.value ?? false;
  const hasTyped = run.hasUnsentBirth.value;
  const isAsked = isSending || hasTyped || run.progress.value !== undefined;
  useLayoutEffect(() => {
    if (!isAsked) return undefined;
    const asks = (): Promise<boolean> => {
      const now = sendingNow();
      const text =
        now && isSending
          ? `${whole(now.count.peek())} of ${plural(now.all, "claim")} are sent. To send the others, choose the same files again.`
          : "The dates of birth that you entered are not kept.";
      return confirm({ title: "Leave this page?", text, action: "Leave", danger: true });
    };
    // A sending ends with the session.
    return guardLeaving(asks, hasTyped && !isSending ? () => true : undefined);
  }, [isAsked, isSending, hasTyped]);
}

/** Where the focus goes when the button that was pressed is gone. */
const toHeading = (): void => document.querySelector("h1")?.focus();

/** Says how far a sending came that a reload, or the end of the session, has interrupted. */
function LastTime() {
  const note = useSignal(useMemo(kept, []));
  if (!note.value) return null;
  const { sent, all } = note.value;
  return (
    <Notice look="warn" title="The last sending was interrupted">
      <p>
        At least {whole(sent)} of {plural(all, "claim")} arrived. Nothing of the patients was kept: choose the same files again
        and send them. Nothing is doubled.
      </p>
      <p>
        <Button
          onClick={() => {
            forget();
            note.value = undefined;
            toHeading();
          }}
        >
          Dismiss
        </Button>
      </p>
    </Notice>
  );
}

function Reading({ run }: { run: Run }) {
  const cancel = useRef<HTMLDivElement>(null);
  useEffect(() => cancel.current?.querySelector("button")?.focus(), []);
  const { bytes: done, files, claimPayments } = run.progress.value ?? { bytes: 0, files: 0, claimPayments: 0 };
  const all = run.files.value.length;
  return (
    <Section title={`Reading ${plural(all, "file")}`}>
      <progress max={Math.max(run.size.value, 1)} value={done} aria-label="Files read" />
      <p role="status" class="quiet-text">
        {files} of {plural(all, "file")}, {bytes(done)} of {bytes(run.size.value)}, {plural(claimPayments, "claim payment")} so far
      </p>
      <div class="bar" ref={cancel}>
        <Button
          onClick={() => {
            run.cancel();
            toHeading();
          }}
        >
          Cancel
        </Button>
      </div>
    </Section>
  );
}

const WHY: Readonly<Record<Failure["why"], string>> = {
  module: "A part of this page could not be loaded. Reload the page, and try again",
  memory: "The files need more memory than the browser gives. Read fewer at once",
  settings: "A file of “More options” cannot be used",
  file: "A file was moved or changed after you chose it. Remove it, and choose it again",
};

function Failed({ why: failure }: { why: Failure }) {
  const detail = "detail" in failure ? failure.detail : "name" in failure ? failure.name : undefined;
  return (
    <Notice look="bad" role="alert" title="The files were not read">
      <p>
        {WHY[failure.why]}
        {detail && `: ${detail}`}.
      </p>
    </Notice>
  );
}
