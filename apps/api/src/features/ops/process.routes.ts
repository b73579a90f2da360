import { getHealth, getMetrics } from '@tidings/contracts/ops'
import type { App } from '#http/app-type.ts'
import { register } from '#http/endpoints/register.ts'
import { createFail } from '#platform/errors.ts'
import type { Metrics } from '#platform/metrics.ts'
import { equalInConstantTime } from '#platform/signing.ts'

export type ProcessDeps = {
  metrics: Metrics
  metricsToken: string
  build: { version: string; revision: string }
}

const fail = createFail({
  'invalid-api-key': () => [401, 'Send the METRICS_TOKEN as Authorization: Bearer …'],
})

/** Registers what every process serves: that it runs, and its metrics. */
export function registerProcessRoutes(app: App, { metrics, metricsToken, build }: ProcessDeps): void {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('Cache-Control', 'no-store')
    done()
  })

  register(app, getHealth, async () => ({ status: 'ok' as const, ...build }))

  register(app, getMetrics, async (request, reply) => {
    const sent = request.headers.authorization ?? ''
    if (metricsToken !== '' && !equalInConstantTime(sent, `Bearer ${metricsToken}`)) {
      throw fail('invalid-api-key')
    }
    return await reply.type(metrics.registry.contentType).send(await metrics.registry.metrics())
  })
}
