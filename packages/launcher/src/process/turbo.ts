import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { repositoryRoot } from './repository.ts'
import { runCommand } from './run-command.ts'

export type TurboOptions = {
  env?: NodeJS.ProcessEnv
  /** Prints the output instead of returning that of failed tasks. */
  live?: boolean
  /** Ends the tasks. */
  signal?: AbortSignal
  /** Continues with the other tasks when one fails. */
  keepGoing?: boolean
  /** Runs these tasks without those that they depend on. */
  isBuilt?: boolean
  /** How many tasks run at once: a number or a percentage of the cores. */
  concurrency?: string
}

/** Runs turbo tasks. Returns whether all succeeded, and the output unless it was printed. */
export async function runTurbo(tasks: string[], options: TurboOptions = {}) {
  const { env = {}, live = false, signal, keepGoing, isBuilt, concurrency } = options
  const manifest = createRequire(join(repositoryRoot, 'package.json')).resolve('turbo/package.json')
  const args = [
    ...[join(dirname(manifest), 'bin/turbo'), 'run', ...tasks],
    ...['--log-order=stream', live ? '--output-logs=full' : '--output-logs=errors-only'],
    ...(keepGoing ? ['--continue'] : []),
    ...(isBuilt ? ['--only'] : []),
    ...(concurrency === undefined ? [] : [`--concurrency=${concurrency}`]),
  ]
  const { code, stdout, stderr } = await runCommand(process.execPath, args, {
    cwd: repositoryRoot,
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1', ...env },
    live,
    signal,
  })
  return { succeeded: code === 0, output: stdout + stderr }
}
