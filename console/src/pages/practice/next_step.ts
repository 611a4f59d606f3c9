// What a practice can do about a claim now, from its status, its signature and its deadline.

import type { ClaimStatus, SigningStatus } from "../../generated/rules.ts";
import { deadline as said } from "../../lib/format.ts";
import { isOpen } from "../../lib/terms.ts";

interface Standing {
  status: ClaimStatus;
  signing: { status: SigningStatus; link_expires_at: string | null };
  deadline: { date: string } | null;
}

const STEPS: Readonly<Record<ClaimStatus, string>> = {
  received: "Nothing now. Our staff looks at the claim next.",
  reviewing: "Nothing now. Our staff is working on it. Records that support the claim help: upload them as documents.",
  in_report: "Read the report that it is in. When our staff opens the appeal, the status changes to “In appeal”.",
  in_appeal: "Nothing now. Our staff runs the appeal, and the result shows up here.",
  recovered: "Nothing. The payer paid, and the appeal is over.",
  closed: "Nothing. The claim is closed.",
};

const DEAD = "Nothing now. The patient has to sign, but the link no longer works. Our staff makes a new one.";

/** The step in words, and whether it is the practice that must act. */
export function nextStep({ status, signing, deadline }: Standing, today?: string): { text: string; isYours: boolean } {
  if (!isOpen(status)) return { text: STEPS[status], isYours: false };
  const isAsked = signing.status === "needed";
  const mustSign = isAsked && signing.link_expires_at !== null;
  const text = mustSign ? "Have the patient sign. We cannot go on before that." : isAsked ? DEAD : STEPS[status];
  const { words, urgency } = said(deadline?.date, today);
  if (urgency === "late") {
    const late = "The deadline has passed, and our staff has not noted that an appeal was sent. Ask your contact at Overturn whether one is still possible.";
    return { text: `${text} ${late}`, isYours: true };
  }
  if (urgency === "today" || urgency === "soon") {
    const near = `The deadline is ${words}: call your contact at Overturn if you are not sure that we will meet it.`;
    return { text: `${text} ${near}`, isYours: true };
  }
  return { text, isYours: mustSign };
}
