import type { ComponentChildren } from "preact";

interface Props {
  title: ComponentChildren;
  look?: "good" | "warn" | "bad";
  /** `alert` for what a screen reader says at once, `status` for what it says when it is done. */
  role?: "alert" | "status";
  children?: ComponentChildren;
}

export function Notice({ title, look, role, children }: Props) {
  return (
    <div class={look ? `notice ${look}` : "notice"} role={role}>
      <p class="notice-title">{title}</p>
      {children}
    </div>
  );
}
