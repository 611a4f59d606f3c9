import type { Answer } from "../../lib/api.ts";
import { addDays, ago, bytes, date, DOCUMENT, plural, time } from "../../lib/index.ts";
import type { DocumentState } from "../../generated/rules.ts";
import { type Column, EndAction, Table } from "../../ui/index.ts";
import { DownloadButton } from "./attached.tsx";

type Document = Answer<"/api/v1/documents", "get">["documents"][number];
type Settings = Answer<"/api/v1/settings/documents", "get">;

const STATES: Readonly<Record<DocumentState, string>> = {
  available: "Checked for viruses",
  quarantined: "Waiting for the virus scan",
  infected: "Removed: the virus scan found something",
  deleted: "Deleted",
};

interface Props {
  of: readonly Document[];
  settings: Settings | undefined;
  onDeleted: () => void;
}

export function Documents({ of, settings, onDeleted }: Props) {
  const columns: readonly Column<Document>[] = [
    { head: "Name", cell: ({ name }) => <span class="file-name">{name ?? "Removed document"}</span> },
    { head: "Kind", cell: ({ kind }) => DOCUMENT[kind] },
    {
      head: "Claim",
      cell: ({ claim_id, claim_number }) => (claim_id ? <a href={`/claims/${claim_id}`}>{claim_number ?? "Open the claim"}</a> : "–"),
      isShort: true,
    },
    {
      head: "Uploaded",
      cell: ({ uploaded_at, uploaded_by }) => (
        <>
          <time dateTime={uploaded_at} title={time(uploaded_at)}>
            {ago(uploaded_at)}
          </time>
          <span class="under">{uploaded_by === "staff" ? "by our staff" : "by your practice"}</span>
        </>
      ),
      isShort: true,
    },
    { head: "State", cell: ({ state }) => (state === "available" ? STATES[state] : <span class="tag warn">{STATES[state]}</span>) },
    { head: "Size", cell: ({ size }) => bytes(size), isNumber: true, isShort: true },
    {
      head: "Actions",
      cell: (one) => (
        <span class="row-actions">
          {one.may.includes("download") && <DownloadButton of={one} />}
          {one.may.includes("delete") && <DeleteButton of={one} settings={settings} onDeleted={onDeleted} />}
        </span>
      ),
    },
  ];
  return <Table caption="Documents" columns={columns} rows={of} id={({ id }) => id} />;
}

function DeleteButton({ of, settings, onDeleted }: { of: Document; settings: Settings | undefined; onDeleted: () => void }) {
  const text = (
    <>
      <p>
        <strong>{of.name}</strong> is then gone for you and for our staff, and cannot be brought back.
      </p>
      <p>{otherwise(of, settings)}</p>
    </>
  );
  return (
    <EndAction
      label="Delete"
      of={of.name}
      look="quiet"
      title="Delete the document?"
      text={text}
      action="Delete the document"
      path="/api/v1/documents/{id}"
      id={of.id}
      said="The document is deleted."
      then={onDeleted}
    />
  );
}

/** A number of days, as years if they are whole ones. */
export function span(days: number): string {
  const years = Math.round(days / 365.25);
  return Math.abs(days - years * 365.25) < 1 ? plural(years, "year") : plural(days, "day");
}

/** Until when the document would stay. */
function otherwise({ claim_id, uploaded_at }: Document, settings: Settings | undefined): string {
  if (!settings) return "Without this, we delete it once the practice's time for keeping documents is over.";
  const days = settings.retention_days;
  if (claim_id) return `If you leave it, we keep it for ${span(days)} after its claim is recovered or closed.`;
  return `If you leave it, we keep it until ${date(addDays(uploaded_at, days))}, and delete it then.`;
}
