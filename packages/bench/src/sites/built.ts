import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '@tidings/launcher/repository'

/** The program of the built HTTP process. */
export const builtApi = join(repositoryRoot, 'apps/api/dist/main.js')

/** The program of the built job process. */
export const builtWorker = join(repositoryRoot, 'apps/api/dist/worker.js')

/** The built command that brings plans and prices to where they are paid. */
export const builtPayments = join(repositoryRoot, 'apps/api/dist/commands/payments.js')

const needed = [builtApi, builtWorker, builtPayments, join(repositoryRoot, 'apps/web/dist/index.html')]

/** Throws, saying what to run, unless what is measured has been built. */
export function requireBuild(): void {
  const missing = needed.find((path) => !existsSync(path))
  if (missing !== undefined) {
    throw new Error(`${missing} is missing: measured is what was built. Run 'npx --yes pnpm@12 build' first.`)
  }
}
