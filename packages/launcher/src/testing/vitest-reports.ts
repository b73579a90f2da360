import { join } from 'node:path'

type Reporters = ('default' | ['json', { outputFile: string }])[]

/** Folder, inside each package, where the test command finds what the runners counted. */
export const reportsFolder = '.reports'

/**
 * The reporters of a vitest config: people's, and with `TIDINGS_REPORTS` set a JSON file `.reports/<project>.json` in the
 * package's folder as well. It lies there, and not in one place for all, so that turbo can keep it with the task's result.
 * `project` is the one named on the command line, else `unit`.
 */
export function reportersFor(packageDir: string, project = projectOf(process.argv)): Reporters {
  if (!process.env.TIDINGS_REPORTS) return ['default']
  return ['default', ['json', { outputFile: join(packageDir, reportsFolder, `${project}.json`) }]]
}

/** The value of `--project` among a command's words. */
export function projectOf(words: string[]): string {
  const inline = words.find((word) => word.startsWith('--project='))
  if (inline) return inline.slice('--project='.length)
  const index = words.indexOf('--project')
  return (index >= 0 && words[index + 1]) || 'unit'
}
