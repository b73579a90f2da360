import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { signalGroup } from './child.ts'

/** The user that a command runs as; the current one by default. */
export type Account = { uid: number; gid: number }

/** `code` is -1 when the command could not be started or was ended by a signal. */
export type CommandResult = { code: number; stdout: string; stderr: string }

type CommandOptions = {
  account?: Account | undefined
  cwd?: string
  env?: NodeJS.ProcessEnv
  /** Prints the output instead of returning it. */
  live?: boolean
  /** Ends the program and all processes that it started. */
  signal?: AbortSignal | undefined
  /** Receives each line of standard output as it is written. */
  onLine?: (line: string) => void
}

/**
 * Runs a program to its end in its own process group, so that Ctrl-C reaches it only through `signal`. Never rejects.
 * NOTE: execa would only end the program itself, not the processes that it started.
 */
export function runCommand(
  file: string,
  args: string[],
  { account, cwd = '/', env = process.env, live = false, signal, onLine }: CommandOptions = {},
): Promise<CommandResult> {
  return new Promise((resolve) => {
    const output = live ? 'inherit' : 'pipe'
    const child = spawn(file, args, {
      cwd,
      env,
      detached: true,
      stdio: ['ignore', output, output],
      ...account,
    })
    const end = () => signalGroup(child.pid, 'SIGTERM')
    if (signal?.aborted) end()
    signal?.addEventListener('abort', end)
    let stdout = ''
    let stderr = ''
    child.stdout?.on('data', (chunk) => {
      stdout += chunk
    })
    if (onLine && child.stdout) createInterface({ input: child.stdout }).on('line', onLine)
    child.stderr?.on('data', (chunk) => {
      stderr += chunk
    })
    const settle = (result: CommandResult) => {
      signal?.removeEventListener('abort', end)
      resolve(result)
    }
    child.on('error', (error) => settle({ code: -1, stdout, stderr: error.message }))
    child.on('close', (code) => settle({ code: code ?? -1, stdout, stderr }))
  })
}
