// What a browser does between the service and a provider: cookies, redirects, and forms.

/** A browser without JavaScript. It stops at an address of `home`, where the test itself takes over. */
export class Browser {
  #home;
  #cookies = new Map();

  constructor(home) {
    this.#home = home;
  }

  /** Follows redirects from an address. Returns the page, or the address below `home`. */
  async open(address, init = {}) {
    let url = new URL(address);
    for (let steps = 0; steps < 10; steps += 1) {
      if (url.href.startsWith(this.#home)) return { url };
      const jar = this.#jar(url.host);
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
      const answer = await fetch(url, { ...init, headers: { ...init.headers, cookie }, redirect: "manual" });
      for (const line of answer.headers.getSetCookie()) {
        const [name, value] = line.split(";")[0].split(/=(.*)/s);
        jar.set(name, value);
      }
      const next = answer.headers.get("Location");
      if (next === null) return { url, status: answer.status, text: await answer.text() };
      url = new URL(next, url);
      init = {};
    }
    throw new Error("too many redirects");
  }

  /** Posts the only form of a page, with further fields. */
  async submit({ url, text }, fields = {}) {
    const form = readForm(text);
    const body = new URLSearchParams({ ...form.fields, ...fields });
    return this.open(new URL(form.action, url), { method: "POST", body });
  }

  #jar(host) {
    if (!this.#cookies.has(host)) this.#cookies.set(host, new Map());
    return this.#cookies.get(host);
  }
}

/** The address and the hidden fields of the only form of a page. */
export function readForm(text) {
  const [, action] = /<form method="post" action="([^"]*)"/.exec(text) ?? [];
  if (action === undefined) throw new Error(`no form: ${text}`);
  const inputs = text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g);
  const fields = [...inputs].map(([, name, value]) => [unescape(name), unescape(value)]);
  return { action: unescape(action), fields: Object.fromEntries(fields) };
}

function unescape(text) {
  const names = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'" };
  return text.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (name) => names[name]);
}
