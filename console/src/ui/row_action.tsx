import type { Intent } from "../lib/intent.ts";
import { useAction } from "../lib/load.ts";
import { Button } from "./button.tsx";
import { ProblemView } from "./problem.tsx";

interface Props {
  label: string;
  /** What the row is called, for screen readers. */
  of?: string | null;
  look?: "quiet";
  run: (intent: Intent) => Promise<void>;
}

/** A button that stands in a row, with the problem of its change. */
export function RowAction({ label, of, look, run }: Props) {
  const action = useAction(run);
  return (
    <>
      <Button look={look} of={of} onClick={() => action.run()} isBusy={action.isBusy}>
        {label}
      </Button>
      <ProblemView problem={action.problem} />
    </>
  );
}
