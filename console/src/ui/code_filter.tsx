import { useSignal } from "@preact/signals";
import { useEffect, useId, useRef } from "preact/hooks";
import { denialCode } from "../lib/denial_code.ts";
import { query, setFilters } from "../lib/index.ts";

interface Props {
  name: string;
  hint?: string;
  placeholder?: string;
  /** What to say of a text that is no code. */
  wrong: string;
}

export function CodeFilter({ name, hint, placeholder, wrong }: Props) {
  const id = useId();
  const isWrong = useSignal(false);
  const value = query.value.get(name) ?? "";
  const input = useRef<HTMLInputElement>(null);
  // The field stays in the page, so that it keeps the focus. A wrong code stays typed.
  useEffect(() => {
    if (input.current) input.current.value = value;
    isWrong.value = false;
  }, [value]);
  const apply = ({ currentTarget: field }: { currentTarget: HTMLInputElement }): void => {
    const code = denialCode(field.value);
    isWrong.value = code === undefined;
    if (code !== undefined && code !== value) setFilters({ [name]: code });
  };
  return (
    <div class="field">
      <label for={id}>Denial code</label>
      {hint && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      <input
        type="text"
        id={id}
        ref={input}
        defaultValue={value}
        placeholder={placeholder}
        autocomplete="off"
        autocapitalize="characters"
        spellcheck={false}
        aria-invalid={isWrong.value || undefined}
        aria-describedby={[hint && `${id}-hint`, isWrong.value && `${id}-error`].filter(Boolean).join(" ") || undefined}
        onChange={apply}
        onKeyDown={(event) => event.key === "Enter" && apply(event)}
      />
      {isWrong.value && (
        <span class="field-error" id={`${id}-error`} role="alert">
          {wrong}
        </span>
      )}
    </div>
  );
}
