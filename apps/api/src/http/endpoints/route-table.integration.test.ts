import { endpoints } from '@tidings/contracts/endpoints'
import { paths } from '@tidings/contracts/paths'
import { describe, expect } from 'vitest'
import { buildApp } from '#app.ts'
import { routesTest } from '#test/fixtures.ts'
import { addressOf, nameOf, needsApp, withNewServers } from '#test/route-table.ts'

/** The routes that anyone on the internet can call. */
const publicRoutes = [
  'GET /',
  'GET /auth-provider/callback/:provider',
  'GET /auth-provider/connect',
  'GET /auth-provider/login',
  'GET /auth-provider/signup',
  'GET /auth/captcha/challenge',
  'GET /auth/verify-email',
  'GET /docs/*',
  'GET /feeds/:token/json',
  'GET /feeds/:token/rss',
  'GET /fonts/sans.woff2',
  'GET /fonts/serif.woff2',
  'GET /gate',
  'GET /healthz',
  'GET /l/:token',
  'GET /l/a4/:token',
  'GET /l/pdf/:token',
  'GET /l/picture/:token',
  'GET /l/preferences/:token',
  'GET /l/unsubscribe/:token',
  'GET /l/view/:token',
  'GET /manifest.webmanifest',
  'GET /membership/client.global.js',
  'GET /membership/client.js',
  'GET /membership/dialogs.js',
  'GET /membership/providers/:file',
  'GET /membership/widget.js',
  'GET /membership/widget/:file',
  'GET /metrics',
  'GET /openapi.json',
  'GET /profile-images/:file',
  'GET /readyz',
  'GET /robots.txt',
  'GET /service-worker.js',
  'GET /shell.html',
  'GET /static/*',
  'HEAD /',
  'HEAD /auth-provider/callback/:provider',
  'HEAD /auth-provider/connect',
  'HEAD /auth-provider/login',
  'HEAD /auth-provider/signup',
  'HEAD /auth/captcha/challenge',
  'HEAD /auth/verify-email',
  'HEAD /docs/*',
  'HEAD /feeds/:token/json',
  'HEAD /feeds/:token/rss',
  'HEAD /fonts/sans.woff2',
  'HEAD /fonts/serif.woff2',
  'HEAD /gate',
  'HEAD /healthz',
  'HEAD /l/:token',
  'HEAD /l/a4/:token',
  'HEAD /l/pdf/:token',
  'HEAD /l/picture/:token',
  'HEAD /l/preferences/:token',
  'HEAD /l/unsubscribe/:token',
  'HEAD /l/view/:token',
  'HEAD /manifest.webmanifest',
  'HEAD /membership/client.global.js',
  'HEAD /membership/client.js',
  'HEAD /membership/dialogs.js',
  'HEAD /membership/providers/:file',
  'HEAD /membership/widget.js',
  'HEAD /membership/widget/:file',
  'HEAD /metrics',
  'HEAD /openapi.json',
  'HEAD /profile-images/:file',
  'HEAD /readyz',
  'HEAD /robots.txt',
  'HEAD /service-worker.js',
  'HEAD /shell.html',
  'HEAD /static/*',
  'POST /auth-provider/callback/:provider',
  'POST /auth-provider/connect',
  'POST /auth/verify-email/confirm',
  'POST /gate',
  'POST /l/preferences/:token',
  'POST /l/unsubscribe/:token',
  'POST /webhooks/mail/events',
  'POST /webhooks/stripe',
  'POST /webhooks/twilio/incoming',
  'POST /webhooks/twilio/status',
]

/** The membership routes that need no login. */
const visitorRoutes = [
  ...['GET /app', 'GET /app-member', 'GET /app/plans/:planId', 'GET /member'],
  ...['GET /comments/channels/info', 'GET /comments/posts', 'GET /comments/threads'],
  ...['HEAD /app', 'HEAD /app-member', 'HEAD /app/plans/:planId', 'HEAD /member'],
  ...['HEAD /comments/channels/info', 'HEAD /comments/posts', 'HEAD /comments/threads'],
  ...['POST /app-member', 'POST /auth/login', 'POST /auth/passwordless/login'],
  ...['POST /auth/passwordless/login/send', 'POST /auth/passwordless/signup/send'],
  ...['POST /auth/reset-password', 'POST /auth/send-reset-password-email', 'POST /auth/signup'],
  ...['POST /auth/verify-email', 'POST /event', 'POST /member/logout', 'POST /page-view'],
]

