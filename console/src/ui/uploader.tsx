import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { DocumentKind } from "../generated/rules.ts";
import { choicesOf, DOCUMENT } from "../lib/index.ts";
import { ChosenFiles } from "./chosen_files.tsx";
import { Select } from "./select.tsx";
import { type Sending, Uploads } from "./uploads.ts";

interface Props {
  send: (file: File, kind: DocumentKind, how: Sending) => Promise<void>;
  onEnd: () => void;
}

/** Uploads files of one kind as soon as they are chosen. */
export function Uploader({ send, onEnd }: Props) {
  const uploads = useRef(new Uploads()).current;
  const kind = useSignal<DocumentKind>("other");
  const latest = useRef({ send, onEnd });
  latest.current = { send, onEnd };
  const chosen = uploads.ready.value;
  useEffect(() => {
    const sort = kind.peek();
    for (const one of chosen) one.act = async (how) => (await latest.current.send(one.file, sort, how), latest.current.onEnd());
    if (chosen.length > 0) uploads.queue(...chosen);
  }, [chosen]);
  return (
    <div class="uploader">
      <Select
        label="Kind of document"
        choices={choicesOf(DOCUMENT)}
        value={kind.value}
        onChoose={(chosen) => (kind.value = chosen as DocumentKind)}
      />
      <ChosenFiles of={uploads} />
    </div>
  );
}
