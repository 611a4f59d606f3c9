// Ties workerd's life to this process.
//
// miniflare starts workerd as an ordinary child and stops it on request. It misses two cases. A Ctrl-C in a terminal
// goes to the whole process group, so workerd dies first and is restarted while we shut down. And a SIGKILL of this
// process leaves workerd behind, which then holds the port and the database.

import childProcess from "node:child_process";
import { once } from "node:events";
import { PassThrough } from "node:stream";

// Kills the process "$0" unless it reads a line first. The end of its input means that this process is gone.
const WATCH = 'read -r ended || kill -9 "$0"';

const guards = new Set();
const { spawn } = childProcess;

/**
 * From here on every workerd started is out of the terminal's reach and ends with this process; `started` is told of it.
 * A silent one has nobody to read what it prints, nor anybody to wait for.
 */
export function guardWorkerd(started, isSilent = false) {
  childProcess.spawn = (command, args, options) => {
    if (args?.[0] !== "serve") return spawn(command, args, options);
    const stdio = isSilent ? options.stdio.with(1, "ignore").with(2, "ignore") : options.stdio;
    const workerd = spawn(command, args, { ...options, stdio, detached: true });
    // miniflare would read these pipes.
    if (isSilent) Object.assign(workerd, { stdout: new PassThrough(), stderr: new PassThrough() });
    if (workerd.pid !== undefined) guard(workerd);
    started(workerd);
    return workerd;
  };
}

/** Resolves when no guard is left; call it after every workerd has ended. */
export async function guardsEnded() {
  await Promise.all([...guards].map((watcher) => once(watcher, "exit")));
}

function guard(workerd) {
  const watcher = spawn("/bin/sh", ["-c", WATCH, String(workerd.pid)], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  guards.add(watcher);
  watcher.once("exit", () => guards.delete(watcher));
  watcher.stdin.on("error", () => {});
  workerd.once("exit", () => watcher.stdin.end("ended\n"));
}
