// What lists and screens of claims show in the same way: statuses and codes.

import type { ClaimStatus, SigningStatus } from "../generated/rules.ts";
import { isOpen, SIGNING, STATUS } from "../lib/index.ts";
import { Due } from "./due.tsx";

interface ClaimDueProps {
  deadline: { date: string } | null;
  status: ClaimStatus;
}

/** The deadline of a claim. In appeal, a claim has none while its level is filed or has no date. */
export function ClaimDue({ deadline, status }: ClaimDueProps) {
  if (!deadline && status === "in_appeal") return <span class="quiet-text">nothing due now</span>;
  return <Due day={deadline?.date} isOver={!isOpen(status)} />;
}

const STATUS_LOOK: Readonly<Record<ClaimStatus, string>> = {
  received: "",
  reviewing: "info",
  in_report: "info",
  in_appeal: "warn",
  recovered: "good",
  closed: "",
};

export function StatusTag({ of }: { of: ClaimStatus }) {
  return <span class={`tag ${STATUS_LOOK[of]}`}>{STATUS[of]}</span>;
}

const SIGNING_LOOK: Readonly<Record<SigningStatus, string>> = { not_decided: "", not_needed: "", needed: "warn", signed: "good" };

/** `isDead`: no link works with which the patient could sign. */
export function SigningTag({ of, isDead = false }: { of: SigningStatus; isDead?: boolean }) {
  if (of === "needed" && isDead) return <span class="tag bad">Link no longer works</span>;
  return <span class={`tag ${SIGNING_LOOK[of]}`}>{SIGNING[of]}</span>;
}

/** Adjustment, remark, procedure or diagnosis codes. */
export function Codes({ of }: { of: readonly string[] }) {
  if (of.length === 0) return <>–</>;
  return (
    <span class="codes">
      {of.map((code) => (
        <code key={code}>{code}</code>
      ))}
    </span>
  );
}
