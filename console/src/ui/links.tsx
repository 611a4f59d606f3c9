import { pathname } from "../lib/index.ts";

interface Link {
  label: string;
  path: string;
}

/** The links of a `<nav>`. `isHere` says which one leads to the screen that is open. */
export function Links({ of, isHere = (path) => path === pathname.value }: { of: readonly Link[]; isHere?: (path: string) => boolean }) {
  return (
    <ul>
      {of.map(({ label, path }) => (
        <li key={path}>
          <a href={path} aria-current={isHere(path) ? "page" : undefined}>
            {label}
          </a>
        </li>
      ))}
    </ul>
  );
}
