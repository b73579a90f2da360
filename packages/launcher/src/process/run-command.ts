import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

/** The user that a command runs as; the current one by default. */
export type Account = { uid: number; gid: number }

/** `code` is -1 when the command could not be started. */
export type CommandResult = { code: number; stdout: string; stderr: string }

type CommandOptions = {
  account?: Account | undefined
  env?: NodeJS.ProcessEnv
  /** Ends the program. */
  signal?: AbortSignal | undefined
  /** Receives each line of standard output as it is written. */
  onLine?: (line: string) => void
}

/** Runs a program to its end in its own process group, so that Ctrl-C doesn't interrupt it. Never rejects. */
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
