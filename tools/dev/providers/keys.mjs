// Keys, certificates and secrets. They are new at each start, or kept in a file.

import { randomBytes } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { exportJWK, generateKeyPair } from "jose";
import { generate } from "selfsigned";

/** The keys of a file, or new ones. `save(ports)` writes new ones to the file. */
export async function loadKeys(file) {
  const kept = file === undefined ? undefined : await read(file);
  if (kept !== undefined) return { ...kept, save: async () => {} };
  const [saml, service, signing] = await Promise.all([certified("demo provider"), certified("Overturn"), signingKey()]);
  const keys = { saml, service, signing, client_secret: randomBytes(24).toString("base64url") };
  const save = async (ports) => {
    if (file === undefined) return;
    await writeFile(`${file}.new`, JSON.stringify({ keys, ports }), { mode: 0o600 });
    await rename(`${file}.new`, file);
  };
  return { keys, save };
}

async function read(file) {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw new Error(`${file} is not readable: remove it and start with fresh data`);
  }
}

/** A key that signs ID tokens, as a JWK. */
export async function signingKey() {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  return { ...(await exportJWK(privateKey)), alg: "RS256", use: "sig", kid: randomBytes(8).toString("hex") };
}

/** A key and a certificate of its own, in PEM. */
async function certified(name) {
  const end = new Date();
  end.setFullYear(end.getFullYear() + 1);
  const made = await generate([{ name: "commonName", value: name }], {
    keySize: 2048,
    algorithm: "sha256",
    notAfterDate: end,
  });
  return { key: made.private, certificate: made.cert };
}
