// How an appeal ends for a claim: the payer pays, or it does not.

import type { ClosingReason } from "../../generated/rules.ts";
import { amountOf, compareAmounts } from "../../lib/amount.ts";
import { money } from "../../lib/format.ts";
import type { Intent } from "../../lib/intent.ts";
import { CLOSING, choicesOf } from "../../lib/terms.ts";
import { confirm } from "../../ui/dialog.tsx";
import { ChoiceField, TextField, type Values } from "../../ui/form.tsx";
import { FormDialog, openWith } from "../../ui/form_dialog.tsx";
import { toast } from "../../ui/toast.tsx";
import { type ClaimWork, move } from "./claim_work.tsx";

interface Props {
  work: ClaimWork;
  onClose: () => void;
}

/** Records what the payer has paid. */
export const openRecovered = (work: ClaimWork): Promise<void> => openWith(RecoveredDialog, { work });

function RecoveredDialog({ work, onClose }: Props) {
  const { practice, denied_amount: denied, billed_amount: billed } = work.of;
  const record = async (values: Values, intent: Intent): Promise<boolean> => {
    const amount = amountOf(values.text("amount_recovered")) ?? "";
    const text = `${practice.name} sees the claim as recovered with ${money(amount)}${partOf(amount, denied ?? billed)}. Its webhooks get a message.`;
    if (!(await confirm({ title: `Record ${money(amount)} as recovered?`, text, action: "Record it" }))) return false;
    await work.change((version) => move(work.path, { status: "recovered", amount_recovered: amount }, version, intent));
    toast(`${money(amount)} recovered.`);
    return true;
  };
  const check = (values: Values) => {
    const amount = amountOf(values.text("amount_recovered"));
    const isPositive = amount !== undefined && compareAmounts(amount, "0.00") > 0;
    return isPositive ? {} : { amount_recovered: "must be an amount in dollars, such as 80.00" };
  };
  const lead = `${denied ? `${money(denied)} was denied.` : `${money(billed)} was billed.`} Enter all that the payer has paid for this claim so far, also if it is only a part.${work.of.signing_link ? " The signing link stops working." : ""}`;
  return (
    <FormDialog title="Recovered" submit="Continue" act={record} {...{ lead, check, onClose }}>
      <TextField name="amount_recovered" label="Amount recovered" inputMode="decimal" autocomplete="off" required autofocus />
    </FormDialog>
  );
}

function partOf(amount: string, wanted: string | null): string {
  if (wanted === null) return "";
  const by = compareAmounts(amount, wanted);
  if (by === 0) return ", which is all of it";
  return by < 0 ? `, a part of ${money(wanted)}` : `, more than the ${money(wanted)} in question`;
}

/** Ends the appeal of a claim without a payment. */
export const openClosed = (work: ClaimWork): Promise<void> => openWith(ClosedDialog, { work });

function ClosedDialog({ work, onClose }: Props) {
  const close = async (values: Values, intent: Intent): Promise<void> => {
    const reason = values.text("reason") as ClosingReason;
    await work.change((version) => move(work.path, { status: "closed", reason }, version, intent));
    toast("The claim was closed.");
  };
  const lead = `${work.of.practice.name} sees the claim as closed, with this reason. Its webhooks get a message, and a signing link stops working. You can appeal again later.`;
  return (
    <FormDialog title="Close the claim" submit="Close the claim" look="danger" act={close} {...{ lead, onClose }}>
      <ChoiceField kind="radio" name="reason" label="Why" choices={choicesOf(CLOSING)} required />
    </FormDialog>
  );
}
