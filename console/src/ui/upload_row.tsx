import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { bytes } from "../lib/index.ts";
import { Button } from "./button.tsx";
import { FileName } from "./file_name.tsx";
import type { Stage, Upload } from "./uploads.ts";

const WORDS: Readonly<Record<Stage, string>> = {
  ready: "Not uploaded yet",
  queued: "Waits for its turn",
  sending: "Uploading",
  checking: "Checking for viruses",
  paused: "Waits a moment. It goes on by itself.",
  lost: "Not uploaded",
  stored: "Uploaded",
  failed: "Not uploaded",
  canceled: "Canceled. If it was already stored, it is in the list below.",
};

/** One chosen file, with how far it is and what can be done. */
export function UploadRow({ of }: { of: Upload }) {
  const { file, sent, why } = of;
  const stage = of.stage.value;
  const row = useRef<HTMLLIElement>(null);
  const isMoving = ["queued", "sending", "checking", "paused"].includes(stage);
  // The pressed button goes away with its row, or turns into another one.
  const then = (act: () => void) => (): void => {
    const next = (row.current?.nextElementSibling ?? row.current?.previousElementSibling) as HTMLElement | null;
    act();
    (row.current?.isConnected && !of.isOver ? row.current : (next ?? document.querySelector<HTMLElement>(".drop-zone input")))?.focus();
  };
  return (
    <li ref={row} tabIndex={-1}>
      <FileName name={file.name} size={file.size || undefined} />
      <span class="actions">
        {stage === "ready" && <Act name={file.name} text="Remove" run={then(() => of.remove())} />}
        {isMoving && <Act name={file.name} text="Cancel" run={then(() => of.cancel())} />}
        {stage === "lost" && <Act name={file.name} text="Try again" run={() => of.retry()} />}
        {stage === "lost" && <Act name={file.name} text="Remove" run={then(() => of.remove())} />}
      </span>
      {(stage === "sending" || stage === "checking") && (
        <progress max={file.size} value={stage === "checking" ? undefined : sent.value} aria-label={`Upload of ${file.name}`} />
      )}
      <State stage={stage}>
        {WORDS[stage]}
        {stage === "sending" && ` (${bytes(sent.value)} of ${bytes(file.size)})`}
        {(stage === "lost" || stage === "failed") && `: ${why.value}`}
        {of.requestId.value && stage === "failed" && ` Request ${of.requestId.value}`}
      </State>
    </li>
  );
}

function State({ stage, children }: { stage: Stage; children: ComponentChildren }) {
  if (stage === "lost" || stage === "failed") {
    return (
      <span class="field-error" role="alert">
        {children}
      </span>
    );
  }
  return (
    <span class="file-state">
      {stage === "stored" ? <span class="tag good">{children}</span> : <span class="quiet-text">{children}</span>}
    </span>
  );
}

function Act({ name, text, run }: { name: string; text: string; run: () => void }) {
  return (
    <Button look="quiet" of={name} onClick={run}>
      {text}
    </Button>
  );
}
