import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../alerts')

/** Checks and tests the alerts with `promtool` (Debian's package `prometheus`). Exits with 1 if one fails. */
for (const args of [
  ['check', 'rules', 'tidings.rules.yml'],
  ['test', 'rules', 'tidings.rules.test.yml'],
]) {
  const { status, error } = spawnSync('promtool', args, { cwd: folder, stdio: 'inherit' })
  if (error !== undefined) {
    process.stderr.write(`promtool did not run (${error.message}). Install it: apt-get install prometheus\n`)
  }
  if (status !== 0) process.exitCode = 1
}
