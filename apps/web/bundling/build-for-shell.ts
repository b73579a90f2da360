import { join } from 'node:path'
import { type BuildOptions, build, type Rollup } from 'vite'

/** Builds a file of the sources apart from the site, for the shell. Returns what was built, without writing it. */
export async function buildForShell(
  root: string,
  entry: string,
  { rolldownOptions, ...options }: BuildOptions,
): Promise<Rollup.RollupOutput['output'][number][]> {
  const built = await build({
    root,
    configFile: false,
    logLevel: 'warn',
    build: {
      ...options,
      target: 'es2023',
      write: false,
      rolldownOptions: { ...rolldownOptions, input: join(root, entry) },
    },
  })
  return 'output' in built ? built.output : []
}
