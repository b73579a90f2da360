import type { Terminal } from '#commands/command-line.ts'
import { runProgram } from '#commands/program.ts'
import type { Config } from '#config/config.ts'
import { listSettingValues } from '#config/setting.ts'
import { settings } from '#config/settings.ts'

type Run = { code: number; printed: string; errors: string }

/**
 * Runs a command in this process, with these settings. Returns its exit code, what it prints and its errors. With
 * `answer`, a person types that at the terminal.
 */
export async function runInProcess(args: readonly string[], config: Config, answer?: string): Promise<Run> {
  const run = { printed: '', errors: '' }
  const terminal: Terminal = {
    writeOut(text) {
      run.printed += text
    },
    writeError(text) {
      run.errors += text
    },
    isInteractive: answer !== undefined,
    async ask(question) {
      run.errors += question
      return answer ?? ''
    },
    askSecret: async () => answer ?? '',
    readRevision: async () => config.build.revision,
    readLocations: async () => config.locations,
    readConfig: async () => config,
    readSettingValues: async (siteSecret) =>
      listSettingValues(
        settings,
        { SITE_NAME: config.site.name, SITE_SECRET: config.secrets.siteSecret },
        siteSecret,
      ),
  }
  const code = await runProgram(args, terminal)
  return { code, ...run }
}
