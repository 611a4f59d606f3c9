import { useSignal } from "@preact/signals";
import { useEffect, useId, useRef } from "preact/hooks";
import { plural, save, today } from "../../lib/index.ts";
import { Button, Paged, Section } from "../../ui/index.ts";
import type { MissingBirth, Outcome } from "../../worker/messages.ts";
import { birthDay, readTemplate } from "./births.ts";
import { FileButton } from "./file_button.tsx";
import type { Run } from "./run.ts";

const MOST_BYTES = 50_000_000;

const isWrong = (typed: string): boolean => typed.trim() !== "" && birthDay(typed, today()) === undefined;

/** A field for each patient without a date of birth, and the same as a file for a spreadsheet. */
export function MissingBirths({ run, result, onUse }: { run: Run; result: Outcome; onUse: () => void }) {
  const said = useSignal("");
  const box = useRef<HTMLFormElement>(null);
  const patients = [...run.patients.value.values()];
  const typed = run.births.value;
  const isChecked = useSignal(false);
  // Patients with a wrong date come first, so that they need not be looked for.
  const first = useSignal<ReadonlySet<string>>(new Set());
  const order = [...patients.filter(({ key }) => first.value.has(key)), ...patients.filter(({ key }) => !first.value.has(key))];
  const tries = useSignal(0);
  useEffect(() => {
    if (tries.value > 0) box.current?.querySelector<HTMLElement>("[aria-invalid], input")?.focus();
  }, [tries.value]);
  if (patients.length === 0) return null;
  const open = result.missing_births.length;
  const submit = (): void => {
    isChecked.value = true;
    const wrong = patients.filter(({ key }) => isWrong(typed.get(key) ?? ""));
    const filled = patients.filter(({ key }) => birthDay(typed.get(key) ?? "", today()) !== undefined);
    if (wrong.length === 0 && filled.length > 0) {
      said.value = "";
      onUse();
      return;
    }
    first.value = new Set(wrong.map(({ key }) => key));
    said.value = wrong.length === 0 ? "Enter at least one date." : `Correct ${plural(wrong.length, "date")}.`;
    tries.value += 1;
  };
  const upload = async (file: File | undefined): Promise<void> => {
    const text = file && file.size < MOST_BYTES ? await file.text().catch(() => "") : "";
    const dates = readTemplate(text);
    const ours = [...(dates ?? [])].filter(([key]) => run.patients.value.has(key));
    said.value = dates
      ? `${plural(ours.length, "date")} taken from the file. Press “Use these dates”.`
      : "This is not the spreadsheet: it must be CSV with the columns key and date_of_birth.";
    run.enter(ours);
    isChecked.value = true;
  };
  return (
    <Section title="Dates of birth">
      <p>
        {open > 0
          ? `${plural(open, "patient lacks", "patients lack")} a date of birth, because no claim file (837) has it. Fill it in here or in a spreadsheet.`
          : "None is missing now. You can still correct what you entered."}
      </p>
      <div class="bar">
        <Button onClick={() => save("births.csv", `\uFEFF${result.births_template}`, "text/csv;charset=utf-8")}>Download as a spreadsheet (CSV)</Button>
        <FileButton label="Upload the filled-in file" onChoose={([file]) => void upload(file)} />
      </div>
      <form
        noValidate
        ref={box}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Paged key={[...first.value].join()} rows={order} label="dates of birth" size={20}>
          {(shown) => (
            <ul class="births">
              {shown.map((patient) => (
                <Birth key={patient.key} of={patient} run={run} isChecked={isChecked.value} />
              ))}
            </ul>
          )}
        </Paged>
        <div class="form-actions">
          <Button type="submit">Use these dates</Button>
          <span role="status">{said.value}</span>
        </div>
      </form>
    </Section>
  );
}

function Birth({ of, run, isChecked }: { of: MissingBirth; run: Run; isChecked: boolean }) {
  const id = useId();
  const typed = run.births.value.get(of.key) ?? "";
  // Not when the field is left: the button would move away from under the pointer that presses it.
  const hasError = isChecked && isWrong(typed);
  return (
    <li class="field" tabIndex={-1}>
      <label for={id}>
        {of.last_name}, {of.first_name}
      </label>
      <span class="hint" id={`${id}-hint`}>
        {of.member_id && `Member ${of.member_id}, `}claim {of.claim_number}
      </span>
      <input
        id={id}
        type="text"
        autocomplete="off"
        spellcheck={false}
        placeholder="M/D/YYYY"
        value={typed}
        aria-invalid={hasError || undefined}
        aria-describedby={hasError ? `${id}-hint ${id}-error` : `${id}-hint`}
        onInput={({ currentTarget }) => run.enter([[of.key, currentTarget.value]])}
      />
      {hasError && (
        <span class="field-error" id={`${id}-error`}>
          Enter a date that is not in the future, such as 6/2/1984 or 1984-06-02.
        </span>
      )}
    </li>
  );
}
