import type { Intent } from "../../lib/intent.ts";
import { useAction } from "../../lib/load.ts";
import { Button } from "../../ui/button.tsx";
import { ProblemView } from "../../ui/problem.tsx";

interface Props {
  label: string;
  /** What the row is called, for screen readers. */
  of: string;
  run: (intent: Intent) => Promise<void>;
}

/** A button in a row of a table. */
export function RowAction({ label, of, run }: Props) {
  const action = useAction(run);
  return (
    <>
      <Button onClick={() => action.run()} isBusy={action.isBusy}>
        {label}
        <span class="hidden"> {of}</span>
      </Button>
      <ProblemView problem={action.problem} />
    </>
  );
}
