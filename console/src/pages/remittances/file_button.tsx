import { useRef } from "preact/hooks";
import { Button, takeFiles } from "../../ui/index.ts";

interface Props {
  label: string;
  /** Opens the picker for a folder with everything in it. */
  isFolder?: boolean;
  onChoose: (files: readonly File[]) => void;
}

export function FileButton({ label, isFolder = false, onChoose }: Props) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button onClick={() => input.current?.click()}>{label}</Button>
      <input
        type="file"
        ref={input}
        hidden
        aria-label={label}
        {...{ webkitdirectory: isFolder }}
        onChange={({ currentTarget }) => onChoose(takeFiles(currentTarget))}
      />
    </>
  );
}
