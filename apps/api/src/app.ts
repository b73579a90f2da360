import cookie from '@fastify/cookie'
import websocket from '@fastify/websocket'
import Fastify, { type FastifyBaseLogger, LogController } from 'fastify'
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import type { Config } from './config/config.ts'
import type { Context } from './context.ts'
import { registerArticleRoutes } from './features/articles/index.ts'
import { registerEditionRoutes } from './features/editions/index.ts'
import { registerEditorRoutes } from './features/editor/index.ts'
import { registerGateRoutes } from './features/gate/index.ts'
import { registerLikeRoutes } from './features/likes/index.ts'
import { registerLiveFeedRoutes } from './features/live-feed/index.ts'
import { registerMediaRoutes } from './features/media/index.ts'
import { registerMemoRoutes } from './features/memos/index.ts'
import { registerOpsRoutes } from './features/ops/index.ts'
import { registerAccess, requireLogin } from './http/access.ts'
import type { App } from './http/app-type.ts'
import { createErrorHandler, handleClientError } from './http/error-handler.ts'
import { gateRequired } from './http/gate-pass.ts'
import { registerJsonBody } from './http/json-body.ts'
import { registerUnknownPaths } from './http/not-found.ts'
import { registerApiReference, registerOpenapi } from './http/openapi.ts'
import { registerProtocolRefusals } from './http/protocol-refusals.ts'
import { registerRequestMetrics } from './http/request-metrics.ts'
import { isLiveFeedHandshake, refuseUpgradesElsewhere } from './http/upgrades.ts'
import { registerWebApp } from './http/web-app.ts'

const heartbeatMs = 25_000
const longestFrameFromReaders = 1_024

/** The HTTP process's server: the one ordered list of what it consists of. Not yet listening. */
export async function buildApp(context: Context): Promise<App> {
  const { config, database, gatePass, metrics } = context
  const handleError = createErrorHandler(context.logger)
  const loggerInstance: FastifyBaseLogger = context.logger
  const app: App = Fastify({
    loggerInstance,
    // A logger for each request would be made for nothing: nothing is logged through it.
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustedHops(config.http.trustProxy),
    bodyLimit: 256_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    // What still arrives while closing is answered as ever, on a connection that ends with it.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 200 },
    http: { requireHostHeader: false, shouldUpgradeCallback: isLiveFeedHandshake },
    frameworkErrors: (error, request, reply) => handleError(error, request, reply),
    clientErrorHandler: handleClientError,
  }).withTypeProvider<ZodTypeProvider>()

  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler(handleError)
  app.decorateRequest('editor', null)
  registerJsonBody(app)

  // First of all: it ends the sockets of handshakes that any of the checks below refuses.
  await app.register(websocket, {
    options: { maxPayload: longestFrameFromReaders, perMessageDeflate: false },
    preClose: (done: () => void) => {
      context.socketHub.end('the server restarts').then(() => done(), done)
    },
  })
  registerProtocolRefusals(app)
  registerRequestMetrics(app, metrics, context.logger)
  registerUnknownPaths(app, { gatePass, siteName: config.site.name })
  registerAccess(app, {
    gate(request) {
      if (!gatePass.isPassed(request.headers.cookie)) throw gateRequired()
    },
    member: requireLogin,
    async editor(request) {
      request.editor = await context.editorKeys.authenticate(request.headers.authorization, request.ip)
    },
  })
  refuseUpgradesElsewhere(app)
  await app.register(cookie, { hook: false })
  await registerOpenapi(app, config.site)

  const secureCookies = config.site.url.protocol === 'https:'
  await app.register(async (scope: App) => {
    scope.addHook('onRequest', (_request, reply, done) => {
      reply.header('X-Content-Type-Options', 'nosniff')
      done()
    })
    registerGateRoutes(scope, { ...context, secureCookies })
    registerLikeRoutes(scope, { ...context, secureCookies })
    registerArticleRoutes(scope, context)
    registerMediaRoutes(scope, context)
    registerLiveFeedRoutes(scope, { hub: context.socketHub, origins: config.site.origins })
    await scope.register((desk: App) => registerEditorRoutes(desk, { ...context, database }))
    await scope.register(async (ops: App) =>
      registerOpsRoutes(ops, { ...context, metricsToken: config.metricsToken }),
    )
  })
  // What readers ask for most carries its few headers ready made, and no hook of its own.
  registerEditionRoutes(app, context)
  registerMemoRoutes(app, context)
  await registerApiReference(app, config.site)
  await registerWebApp(app, config)

  const heartbeat = setInterval(() => context.socketHub.beat(), heartbeatMs)
  heartbeat.unref()
  app.addHook('onClose', async () => clearInterval(heartbeat))
  return app
}

/** A number of proxies in front, as the function that the server asks for each hop. */
function trustedHops(
  trust: Config['http']['trustProxy'],
): boolean | string[] | ((address: string, hop: number) => boolean) {
  return typeof trust === 'number' ? (_address, hop) => hop < trust : trust
}
