// The memory of a Worker's isolate, by the inspector of workerd.

import { once } from "node:events";
import { createServer } from "node:net";
import { readConfiguration } from "../dev/service.mjs";

const EVERY_MS = 20;
/** What is left after a collection is the idle memory. Under load, the platform collects when it wants. */
const COLLECT_MS = 1000;

/** A port that was free a moment ago. */
export async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}

/** Calls `say` with the bytes of the isolate: objects, buffers (the memory of wasm among them) and what they hold outside. */
export async function watchHeap(port, say) {
  const targets = await (await fetch(`http://127.0.0.1:${port}/json`)).json();
  const { webSocketDebuggerUrl } = targets.find(({ id }) => id === `core:user:${readConfiguration().name}`);
  const socket = new WebSocket(webSocketDebuggerUrl);
  await once(socket, "open");
  let id = 0;
  const ask = (method) => socket.send(JSON.stringify({ id: (id += 1), method }));
  let last = 0;
  let quiet = 0;
  socket.addEventListener("message", ({ data }) => {
    const { result } = JSON.parse(data);
    if (result?.usedSize === undefined) return;
    const bytes = result.usedSize + result.embedderHeapUsedSize + result.backingStorageSize;
    quiet = Math.abs(bytes - last) < 65_536 ? quiet + EVERY_MS : 0;
    last = bytes;
    if (quiet >= COLLECT_MS) {
      quiet = 0;
      ask("HeapProfiler.collectGarbage");
    }
    say(bytes);
  });
  setInterval(() => ask("Runtime.getHeapUsage"), EVERY_MS).unref();
}
