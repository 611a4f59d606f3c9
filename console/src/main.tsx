// The start of the console.

import { render } from "preact";
import { App, find, loadScreen } from "./app.tsx";
import { handle } from "./lib/api.ts";
import {
  asProblem, endSession, keepFocus, loadSession, navigate, onEnd, pathname, startIdle, startKeys, startRouter, used,
} from "./lib/index.ts";
import { askAgain, isCovered, isDialogOpen, openPalette, stepUp } from "./ui/index.ts";
import "./shared.ts";
import "./styles/main.css";

handle({
  onSignedOut: () => endSession("expired"),
  onUsed: used,
  onEnrol: () => navigate("/enrol"),
  stepUp,
});
onEnd(askAgain);
startRouter((path) => find(path) !== undefined);
startKeys(openPalette, () => isDialogOpen() || isCovered());
startIdle();
keepFocus(document.body);
// A page that the browser kept while another one was open may show what its session no longer allows.
addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});

/** False while the page has only what index.html gave it. */
let isStarted = false;

/** Asks who is signed in, and shows the screen. After a failure, the person can try again without losing a mailed link's token. */
async function start(root: HTMLElement): Promise<void> {
  const route = find(pathname.value)?.route;
  const screen = route && loadScreen(route);
  const problem = await loadSession().then(() => undefined, asProblem);
  // The screen can then be drawn at once. If its script cannot be loaded, the screen says so.
  await screen?.catch(() => undefined);
  if (!isStarted) root.replaceChildren();
  isStarted = true;
  render(<App problem={problem} onRetry={() => start(root)} />, root);
}

const root = document.getElementById("app");
if (root) await start(root);
