// What the menu offers to whom.

import { computed } from "@preact/signals";
import type { Area } from "../lib/router.ts";
import { area, mustEnrol, session } from "../lib/session.ts";

/** An entry of the menu. `keys` opens it from anywhere. */
interface Entry {
  label: string;
  path: string;
  keys?: string;
}

const PRACTICE: readonly Entry[] = [
  { label: "Home", path: "/home", keys: "g h" },
  { label: "Denials", path: "/claims", keys: "g d" },
  { label: "Documents", path: "/documents", keys: "g f" },
  { label: "Settings", path: "/settings/practice", keys: "g s" },
];

const STAFF: readonly Entry[] = [
  { label: "Queue", path: "/queue", keys: "g q" },
  { label: "Cases", path: "/cases", keys: "g c" },
  { label: "Overview", path: "/overview", keys: "g o" },
  { label: "Practices", path: "/practices", keys: "g p" },
  { label: "Databases", path: "/databases", keys: "g d" },
];

const AUDITOR: readonly Entry[] = [{ label: "Audit trail", path: "/audit", keys: "g a" }];

const MENUS: Record<Area, readonly Entry[]> = { practice: PRACTICE, staff: STAFF, auditor: AUDITOR };

export const menu = computed((): readonly Entry[] => {
  if (session.value === undefined || mustEnrol.value) return [];
  return area.value === undefined ? [] : MENUS[area.value];
});
