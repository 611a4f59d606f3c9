// The service's clock, from the `Date` of its answers. The clock of the browser may be wrong, or be set while a page is open.

interface Anchor {
  /** The service's time, in milliseconds since 1970. */
  service: number;
  /** What the browser's two clocks said then. */
  wall: number;
  steady: number;
}

let anchor: Anchor | undefined;

/** `Date` has whole seconds. With a second more, our time is early rather than late: an early end asks the service first. */
const SECOND_MS = 1000;

export function noteTime(headers: Headers): void {
  const said = Date.parse(headers.get("Date") ?? "");
  if (Number.isNaN(said)) return;
  anchor = { service: said + SECOND_MS, wall: Date.now(), steady: performance.now() };
}

/**
 * The service's time now, in milliseconds since 1970. Without any `Date`, as in the local runtime, it is the browser's.
 *
 * The steady clock stops while a computer sleeps. The other one can be set back. So the one that went further counts.
 */
export function serviceNow(): number {
  if (!anchor) return Date.now();
  return anchor.service + Math.max(Date.now() - anchor.wall, performance.now() - anchor.steady);
}
