import type { ButtonHTMLAttributes, ComponentChildren } from "preact";

interface Props extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "class"> {
  /** `primary` once on a screen, `danger` for what cannot be undone, `quiet` for what stands in a row or a menu. */
  look?: "primary" | "danger" | "quiet" | undefined;
  /** Shows that the change is under way. The button keeps the focus and does nothing. */
  isBusy?: boolean | undefined;
  /** What it acts on, for screen readers: "Remove" alone does not say what. */
  of?: string | null | undefined;
  children: ComponentChildren;
}

export function Button({ look, isBusy = false, of, children, type = "button", onClick, ...rest }: Props) {
  return (
    <button
      {...rest}
      type={type}
      class={look ? `button ${look}` : "button"}
      aria-busy={isBusy || undefined}
      aria-disabled={isBusy || undefined}
      onClick={(event) => {
        if (isBusy) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {children}
      {of && <span class="hidden"> {of}</span>}
    </button>
  );
}
