// Keeps the focus when the element that has it goes away, such as the button "Take" of a claim that is then taken, or moves.

/** The element that last had the focus, and what it is in, from the inside out. */
let path: readonly HTMLElement[] = [];

/** Watches the screens in `root`. A screen that takes the place of another one sets the focus itself. */
export function keepFocus(root: Element): void {
  document.addEventListener("focusin", ({ target }) => {
    path = [];
    for (let one = target as HTMLElement | null; one; one = one.parentElement) path = [...path, one];
  });
  new MutationObserver((changes) => {
    const [had] = path;
    if (!had || document.activeElement !== document.body) return;
    if (had.isConnected) {
      // The browser takes the focus from what moves, such as a row in another order.
      if (changes.some(({ removedNodes }) => [...removedNodes].some((node) => node.contains(had)))) had.focus({ preventScroll: true });
      return;
    }
    const left = path.find((one) => one.isConnected);
    path = [];
    const next = left?.closest(".page") ? nearest(left) : document.querySelector<HTMLElement>("h1");
    next?.focus({ preventScroll: true });
  }).observe(root, { childList: true, subtree: true });
}

/** The link of the row that an element is in, or the heading of its part of the screen. */
function nearest(to: Element): HTMLElement | null {
  const row = to.closest("tr");
  if (row) return row.querySelector("th a") ?? row;
  let part: Element | null = to;
  while (part && !part.querySelector(HEADINGS)) part = part.parentElement;
  const heading = part?.querySelector<HTMLElement>(HEADINGS) ?? null;
  if (heading) heading.tabIndex = -1;
  return heading;
}

const HEADINGS = "h1, h2, h3";
