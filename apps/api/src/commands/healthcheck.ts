import { getReadiness } from '@tidings/contracts/ops'
import { processSettings } from '../config/env.ts'
import { findWorkerFailure, heartbeatFileOf } from '../features/ops/index.ts'
import { systemClock } from '../platform/clock.ts'

const usage =
  'healthcheck api|worker: exits with 0 if this process is healthy on this machine, and with 1 if not.'

/** Returns why the process is unhealthy, or null. */
async function findFailure(name: string | undefined): Promise<string | null> {
  if (name !== 'api' && name !== 'worker') return usage
  const { http, database, dataDir } = processSettings()
  if (name === 'worker') {
    return await findWorkerFailure(systemClock, heartbeatFileOf({ databaseUrl: database.url ?? '', dataDir }))
  }
  const { port, host = '0.0.0.0' } = http
  const isAnyAddress = host === '0.0.0.0' || host === '::'
  const address = isAnyAddress ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  const response = await fetch(`http://${address}:${port}${getReadiness.path}`, {
    signal: AbortSignal.timeout(4_000),
  })
  return response.ok ? null : await response.text()
}

const failure = await findFailure(process.argv[2]).catch((error: unknown) => String(error))
if (failure !== null) process.stderr.write(`${failure}\n`)
process.exit(failure === null ? 0 : 1)
