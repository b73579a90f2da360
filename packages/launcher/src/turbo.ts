import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { repositoryRoot } from './repository.ts'

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
export async function runTurbo(tasks: string[], { env = {}, live, signal, keepGoing }: Options = {}) {
  const turbo = join(
    dirname(createRequire(join(repositoryRoot, 'package.json')).resolve('turbo/package.json')),
    'bin/turbo',
  )
  const args = [turbo, 'run', ...tasks, ...(keepGoing ? ['--continue'] : [])]
  const child = spawn(
    process.execPath,
    [...args, live ? '--output-logs=full' : '--output-logs=errors-only'],
    {
      cwd: repositoryRoot,
      ...(signal ? { signal } : {}),
      env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1', ...env },
      stdio: ['ignore', live ? 'inherit' : 'pipe', live ? 'inherit' : 'pipe'],
    },
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output += chunk
    })
  }
  const code = await new Promise<number>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (exitCode) => resolve(exitCode ?? 1))
  })
  return { succeeded: code === 0, output }
}
