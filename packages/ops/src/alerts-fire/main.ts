import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createProgress } from '@tidings/launcher/progress'
import { runCommand } from '@tidings/launcher/run-command'
import { type Fault, firstFaults, listenerFaults, secondFaults, slowFaults, workerFaults } from './faults.ts'
import { type Prometheus, startPrometheus } from './prometheus.ts'
import { startFaultySite } from './site.ts'

const defaultWithinMs = 120_000
/** The rate of errors looks back for five minutes. */
const resolvedWithinMs = 8 * 60_000
const diskSize = '2g'

const progress = createProgress()
const ends: (() => Promise<unknown>)[] = []
const rows: string[] = []

/**
 * Runs a site with Prometheus, causes the fault of each alert, and waits until the alert fires and, after the fault, until it
 * no longer does. Takes about 25 minutes. As root, it also fills a disk. Exits with 1 if an alert is late or stays away.
 */
async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-alerts-'))
  ends.push(() => rm(folder, { recursive: true, force: true }))
  // As root, PostgreSQL runs as another user, who has to enter the folder.
  await chmod(folder, 0o711)
  const canFillDisk = await mountDisk(folder)
  const site = await progress.step('Starting a site', () => startFaultySite(folder, (end) => ends.push(end)))
  const prometheus = await startPrometheus({
    folder,
    apiPort: Number(new URL(site.url).port),
    workerPort: site.workerPort,
    token: site.token,
  })
  ends.push(() => prometheus.stop())
  const slow = together(prometheus, slowFaults(site))
  slow.catch(() => {})
  for (const faults of [
    firstFaults(site, { canFillDisk }),
    listenerFaults(site),
    secondFaults(site),
    workerFaults(site),
  ]) {
    const names = faults.map(({ alert }) => alert).join(', ')
    await progress.step(names, () => together(prometheus, faults))
  }
  await progress.step('The slow alerts', () => slow)
  progress.say(
    `\n| Alert | Fault | Fired after | Limit | Ended after |\n|---|---|---|---|---|\n${rows.join('\n')}`,
  )
  if (!canFillDisk) progress.say('TidingsDiskFull was not tried: mounting a small disk needs root.')
}

/** Causes faults at once, waits until each alert fires, mends them, and waits until each alert ends. */
async function together(prometheus: Prometheus, faults: readonly Fault[]): Promise<void> {
  await Promise.all(
    faults.map(async ({ alert, what, withinMs = defaultWithinMs, cause, mend }) => {
      const causedAt = performance.now()
      await cause()
      await until(alert, withinMs, async () => (await prometheus.firing()).has(alert), 'did not fire')
      const firedMs = performance.now() - causedAt
      progress.say(`  ${alert} fired after ${seconds(firedMs)}`)
      const mendedAt = performance.now()
      await mend()
      await until(alert, resolvedWithinMs, async () => !(await prometheus.firing()).has(alert), 'did not end')
      rows.push(
        `| ${alert} | ${what} | ${seconds(firedMs)} | ${seconds(withinMs)} | ${seconds(performance.now() - mendedAt)} |`,
      )
    }),
  )
}

async function until(
  alert: string,
  limitMs: number,
  isSo: () => Promise<boolean>,
  failure: string,
): Promise<void> {
  const deadline = performance.now() + limitMs
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`${alert} ${failure} within ${seconds(limitMs)}.`)
    await pause(1_000)
  }
}

/** Mounts a small disk at a folder, which only root may. */
async function mountDisk(folder: string): Promise<boolean> {
  if (process.getuid?.() !== 0) return false
  const options = `size=${diskSize},mode=0711`
  const { code } = await runCommand('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder])
  if (code !== 0) return false
  ends.push(async () => {
    // Lazily: the last process may still be closing its files.
    await runCommand('umount', ['--lazy', folder])
  })
  return true
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1_000)} s`
}

try {
  await main()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
const { exitCode } = process
for (const end of ends.reverse()) {
  await end().catch((error: unknown) => process.stderr.write(`Could not be ended: ${error}\n`))
}
process.exit(exitCode)
