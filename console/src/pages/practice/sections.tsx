import { pathname } from "../../lib/router.ts";

const SECTIONS = [
  ["/claims", "Denials"],
  ["/claims/remittances", "Remittances"],
  ["/claims/reports", "Reports"],
  ["/claims/appeals", "Appeals"],
] as const;

/** The lists about claims. */
export function Sections() {
  return (
    <nav class="sections" aria-label="Denials, remittances, reports and appeals">
      <ul>
        {SECTIONS.map(([path, label]) => (
          <li key={path}>
            <a href={path} aria-current={pathname.value === path ? "page" : undefined}>
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
