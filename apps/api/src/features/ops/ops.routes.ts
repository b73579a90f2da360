import { getReadiness } from '@tidings/contracts/ops'
import type { App } from '#http/app-type.ts'
import { register } from '#http/endpoints/register.ts'
import { isDatabaseUnavailable } from '#platform/database.ts'
import { createFail } from '#platform/errors.ts'
import { type ProcessDeps, registerProcessRoutes } from './process.routes.ts'
import type { Readiness } from './readiness.ts'

type Deps = ProcessDeps & { readiness: Readiness }

const fail = createFail({
  'service-unavailable': (reason: string, cause?: unknown) => [503, reason, { cause }],
})

/** Returns what the check found, without the text of the driver, which contains addresses. */
function reasonOf(error: unknown): string {
  return isDatabaseUnavailable(error) ? 'The database is unavailable.' : 'A query of the database failed.'
}

export function registerOpsRoutes(app: App, { readiness, ...deps }: Deps): void {
  registerProcessRoutes(app, deps)

  register(app, getReadiness, async () => {
    const missing = await readiness.findMissingMigrations().catch((error: unknown) => {
      throw fail('service-unavailable', reasonOf(error), error)
    })
    if (missing.length > 0)
      throw fail('service-unavailable', `The database lacks migrations: ${missing.join(', ')}`)
    return { status: 'ready' }
  })
}
