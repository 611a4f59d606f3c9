import { type Answer, del, get, post } from "../../lib/api.ts";
import { type Intent, isOpen, plural, time, useAction, useKeys } from "../../lib/index.ts";
import {
  Button, confirm, Dialog, DialogEnd, Fact, openWith, pick, ProblemView, Section, SigningTag, toast,
} from "../../ui/index.ts";
import type { ClaimWork } from "./claim_work.tsx";

type Signature = Answer<"/api/v1/staff/practices/{practice}/claims/{id}/signature", "get">;
type Decision = "needed" | "not_needed";

/** Whether the patient has to sign, the state of the link, and what was signed. */
export function Signing({ work }: { work: ClaimWork }) {
  const { of: claim, may } = work;
  const { signing_status: status, signing_link: link } = claim;
  const acting = useAction((intent, what: keyof typeof ACTS) => ACTS[what](work, intent));
  const act = (what: keyof typeof ACTS) => ({ isBusy: acting.isBusy, onClick: () => acting.run(what) });
  const decide = async (): Promise<void> => {
    const picks = [["needed", status === "needed" ? "Make a new link" : "Signature needed"], ["not_needed", "Not needed"]] as const;
    const what = await pick("Patient’s signature", status === "not_needed" ? picks.slice(0, 1) : picks);
    if (what) await acting.run(what);
  };
  useKeys(may("decide_signing") ? [{ keys: "s", what: "Decide about the patient’s signature", run: () => void decide() }] : []);
  const tag = !isOpen(claim.status) && status === "needed" ? <span class="tag">Not signed</span> : <SigningTag of={status} isDead={!link} />;
  return (
    <Section title="Signature" beside={tag}>
      {status === "needed" && <p class="quiet-text">{isOpen(claim.status) ? linkState(link) : ENDED}</p>}
      <ProblemView problem={acting.problem} />
      <div class="bar">
        {may("decide_signing") && <Button key={status} {...act("needed")}>{status === "needed" ? "Make a new link" : "Signature needed"}</Button>}
        {may("decide_signing") && status !== "not_needed" && <Button {...act("not_needed")}>Not needed</Button>}
        {may("revoke_link") && isOpen(claim.status) && (
          <Button look="danger" {...act("revoke")}>
            Revoke the link
          </Button>
        )}
        {status === "signed" && <Button {...act("read")}>Show the signature</Button>}
      </div>
    </Section>
  );
}

const ACTS = {
  needed: (work: ClaimWork, intent: Intent) => decideOn(work, "needed", intent),
  not_needed: (work: ClaimWork, intent: Intent) => decideOn(work, "not_needed", intent),
  async revoke({ path, change }: ClaimWork, intent: Intent) {
    if (!(await confirm(REVOKING))) return;
    await change((version) => del("/api/v1/staff/practices/{practice}/claims/{id}/signing/link", { path, version, intent }));
    toast("The link was revoked.");
  },
  async read({ path }: ClaimWork) {
    const of = await get("/api/v1/staff/practices/{practice}/claims/{id}/signature", { path });
    await openWith(SignatureDialog, { of });
  },
};

async function decideOn({ of, path, change }: ClaimWork, status: Decision, intent: Intent): Promise<void> {
  if (!(await confirm(QUESTIONS[status](of.signing_link !== null)))) return;
  const body = { status };
  await change((version) => post("/api/v1/staff/practices/{practice}/claims/{id}/signing", { path, body, version, intent }));
  toast(status === "needed" ? "The link was made." : "No signature is needed.");
}

const QUESTIONS: Readonly<Record<Decision, (hasLink: boolean) => Parameters<typeof confirm>[0]>> = {
  needed: (hasLink) => ({
    title: hasLink ? "Make a new signing link?" : "Ask for the patient’s signature?",
    text: `The practice gets a link to the signing page, in its console and with the claim’s status, and its webhooks get a message. It sees no link while the practice has switched off “Show the link for patients” in its settings.${hasLink ? " The link that exists now stops working." : ""}`,
    action: hasLink ? "Make a new link" : "Signature needed",
  }),
  not_needed: () => ({
    title: "No signature needed?",
    text: "The practice sees that the patient does not have to sign. A signing link stops working at once.",
    action: "Not needed",
  }),
};

const REVOKING = {
  title: "Revoke the signing link?",
  text: "It stops working at once, even for a patient who is about to sign. The practice’s webhooks get a message. The decision stays.",
  action: "Revoke the link",
  danger: true,
};

const ENDED = "The signature was needed. The link ended with the appeal of the claim.";

function linkState(link: ClaimWork["of"]["signing_link"]): string {
  if (!link) return "There is no link that works: it expired, was revoked, or was tried with too many wrong dates of birth.";
  return `The link was made on ${time(link.created_at)} and works until ${time(link.expires_at)}. ${plural(link.tries_left, "more wrong date of birth", "more wrong dates of birth")} would end it.`;
}

const RELATION: Readonly<Record<Signature["relation"], string>> = {
  patient: "The patient",
  parent: "A parent of the patient, who is a minor",
  guardian: "The patient’s guardian, appointed by a court",
  health_care_agent: "A person with a power of attorney for health care",
  executor: "The executor or administrator of the patient’s estate",
  other_representative: "Another person who may act for the patient",
};

const LANGUAGE: Readonly<Record<Signature["language"], string>> = { en: "English", es: "Spanish" };

/** What the patient signed. It opens only at the press of a button, because reading it is recorded. */
function SignatureDialog({ of, onClose }: { of: Signature; onClose: () => void }) {
  return (
    <Dialog title="Signature" onCancel={onClose} wide>
      <dl class="facts">
        <Fact name="Signed">{time(of.signed_at)}</Fact>
        <Fact name="Text">
          {LANGUAGE[of.language]}, version {of.text_version}
        </Fact>
        <Fact name="Signed by">{RELATION[of.relation]}</Fact>
        <Fact name="From">{of.ip}</Fact>
        <Fact name="Browser">{of.user_agent}</Fact>
      </dl>
      <div class="signature-text" lang={of.language} role="region" aria-label="The text that was signed" tabIndex={0}>
        {of.text}
      </div>
      {of.name && (
        <p>
          Typed name: <strong>{of.name}</strong>
        </p>
      )}
      {of.drawing && <Drawing {...of.drawing} />}
      <DialogEnd onClose={onClose} canPrint />
    </Dialog>
  );
}

function Drawing({ width, height, strokes }: NonNullable<Signature["drawing"]>) {
  return (
    <svg class="drawing" viewBox={`0 0 ${width} ${height}`} role="img" aria-label="Signature, as drawn">
      {strokes.map((points, n) => (
        <polyline key={n} points={points.map((point) => point.join(",")).join(" ")} />
      ))}
    </svg>
  );
}
