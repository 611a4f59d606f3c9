import { limits } from "../generated/rules.ts";
import { plural } from "../lib/index.ts";
import { Button } from "./button.tsx";
import { DropZone } from "./drop_zone.tsx";
import { UploadRow } from "./upload_row.tsx";
import { mebibytes, type Uploads } from "./uploads.ts";

/** The kinds by content, for the file picker. The service looks at the content itself. */
const ACCEPT = ".pdf,.tif,.tiff,.png,.jpg,.jpeg,.heic,.txt,.docx,.835,.837,.edi,.x12";

interface Props {
  of: Uploads;
}

/** A place to choose files or to drop them on, and the chosen files with their states. */
export function ChosenFiles({ of }: Props) {
  return (
    <>
      <DropZone accept={ACCEPT} hint={HINT} onChoose={(files) => of.add(files)} onDrop={(dropped) => take(of, dropped)} />
      <Files of={of} />
    </>
  );
}

function Files({ of: uploads }: Props) {
  const { running, stored } = uploads;
  const all = uploads.all.value;
  if (all.length === 0) return null;
  const over = all.filter((one) => one.isOver).length;
  return (
    <>
      <div class="bar spread">
        <span role="status">
          {running.value.length > 0
            ? `${plural(running.value.length, "file")} on the way. You can look at other pages, but keep this tab open.`
            : stored.value.length > 0 && `${plural(stored.value.length, "file")} uploaded.`}
        </span>
        {over > 0 && (
          <Button look="quiet" onClick={() => uploads.tidy()}>
            Clear what is finished
          </Button>
        )}
      </div>
      <ul class="files" aria-label="Chosen files">
        {all.map((one) => (
          <UploadRow key={one.id} of={one} />
        ))}
      </ul>
    </>
  );
}

const HINT = `PDF, pictures (TIFF, PNG, JPEG, HEIC), Word (DOCX), plain text and remittance files (835). At most ${mebibytes(limits.fileSize)} each. Not: archives, files with a password, files with macros.`;

function take(uploads: Uploads, dropped: DataTransfer): void {
  const items = [...dropped.items].filter(({ kind }) => kind === "file");
  const isFolder = (item: DataTransferItem): boolean => item.webkitGetAsEntry()?.isDirectory ?? false;
  const files = items.filter((item) => !isFolder(item)).flatMap((item) => item.getAsFile() ?? []);
  uploads.add(
    files,
    items.filter(isFolder).map((item) => item.webkitGetAsEntry()?.name ?? "Folder"),
  );
}
