// The built identity Worker in workerd, and the providers of this machine, for tests.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { join } from "node:path";
import { Miniflare, convertV4MiniflareOptions } from "miniflare";
import { ROOT, identityWorker } from "../../tools/dev/service.mjs";

/** Starts the identity Worker. `lines` gets its log. */
export async function startIdentity(lines = []) {
  const log = ({ message }) => lines.push(message);
  const workers = [identityWorker()];
  const worker = new Miniflare(convertV4MiniflareOptions({ port: 0, cf: false, handleStructuredLogs: log, workers }));
  await worker.ready;
  return {
    fetch: (path, init) => worker.dispatchFetch(`https://identity.invalid${path}`, init),
    post: (path, body) => worker.dispatchFetch(`https://identity.invalid${path}`, { method: "POST", body }),
    /** The facts, or the reason of the refusal. */
    async ask(path, question) {
      const answer = await this.post(path, JSON.stringify(question));
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
      const { accepted, refused } = await answer.json();
      return accepted ?? refused.reason;
    },
    dispose: () => worker.dispose(),
  };
}

/** Starts the providers with these people. */
export async function startProviders(people) {
  const process = spawn(globalThis.process.execPath, [join(ROOT, "tools/dev/providers/main.mjs"), "--tests"], {
    env: { ...globalThis.process.env, OVERTURN_PEOPLE: JSON.stringify(people) },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const [line] = await Promise.race([
    once(createInterface(process.stdout), "line"),
    once(process, "exit").then(() => Promise.reject(new Error("the providers did not start"))),
  ]);
  const facts = JSON.parse(line);
  const tell = async (path, body) => {
    const answer = await fetch(`${facts.oidc.issuer}/.tests/${path}`, { method: "POST", body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(await answer.text());
  };
  return {
    ...facts,
    /** How the OpenID provider's next answers differ (tools/dev/providers/tests.mjs). */
    answers: (changes) => tell("answers", changes),
    async stop() {
      process.stdin.end();
      await once(process, "exit");
    },
  };
}
