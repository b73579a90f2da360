import { spawn } from 'node:child_process'
import { signalGroup } from './child.ts'

type Options = {
  cwd: string
  env: NodeJS.ProcessEnv
  /** Shows the output as it comes instead of keeping it. */
  live: boolean
  /** Ends the tool, and whatever it has started, early. */
  signal?: AbortSignal | undefined
}

/**
 * Runs a development tool written for Node to its end, in a process group of its own: Ctrl-C reaches it by `signal` alone, and
 * reaches all of it. Rejects when it cannot be started.
 */
export async function runTool(args: string[], { cwd, env, live, signal }: Options) {
  signal?.throwIfAborted()
  const output = live ? 'inherit' : 'pipe'
  const child = spawn(process.execPath, args, { cwd, env, detached: true, stdio: ['ignore', output, output] })
  const end = () => signalGroup(child.pid, 'SIGTERM')
  signal?.addEventListener('abort', end)
  let written = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      written += chunk
    })
  }
  try {
    const code = await new Promise<number>((resolve, reject) => {
      child.on('error', reject)
      child.on('close', (exitCode) => resolve(exitCode ?? 1))
    })
    return { succeeded: code === 0, output: written }
  } finally {
    signal?.removeEventListener('abort', end)
  }
}
