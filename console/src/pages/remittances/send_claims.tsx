import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { may, money, plural, practice, save, sum, today, whole } from "../../lib/index.ts";
import {
  Button, type Column, confirm, Fact, Notice, Paged, ProblemView, Section, sentence, Table,
} from "../../ui/index.ts";
import type { WrittenClaim } from "../../worker/messages.ts";
import type { Known, Refused } from "./outbox.ts";
import { Claims } from "./result.tsx";
import type { Run } from "./run.ts";
import type { Sending } from "./sending.ts";

interface Props {
  run: Run;
  /** The sending of this visit that was begun last. */
  sending: Sending | undefined;
  onSend: (claims: readonly WrittenClaim[]) => void;
}

const amountOf = (claims: readonly WrittenClaim[]): string => money(sum(claims.map((one) => one.denied_amount)));

/** The claims that can be sent: the list, the download, and the sending. */
export function SendClaims({ run, sending, onSend }: Props) {
  const all = run.result.value?.claims ?? [];
  const unsent = run.unsent.value;
  const isUnderWay = sending?.isUnderWay.value ?? false;
  const amount = amountOf(unsent);
  if (all.length === 0 && !sending) {
    return (
      <section class="empty">
        <p class="empty-title">There is no claim to send</p>
        <p>The lists below say why.</p>
      </section>
    );
  }
  const send = async (): Promise<void> => {
    const question = {
      title: `Send ${plural(unsent.length, "claim")}?`,
      text: `We get ${amount} of denials from ${practice.value?.name ?? "you"}. A claim that we have is not added again. Its amounts are corrected.`,
      action: "Send",
    };
    if (await confirm(question)) onSend(unsent);
  };
  const download = (): void => {
    save(`claims-${today()}.ndjson`, all.map(({ json }) => `${json}\n`).join(""), "application/x-ndjson");
  };
  return (
    <Section title={unsent.length > 0 ? `Claims to send: ${whole(unsent.length)}, ${amount}` : "Nothing is left to send"} look="stack">
      {sending && <Progress of={sending} />}
      {!isUnderWay && (
        <>
          <MayNotSend />
          <div class="bar">
            {unsent.length > 0 && may("send_claims") && (
              <Button look="primary" onClick={() => void send()}>
                Send {plural(unsent.length, "claim")}
              </Button>
            )}
            {all.length > 0 && <Button onClick={download}>Download {plural(all.length, "claim")}</Button>}
            <span class="quiet-text">
              The download has patients in it. <code>overturn send</code> takes it.
            </span>
          </div>
          {unsent.length > 0 && <Claims of={unsent} caption="Claims to send" />}
        </>
      )}
    </Section>
  );
}

function MayNotSend() {
  if (may("send_claims")) return null;
  const lacksAgreement = practice.value?.agreement !== "in_force";
  return (
    <Notice look="warn" title="You cannot send claims">
      <p>
        {lacksAgreement ? (
          <>
            Your practice has no agreement with us that is in force. An owner or admin signs it in the settings, under{" "}
            <a href="/settings/agreements">Agreements</a>.
          </>
        ) : (
          "Your role does not allow it. Ask an owner or admin of your practice."
        )}{" "}
        You can download the claims.
      </p>
    </Notice>
  );
}

/** How far the sending is, why it stands still, and its results. */
function Progress({ of }: { of: Sending }) {
  const stage = of.stage.value;
  const box = useRef<HTMLDivElement>(null);
  const isFirst = useSignal(true);
  useEffect(() => {
    // The button that was pressed is gone, or another one is in its place.
    if (isFirst.peek() || ["refused", "lost", "stopped", "done"].includes(stage)) box.current?.focus({ preventScroll: !isFirst.peek() });
    isFirst.value = false;
  }, [stage]);
  return (
    <div class="card" ref={box} tabIndex={-1} role="group" aria-label="Sending">
      <p role="status">
        {whole(of.count.value)} of {plural(of.all, "claim")} answered. {WORDS[stage]}
      </p>
      {stage !== "done" && <progress max={of.all} value={of.count.value} aria-label="Claims sent" />}
      {stage === "refused" && <Refusals of={of.refusals.value} />}
      {["lost", "stopped", "paused"].includes(stage) && <ProblemView problem={of.problem.value} />}
      <div class="bar">
        {["sending", "paused"].includes(stage) && <Button onClick={() => of.stop()}>Stop</Button>}
        {["refused", "lost", "stopped"].includes(stage) && (
          <>
            <Button look="primary" onClick={() => void of.run()}>
              {stage === "refused" ? "Continue with the others" : "Continue"}
            </Button>
            <Button onClick={() => of.end()}>End here</Button>
          </>
        )}
      </div>
      <Summary of={of} />
    </div>
  );
}

const WORDS: Readonly<Record<Sending["stage"]["value"], string>> = {
  ready: "",
  sending: "Keep this page open.",
  stopping: "Stops after the claims that are on their way.",
  paused: "The service asks to wait. This goes on by itself.",
  lost: "This goes on by itself when the service can be reached.",
  refused: "Stopped, because something was refused.",
  stopped: "Stopped. The others were not sent.",
  done: "Done.",
};

/** The service's words, with the names of its fields as words. */
const inWords = (why: string): string =>
  sentence(why.replace(/\b(?:claim|patient)\.(\w+)/g, (_, field: string) => `the ${field.replaceAll("_", " ")}`));

function Refusals({ of }: { of: readonly Refused[] }) {
  return (
    <Notice look="bad" role="alert" title={of.length === 1 ? "We did not take this claim" : `We did not take these ${of.length} claims`}>
      <ul>
        {of.map(({ claim, why }) => (
          <li key={claim.claim_number}>
            <strong>{claim.claim_number}</strong>: {inWords(why)}
          </li>
        ))}
      </ul>
      <p>If you continue, further refusals are listed at the end.</p>
    </Notice>
  );
}

const OTHERS: readonly Column<Known | Refused>[] = [
  {
    head: "Claim number",
    cell: (one) => (
      <span class="claim-number">
        {"id" in one ? (
          <a href={`/claims/${one.id}`} target="_blank" rel="noopener">
            {one.claim.claim_number}
            <span class="hidden"> (opens in a new tab)</span>
          </a>
        ) : (
          one.claim.claim_number
        )}
      </span>
    ),
  },
  { head: "What became of it", cell: (one) => ("id" in one ? "Known already" : `Refused: ${inWords(one.why)}`) },
  { head: "Denied", cell: ({ claim }) => money(claim.denied_amount), isNumber: true },
];

/** What became of the claims, once the sending stands still. */
function Summary({ of: { stage, outbox } }: { of: Sending }) {
  if (!["done", "stopped"].includes(stage.value)) return null;
  const { created, known, refused } = outbox;
  const rows = [
    ["New", created],
    ["Known already, not added again", known.map(({ claim }) => claim)],
    ["Refused", refused.map(({ claim }) => claim)],
  ] as const;
  return (
    <>
      <dl class="amounts">
        {rows.map(([what, claims]) => (
          <Fact key={what} name={what}>
            {whole(claims.length)}, {amountOf(claims)}
          </Fact>
        ))}
      </dl>
      {known.length > 0 && (
        <p class="quiet-text">A claim is also known already if it arrived a moment ago, and the answer to it was lost on the way.</p>
      )}
      {known.length + refused.length > 0 && (
        <Paged rows={[...refused, ...known]} label="claims that are not new" size={20}>
          {(shown) => <Table caption="Claims that are not new" columns={OTHERS} rows={shown} id={({ claim }) => claim.claim_number} />}
        </Paged>
      )}
    </>
  );
}
