import cookie from '@fastify/cookie'
import websocket from '@fastify/websocket'
import Fastify from 'fastify'
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import type { Config } from './config/config.ts'
import type { Context } from './context.ts'
import { registerArticleRoutes } from './features/articles/index.ts'
import {
  registerAuthRoutes,
  registerCaptchaRoutes,
  registerIdentityPopups,
  registerIdentityRoutes,
  registerSessionRoutes,
  registerVerificationPage,
} from './features/auth/index.ts'
import { registerBillingRoutes, registerWebhookRoutes } from './features/billing/index.ts'
import { registerCommentRoutes } from './features/comments/index.ts'
import {
  registerCorrectionNotes,
  registerDeliverability,
  registerDeliveryDesk,
  registerLinkRoutes,
  registerMailEventRoutes,
  registerMemberDeliveryRoutes,
  registerPushDeviceRoutes,
  registerSmsEventRoutes,
  registerSuppressionRoutes,
} from './features/delivery/index.ts'
import { registerDeskSocket, registerEditorRoutes } from './features/desk/index.ts'
import { registerEditionRoutes } from './features/editions/index.ts'
import { registerFeedRoutes, registerMemberFeedRoutes } from './features/feeds/index.ts'
import { registerGateRoutes } from './features/gate/index.ts'
import { registerLikeRoutes } from './features/likes/index.ts'
import { registerLiveFeedRoutes } from './features/live-feed/index.ts'
import { registerMediaRoutes } from './features/media/index.ts'
import { registerMemberDesk } from './features/member-desk/index.ts'
import { registerMemberRoutes, registerProfileImageFiles } from './features/members/index.ts'
import { registerMemoRoutes } from './features/memos/index.ts'
import { registerNeeds } from './features/needs/index.ts'
import { registerOpsRoutes } from './features/ops/index.ts'
import { registerPeopleRoutes, sessionSecretOf } from './features/people/index.ts'
import { registerPhoneRoutes } from './features/phone/index.ts'
import { registerPlanRoutes } from './features/plans/index.ts'
import { registerPreviewPages, registerPreviews } from './features/previews/index.ts'
import { registerReadiness } from './features/readiness/index.ts'
import { registerSearchRoutes } from './features/search/index.ts'
import { registerSecureContentRoutes } from './features/secure-content/index.ts'
import { registerStatistics } from './features/statistics/index.ts'
import { registerProviderIcons, registerWidgetConfigRoutes } from './features/widget-config/index.ts'
import type { App } from './http/app-type.ts'
import { closeConnectionsWhileDraining } from './http/connections/drain.ts'
import { registerProtocolRefusals } from './http/connections/protocol-refusals.ts'
import { registerProxyWarnings } from './http/connections/proxy-warnings.ts'
import { refuseWritesInOutage } from './http/connections/refuse-writes.ts'
import { isSocketHandshake, refuseUpgradesElsewhere } from './http/connections/upgrades.ts'
import { type AccessChecks, registerAccess } from './http/endpoints/access.ts'
import { registerJsonBody } from './http/endpoints/json-body.ts'
import { registerApiReference, registerOpenapi } from './http/endpoints/openapi.ts'
import { createRequestIds, registerRequestIds, requestIdHeader } from './http/endpoints/request-id.ts'
import { registerRequestMetrics } from './http/endpoints/request-metrics.ts'
import { createErrorHandler, handleClientError } from './http/errors/error-handler.ts'
import { requireSession } from './http/membership/member-session.ts'
import { toMembershipError } from './http/membership/membership.errors.ts'
import { registerMembershipApp } from './http/membership/membership.ts'
import { createCors } from './http/origins/cors.ts'
import { registerSecurityHeaders, securityHeaders } from './http/origins/security-headers.ts'
import { registerBrowserCookie } from './http/sessions/browser-cookie.ts'
import { fail as failGate } from './http/sessions/gate-pass.ts'
import { registerClientFiles } from './http/site/client-files.ts'
import { registerDeskApp } from './http/site/desk-app.ts'
import { redirectDeskToLocalhost } from './http/site/desk-host.ts'
import { registerUnknownPaths } from './http/site/not-found.ts'
import { registerWebApp } from './http/site/web-app.ts'

const heartbeatMs = 25_000
const maxReaderFrameBytes = 1_024

