import { explain } from "./denial_codes.ts";

export function DenialCodes({ of }: { of: readonly string[] }) {
  return (
    <ul class="lines">
      {of.map((code) => {
        const { meaning, group } = explain(code);
        return (
          <li key={code}>
            <strong>{code}</strong> {meaning}
            <span class="under">{group}</span>
          </li>
        );
      })}
    </ul>
  );
}
