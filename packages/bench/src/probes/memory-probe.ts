/** Loaded before a server with `--expose-gc --import`: serves its memory after garbage collection on BENCH_PROBE_PORT. */
import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

const settleMs = 50

const probe = createServer(async (_request, response) => {
  // One collection frees what the previous one has released.
  for (let round = 0; round < 4; round += 1) {
    // Also returns empty pages to the system.
    await globalThis.gc?.({ type: 'major', execution: 'async', flavor: 'last-resort' })
    await pause(settleMs)
  }
  response.end(JSON.stringify(process.memoryUsage()))
})
probe.listen(Number(process.env.BENCH_PROBE_PORT), '127.0.0.1')
probe.unref()
