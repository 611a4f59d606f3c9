import { del, type PathOf } from "../lib/api.ts";
import { type Intent, useAction } from "../lib/index.ts";
import { Button } from "./button.tsx";
import { confirm } from "./dialog.tsx";
import { ProblemView } from "./problem.tsx";
import { toast } from "./toast.tsx";

interface Props {
  label: string;
  /** What the row is called, for screen readers. */
  of?: string | null;
  look?: "primary" | "danger" | "quiet";
  /** What to ask before. Nothing is done unless the person agrees. */
  ask?: Parameters<typeof confirm>[0];
  run: (intent: Intent) => Promise<unknown>;
  said?: string;
  then?: () => void;
}

/** A button that makes a change, with the problem of the change. */
export function RowAction({ label, of, look, ask, run, said, then }: Props) {
  const action = useAction(async (intent) => {
    if (ask && !(await confirm(ask))) return;
    await run(intent);
    if (said) toast(said);
    then?.();
  });
  return (
    <>
      <Button look={look} of={of} onClick={() => action.run()} isBusy={action.isBusy}>
        {label}
      </Button>
      <ProblemView problem={action.problem} />
    </>
  );
}

type Question = NonNullable<Props["ask"]>;

interface EndProps extends Omit<Props, "label" | "ask" | "run">, Omit<Question, "action" | "danger"> {
  label?: string;
  /** The label of the button that does it, if it says more. */
  action?: string;
  path: Exclude<Extract<PathOf<"delete">, `${string}/{id}`>, `${string}{practice}${string}`>;
  id: string;
}

/** A button that ends what it stands beside, for good. It asks first. */
export function EndAction({ label = "Remove", title, text, action = label, path, id, said = `${label}d.`, ...rest }: EndProps) {
  const ask = { title, text, action, danger: true };
  return <RowAction {...rest} {...{ label, ask, said }} run={(intent) => del(path, { path: { id }, intent })} />;
}
