// The device of a session, in words.

import { browsers, systems } from "../../generated/rules.ts";

type Names = readonly (readonly [readonly string[], string])[];

const named = (names: Names, agent: string): string | undefined => names.find(([marks]) => marks.some((mark) => agent.includes(mark)))?.[1];

/** The browser and the system of a user agent, such as "Chrome on Windows". */
export function device(agent: string): string {
  const [browser, system] = [named(browsers, agent), named(systems, agent)];
  if (!browser && !system) return "Unknown browser";
  return system ? `${browser ?? "A browser"} on ${system}` : (browser ?? "");
}
