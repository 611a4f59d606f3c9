import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId, useMemo } from "preact/hooks";
import { Button } from "../../ui/index.ts";
import { FileButton } from "./file_button.tsx";
import type { Run, TextFile } from "./run.ts";

export function SettingsOf({ run }: { run: Run }) {
  const id = useId();
  const isOpen = useMemo(() => Boolean(run.payers.value ?? run.carcs.value ?? run.appendDay.value), []);
  return (
    <details open={isOpen}>
      <summary>More options</summary>
      <div class="stack">
        <TextFileField label="Plans of your payers" value={run.payers} onChange={() => run.change()}>
          A CSV file with the columns <code>payer_name</code> and <code>plan_type</code>. The plan decides the deadline of an
          appeal, and many remittances do not say it.
        </TextFileField>
        <TextFileField label="Meaning of adjustment codes" value={run.carcs} onChange={() => run.change()}>
          A CSV file with the columns <code>carc</code> and <code>class</code>, for payers that use a code in a way of their own.
        </TextFileField>
        <div class="field">
          <label class="check" for={id}>
            <input
              type="checkbox"
              id={id}
              aria-describedby={`${id}-hint`}
              checked={run.appendDay.value}
              onChange={({ currentTarget }) => {
                run.appendDay.value = currentTarget.checked;
                run.change();
              }}
            />
            Add the day of service to each claim number
          </label>
          <span class="hint" id={`${id}-hint`}>
            For practices that give a patient one number for all visits. Use it always or never: another number is another claim.
          </span>
        </div>
      </div>
    </details>
  );
}

interface TextFileProps {
  label: string;
  value: Signal<TextFile | undefined>;
  onChange: () => void;
  children: ComponentChildren;
}

const MOST_BYTES = 10_000_000;

function TextFileField({ label, value, onChange, children }: TextFileProps) {
  const isBad = useSignal(false);
  const read = async (file: File | undefined): Promise<void> => {
    const text = file && file.size < MOST_BYTES ? await file.text().catch(() => undefined) : undefined;
    isBad.value = text === undefined;
    if (file === undefined || text === undefined) return;
    value.value = { name: file.name, text };
    onChange();
  };
  const name = value.value?.name;
  return (
    <div class="field" role="group" aria-label={label}>
      <strong>{label}</strong>
      <span class="hint">{children}</span>
      <span class="bar">
        <FileButton label={`Choose a file: ${label.toLowerCase()}`} onChoose={([file]) => void read(file)} />
        <span role="status">{isBad.value ? "This file cannot be read." : name && `${name} is used.`}</span>
        {name && (
          <Button
            look="quiet"
            of={name}
            onClick={(event) => {
              (event.currentTarget.parentElement?.firstElementChild as HTMLElement).focus();
              value.value = undefined;
              onChange();
            }}
          >
            Remove
          </Button>
        )}
      </span>
    </div>
  );
}
