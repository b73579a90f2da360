import { existsSync } from 'node:fs'
import { runCommand } from '../process/run-command.ts'

/** The options of Playwright's `launch`. */
export type Browser = { executablePath: string; args: string[]; env: Record<string, string> }

export const browserArgs = ['--no-sandbox', '--disable-dev-shm-usage']

/** Returns whether the browser at this path starts. */
export async function browserStarts(path: string, env: NodeJS.ProcessEnv = process.env) {
  // On Windows `--version` opens a window.
  if (process.platform === 'win32') return existsSync(path)
  return (await runCommand(path, ['--version'], { env })).code === 0
}

/** Returns the environment of this process in the form that Playwright takes. */
export function currentEnv(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}
