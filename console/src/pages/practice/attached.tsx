import { getFile } from "../../lib/api.ts";
import { save } from "../../lib/index.ts";
import { FileName, RowAction, Section } from "../../ui/index.ts";

interface File {
  id: string;
  name: string | null;
}

export function DownloadButton({ of: { id, name } }: { of: File }) {
  const download = async (): Promise<void> => save(name ?? "document", await getFile("/api/v1/documents/{id}/content", { path: { id } }));
  return <RowAction label="Download" of={name ?? "the document"} look="quiet" run={download} />;
}

interface Props {
  documents: readonly (File & { size: number })[];
  none: string;
}

export function Attached({ documents, none }: Props) {
  return (
    <Section title="Documents">
      {documents.length === 0 ? (
        <p class="quiet-text">{none}</p>
      ) : (
        <ul class="files">
          {documents.map((one) => (
            <li key={one.id}>
              <FileName name={one.name ?? "Removed document"} size={one.size} />
              {one.name !== null && <DownloadButton of={one} />}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
