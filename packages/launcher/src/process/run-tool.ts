import { spawn } from 'node:child_process'
import { signalGroup } from './child.ts'

type Options = {
  cwd: string
  env: NodeJS.ProcessEnv
  /** Prints the output instead of returning it. */
  live: boolean
  /** Ends the tool and all processes that it started. */
  signal?: AbortSignal | undefined
}

/**
 * Runs a Node program to its end in its own process group, so that Ctrl-C reaches it only through `signal`.
 * Rejects when it cannot be started.
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