const it = routesTest()

describe('the route table', () => {
  it('contains every path of the contracts', ({ routes }) => {
    const { docs, ...others } = paths
    const urls = new Set(routes.map(({ url }) => url))
    for (const path of [...Object.values(others), ...endpoints.map((endpoint) => endpoint.path)]) {
      expect(urls).toContain(path)
    }
    expect([...urls].some((url) => url.startsWith(docs))).toBe(true)
  })

  it('rejects calls without a session, except of public routes', async ({ site, routes }) => {
    const open = new Set<string>()
    for (const route of routes.filter((one) => !needsApp(one))) {
      const reply = await site.app.inject({ method: route.method, url: addressOf(route) })
      if (reply.statusCode !== 401) open.add(nameOf(route))
    }
    expect([...open].toSorted()).toEqual(publicRoutes)
  })

  it("rejects membership calls without an app's key", async ({ site, routes }) => {
    const membership = routes.filter(needsApp)
    expect(membership.length).toBeGreaterThan(40)
    for (const route of membership) {
      const reply = await site.app.inject({ method: route.method, url: addressOf(route) })
      expect(reply.statusCode, nameOf(route)).toBe(404)
      if (route.method !== 'HEAD') expect(reply.json().error.code, nameOf(route)).toBe('app-not-found')
    }
  })

  it('rejects membership calls without a login, except of visitor routes', async ({ site, routes }) => {
    const headers = { 'x-api-key': site.context.config.site.appPublicKey }
    const open = new Set<string>()
    for (const route of routes.filter(needsApp)) {
      const reply = await site.app.inject({ method: route.method, url: addressOf(route), headers })
      if (reply.statusCode !== 401) open.add(nameOf(route))
      else if (route.method !== 'HEAD') expect(reply.json().error.code, nameOf(route)).toBe('login-required')
    }
    expect([...open].toSorted()).toEqual(visitorRoutes.toSorted())
  })

  it.for([
    ['/desk/', 'invalid-api-key'],
    ['/edition/', 'gate-required'],
    ['/media/', 'gate-required'],
    ['/gated/', 'gate-required'],
    ['/cms/', 'gate-required'],
    ['/socket', 'gate-required'],
  ] as const)('rejects everything under %s with %s', async ([prefix, code], { site, routes }) => {
    const under = routes.filter(({ url, method }) => url.startsWith(prefix) && method !== 'HEAD')
    expect(under.length).toBeGreaterThan(0)
    for (const route of under) {
      const reply = await site.app.inject({ method: route.method, url: addressOf(route) })
      expect(reply.json().error.code, nameOf(route)).toBe(code)
      expect(reply.headers['cache-control']).toBe('no-store')
    }
  })

  it('rejects a gate pass at the desk and an editor key at the gate', async ({ site, routes }) => {
    for (const route of routes.filter(({ access }) => access === 'editor' || access === 'gate')) {
      const headers: Record<string, string> =
        route.access === 'editor' ? { cookie: site.pass } : { authorization: site.editor }
      const reply = await site.app.inject({ method: route.method, url: addressOf(route), headers })
      expect(reply.statusCode, nameOf(route)).toBe(401)
    }
  })

  it('rejects a route without access at boot', async ({ site }) => {
    const booted = withNewServers(
      (server) =>
        server.addHook('onRoute', function ({ url, method }) {
          if (url === '/gate' && method === 'POST') this.get('/forgotten', async () => 'x')
        }),
      () => buildApp(site.context).then((app) => app.ready()),
    )
    await expect(booted).rejects.toThrow('GET /forgotten')
  })
})
