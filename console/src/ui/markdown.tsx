import type { ComponentChildren } from "preact";

/**
 * The few forms of Markdown that the agreements use: headings, numbered lists, paragraphs and strong text. Everything else
 * stays as it is written.
 */
export function Markdown({ text }: { text: string }) {
  return <>{text.trim().split(/\n{2,}/).map((block, n) => <Block key={n} text={block} />)}</>;
}

/** The level of the highest heading. */
const LEVEL = 3;

function Block({ text }: { text: string }) {
  const heading = /^(#+) (.*)$/.exec(text);
  if (heading) {
    const Heading = `h${Math.min(LEVEL + (heading[1] ?? "").length - 1, 6)}` as "h3";
    return <Heading>{heading[2]}</Heading>;
  }
  if (/^\d+\. /.test(text)) {
    const items = text.split(/\n(?=\d+\. )/);
    return (
      <ol>
        {items.map((item, n) => (
          <li key={n}>{strong(item.replace(/^\d+\. /, ""))}</li>
        ))}
      </ol>
    );
  }
  return <p>{strong(text)}</p>;
}

/** A text with its parts between `**` made strong. */
function strong(text: string): ComponentChildren {
  return text.split("**").map((part, n) => (n % 2 === 1 ? <strong key={n}>{part}</strong> : part));
}
