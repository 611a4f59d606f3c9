// Finding the claims of a patient by name and date of birth. What was typed is in the memory of this tab only, and in no
// address. Each search is recorded.

import { signal } from "@preact/signals";
import { limits } from "../../generated/rules.ts";
import { type Answer, type Body, post } from "../../lib/api.ts";
import { today } from "../../lib/index.ts";
import { FormDialog, openWith, SelectField, TextField } from "../../ui/index.ts";
import { usePractices } from "./names.ts";

export type Found = Answer<"/api/v1/staff/patients/search", "post">;

/** The patient whose claims the queue shows now. */
export interface PatientSearch {
  /** The filters of the queue under which it was made. With others, the queue is shown again. */
  at: string;
  /** When it was made. The same search made again is another list. */
  made: number;
  asked: Body<"/api/v1/staff/patients/search", "post">;
  /** The first answer, until the queue has shown it. */
  found?: Found | undefined;
}

export const patientSearch = signal<PatientSearch | undefined>(undefined);

export async function claimsOfPatient(search: PatientSearch, abort: AbortSignal): Promise<Found> {
  const { found, asked } = search;
  if (!found) return post("/api/v1/staff/patients/search", { body: asked, signal: abort });
  search.found = undefined;
  return found;
}

/** Asks for the patient. Once one was found, `onFound` shows the claims. */
export const openFindPatient = (at: string, onFound: () => void): Promise<void> => openWith(FindPatient, { at, onFound });

function FindPatient({ at, onFound, onClose }: { at: string; onFound: () => void; onClose: () => void }) {
  const practices = usePractices(true);
  return (
    <FormDialog
      title="Find a patient"
      lead="We look for the exact name and date of birth. The search is recorded in your own trail, and each claim that it finds in the trail of its practice."
      submit="Find"
      act={async (values) => {
        const asked = {
          first_name: values.text("first_name"),
          last_name: values.text("last_name"),
          date_of_birth: values.text("date_of_birth"),
          practice_id: values.textOrNull("practice_id"),
        };
        const found = await post("/api/v1/staff/patients/search", { body: asked });
        patientSearch.value = { at, made: Date.now(), asked, found };
        onFound();
      }}
      onClose={() => onClose()}
    >
      <TextField name="first_name" label="First name" maxLength={limits.patientName} autocomplete="off" spellcheck={false} required autofocus />
      <TextField name="last_name" label="Last name" maxLength={limits.patientName} autocomplete="off" spellcheck={false} required />
      <TextField name="date_of_birth" label="Date of birth" type="date" max={today()} autocomplete="off" required />
      <SelectField
        name="practice_id"
        label="Practice"
        choices={[["", "All practices"], ...practices.map(({ id, name }) => [id, name] as const)]}
        value=""
      />
    </FormDialog>
  );
}
