// Ties workerd's life to this process.
//
// miniflare starts workerd as an ordinary child and ends it when asked. Two things it does not cover: a
// Ctrl-C in a terminal goes to the whole process group, so workerd dies first and is restarted while we
// shut down; and a SIGKILL of this process leaves workerd behind, holding the port and the database.

import childProcess from "node:child_process";
import { once } from "node:events";
import { PassThrough } from "node:stream";

// Ends "$0" unless it reads a line first: the end of its input means that nobody is left to write one.
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
    // miniflare would read them.
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