/** Builds the HTTP server: the ordered list of its plugins and routes. It does not listen yet. */
export async function buildApp(context: Context): Promise<App> {
  const { config, gatePass } = context
  const handleError = createErrorHandler(context.logger, context.metrics)
  const cors = createCors(context.apps)
  // Node checks for overdue requests at an interval, which is part of their time.
  const checkMs = config.http.requestTimeoutMs / 20
  const arrivalMs = config.http.requestTimeoutMs - checkMs
  // Fastify's own log is off: the error handler and the request metrics log.
  const app: App = Fastify({
    requestTimeout: arrivalMs,
    trustProxy: trustedHops(config.http.trustProxy),
    genReqId: createRequestIds({ trustsProxy: config.http.trustProxy !== false }),
    bodyLimit: 256_000,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    // Requests that arrive while closing are served, and their connection is closed.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 200 },
    http: {
      requireHostHeader: false,
      shouldUpgradeCallback: isSocketHandshake,
      headersTimeout: arrivalMs,
      connectionsCheckingInterval: checkMs,
    },
    // Hooks do not run for malformed paths.
    frameworkErrors: (error, request, reply) => {
      reply.headers({ ...securityHeaders, [requestIdHeader]: request.id })
      cors(request, reply, () => handleError(error, request, reply))
    },
    clientErrorHandler: handleClientError,
  }).withTypeProvider<ZodTypeProvider>()

  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler(handleError)
  registerJsonBody(app)
  app.decorateRequest('membershipApp', null)
  app.decorateRequest('memberSession', null)
  app.decorateRequest('browserId', '')
  registerSecurityHeaders(app)
  registerRequestIds(app)
  closeConnectionsWhileDraining(app, context.drain)
  registerProtocolRefusals(app)
  app.addHook('onRequest', cors)
  registerProxyWarnings(app, { trustProxy: config.http.trustProxy, logger: context.logger })
  if (config.environment !== 'production') redirectDeskToLocalhost(app)
  registerUnknownPaths(app, { gatePass, site: config.site })
  refuseUpgradesElsewhere(app)
  await registerOpenapi(app, config.site)

  await app.register((scope: App) => registerContent(scope, context))
  await app.register((scope: App) => registerMembership(scope, context))
  await app.register((scope: App) => registerSite(scope, context))
  return app
}

/** Registers editions and memos: cached responses behind the gate, without the hooks of other scopes. */
async function registerContent(scope: App, context: Context): Promise<void> {
  registerAccess(scope, accessChecks(context))
  registerEditionRoutes(scope, context)
  registerMemoRoutes(scope, context)
}

/** Registers the membership protocol: each call names its app and authenticates with a Bearer token, never a cookie. */
async function registerMembership(scope: App, context: Context): Promise<void> {
  const handleError = createErrorHandler(context.logger, context.metrics)
  scope.setErrorHandler((error, request, reply) => handleError(toMembershipError(error), request, reply))
  registerRequestMetrics(scope, context.metrics, context.logger)
  refuseWritesInOutage(scope, context.availability)
  registerMembershipApp(scope, context.apps)
  registerAccess(scope, accessChecks(context))
  const deps = { ...context, authenticate: context.sessions.authenticate }
  registerMemberRoutes(scope, deps)
  registerSessionRoutes(scope, deps)
  registerIdentityRoutes(scope, deps)
  registerMemberFeedRoutes(scope, { ...deps, siteUrl: context.config.site.url })
  registerSuppressionRoutes(scope, deps)
  registerPhoneRoutes(scope, deps)
  registerPlanRoutes(scope, { ...deps, tax: context.config.payments.stripe?.tax ?? null })
  registerMemberDeliveryRoutes(scope, deps)
  registerPushDeviceRoutes(scope, deps)
  registerBillingRoutes(scope, deps)
  registerSecureContentRoutes(scope, deps)
  registerCommentRoutes(scope, deps)
  registerWidgetConfigRoutes(scope, deps)
  await scope.register(async (auth: App) => {
    await auth.register(cookie, { hook: false })
    registerBrowserCookie(auth, { ...context, secureCookies: hasSecureCookies(context) })
    registerAuthRoutes(auth, deps)
  })
}

function hasSecureCookies({ config }: Context): boolean {
  return config.site.url.protocol === 'https:'
}

