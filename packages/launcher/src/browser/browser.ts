import { existsSync } from 'node:fs'
import { runCommand } from '../process/run-command.ts'

/** What Playwright's `launch` takes. */
export type Browser = { executablePath: string; args: string[]; env: Record<string, string> }

export const browserArgs = ['--no-sandbox', '--disable-dev-shm-usage']

/** Whether a browser at this path can be run at all. */
export async function browserStarts(path: string, env: NodeJS.ProcessEnv = process.env) {
  // On Windows a version question opens a window instead.
  if (process.platform === 'win32') return existsSync(path)
  return (await runCommand(path, ['--version'], { env })).code === 0
}

/** The present environment, in the form that Playwright takes it. */
export function presentEnv(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}
