import { Copy } from "./copy.tsx";

/** What the people need who run the billing system, as a message to copy. It has no key. */
export function Instructions() {
  const text =
    `Please send our denied claims to Overturn: POST ${location.origin}/api/v1/claims with our API key as ` +
    `"Authorization: Bearer …". The description of the interface is at ${location.origin}/api/v1/openapi.json.`;
  return <Message text={text} />;
}

/** A message that a person copies, to send it to another one. */
export function Message({ text }: { text: string }) {
  return (
    <>
      <blockquote class="message">{text}</blockquote>
      <p class="actions">
        <Copy text={text} label="Copy the message" />
      </p>
    </>
  );
}
