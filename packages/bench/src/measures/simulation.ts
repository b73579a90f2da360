import { join } from 'node:path'
import { repositoryRoot } from '@tidings/launcher/repository'
import { runCommand } from '@tidings/launcher/run-command'
import type { Bench } from '../sites/bench.ts'

const api = join(repositoryRoot, 'apps/api')
const vitest = join(api, 'node_modules/vitest/vitest.mjs')

type Options = {
  label: string
  args: string[]
  env?: NodeJS.ProcessEnv
  onLine?: (line: string) => void
  /** A program that runs the simulation, with its arguments. */
  through?: readonly string[]
}

/** Runs a simulation that belongs to the tests of the API. Returns whether it passed, and prints its output if not. */
export async function runSimulation({ lifetime, progress }: Bench, options: Options): Promise<boolean> {
  return await lifetime.within(async (inner) => {
    const interrupted = new AbortController()
    const [program = '', ...args] = [
      ...(options.through ?? []),
      process.execPath,
      vitest,
      'run',
      ...options.args,
    ]
    const running = runCommand(program, args, {
      cwd: api,
      env: { ...process.env, ...options.env },
      signal: interrupted.signal,
      ...(options.onLine && { onLine: options.onLine }),
    })
    inner.atEnd(async () => {
      interrupted.abort()
      await running
    })
    const { code, stdout, stderr } = await progress.step(options.label, () => running)
    if (code !== 0) progress.say(`${stdout}\n${stderr}`)
    return code === 0
  })
}
