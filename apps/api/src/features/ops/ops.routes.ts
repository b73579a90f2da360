import { getHealth, getMetrics, getReadiness } from '@tidings/contracts/ops'
import type { App } from '#http/app-type.ts'
import { register } from '#http/endpoints/register.ts'
import { isDatabaseUnavailable } from '#platform/database.ts'
import { createFail } from '#platform/errors.ts'
import type { Metrics } from '#platform/metrics.ts'
import { equalInConstantTime } from '#platform/signing.ts'
import type { Readiness } from './readiness.ts'

type Deps = { readiness: Readiness; metrics: Metrics; metricsToken: string }

const fail = createFail({
  'service-unavailable': (reason: string, cause?: unknown) => [503, reason, { cause }],
  'invalid-api-key': () => [401, 'Send the METRICS_TOKEN as Authorization: Bearer …'],
})

/** Returns what the check found, without the text of the driver, which contains addresses. */
function reasonOf(error: unknown): string {
  return isDatabaseUnavailable(error) ? 'The database is unavailable.' : 'A query of the database failed.'
}

export function registerOpsRoutes(app: App, { readiness, metrics, metricsToken }: Deps): void {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('Cache-Control', 'no-store')
    done()
  })

  register(app, getHealth, async () => ({ status: 'ok' }))

  register(app, getReadiness, async () => {
    const missing = await readiness.findMissingMigrations().catch((error: unknown) => {
      throw fail('service-unavailable', reasonOf(error), error)
    })
    if (missing.length > 0)
      throw fail('service-unavailable', `The database lacks migrations: ${missing.join(', ')}`)
    return { status: 'ready' }
  })

  register(app, getMetrics, async (request, reply) => {
    const sent = request.headers.authorization ?? ''
    if (metricsToken !== '' && !equalInConstantTime(sent, `Bearer ${metricsToken}`)) {
      throw fail('invalid-api-key')
    }
    return await reply.type(metrics.registry.contentType).send(await metrics.registry.metrics())
  })
}
