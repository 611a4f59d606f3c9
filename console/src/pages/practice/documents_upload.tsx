import { useEffect } from "preact/hooks";
import { limits } from "../../generated/rules.ts";
import { upload } from "../../lib/api.ts";
import { choicesOf, DOCUMENT, findClaim, isLeaving, plural, Problem } from "../../lib/index.ts";
import { ChosenFiles, Form, formOf, Section, SelectField, TextField, Uploads, useForm } from "../../ui/index.ts";

/** The uploads of this tab. They go on while the person looks at other screens. */
const uploads = new Uploads();
const { ready, running, stored } = uploads;

addEventListener("online", () => uploads.resume());
// Closing the tab would stop the uploads.
addEventListener("beforeunload", (event) => {
  if (running.value.length > 0 && !isLeaving) event.preventDefault();
});

interface Props {
  /** The claim that the person came from. */
  claimId: string | undefined;
  /** Some files were stored, so the list has changed. */
  onStored: () => void;
}

/** Chooses files, says what they are, and uploads them. */
export function UploadForm({ claimId, onStored }: Props) {
  const form = useForm(async (values) => {
    const claim = claimId ?? (await claimOf(values.text("claim_number")));
    const kind = values.text("kind");
    for (const one of ready.value) one.act = (how) => upload("/api/v1/documents", { form: formOf(one.file, { kind, claim_id: claim }), ...how });
    uploads.queue(...ready.value);
  });
  const count = ready.value.length;
  const isIdle = running.value.length === 0;
  const done = stored.value.length;
  useEffect(() => {
    if (isIdle && done > 0) onStored();
  }, [isIdle, done]);
  return (
    <Section title="Upload documents">
      <ChosenFiles of={uploads} />
      {count > 0 && (
        <Form of={form} submit={`Upload ${plural(count, "file")}`}>
          <SelectField name="kind" label="Kind of document" choices={choicesOf(DOCUMENT)} required />
          {claimId ? (
            <p>
              {count === 1 ? "It goes" : "They go"} to <a href={`/claims/${claimId}`}>the claim that you came from</a>.
            </p>
          ) : (
            <TextField
              name="claim_number"
              label="Claim number"
              hint="Exactly as your billing system sent it. Leave it empty if the files are not about one claim."
              maxLength={limits.claimNumber}
              autocomplete="off"
              spellcheck={false}
            />
          )}
        </Form>
      )}
    </Section>
  );
}

/** The claim with an entered number. A wrong number is said at its field, and the chosen files stay. */
async function claimOf(number: string): Promise<string | undefined> {
  if (number === "") return undefined;
  const id = await findClaim(number);
  if (id !== undefined) return id;
  const fields = [{ field: "claim_number", message: "is not the number of a claim of your practice" }];
  throw new Problem({ status: 422, code: "validation_failed", detail: "", fields });
}
