import { Notice } from "../../ui/index.ts";

/** Says that a list lacks what some databases have, which did not answer in time. */
export function Missing({ cells }: { cells: readonly number[] | undefined }) {
  if (!cells) return null;
  return (
    <Notice look="warn" role="status" title="This list is not complete">
      <p>
        {cells.length === 1 ? "One of our databases" : `${cells.length} of our databases`} did not answer. What is there is missing here and in the
        numbers. Try again in a moment.
      </p>
    </Notice>
  );
}
