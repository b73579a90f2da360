import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { repositoryRoot } from '../repository.ts'
import { runCommand } from './run-command.ts'

type Options = {
  env?: NodeJS.ProcessEnv
  /** Prints the output instead of returning that of failed tasks. */
  live?: boolean
  /** Ends the tasks. */
  signal?: AbortSignal
  /** Continues with the other tasks when one fails. */
  keepGoing?: boolean
}

/** Runs turbo tasks. Returns whether all succeeded, and the output unless it was printed. */
export async function runTurbo(tasks: string[], { env = {}, live = false, signal, keepGoing }: Options = {}) {
  const manifest = createRequire(join(repositoryRoot, 'package.json')).resolve('turbo/package.json')
  const args = [
    ...[join(dirname(manifest), 'bin/turbo'), 'run', ...tasks],
    ...['--log-order=stream', live ? '--output-logs=full' : '--output-logs=errors-only'],
    ...(keepGoing ? ['--continue'] : []),
  ]
  const { code, stdout, stderr } = await runCommand(process.execPath, args, {
    cwd: repositoryRoot,
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1', ...env },
    live,
    signal,
  })
  return { succeeded: code === 0, output: stdout + stderr }
}
