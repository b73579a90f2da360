import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '@tidings/launcher/repository'

export const builtApi = join(repositoryRoot, 'apps/api/dist/main.js')

export const builtWorker = join(repositoryRoot, 'apps/api/dist/worker.js')

/** The built command line. */
export const builtTidings = join(repositoryRoot, 'apps/api/dist/commands/tidings.js')

const needed = [
  builtApi,
  builtWorker,
  builtTidings,
  join(repositoryRoot, 'apps/web/dist/index.html'),
  join(repositoryRoot, 'apps/desk/dist/index.html'),
]

/** Throws unless everything is built. */
export function requireBuild(): void {
  const missing = needed.find((path) => !existsSync(path))
  if (missing !== undefined) {
    throw new Error(`${missing} is missing. Run 'npx --yes pnpm@12 build' first.`)
  }
}
