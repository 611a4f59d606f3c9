import { getCsv } from "../../lib/api.ts";
import { query } from "../../lib/index.ts";
import { CsvDownload } from "../../ui/index.ts";
import { apiQuery } from "./claim_filters.ts";

/** Downloads all claims that the filters show, on all pages. */
export function Download() {
  const { cursor: _, ...filters } = apiQuery(query.value);
  return (
    <CsvDownload
      name="denials"
      noun="claim"
      of={JSON.stringify(filters)}
      read={(cursor, signal) => getCsv("/api/v1/denials", { query: { ...filters, cursor }, signal })}
    />
  );
}
