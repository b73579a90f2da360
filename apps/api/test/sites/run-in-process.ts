import { type Command, runCommand } from '#commands/run-command.ts'
import type { Config } from '#config/config.ts'

/** Runs a command in this process, with these settings. Returns what it prints and its exit code. */
export async function runInProcess(
  command: Command,
  args: string[],
  config: Config,
): Promise<{ code: number; printed: string }> {
  let printed = ''
  const print = (text: string) => {
    printed += text
  }
  const code = await runCommand(command, args, () => config, print)
  return { code, printed }
}
