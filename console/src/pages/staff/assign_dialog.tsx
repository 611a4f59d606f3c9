import { plural, user } from "../../lib/index.ts";
import { Dialog, DialogEnd, FormDialog, openDialog, SelectField, Show } from "../../ui/index.ts";
import { type Named, useColleagues } from "./names.ts";

interface Question {
  claims: number;
  /** A claim among them was not reviewed yet. */
  isNew: boolean;
  /** Who has all of them already, and is not offered. */
  holder: string | undefined;
}

/** Asks which colleague gets claims. Resolves to `undefined` if the person cancels. */
export function askColleague(question: Question): Promise<Named | undefined> {
  return openDialog<Named | undefined>((close) => <AssignDialog {...question} onClose={close} />);
}

function AssignDialog({ claims, isNew, holder, onClose }: Question & { onClose: (to?: Named) => void }) {
  const loaded = useColleagues();
  const title = claims === 1 ? "Give the claim to a colleague" : `Give ${plural(claims, "claim")} to a colleague`;
  const others = loaded.data?.filter(({ id }) => id !== user.peek()?.id && id !== holder) ?? [];
  if (others.length === 0) {
    return (
      <Dialog title={title} onCancel={() => onClose()}>
        <Show of={loaded}>{() => <p>There is no other colleague who works on claims.</p>}</Show>
        <DialogEnd onClose={() => onClose()} />
      </Dialog>
    );
  }
  const review = isNew ? " A claim that nobody has reviewed moves to “In review”: its practice sees that, and its webhooks get a message." : "";
  return (
    <FormDialog<Named | undefined>
      title={title}
      lead={`Your colleague finds ${claims === 1 ? "it" : "them"} in the queue under “Taken by me”. Nobody gets an email.${review}`}
      submit={claims === 1 ? "Give the claim" : "Give the claims"}
      act={async (values) => others.find(({ id }) => id === values.text("user_id"))}
      onClose={onClose}
    >
      <SelectField name="user_id" label="Colleague" choices={others.map(({ id, name }) => [id, name])} required />
    </FormDialog>
  );
}
