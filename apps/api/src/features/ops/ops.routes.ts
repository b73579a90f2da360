import { errorReply } from '@tidings/contracts/errors'
import { paths } from '@tidings/contracts/paths'
import { z } from 'zod'
import type { App } from '#http/app-type.ts'
import { AppError } from '#platform/errors.ts'
import type { Metrics } from '#platform/metrics.ts'
import { equalInConstantTime } from '#platform/signing.ts'
import type { Readiness } from './readiness.ts'

type Deps = { readiness: Readiness; metrics: Metrics; metricsToken: string }

const tags = ['Operation']
const statusReply = z.object({ status: z.string() })

/** Health, readiness and metrics. */
export function registerOpsRoutes(app: App, { readiness, metrics, metricsToken }: Deps): void {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('Cache-Control', 'no-store')
    done()
  })

  app.get(
    paths.health,
    {
      config: { access: 'public' },
      schema: { tags, summary: 'The process lives', response: { 200: statusReply } },
    },
    async () => ({ status: 'ok' }),
  )

  app.get(
    paths.ready,
    {
      config: { access: 'public' },
      schema: {
        tags,
        summary: 'The database answers and has every migration',
        response: { 200: statusReply, 503: errorReply },
      },
    },
    async () => {
      const obstacle = await readiness.findObstacle().catch(() => 'The database does not answer.')
      if (obstacle !== null) throw new AppError('service-unavailable', 503, obstacle)
      return { status: 'ready' }
    },
  )

  app.get(
    paths.metrics,
    {
      config: { access: 'public' },
      schema: { tags, summary: "Counters in Prometheus' text format" },
    },
    async (request, reply) => {
      const given = request.headers.authorization ?? ''
      if (metricsToken !== '' && !equalInConstantTime(given, `Bearer ${metricsToken}`)) {
        throw new AppError('invalid-api-key', 401, 'Send the METRICS_TOKEN: Authorization: Bearer …')
      }
      return await reply.type(metrics.registry.contentType).send(await metrics.registry.metrics())
    },
  )
}
