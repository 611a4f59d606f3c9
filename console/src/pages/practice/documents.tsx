import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { choicesOf, DOCUMENT, may, query, setFilters, useGet } from "../../lib/index.ts";
import type { DocumentKind, DocumentState } from "../../generated/rules.ts";
import { Button, Choose, Nothing, NothingYet, NumberSearch, Page, Pager, Show } from "../../ui/index.ts";
import { Documents as List, span } from "./documents_list.tsx";
import { UploadForm } from "./documents_upload.tsx";

const CLEARED = { kind: undefined, state: undefined, claim_id: undefined };

export function Documents() {
  const number = useSignal("");
  const list = useRef<HTMLDivElement>(null);
  const value = (name: string): string | undefined => query.value.get(name) ?? undefined;
  const filters = {
    kind: value("kind") as DocumentKind | undefined,
    state: value("state") as DocumentState | undefined,
    claim_id: value("claim_id"),
    claim_number: number.value || undefined,
    cursor: value("cursor"),
  };
  const documents = useGet("/api/v1/documents", { query: { limit: 50, ...filters } });
  const settings = useGet("/api/v1/settings/documents");
  const isFiltered = Object.values(filters).some(Boolean);
  const clear = (): void => {
    number.value = "";
    setFilters(CLEARED);
  };
  return (
    <Page title="Documents" lead="Letters, records and forms that our staff needs for your appeals.">
      {may("upload_document") && <UploadForm claimId={filters.claim_id} onStored={documents.reload} />}
      <section class="stack" aria-label="Documents that we have" ref={list} tabIndex={-1}>
        <h2>Documents that we have</h2>
        <div class="filters" role="group" aria-label="Filters">
          <Choose name="kind" label="Kind" choices={[["", "All kinds"], ...choicesOf(DOCUMENT)]} />
          <Choose
            name="state"
            label="State"
            choices={[
              ["", "Present"],
              ["available", "Ready to download"],
              ["quarantined", "Waiting for the virus scan"],
              ["infected", "Removed after the virus scan"],
              ["deleted", "Deleted"],
            ]}
          />
          <NumberSearch value={number.value} onSearch={(typed) => (number.value = typed)} />
          {isFiltered && <Button onClick={clear}>Clear the filters</Button>}
        </div>
        {filters.claim_id && (
          <p>
            Only documents of <a href={`/claims/${filters.claim_id}`}>one claim</a>.
          </p>
        )}
        {settings.data?.legal_hold && (
          <p class="notice">Your practice has set a legal hold, so no document can be deleted now.</p>
        )}
        <Show of={documents}>
          {(data) =>
            data.documents.length === 0 ? (
              <Nothing onClear={isFiltered && clear}>
                <NothingYet title="No documents yet">
                  <p>Denial letters and medical records help our staff most.</p>
                </NothingYet>
              </Nothing>
            ) : (
              <div class="stack">
                <List of={data.documents} settings={settings.data} onDeleted={() => (documents.reload(), list.current?.focus())} />
                <Pager rows={data.documents} next={data.next_cursor} />
              </div>
            )
          }
        </Show>
        {settings.data && (
          <p class="quiet-text">
            We keep a document for {span(settings.data.retention_days)} after its claim is recovered or closed, or after its
            upload if it has no claim. Then it is deleted.
          </p>
        )}
      </section>
    </Page>
  );
}
