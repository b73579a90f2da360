import Fastify from 'fastify'
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import type { Context } from './context.ts'
import { registerProcessRoutes } from './features/ops/index.ts'
import type { App } from './http/app-type.ts'
import { createErrorHandler, handleClientError } from './http/errors/error-handler.ts'
import { registerSecurityHeaders } from './http/origins/security-headers.ts'

/** Builds the HTTP server of a worker, which serves only its health and metrics. It does not listen yet. */
export function buildWorkerServer({ config, logger, metrics }: Context): App {
  const app: App = Fastify({
    requestTimeout: config.http.requestTimeoutMs,
    bodyLimit: 1_024,
    forceCloseConnections: true,
    clientErrorHandler: handleClientError,
  }).withTypeProvider<ZodTypeProvider>()
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler(createErrorHandler(logger, metrics))
  registerSecurityHeaders(app)
  registerProcessRoutes(app, { metrics, metricsToken: config.metricsToken, build: config.build })
  return app
}

/**
 * Serves the metrics of a worker. A port that is taken is logged and no error: jobs matter more, and the alert on a
 * missing target says the same.
 */
export async function serveWorkerMetrics(app: App, { config, logger }: Context): Promise<void> {
  const port = config.workerMetricsPort
  if (port === null) return
  try {
    const address = await app.listen({ port, host: config.http.host })
    logger.info({ address }, 'serving metrics')
  } catch (error) {
    const hint = 'Set WORKER_METRICS_PORT to a free port, or to off.'
    logger.warn({ err: error, port, hint }, 'metrics port unavailable')
  }
}
