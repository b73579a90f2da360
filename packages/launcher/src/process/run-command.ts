import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

/** The user that a command runs as; nothing means the present one. */
export type Account = { uid: number; gid: number }

/** How a command ended, and what it wrote. `code` is -1 when it could not be started at all. */
export type CommandResult = { code: number; stdout: string; stderr: string }

type CommandOptions = {
  account?: Account | undefined
  env?: NodeJS.ProcessEnv
  /** Ends the program early. */
  signal?: AbortSignal | undefined
  /** Hears each line of standard output when it is written. */
  onLine?: (line: string) => void
}

/**
 * Runs a program to its end in a process group of its own, so that Ctrl-C in the terminal does not cut it short.
 * Never rejects.
 */
export function runCommand(
  file: string,
  args: string[],
  { account, env = process.env, signal, onLine }: CommandOptions = {},
): Promise<CommandResult> {
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      cwd: '/',
      detached: true,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(signal ? { signal } : {}),
      ...account,
    })
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (chunk) => {
      stdout += chunk
    })
    if (onLine) createInterface({ input: child.stdout }).on('line', onLine)
    child.stderr.on('data', (chunk) => {
      stderr += chunk
    })
    child.on('error', (error) => resolve({ code: -1, stdout, stderr: error.message }))
    child.on('close', (code) => resolve({ code: code ?? -1, stdout, stderr }))
  })
}
