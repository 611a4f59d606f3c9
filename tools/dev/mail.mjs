// The mail of a served Worker. Nothing is sent: each message becomes a file and an output line.
//
// A second Worker replaces the platform's binding, because the Worker calls a method of the binding, and under workerd
// only a Worker can offer one. It passes each message to this process, which writes the file before the sender goes on.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Response } from "miniflare";

const WORKER = "mail";

const POST_OFFICE = `
import { WorkerEntrypoint } from "cloudflare:workers";
export class PostOffice extends WorkerEntrypoint {
  async send(message) {
    const taken = await this.env.WRITE.fetch("http://mail/", { method: "POST", body: JSON.stringify(message) });
    if (!taken.ok) throw new Error(await taken.text());
    return taken.json();
  }
}
export default { fetch: () => new Response(null, { status: 404 }) };
`;

/** What the Worker's bindings of mail are instead, as miniflare's service bindings. */
export function mailBindings(names) {
  return Object.fromEntries(names.map((name) => [name, { name: WORKER, entrypoint: "PostOffice" }]));
}

/** The Worker that they lead to, as miniflare's options. Files go below `folder`; `announce(line)` is told of each. */
export function mailWorker(folder, announce) {
  let count = 0;
  const write = async (request) => {
    const message = await request.json();
    count += 1;
    try {
      announce(JSON.stringify(keep(folder, count, message)));
    } catch (error) {
      return new Response(`the mail was not written down: ${error.message}`, { status: 500 });
    }
    return Response.json({ messageId: `<${count}@localhost>` });
  };
  return {
    name: WORKER,
    compatibilityDate: "2026-11-01",
    modules: [{ type: "ESModule", path: "mail.mjs", contents: POST_OFFICE }],
    serviceBindings: { WRITE: write },
  };
}

function keep(folder, count, { from, to, subject, text }) {
  const now = new Date();
  // File names sort by time, even within a millisecond.
  const name = `${now.toISOString().replaceAll(/[-:.]/g, "")}-${String(count).padStart(4, "0")}.eml`;
  const file = join(folder, name);
  const head = {
    From: `${from.name} <${from.email}>`,
    To: to,
    Subject: subject,
    Date: now.toUTCString().replace("GMT", "+0000"),
    "MIME-Version": "1.0",
    "Content-Type": "text/plain; charset=utf-8",
    "Content-Transfer-Encoding": "8bit",
  };
  const lines = Object.entries(head).map(([header, value]) => `${header}: ${value}`);
  mkdirSync(folder, { recursive: true });
  // The links in it open accounts, so only the owner may read it.
  writeFileSync(file, `${[...lines, "", text].join("\n")}`, { mode: 0o600 });
  return { event: "mail", to, subject, text, file };
}
