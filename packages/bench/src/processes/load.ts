import { createRequire } from 'node:module'
import { runCommand } from '@tidings/launcher/run-command'

const autocannon = createRequire(import.meta.url).resolve('autocannon')

export type LoadOptions = { connections: number; seconds: number; headers: Record<string, string> }

/** What the load driver counts; only what is read here. */
type Report = { '2xx': number; non2xx: number; errors: number; timeouts: number; duration: number }

/**
 * Asks for one address as fast as it answers, from a process of its own, and counts the answers a second. Rejects when any
 * of them was not the page.
 */
export async function requestsPerSecond(
  url: string,
  { connections, seconds, headers }: LoadOptions,
): Promise<number> {
  const { code, stdout, stderr } = await runCommand(process.execPath, [
    autocannon,
    ...['--json', '--no-progress', '--connections', String(connections), '--duration', String(seconds)],
    ...Object.entries(headers).flatMap(([name, value]) => ['--headers', `${name}=${value}`]),
    url,
  ])
  if (code !== 0) throw new Error(`autocannon failed: ${stderr.trim()}`)
  const report: Report = JSON.parse(stdout)
  if (report.non2xx + report.errors + report.timeouts > 0 || report['2xx'] === 0) {
    throw new Error(
      `${url} answered ${report['2xx']} requests well, ${report.non2xx} otherwise, and failed at ${report.errors}.`,
    )
  }
  return report['2xx'] / report.duration
}
