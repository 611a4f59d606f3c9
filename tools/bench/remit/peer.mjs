// Streams one file through x12-parser and prints the CPU seconds and the number of claim payments.

import { createReadStream } from 'node:fs'
import x12 from 'x12-parser'

const { X12parser } = x12
const began = process.cpuUsage()
let claims = 0
for await (const segment of createReadStream(process.argv[2]).pipe(new X12parser())) {
  if (segment.name === 'CLP') claims += 1
}
const { user, system } = process.cpuUsage(began)
console.log((user + system) / 1e6, claims)
