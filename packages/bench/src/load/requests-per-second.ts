import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand } from '@tidings/launcher/run-command'
import { harOf } from './har.ts'

const autocannon = createRequire(import.meta.url).resolve('autocannon')

type Strength = { connections: number; seconds: number }
export type LoadOptions = Strength & { headers: Record<string, string> }

/** The part of the load driver's result that is used here. */
type Report = { '2xx': number; non2xx: number; errors: number; timeouts: number; duration: number }

/**
 * Requests one address as fast as it responds, from another process, and returns the requests per second. Rejects when a
 * response is not the page.
 */
export async function requestsPerSecond(
  url: string,
  { connections, seconds, headers }: LoadOptions,
): Promise<number> {
  const sent = Object.entries(headers).flatMap(([name, value]) => ['--headers', `${name}=${value}`])
  return await drive(url, { connections, seconds }, sent)
}

/** Measures the same, with several sets of headers in rotation. */
export async function requestsPerSecondInTurn(
  url: string,
  { headersInTurn, ...options }: Strength & { headersInTurn: readonly Record<string, string>[] },
): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-requests-'))
  try {
    const file = join(folder, 'requests.har')
    await writeFile(file, JSON.stringify(harOf(url, headersInTurn)))
    return await drive(url, options, ['--har', file])
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function drive(url: string, { connections, seconds }: Strength, sent: string[]): Promise<number> {
  const { code, stdout, stderr } = await runCommand(process.execPath, [
    autocannon,
    ...['--json', '--no-progress', '--connections', String(connections), '--duration', String(seconds)],
    ...sent,
    url,
  ])
  if (code !== 0) throw new Error(`autocannon failed: ${stderr.trim()}`)
  const report: Report = JSON.parse(stdout)
  if (report.non2xx + report.errors + report.timeouts > 0 || report['2xx'] === 0) {
    throw new Error(
      `${url} returned ${report['2xx']} pages, ${report.non2xx} other responses and ${report.errors} errors.`,
    )
  }
  return report['2xx'] / report.duration
}
