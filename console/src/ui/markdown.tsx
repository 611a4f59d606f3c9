import type { ComponentChildren } from "preact";

/**
 * The few forms of Markdown that the agreements use: headings, numbered lists, paragraphs and strong text. Everything else
 * stays as it is written. `level` is that of the highest heading.
 */
export function Markdown({ text, level }: { text: string; level: 2 | 3 }) {
  return <>{text.trim().split(/\n{2,}/).map((block, n) => <Block key={n} text={block} level={level} />)}</>;
}

function Block({ text, level }: { text: string; level: number }) {
  const heading = /^(#+) (.*)$/.exec(text);
  if (heading) {
    const Heading = `h${Math.min(level + (heading[1] ?? "").length - 1, 6)}` as "h3";
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
