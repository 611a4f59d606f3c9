import { useSignal } from "@preact/signals";
import { Button } from "./button.tsx";

export function Copy({ text, label = "Copy" }: { text: string; label?: string }) {
  const said = useSignal("");
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      said.value = "Copied";
    } catch {
      said.value = "Select the text and copy it by hand";
    }
  };
  return (
    <>
      <Button onClick={copy}>{label}</Button>
      <span role="status">{said}</span>
    </>
  );
}
