import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { repositoryRoot } from '../repository.ts'
import { runTool } from './run-tool.ts'

type Options = {
  env?: NodeJS.ProcessEnv
  /** Shows the tasks' output as it comes instead of keeping it for a failure. */
  live?: boolean
  /** Ends the tasks early. */
  signal?: AbortSignal
  /** Goes on with the other tasks when one has failed. */
  keepGoing?: boolean
}

/** Runs turbo tasks. Answers whether all succeeded, with the output when it was kept. */
export async function runTurbo(tasks: string[], { env = {}, live = false, signal, keepGoing }: Options = {}) {
  const manifest = createRequire(join(repositoryRoot, 'package.json')).resolve('turbo/package.json')
  const args = [
    ...[join(dirname(manifest), 'bin/turbo'), 'run', ...tasks],
    ...['--log-order=stream', live ? '--output-logs=full' : '--output-logs=errors-only'],
    ...(keepGoing ? ['--continue'] : []),
  ]
  return runTool(args, {
    cwd: repositoryRoot,
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1', ...env },
    live,
    signal,
  })
}
