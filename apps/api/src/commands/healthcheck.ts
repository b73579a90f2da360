import { processSettings } from '../config/env.ts'
import { findSilence } from '../features/ops/index.ts'
import { systemClock } from '../platform/clock.ts'

const usage = 'healthcheck api|worker: exits 0 when that process of this machine is well, 1 when it is not.\n'

/** What is wrong with the named process, as a sentence; null when it is well. */
async function findFault(subject: string | undefined): Promise<string | null> {
  if (subject === 'worker') return findSilence(systemClock)
  if (subject !== 'api') return usage.trim()
  const { port, host = '0.0.0.0' } = processSettings().http
  const everywhere = host === '0.0.0.0' || host === '::'
  const reachable = everywhere ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  const reply = await fetch(`http://${reachable}:${port}/readyz`, { signal: AbortSignal.timeout(4_000) })
  return reply.ok ? null : await reply.text()
}

const fault = await findFault(process.argv[2]).catch((error: unknown) => String(error))
if (fault !== null) process.stderr.write(`${fault}\n`)
process.exit(fault === null ? 0 : 1)
