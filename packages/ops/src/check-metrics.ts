import { spawnSync } from 'node:child_process'
import { freePort } from '@tidings/launcher/free-port'
import { startSite } from '@tidings/launcher/site'

/**
 * Checks the names and help texts of what a running API and worker expose, with `promtool check metrics` (Debian's package
 * `prometheus`). Exits with 1 if it has complaints.
 */
async function main(): Promise<void> {
  const port = await freePort()
  const site = await startSite({ seed: false, workers: 1, env: { WORKER_METRICS_PORT: String(port) } })
  try {
    for (const [name, url] of [
      ['API', `${site.url}/metrics`],
      ['worker', `http://127.0.0.1:${port}/metrics`],
    ] as const) {
      const input = await (await fetch(url)).text()
      const { status, error, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
        input,
        encoding: 'utf8',
      })
      if (error !== undefined)
        throw new Error(`promtool did not run (${error.message}). Install it: apt-get install prometheus`)
      const names = input.split('\n').filter((line) => line.startsWith('# TYPE')).length
      process.stdout.write(
        `${name}: ${names} metrics, ${status === 0 ? 'no complaints' : 'refused'}\n${stdout}${stderr}`,
      )
      if (status !== 0) process.exitCode = 1
    }
  } finally {
    await site.stop()
  }
}

await main()
