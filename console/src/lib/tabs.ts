// Tells the other tabs of this browser what happened to the session. No message has data of the practice.

/**
 * A person has signed in, the session was used and ends at this time if it is not used again, or it is over. `user` is an
 * id.
 */
type Word = { user: string } | { endsAt: number } | "idle" | "signed-out";

const channel = new BroadcastChannel("overturn-session");

export function tellTabs(word: Word): void {
  channel.postMessage(word);
}

/** Hears the other tabs until the returned function is called. */
export function hearTabs(hear: (word: Word) => void): () => void {
  const listen = ({ data }: MessageEvent): void => hear(data as Word);
  channel.addEventListener("message", listen);
  return () => channel.removeEventListener("message", listen);
}
