import { Links } from "../../ui/index.ts";

const SECTIONS = [
  { path: "/claims", label: "Denials" },
  { path: "/claims/remittances", label: "Remittances" },
  { path: "/claims/reports", label: "Reports" },
  { path: "/claims/appeals", label: "Appeals" },
];

export function Sections() {
  return (
    <nav class="sections" aria-label="Denials, remittances, reports and appeals">
      <Links of={SECTIONS} />
    </nav>
  );
}
