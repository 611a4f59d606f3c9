// Starts the worker that reads remittances, and loads its module, because the worker itself has no network.
//
// The console's policy forbids every text as the address of a script. Only this policy makes an address, and it knows one.

/** The addresses of the worker and of its module, from build.mjs. */
declare const REMITTANCE_WORKER: string;
declare const REMITTANCE_MODULE: string;

interface Policy {
  createScriptURL(input: string): string | URL;
}
interface Policies {
  createPolicy(name: string, rules: { createScriptURL(): string }): Policy;
}

/** Browsers without trusted types have no such object. */
const { trustedTypes } = globalThis as { trustedTypes?: Policies };
const policy = trustedTypes?.createPolicy("remittance-worker", { createScriptURL: () => REMITTANCE_WORKER });

export function startWorker(): Worker {
  return new Worker(policy?.createScriptURL("") ?? REMITTANCE_WORKER, { type: "module" });
}

/** The module for a worker. Rejects if it cannot be loaded. */
export async function loadModule(): Promise<ArrayBuffer> {
  const answer = await fetch(REMITTANCE_MODULE);
  if (!answer.ok) throw new Error("the module is missing");
  return answer.arrayBuffer();
}
