import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useId } from "preact/hooks";

interface Props {
  /** The kinds of files for the picker, such as `.pdf,.png`. Without it, the picker shows all. */
  accept?: string;
  /** Which files it takes. */
  hint: ComponentChildren;
  /** Files from the picker. */
  onChoose: (files: readonly File[]) => void;
  /** What was dropped, which may have folders. Read it at once: the browser empties it afterwards. */
  onDrop: (dropped: DataTransfer) => void;
}

/** The files that a person picked. The field is empty then, so that the same file can be chosen again. */
export function takeFiles(field: HTMLInputElement): readonly File[] {
  const files = [...(field.files ?? [])];
  field.value = "";
  return files;
}

export function DropZone({ accept, hint, onChoose, onDrop }: Props) {
  const id = useId();
  const isOver = useSignal(false);
  useEffect(() => {
    // A file that misses the zone would replace the page.
    const stop = (event: DragEvent): void => event.preventDefault();
    addEventListener("dragover", stop);
    addEventListener("drop", stop);
    return () => {
      removeEventListener("dragover", stop);
      removeEventListener("drop", stop);
    };
  }, []);
  const over = (is: boolean) => (event: DragEvent): void => {
    event.preventDefault();
    isOver.value = is;
  };
  return (
    <label
      class={isOver.value ? "drop-zone over" : "drop-zone"}
      for={id}
      onDragEnter={over(true)}
      onDragOver={over(true)}
      onDragLeave={over(false)}
      onDrop={(event) => {
        over(false)(event);
        if (event.dataTransfer) onDrop(event.dataTransfer);
      }}
    >
      <span>
        <strong>Choose files</strong> or drop them here
      </span>
      <span class="hint" id={`${id}-hint`}>
        {hint}
      </span>
      <input
        type="file"
        id={id}
        class="hidden"
        multiple
        accept={accept}
        aria-describedby={`${id}-hint`}
        onChange={({ currentTarget }) => onChoose(takeFiles(currentTarget))}
      />
    </label>
  );
}
