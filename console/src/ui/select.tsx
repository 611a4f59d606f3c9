import { useId } from "preact/hooks";

interface Props {
  label: string;
  choices: readonly (readonly [value: string, label: string])[];
  value: string;
  onChoose: (value: string) => void;
}

/** A list to choose one from at once, outside a form. */
export function Select({ label, choices, value, onChoose }: Props) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
        {choices.map(([of, shown]) => (
          <option key={of} value={of} selected={of === value}>
            {shown}
          </option>
        ))}
      </select>
    </div>
  );
}
