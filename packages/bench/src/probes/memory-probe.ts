/**
 * Loaded before a server's own program (`--expose-gc --import`): tells, at the port in BENCH_PROBE_PORT, how much memory the
 * process holds after everything that can be freed was freed.
 */
import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

const settleMs = 50

const probe = createServer(async (_request, response) => {
  // What ends in one collection is freed in the next.
  for (let round = 0; round < 4; round += 1) {
    // Gives empty pages back to the system as well.
    await globalThis.gc?.({ type: 'major', execution: 'async', flavor: 'last-resort' })
    await pause(settleMs)
  }
  response.end(JSON.stringify(process.memoryUsage()))
})
probe.listen(Number(process.env.BENCH_PROBE_PORT), '127.0.0.1')
probe.unref()
