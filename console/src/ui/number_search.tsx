import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { limits } from "../generated/rules.ts";
import { useKeys } from "../lib/index.ts";
import { Button } from "./button.tsx";

interface Props {
  /** The number that is searched for; `""` for none. */
  value: string;
  onSearch: (number: string) => void;
  /** What a screen reader says besides the label. */
  hint?: string;
}

/** Searches for a claim number. The number stays out of the address, because the browser keeps addresses. */
export function NumberSearch({ value, onSearch, hint }: Props) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  // Not a property: each drawing of the screen would put it back over what is typed.
  useLayoutEffect(() => {
    if (field.current) field.current.value = value;
  }, [value]);
  useKeys([{ keys: "/", what: "Search for a claim number", run: () => field.current?.focus() }]);
  return (
    <form
      class="search-number"
      role="search"
      autocomplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(field.current?.value.trim() ?? "");
      }}
    >
      <div class="field">
        <label for={id}>Claim number</label>
        <input ref={field} type="search" id={id} maxLength={limits.claimNumber} spellcheck={false} autocomplete="off" aria-description={hint} />
      </div>
      <Button type="submit">Find</Button>
    </form>
  );
}
