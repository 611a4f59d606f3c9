import { Notice } from "./notice.tsx";

/** Says that a screen lacks what some databases have, which did not answer in time. */
export function MissingCells({ cells }: { cells: readonly number[] | undefined }) {
  if (!cells) return null;
  return (
    <Notice look="warn" role="status" title="This is not complete">
      <p>
        {cells.length === 1 ? "One of our databases" : `${cells.length} of our databases`} did not answer. What is there is missing here and in the
        numbers. Try again in a moment.
      </p>
    </Notice>
  );
}
