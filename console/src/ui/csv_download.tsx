import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { CsvPage } from "../lib/api.ts";
import { plural, save, today, useAction, withoutHead } from "../lib/index.ts";
import { Button } from "./button.tsx";
import { ProblemView } from "./problem.tsx";

/** What was read before a page failed. */
interface Begun {
  parts: string[];
  cursor: string | undefined;
}

interface Props {
  /** The name of the file without the date, such as "denials". */
  name: string;
  /** What a row is, such as "claim". */
  noun: string;
  /** What tells one list from another, such as its filters. Another list is another file. */
  of: string;
  /** Reads one page. */
  read: (cursor: string | undefined, signal: AbortSignal) => Promise<CsvPage>;
}

/** Downloads a whole list, page by page, for a spreadsheet. A retry goes on where a page failed. */
export function CsvDownload({ name, noun, of, read }: Props) {
  const rows = useSignal(0);
  const said = useSignal("");
  const begun = useRef<Begun | undefined>(undefined);
  const canceler = useRef<AbortController | undefined>(undefined);
  const forget = (): void => {
    canceler.current?.abort();
    begun.current = undefined;
    rows.value = 0;
  };
  useEffect(() => forget, [of]);
  const download = useAction(async () => {
    said.value = "";
    canceler.current = new AbortController();
    const { signal } = canceler.current;
    const file = (begun.current ??= { parts: [], cursor: undefined });
    do {
      const page = await read(file.cursor, signal);
      const { text, rows: more } = withoutHead(page.text, file.parts.length > 0);
      file.parts.push(text);
      file.cursor = page.next;
      rows.value += more;
    } while (file.cursor !== undefined);
    // Without the mark at its start, Excel would not read the file as UTF-8.
    save(`${name}-${today()}.csv`, new Blob(["\uFEFF", ...file.parts], { type: "text/csv;charset=utf-8" }));
    said.value = `${plural(rows.value, noun)} downloaded.`;
    begun.current = undefined;
    rows.value = 0;
  });
  return (
    <>
      <Button onClick={download.run} isBusy={download.isBusy}>
        Download as CSV
      </Button>
      {download.isBusy && (
        <Button look="quiet" of="the download" onClick={forget}>
          Cancel
        </Button>
      )}
      <span class="quiet-text" role="status">
        {download.isBusy ? `${plural(rows.value, noun)} so far…` : said}
      </span>
      {download.problem && (
        <div class="all-of-bar">
          <ProblemView problem={download.problem} onRetry={download.run} />
        </div>
      )}
    </>
  );
}
