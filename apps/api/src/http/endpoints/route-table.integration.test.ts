import type { Endpoint } from '@tidings/contracts/endpoint'
import { endpoints } from '@tidings/contracts/endpoints'
import { describe, expect } from 'vitest'
import { buildApp } from '#app.ts'
import { routesTest } from '#test/fixtures.ts'
import { addressOf, nameOf, needsApp, type Route, withNewServers } from '#test/route-table.ts'

/** The pages and files, which are no endpoints. Everyone may open them. */
const pages = [
  ...['GET /', 'GET /docs/*', 'GET /static/*', 'GET /fonts/sans.woff2', 'GET /fonts/serif.woff2'],
  ...[
    'GET /manifest.webmanifest',
    'GET /openapi.json',
    'GET /robots.txt',
    'GET /service-worker.js',
    'GET /shell.html',
  ],
  ...['GET /membership/client.global.js', 'GET /membership/client.js', 'GET /membership/dialogs.js'],
  ...['GET /membership/providers/:file', 'GET /membership/widget.js', 'GET /membership/widget/:file'],
  ...['GET /auth/verify-email', 'POST /auth/verify-email/confirm', 'POST /auth-provider/connect'],
  ...[
    'GET /l/:token',
    'GET /l/a4/:token',
    'GET /l/draft/:token',
    'GET /l/pdf/:token',
    'GET /l/picture/:token',
    'GET /l/preview/:token',
    'GET /l/view/:token',
  ],
  ...['GET /desk', 'GET /desk/', 'GET /desk/*', 'GET /desk/static/*'],
  ...['GET /l/preferences/:token', 'POST /l/preferences/:token'],
  ...['GET /l/unsubscribe/:token', 'POST /l/unsubscribe/:token'],
]
const socket = 'GET /socket'
const deskSocket = 'GET /desk/socket'

function isOpen({ access }: Endpoint): boolean {
  return access === 'public' || access === 'signed'
}

function namesOf(list: readonly Endpoint[]): string[] {
  return list.map(({ method, path }) => `${method} ${path}`)
}

/** Returns the route's name with the method that a HEAD request stands for. */
function endpointName(route: Route): string {
  return nameOf(route).replace(/^HEAD /, 'GET ')
}

const it = routesTest()

describe('the route table', () => {
  it('has the endpoints of the contracts, pages and the sockets, and nothing else', ({ routes }) => {
    const registered = new Set(routes.map(endpointName))
    expect([...registered].toSorted()).toEqual(
      [...namesOf(endpoints), ...pages, socket, deskSocket].toSorted(),
    )
  })

  it('rejects calls without a session, except of pages and open endpoints', async ({ site, routes }) => {
    const open = new Set<string>()
    for (const route of routes.filter((one) => !needsApp(one))) {
      const reply = await site.app.inject({ method: route.method, url: addressOf(route) })
      if (reply.statusCode !== 401) open.add(endpointName(route))
    }
    const expected = endpoints.filter((each) => isOpen(each) && !needsApp({ ...each, url: each.path }))
    expect([...open].toSorted()).toEqual([...namesOf(expected), ...pages].toSorted())
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

  it('rejects membership calls without a login, except of open endpoints', async ({ site, routes }) => {
    const headers = { 'x-api-key': site.context.config.site.appPublicKey }
    const open = new Set<string>()
    for (const route of routes.filter(needsApp)) {
      const reply = await site.app.inject({ method: route.method, url: addressOf(route), headers })
      if (reply.statusCode !== 401) open.add(endpointName(route))
      else if (route.method !== 'HEAD') expect(reply.json().error.code, nameOf(route)).toBe('login-required')
    }
    const expected = endpoints.filter((each) => isOpen(each) && needsApp({ ...each, url: each.path }))
    expect([...open].toSorted()).toEqual(namesOf(expected).toSorted())
  })

  it.for([
    ['/desk/', 'invalid-api-key'],
    ['/edition/', 'gate-required'],
    ['/media/', 'gate-required'],
    ['/gated/', 'gate-required'],
    ['/cms/', 'gate-required'],
    ['/socket', 'gate-required'],
  ] as const)('rejects everything under %s with %s', async ([prefix, code], { site, routes }) => {
    const under = routes.filter(
      ({ url, method, access }) =>
        url.startsWith(prefix) &&
        method !== 'HEAD' &&
        (access !== 'public' || !url.startsWith('/desk/')) &&
        url !== '/desk/static/*',
    )
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
