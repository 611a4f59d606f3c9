import { limits } from "../../generated/rules.ts";
import { type Answer, get } from "../../lib/api.ts";
import { date, type Intent, LEVEL, money, plural, useLoad } from "../../lib/index.ts";
import {
  Button, type Choice, ChoiceField, choiceOf, Dialog, FormDialog, openWith, Show, toast, type Values,
} from "../../ui/index.ts";
import { move } from "./claim_moves.ts";
import type { Claim, ClaimWork } from "./claim_work.tsx";
import { openCase, relatedOf } from "./report_or_case_dialogs.tsx";

type ListedCase = Answer<"/api/v1/staff/practices/{practice}/cases", "get">["cases"][number];

/** The cases of the same patient and payer. The service refuses any other. */
async function casesOf({ path, of }: ClaimWork, signal: AbortSignal): Promise<ListedCase[]> {
  const claims = [of, ...(await relatedOf(path, signal))];
  // One claim of each case is enough to find it.
  const members = new Map(claims.flatMap(({ id, case_id }) => (case_id === null ? [] : [[case_id, id] as const])));
  const read = (claim_id: string) =>
    get("/api/v1/staff/practices/{practice}/cases", { path: { practice: path.practice }, query: { limit: limits.page, claim_id }, signal });
  const lists = await Promise.all([...members.values()].map(read));
  const found = new Map(lists.flatMap(({ cases }) => cases).map((one) => [one.id, one]));
  return [...found.values()].filter(({ id }) => members.has(id));
}

/** Puts a claim into a case that is open already, for the first time or again. */
export const openJoin = (work: ClaimWork): Promise<void> => openWith(JoinDialog, { work });

/** A case takes a claim only before its level is filed, unless the claim was in the case before. */
const takes = ({ case_id }: Claim) => ({ id, level }: ListedCase): boolean => id === case_id || (!level.filed_on && !level.outcome);

function JoinDialog({ work, onClose }: { work: ClaimWork; onClose: () => void }) {
  const { status, amount_recovered: recovered } = work.of;
  const isRecovered = status === "recovered";
  const title = isRecovered || status === "closed" ? "Appeal again" : "Join an open case";
  const cases = useLoad((signal) => casesOf(work, signal), []);
  const fitting = cases.data?.filter(takes(work.of)) ?? [];
  if (fitting.length === 0) {
    const instead = (): void => {
      onClose();
      void openCase(work);
    };
    return (
      <Dialog title={title} onCancel={onClose}>
        <Show of={cases}>
          {(all) => (
            <p>
              {all.length === 0
                ? "There is no case of this patient and payer yet."
                : "The level of the case of this patient and payer is filed already, so this claim needs a case of its own."}
            </p>
          )}
        </Show>
        <div class="dialog-actions">
          {cases.data && work.may("open_case") && (
            <Button look="primary" onClick={instead}>
              Open a case instead
            </Button>
          )}
          <Button onClick={onClose}>Close</Button>
        </div>
      </Dialog>
    );
  }
  const join = async (values: Values, intent: Intent): Promise<void> => {
    const stands = values.text("stands");
    const body = {
      status: "in_appeal" as const,
      case_id: values.text("case_id"),
      ...(isRecovered && { amount_stands: stands === "" ? null : stands === "yes" }),
    };
    await work.change((version) => move(work.path, body, version, intent));
    toast("The claim is in appeal.");
  };
  return (
    <FormDialog
      title={title}
      lead="The practice sees the claim as “In appeal”, and its webhooks get a message. The claim is then due with the case’s level, or earlier if its own deadline is earlier."
      submit="Move to “In appeal”"
      act={join}
      onClose={onClose}
    >
      <ChoiceField
        kind="radio"
        name="case_id"
        label="Case"
        choices={fitting.map(caseChoice)}
        value={fitting.length === 1 ? fitting.map(({ id }) => id) : []}
        required
      />
      {isRecovered && (
        <ChoiceField
          kind="radio"
          name="stands"
          label={`Did the payer pay ${money(recovered)}?`}
          choices={[
            ["yes", "Yes. The amount stays, and the appeal goes on"],
            ["no", "No. The amount was wrong and is removed"],
          ]}
          required
        />
      )}
    </FormDialog>
  );
}

function caseChoice({ id, payer_name, opened_at, level, claims }: ListedCase): Choice {
  const state = level.filed_on ? `filed ${date(level.filed_on)}` : `due ${date(level.due_on)}`;
  return choiceOf(id, `${payer_name}, level ${level.level}: ${LEVEL[level.kind]}`, `Opened ${date(opened_at)}, ${plural(claims, "claim")}, ${state}`);
}
