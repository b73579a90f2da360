import { getHealth, getMetrics, getReadiness } from '@tidings/contracts/ops'
import type { App } from '#http/app-type.ts'
import { register } from '#http/endpoints/register.ts'
import { createFail } from '#platform/errors.ts'
import type { Metrics } from '#platform/metrics.ts'
import { equalInConstantTime } from '#platform/signing.ts'
import type { Readiness } from './readiness/readiness.ts'

type Deps = { readiness: Readiness; metrics: Metrics; metricsToken: string }

const fail = createFail({
  'invalid-api-key': () => [401, 'Send the METRICS_TOKEN as Authorization: Bearer …'],
})

export function registerOpsRoutes(app: App, { readiness, metrics, metricsToken }: Deps): void {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('Cache-Control', 'no-store')
    done()
  })

  register(app, getHealth, async () => ({ status: 'ok' }))

  register(app, getReadiness, async (_request, reply) => {
    const { status, checks } = await readiness.check()
    if (status !== 'not-ready') return { status, checks }
    const message = checks.flatMap(({ reason }) => reason ?? []).join(' ')
    return reply.code(503).send({ status, checks, error: { code: 'service-unavailable', message } })
  })

  register(app, getMetrics, async (request, reply) => {
    const sent = request.headers.authorization ?? ''
    if (metricsToken !== '' && !equalInConstantTime(sent, `Bearer ${metricsToken}`)) {
      throw fail('invalid-api-key')
    }
    return await reply.type(metrics.registry.contentType).send(await metrics.registry.metrics())
  })
}
