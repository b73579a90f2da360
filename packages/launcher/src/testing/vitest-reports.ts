import { join } from 'node:path'

type Reporters = ('default' | ['json', { outputFile: string }])[]

/** The folder in each package where the test command finds the reports. */
export const reportsFolder = '.reports'

/**
 * Returns the reporters of a Vitest config. With `TIDINGS_REPORTS` they include a JSON file `.reports/<project>.json` in
 * the package, where `project` is the one on the command line or `unit`.
 */
export function reportersFor(packageDir: string, project = projectOf(process.argv)): Reporters {
  if (!process.env.TIDINGS_REPORTS) return ['default']
  return ['default', ['json', { outputFile: join(packageDir, reportsFolder, `${project}.json`) }]]
}

/** Returns the value of `--project` among the arguments. */
export function projectOf(args: string[]): string {
  const inline = args.find((word) => word.startsWith('--project='))
  if (inline) return inline.slice('--project='.length)
  const index = args.indexOf('--project')
  return (index >= 0 && args[index + 1]) || 'unit'
}
