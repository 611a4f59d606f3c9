import { money, plural, whole } from "../../lib/index.ts";
import { FileName, Notice, Paged, PlainTable, Section, sentence } from "../../ui/index.ts";
import type { Counts, FileReport } from "../../worker/messages.ts";

type IsFound = (name: string) => boolean;

interface Props {
  files: readonly FileReport[];
  counts: Counts;
  /** True for the name of a file that was found in a folder. */
  isFound: IsFound;
}

/** True for a file of a folder that has neither remittances nor claims. */
const isOther = ({ state, name }: FileReport, isFound: IsFound): boolean => state === "other" && isFound(name);

type State = FileReport["state"];

/** What to do about a file that was not read to its end. */
const HELP: Readonly<Record<Exclude<State, "whole">, string>> = {
  unreadable: "Nothing of it is below. Download it again from where you got it, and add it again; if that does not help, ask the payer or your clearinghouse for a new one.",
  partial: "What stands before the break is below. Get the whole file from the payer or your clearinghouse, and add it in place of this one.",
  other: "Remove it if you chose it by mistake. If it should be a remittance, ask for it as an 835 file: a PDF or a spreadsheet cannot be read.",
};

/** The files of which most is missing come first. */
const FIRST: readonly State[] = ["unreadable", "partial", "other"];

/** The files of which something may be missing: cut off, damaged, unreadable, or chosen by name and of another kind. */
export const unread = (files: readonly FileReport[], isFound: IsFound): FileReport[] =>
  files
    .filter((file) => file.state !== "whole" && !isOther(file, isFound))
    .toSorted((one, other) => FIRST.indexOf(one.state) - FIRST.indexOf(other.state));

/** What is wrong with a file, and what to do about it. */
function Wrong({ of: { note, state } }: { of: FileReport }) {
  return (
    <>
      {note && sentence(note)} {state !== "whole" && HELP[state]}
    </>
  );
}

export function Unread({ files }: { files: readonly FileReport[] }) {
  if (files.length === 0) return null;
  return (
    <div class="notice bad" role="group" aria-label="Files that were not fully read">
      <p class="notice-title">{plural(files.length, "file was", "files were")} not fully read. Denials in {files.length === 1 ? "it" : "them"} may be missing below.</p>
      <Notes files={files} label="files that were not fully read" hasHelp />
    </div>
  );
}

/** Files with what must be known of them. */
function Notes({ files, label, hasHelp = false }: { files: readonly FileReport[]; label: string; hasHelp?: boolean }) {
  return (
    <Paged rows={files} label={label} size={10}>
      {(some) => (
        <ul>
          {some.map((file, n) => (
            <li key={`${file.name} ${n}`} tabIndex={-1}>
              <span class="file-name">{file.name}</span>: {hasHelp ? <Wrong of={file} /> : sentence(file.note ?? "")}
            </li>
          ))}
        </ul>
      )}
    </Paged>
  );
}

/** What each file had, first those that were not fully read. The other files of a folder are named with the reason. */
export function Files({ files, counts, isFound }: Props) {
  const problems = unread(files, isFound);
  const shown = [...problems, ...files.filter(({ state }) => state === "whole")];
  const others = files.filter((file) => isOther(file, isFound));
  return (
    <Section title="File by file" look="stack">
      {others.length > 0 && (
        <details class="card">
          <summary>{plural(others.length, "other file")} in the folders left out</summary>
          <Notes files={others} label="other files" />
        </details>
      )}
      {shown.length > 1 && (
        <details class="card">
          <summary>All files together</summary>
          <Tallies of={counts} />
        </details>
      )}
      <Paged rows={shown} label="files" size={10}>
        {(some) => (
          <ul class="lines">
            {some.map((file, n) => (
              <li key={`${file.name} ${n}`} tabIndex={-1}>
                <File of={file} isOpen={shown.length === 1} />
              </li>
            ))}
          </ul>
        )}
      </Paged>
    </Section>
  );
}

function File({ of, isOpen }: { of: FileReport; isOpen: boolean }) {
  const { name, note, warnings, counts, error } = of;
  return (
    <div class="card">
      <div class="bar spread">
        <FileName name={name} size={of.bytes} />
        {!note && <span class="tag good">Read</span>}
      </div>
      <p>{contents(of)}</p>
      {note && (
        <div class={error ? "notice bad" : "notice warn"}>
          <p>
            <Wrong of={of} />
          </p>
        </div>
      )}
      {warnings.length > 0 && (
        <Notice look="warn" title="Something looks wrong. It changes no claim.">
          <ul>
            {warnings.map(({ text, count, first_segment }) => (
              <li key={text}>
                {sentence(text).replace(/\.$/, "")}: {whole(count)}
                {first_segment !== null && `, first at segment ${whole(first_segment)}`}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {counts.claim_payments > 0 && (
        <details open={isOpen}>
          <summary>
            What became of its claims<span class="hidden">: {name}</span>
          </summary>
          <Tallies of={counts} />
        </details>
      )}
    </div>
  );
}

function contents({ remittances, counts: { claim_payments, submitted_claims } }: FileReport): string {
  const sent = `${plural(submitted_claims, "claim")} that you sent`;
  return remittances > 0 || submitted_claims === 0
    ? `${plural(remittances, "remittance")} with ${plural(claim_payments, "claim payment")}${submitted_claims > 0 ? `, ${sent}` : ""}.`
    : `${sent}.`;
}

function Tallies({ of: { written, held, skipped, out_of_balance } }: { of: Counts }) {
  const rows = [
    { text: "to send", ...written },
    { text: "held back", ...held },
    ...skipped,
    ...(out_of_balance > 0 ? [{ text: "out of balance (counted above as well)", count: out_of_balance, amount: null }] : []),
  ];
  return (
    <div class="plain-table">
      <PlainTable
        rows={rows}
        id={({ text }) => text}
        columns={[
          { head: "What", cell: ({ text }) => sentence(text).replace(/\.$/, "") },
          { head: "Claims", cell: ({ count }) => whole(count), isNumber: true },
          { head: "Amount", cell: ({ amount }) => (amount === null ? "" : money(amount)), isNumber: true },
        ]}
      />
    </div>
  );
}
