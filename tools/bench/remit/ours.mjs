// Makes claims from files with the npm package. Prints the CPU seconds, the number of denials, and the peak of the memory in bytes.

import { openSync, readSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

const [entry, ...files] = process.argv.slice(2)
const { Remit } = await import(pathToFileURL(entry))
const began = process.cpuUsage()
// 2026-03-01.
const run = new Remit({ now: new Date(1_772_323_200_000) })
const buffer = new Uint8Array(256 * 1024)
for (const name of files) {
  const file = openSync(name)
  run.open(name)
  for (;;) {
    const length = readSync(file, buffer)
    if (length === 0) break
    run.push(buffer.subarray(0, length))
  }
}
const { claims, held } = run.finish()
const lines = claims.map(({ json }) => json).join('\n')
const { user, system } = process.cpuUsage(began)
if (claims.length > 0 && lines.length === 0) throw new Error('no lines')
console.log((user + system) / 1e6, claims.length + held.length, process.resourceUsage().maxRSS * 1024)
