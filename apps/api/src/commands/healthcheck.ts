import { processEnv } from '../config/env.ts'
import { findSilence } from '../features/ops/index.ts'
import { systemClock } from '../platform/clock.ts'

const usage = 'healthcheck api|worker: exits 0 when that process of this machine is well, 1 when it is not.\n'

/** What is wrong with the named process, as a sentence; null when it is well. */
async function findFault(subject: string | undefined): Promise<string | null> {
  if (subject === 'worker') return findSilence(systemClock)
  if (subject !== 'api') return usage.trim()
  const { PORT, HOST = '0.0.0.0' } = processEnv()
  const everywhere = HOST === '0.0.0.0' || HOST === '::'
  const host = everywhere ? '127.0.0.1' : HOST.includes(':') ? `[${HOST}]` : HOST
  const reply = await fetch(`http://${host}:${PORT}/readyz`, { signal: AbortSignal.timeout(4_000) })
  return reply.ok ? null : await reply.text()
}

const fault = await findFault(process.argv[2]).catch((error: unknown) => String(error))
if (fault !== null) process.stderr.write(`${fault}\n`)
process.exit(fault === null ? 0 : 1)
