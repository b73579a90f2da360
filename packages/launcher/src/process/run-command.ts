import { createInterface } from 'node:readline'
import { execa } from 'execa'
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

/** Runs a program to its end in its own process group, so that Ctrl-C reaches it only through `signal`. Never rejects. */
export async function runCommand(
  file: string,
  args: string[],
  { account, cwd = '/', env = process.env, live = false, signal, onLine }: CommandOptions = {},
): Promise<CommandResult> {
  const output = live ? 'inherit' : 'pipe'
  const program = execa(file, args, {
    cwd,
    env,
    extendEnv: false,
    detached: true,
    reject: false,
    stripFinalNewline: false,
    stdin: 'ignore',
    stdout: output,
    stderr: output,
    ...account,
  })
  // NOTE: execa would only end the program itself, not the processes that it started.
  const end = () => signalGroup(program.pid, 'SIGTERM')
  if (signal?.aborted) end()
  signal?.addEventListener('abort', end)
  if (onLine && program.stdout) createInterface({ input: program.stdout }).on('line', onLine)
  const { exitCode = -1, stdout = '', stderr = '', cause } = await program
  signal?.removeEventListener('abort', end)
  return { code: exitCode, stdout, stderr: program.pid === undefined ? String(cause) : stderr }
}