/** Registers the site's own routes and pages, the desk, webhooks, the live feed and operations. */
async function registerSite(scope: App, context: Context): Promise<void> {
  const { config, metrics, subscribers, deskEvents, deskSessions, editorKeys } = context
  // Comes first: it closes the sockets of handshakes that a later check rejects.
  await scope.register(websocket, {
    options: { maxPayload: maxReaderFrameBytes, perMessageDeflate: false },
    preClose: (done: () => void) => {
      deskEvents.sockets.close('the server restarts')
      subscribers.close('the server restarts').then(() => done(), done)
    },
  })
  scope.decorateRequest('editor', null)
  registerRequestMetrics(scope, metrics, context.logger)
  refuseWritesInOutage(scope, context.availability)
  registerAccess(scope, accessChecks(context))
  await scope.register(cookie, { hook: false })

  const deps = {
    ...context,
    site: config.site,
    secureCookies: hasSecureCookies(context),
    metricsToken: config.metricsToken,
    build: config.build,
    authenticate: context.sessions.authenticate,
  }
  await scope.register(async (api: App) => {
    registerGateRoutes(api, deps)
    registerLikeRoutes(api, deps)
    registerArticleRoutes(api, deps)
    registerSearchRoutes(api, deps)
    registerMediaRoutes(api, deps)
    registerFeedRoutes(api, deps)
    registerProfileImageFiles(api, deps)
    await registerProviderIcons(api)
    registerCaptchaRoutes(api, deps)
    await api.register(async (popups: App) => {
      registerBrowserCookie(popups, deps)
      registerIdentityPopups(popups, deps)
    })
    await api.register(async (page: App) => {
      registerBrowserCookie(page, deps)
      registerVerificationPage(page, deps)
    })
    await api.register(async (webhooks: App) => registerWebhookRoutes(webhooks, deps))
    await api.register(async (webhooks: App) => registerMailEventRoutes(webhooks, deps))
    await api.register(async (webhooks: App) =>
      registerSmsEventRoutes(webhooks, { ...deps, siteUrl: config.site.url }),
    )
    await api.register(async (linked: App) => registerLinkRoutes(linked, deps))
    registerLiveFeedRoutes(api, { ...deps, ...config.liveFeed, origins: config.site.origins })
    registerDeskSocket(api, {
      ...deps,
      origins: config.site.origins,
      hasDeskAccess: ({ headers: { authorization, cookie } }) =>
        authorization === undefined ? deskSessions.isActive(cookie) : editorKeys.isActive(authorization),
    })
    await api.register(async (desk: App) => {
      await registerEditorRoutes(desk, deps)
      registerDeliveryDesk(desk, {
        desk: deps.deliveryDesk,
        search: deps.searchDeliveries,
        progress: deps.progressReport,
      })
      registerDeliverability(desk, deps)
      await registerPeopleRoutes(desk, deps)
      registerCorrectionNotes(desk, deps)
      registerPreviews(desk, deps)
      registerReadiness(desk, deps)
      registerPreviewPages(desk, { ...deps, siteUrl: config.site.url })
      registerMemberDesk(desk, deps.memberDesk)
      registerStatistics(desk, deps)
      registerNeeds(desk, deps)
    })
    await api.register(async (ops: App) => registerOpsRoutes(ops, deps))
  })
  await registerApiReference(scope, config.site)
  await registerWebApp(scope, context)
  await registerDeskApp(scope, config)
  await registerClientFiles(scope, config.locations)

  const heartbeat = setInterval(() => subscribers.pingAll(), heartbeatMs)
  heartbeat.unref()
  scope.addHook('onClose', async () => clearInterval(heartbeat))
}

function accessChecks({ editorKeys, deskSessions, gatePass, sessions }: Context): AccessChecks {
  return {
    gate(request) {
      if (!gatePass.isPassed(request.headers.cookie)) throw failGate('gate-required')
    },
    member: (request) => requireSession(request, sessions.authenticate),
    async editor(request) {
      const { authorization, cookie } = request.headers
      const isPerson = authorization === undefined && sessionSecretOf(cookie) !== null
      request.editor = isPerson
        ? await deskSessions.authenticate(request)
        : await editorKeys.authenticate(authorization, request.ip)
    },
  }
}

/** Converts a number of trusted proxies to Fastify's form, a function of each hop. */
function trustedHops(
  trust: Config['http']['trustProxy'],
): boolean | string[] | ((address: string, hop: number) => boolean) {
  return typeof trust === 'number' ? (_address, hop) => hop < trust : trust
}
