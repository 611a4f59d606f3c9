// Moves objects between the bucket of documents and a folder.
//
//   node tools/dev/objects.mjs get|put FOLDER NAMES --state DIR                  the bucket of a state folder on this machine
//   node tools/dev/objects.mjs get|put FOLDER NAMES --env staging|production     the bucket at Cloudflare
//
// NAMES is a file that names the objects, one a line. `get` leaves out what the bucket does not have. A file has the name of its object.

import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { getPlatformProxy, unstable_readConfig as readConfig } from "wrangler";
import { ROOT } from "./service.mjs";

const AT_ONCE = 4;
const TRIES = 3;
const { values, positionals } = parseArgs({ allowPositionals: true, options: { state: { type: "string" }, env: { type: "string" } } });
const [action, folder, list] = positionals;

const actions = {
  async get(bucket, name, file) {
    const object = await bucket.get(name);
    if (object === null) return;
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(file, Buffer.from(await object.arrayBuffer()), { mode: 0o600 });
  },
  async put(bucket, name, file) {
    await bucket.put(name, await readFile(file));
  },
};

/** Moves an object. Among thousands, some fail for a moment. */
async function moved(bucket, name, tries) {
  try {
    await actions[action](bucket, name, join(folder, name));
  } catch (error) {
    if (tries === 1) throw error;
    await moved(bucket, name, tries - 1);
  }
}

/** The bucket, through a configuration that has nothing else. */
async function opened(scratch) {
  const config = readConfig({ config: join(ROOT, "wrangler.toml"), env: values.env });
  const { bucket_name } = config.r2_buckets.find(({ binding }) => binding === "DOCUMENTS");
  const configPath = join(scratch, "wrangler.json");
  const own = {
    name: "documents",
    account_id: config.account_id,
    compatibility_date: config.compatibility_date,
    r2_buckets: [{ binding: "DOCUMENTS", bucket_name, remote: values.env !== undefined }],
  };
  await writeFile(configPath, JSON.stringify(own));
  const persist = values.state === undefined ? false : { path: join(values.state, "v3") };
  return getPlatformProxy({ configPath, persist });
}

const scratch = await mkdtemp(join(tmpdir(), "overturn-objects-"));
let proxy;
try {
  proxy = await opened(scratch);
  const left = (await readFile(list, "utf8")).split("\n").filter((name) => name !== "").values();
  const mover = async () => {
    for (const name of left) await moved(proxy.env.DOCUMENTS, name, TRIES);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, mover));
} catch (error) {
  process.stderr.write(`objects: ${error.message}\n`);
  process.exitCode = 1;
} finally {
  await proxy?.dispose();
  await rm(scratch, { recursive: true });
}
