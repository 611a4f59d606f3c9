import { money, plural, whole } from "../../lib/format.ts";
import { FileName } from "../../ui/file_name.tsx";
import { Paged } from "../../ui/paged.tsx";
import { PlainTable } from "../../ui/plain_table.tsx";
import { sentence } from "../../ui/problem.tsx";
import { Section } from "../../ui/section.tsx";
import type { Counts, FileReport } from "../../worker/messages.ts";

interface Props {
  files: readonly FileReport[];
  counts: Counts;
  /** True for the name of a file that was found in a folder. */
  isFound: (name: string) => boolean;
}

const hasAny = ({ remittances, submissions, cut_off }: FileReport): boolean => remittances > 0 || submissions > 0 || cut_off;

/** What each file had. Other files of a folder are only counted. */
export function Files({ files, counts, isFound }: Props) {
  const shown = files.filter((file) => hasAny(file) || !isFound(file.name));
  const others = files.length - shown.length;
  return (
    <Section title="File by file" look="stack">
      {others > 0 && <p>{plural(others, "other file")} in the folders had no remittances and no claims.</p>}
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
          <p>{sentence(note)}</p>
        </div>
      )}
      {warnings.length > 0 && (
        <div class="notice warn">
          <p class="notice-title">Something looks wrong. It changes no claim.</p>
          <ul>
            {warnings.map(({ text, count, first_segment }) => (
              <li key={text}>
                {sentence(text).replace(/\.$/, "")}: {whole(count)}
                {first_segment !== null && `, first at segment ${whole(first_segment)}`}
              </li>
            ))}
          </ul>
        </div>
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

/** Each count with its amount. */
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
