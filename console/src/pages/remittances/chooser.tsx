import { useSignal } from "@preact/signals";
import { useId, useRef } from "preact/hooks";
import { bytes, plural } from "../../lib/index.ts";
import { Button, DropZone, FileName, Paged, Section } from "../../ui/index.ts";
import type { Chosen } from "../../worker/messages.ts";
import { dropped, picked } from "./dropped.ts";
import { FileButton } from "./file_button.tsx";
import type { Listed, Run } from "./run.ts";
import { SettingsOf } from "./settings.tsx";

const HINT =
  "Remittances (835), and the claim files (837) that you sent: they have the dates of birth. Names and endings do not matter.";

/** Chooses the files, and starts the run. */
export function Chooser({ run, onRead }: { run: Run; onRead: () => void }) {
  const said = useSignal("");
  const add = async (chosen: readonly Chosen[]): Promise<void> => {
    const added = await run.add(chosen);
    said.value = added > 0 ? `${plural(added, "file")} added.` : "No new file.";
  };
  const count = run.files.value.length;
  const isRead = run.result.value !== undefined && !run.isStale.value;
  return (
    <Section title="Files">
      <DropZone hint={HINT} onChoose={(files) => void add(picked(files))} onDrop={(transfer) => void dropped(transfer).then(add)} />
      <div class="bar">
        <FileButton label="Choose a folder" isFolder onChoose={(files) => void add(picked(files))} />
        <span class="quiet-text" role="status">
          {said.value}
        </span>
      </div>
      {count > 0 && <FileList run={run} />}
      <SettingsOf run={run} />
      {count > 0 && (
        <div class="form-actions">
          <Button look={isRead ? undefined : "primary"} onClick={onRead}>
            {run.result.value ? "Read the files again" : `Read ${plural(count, "file")}`}
          </Button>
          {run.isStale.value && <span class="quiet-text">What is below is not up to date.</span>}
        </div>
      )}
    </Section>
  );
}

function FileList({ run }: { run: Run }) {
  const id = useId();
  const list = useRef<HTMLUListElement>(null);
  const remove = (chosen: Listed, n: number) => (): void => {
    run.remove(chosen);
    // The pressed button goes away with its row.
    const rows = list.current?.querySelectorAll("li");
    (rows?.[n + 1] ?? rows?.[n - 1] ?? document.querySelector<HTMLElement>(".drop-zone input"))?.focus();
  };
  return (
    <>
      <p id={id}>
        {plural(run.files.value.length, "file")}, {bytes(run.size.value)}
      </p>
      <Paged rows={run.files.value} label="chosen files" size={10}>
        {(shown) => (
          <ul class="files" ref={list} aria-labelledby={id}>
            {shown.map((chosen, n) => (
              <li key={chosen.id} tabIndex={-1}>
                <FileName name={chosen.name} size={chosen.file.size} />
                <Button look="quiet" of={chosen.name} onClick={remove(chosen, n)}>
                  Remove
                </Button>
              </li>
            ))}
          </ul>
        )}
      </Paged>
    </>
  );
}
