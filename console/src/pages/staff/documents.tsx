// The documents of a claim, a case or a report. Their names can name the patient, so lists leave them out.

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { type DocumentKind, limits } from "../../generated/rules.ts";
import { type Answer, del, get, getFile, post, upload } from "../../lib/api.ts";
import { bytes, DOCUMENT, type Intent, save, time, useAction, useLoad } from "../../lib/index.ts";
import {
  Button, confirm, formOf, ProblemView, Section, Select, type Sending, Show, toast, Uploader,
} from "../../ui/index.ts";
import { lastClaim } from "./back.tsx";

type Stored = Answer<"/api/v1/documents", "post">;
type Document = Answer<"/api/v1/staff/practices/{practice}/documents", "get">["documents"][number];

interface Props {
  practice: string;
  /** The claims whose documents are shown. */
  claims: readonly { id: string; claim_number: string }[];
  /** The case or the report that documents can be attached to. */
  of?: { kind: "case" | "report"; id: string };
}

/** The documents of the claim, or those of the case or report and of its claims. */
async function read({ practice, claims, of }: Props, signal: AbortSignal): Promise<Document[]> {
  const only = of ? { [`${of.kind}_id`]: of.id } : { claim_id: claims[0]?.id };
  const found: Document[] = [];
  let cursor: string | undefined;
  do {
    const query = { limit: limits.page, ...only, cursor };
    const answer = await get("/api/v1/staff/practices/{practice}/documents", { path: { practice }, query, signal });
    found.push(...answer.documents);
    cursor = answer.next_cursor ?? undefined;
  } while (cursor);
  return found;
}

function isUsed({ cases, reports }: Document, of: Props["of"]): boolean {
  return of !== undefined && (of.kind === "case" ? cases : reports).includes(of.id);
}

export function Documents(props: Props) {
  const { practice, claims, of } = props;
  const loaded = useLoad((signal) => read(props, signal), [practice, of?.id, claims.map(({ id }) => id).join()]);
  const chosen = useSignal(claims.find(({ id: one }) => one === lastClaim.id || claims.length === 1)?.id ?? "");
  // A try after a failed attaching has stored the file already.
  const stored = useRef(new WeakMap<File, Stored>()).current;
  const send = async (file: File, kind: DocumentKind, how: Sending): Promise<void> => {
    const document = stored.get(file) ?? (await store(file, kind, how));
    if (!of || document.state !== "available") return;
    stored.set(file, document);
    await attach(practice, of, document.id, how.intent).catch((problem: unknown) => {
      loaded.reload();
      throw problem;
    });
  };
  const store = (file: File, kind: DocumentKind, how: Sending): Promise<Stored> =>
    upload("/api/v1/documents", { form: formOf(file, { practice_id: practice, claim_id: chosen.peek(), kind }), ...how });
  return (
    <Section title="Documents">
      <Show of={loaded}>
        {(documents) =>
          documents.length === 0 ? (
            <p class="quiet-text">No documents yet.</p>
          ) : (
            <ul class="documents">
              {documents.map((one) => (
                <Item key={one.id} document={one} onChange={loaded.reload} {...props} />
              ))}
            </ul>
          )
        }
      </Show>
      <div class="stack tight no-print">
        {claims.length > 1 && (
          <Select
            label="New documents belong to"
            choices={[...claims.map((claim) => [claim.id, claim.claim_number] as const), ["", "No single claim"]]}
            value={chosen.value}
            onChoose={(one) => (chosen.value = one)}
          />
        )}
        <Uploader send={send} onEnd={loaded.reload} />
        <p class="quiet-text">Lists leave file names out, because they can name the patient. The practice sees {of ? `what is attached to the ${of.kind}` : "the documents of its claims"}.</p>
      </div>
    </Section>
  );
}

type Use = NonNullable<Props["of"]>;

function attach(practice: string, { kind, id }: Use, document_id: string, intent: Intent): Promise<unknown> {
  const options = { path: { practice, id }, body: { document_id }, intent };
  return kind === "case"
    ? post("/api/v1/staff/practices/{practice}/cases/{id}/documents", options)
    : post("/api/v1/staff/practices/{practice}/reports/{id}/documents", options);
}

function detach(practice: string, { kind, id }: Use, document: string, intent: Intent): Promise<unknown> {
  const options = { path: { practice, id, document }, intent };
  return kind === "case"
    ? del("/api/v1/staff/practices/{practice}/cases/{id}/documents/{document}", options)
    : del("/api/v1/staff/practices/{practice}/reports/{id}/documents/{document}", options);
}

function Item({ document, practice, of, claims, onChange }: Props & { document: Document; onChange: () => void }) {
  const { id, state, size } = document;
  const isAttached = isUsed(document, of);
  const name = DOCUMENT[document.kind];
  const path = { practice, id };
  const acts = {
    async Download() {
      save(fileName(document), await getFile("/api/v1/staff/practices/{practice}/documents/{id}/content", { path }));
    },
    async Attach(intent: Intent) {
      if (of) await attach(practice, of, id, intent);
      toast("The practice sees the document now.");
      onChange();
    },
    async Detach(intent: Intent) {
      if (of) await detach(practice, of, id, intent);
      toast("The document is no longer attached.");
      onChange();
    },
    async Delete(intent: Intent) {
      const text = "The file is gone for good, for the practice too. The list keeps that there was one.";
      if (!(await confirm({ title: `Delete this document (${name.toLowerCase()})?`, text, action: "Delete it", danger: true }))) return;
      await del("/api/v1/staff/practices/{practice}/documents/{id}", { path, intent });
      onChange();
    },
  };
  const type = EXTENSIONS[document.content_type.split(";")[0] ?? ""]?.toUpperCase();
  const from = document.uploaded_by === "staff" ? "us" : "the practice";
  const about = `${type ? `${type}, ` : ""}${bytes(size)}, from ${from}, ${time(document.uploaded_at)}`;
  const acting = useAction((intent, act: (intent: Intent) => Promise<void>) => act(intent));
  const offered = [
    document.may.includes("download") && "Download",
    of && state === "available" && (isAttached ? "Detach" : "Attach"),
    document.may.includes("delete") && "Delete",
  ] as const;
  return (
    <li>
      <span>
        {name} {isAttached && <span class="tag good">Attached</span>}
        {state === "quarantined" && <span class="tag warn">Waits for the virus scan</span>}
        <span class="under">
          {claims.length > 1 && document.claim_number && `${document.claim_number}, `}
          {about}
        </span>
      </span>
      <span class="bar no-print">
        {offered.map((what) => what && (
          <Button key={what} look="quiet" of={`${name}, ${about}`} isBusy={acting.isBusy} onClick={() => acting.run(acts[what])}>
            {what}
          </Button>
        ))}
      </span>
      <ProblemView problem={acting.problem} />
    </li>
  );
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  "application/pdf": "pdf",
  "image/tiff": "tif",
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/heic": "heic",
  "text/plain": "txt",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
};

/** A file name without the patient: its kind and the last part of its id. */
function fileName({ kind, id, content_type: type }: Document): string {
  return `${kind.replaceAll("_", "-")}-${id.slice(-10, -4)}.${EXTENSIONS[type.split(";")[0] ?? ""] ?? "dat"}`;
}
