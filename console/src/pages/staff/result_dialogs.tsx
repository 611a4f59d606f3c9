// How an appeal ends for a claim: the payer pays, or it does not.

import { type ClosingReason, closingReasonsOf } from "../../generated/rules.ts";
import { amountOf, CLOSING, compareAmounts, money } from "../../lib/index.ts";
import { patch } from "../../lib/api.ts";
import { ChoiceField, confirm, openForm, TextField, toast, type Values } from "../../ui/index.ts";
import { move } from "./claim_moves.ts";
import type { ClaimWork } from "./claim_work.tsx";

export function openRecovered(work: ClaimWork): Promise<unknown> {
  const { practice, denied_amount: denied, billed_amount: billed, signing_link: link } = work.of;
  const part = denied ? `${money(denied)} was denied.` : `${money(billed)} was billed.`;
  return openForm({
    title: "Recovered",
    lead: `${part} Enter all that the payer has paid for this claim so far, even if it is only a part.${link ? " The signing link stops working." : ""}`,
    submit: "Continue",
    act: async (values, intent) => {
      const amount = amountOf(values.text("amount_recovered")) ?? "";
      const text = `${practice.name} sees the claim as recovered with ${money(amount)}${partOf(amount, denied ?? billed)}. Its webhooks get a message.`;
      if (!(await confirm({ title: `Record ${money(amount)} as recovered?`, text, action: "Record it" }))) return false;
      await work.change((version) => move(work.path, { status: "recovered", amount_recovered: amount }, version, intent));
      toast(`${money(amount)} recovered.`);
      return true;
    },
    check: checkAmount,
    children: <Amount label="Amount recovered" />,
  });
}

function checkAmount(values: Values): Readonly<Record<string, string>> {
  const amount = amountOf(values.text("amount_recovered"));
  const isPositive = amount !== undefined && compareAmounts(amount, "0.00") > 0;
  return isPositive ? {} : { amount_recovered: "must be an amount in dollars, such as 80.00" };
}

function Amount({ label, value = "" }: { label: string; value?: string }) {
  return <TextField name="amount_recovered" label={label} inputMode="decimal" autocomplete="off" required autofocus defaultValue={value} />;
}

/** Corrects what was recorded as paid. The status of the claim stays. */
export function openAmount({ of: claim, path, change }: ClaimWork): Promise<unknown> {
  return openForm({
    title: "Correct the amount",
    lead: `${money(claim.amount_recovered)} is recorded. ${claim.practice.name} sees the corrected amount on the claim and in its case, and its webhooks get a message. The claim stays recovered.`,
    submit: "Correct the amount",
    act: async (values, intent) => {
      const amount = amountOf(values.text("amount_recovered")) ?? "";
      const body = { amount_recovered: amount };
      await change((version) => patch("/api/v1/staff/practices/{practice}/claims/{id}/amount", { path, body, version, intent }));
      toast(`${money(amount)} recovered.`);
    },
    check: checkAmount,
    children: <Amount label="All that the payer has paid so far" value={claim.amount_recovered ?? ""} />,
  });
}

function partOf(amount: string, wanted: string | null): string {
  if (wanted === null) return "";
  const by = compareAmounts(amount, wanted);
  if (by === 0) return ", which is all of it";
  return by < 0 ? `, a part of ${money(wanted)}` : `, more than the ${money(wanted)} in question`;
}

/** Closes a claim: its appeal ended without a payment, or it is not appealed. */
export function openClosed(work: ClaimWork): Promise<unknown> {
  const { status, practice } = work.of;
  const isReview = status === "reviewing";
  const reasons: readonly ClosingReason[] = isReview ? closingReasonsOf.reviewing : closingReasonsOf.in_appeal;
  const later = isReview ? "You can review the claim again later." : "You can appeal again later.";
  return openForm({
    title: "Close the claim",
    lead: `${practice.name} sees the claim as closed, with this reason. It has no deadline then. Webhooks get a message, and a signing link stops working. ${later}`,
    submit: "Close the claim",
    look: "danger",
    act: async (values, intent) => {
      const reason = values.text("reason") as ClosingReason;
      await work.change((version) => move(work.path, { status: "closed", reason }, version, intent));
      toast("The claim was closed.");
    },
    children: <ChoiceField kind="radio" name="reason" label="Why" choices={reasons.map((reason) => [reason, CLOSING[reason]])} required />,
  });
}
