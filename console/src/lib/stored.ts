// The storage of this browser. A browser that is told to store nothing throws at every use of it.

/** What `use` gives; `undefined` if this browser stores nothing. */
export function stored<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}
