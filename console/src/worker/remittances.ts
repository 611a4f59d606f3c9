// The worker that reads remittances. Its page starts one for each run, and ends it afterwards, so that its memory is gone.
//
// The files are read here in chunks. The worker's policy allows no connection, so nothing of them can leave it but by a
// message to its page. Nothing is logged.

import type { Chosen, Failure, Order, Report } from "./messages.ts";
import { load } from "./module.ts";

/** Progress is told this often at most. */
const PAUSE_MS = 100;

const tell = (report: Report): void => postMessage(report);

addEventListener("message", ({ data: { module, files, settings } }: MessageEvent<Order>) => {
  /** What the run is at. If it ends early, this is why. */
  let failure: Failure = { why: "module" };
  let told = 0;
  let behind = { bytes: 0, files: 0 };

  /** One file after the other, each when the one before it has been read. */
  function* inTurn() {
    for (const { name, file } of files) {
      failure = { why: "memory" };
      yield { name, data: chunksOf(file, () => (failure = { why: "file", name })) };
      behind = { bytes: behind.bytes + file.size, files: behind.files + 1 };
    }
  }

  async function run(): Promise<Report> {
    const { remit } = await load(module);
    failure = { why: "settings", detail: "" };
    const result = await remit(inTurn(), {
      ...settings,
      onProgress({ bytes, claimPayments }) {
        if (Date.now() - told < PAUSE_MS) return;
        told = Date.now();
        tell({ progress: { bytes: behind.bytes + bytes, files: behind.files, claimPayments } });
      },
    });
    return { result };
  }

  run().then(tell, (thrown: unknown) => {
    const detail = thrown instanceof TypeError ? thrown.message : "";
    tell({ failure: failure.why === "settings" ? { ...failure, detail } : failure });
  });
});

/** The bytes of a file. Some browsers cannot iterate over a stream. */
async function* chunksOf(file: Chosen["file"], onFailure: () => void): AsyncGenerator<Uint8Array> {
  const reader = file.stream().getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((problem: unknown) => {
        onFailure();
        throw problem;
      });
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
