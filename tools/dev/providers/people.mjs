// The people of the providers, and the page on which one of them is chosen.

/** The people who can sign in. */
export class People {
  #all = new Map();

  constructor(list) {
    this.add(list);
  }

  /** Adds people, or replaces those with the same id. */
  add(list) {
    for (const person of list) this.#all.set(person.id, person);
  }

  find(id) {
    return this.#all.get(id);
  }

  /** A page with a button for each person. It posts `person` and the hidden fields to `action`. */
  page(title, action, hidden = {}) {
    const inputs = Object.entries(hidden).map(
      ([name, value]) => `<input type="hidden" name="${escape(name)}" value="${escape(value)}">`,
    );
    const buttons = [...this.#all.values()].map(
      ({ id, name, email }) =>
        `<p><button name="person" value="${escape(id)}">${escape(name)}</button> ${escape(email)}</p>`,
    );
    return page(
      title,
      `<p>This provider is for demos and tests. Choose who you are.</p>
<form method="post" action="${escape(action)}">${inputs.join("")}${buttons.join("\n")}</form>`,
    );
  }
}

/** A page. */
export function page(title, body) {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${escape(title)}</title>
<style>body { font: 1.1rem system-ui; max-width: 34rem; margin: 3rem auto } button { font: inherit; padding: .4rem .8rem }</style>
<h1>${escape(title)}</h1>
${body}
</html>
`;
}

export function escape(text) {
  const names = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
  return String(text).replaceAll(/[&<>"']/g, (character) => names[character]);
}
