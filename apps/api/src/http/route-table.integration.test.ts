import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { membershipPaths, paths } from '@tidings/contracts/paths'
import type { FastifyInstance, HTTPMethods } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../test/test-app.ts'
import { createTestDatabase } from '../../test/test-database.ts'
import { buildApp } from '../app.ts'

type Route = { method: HTTPMethods; url: string; access: unknown }

/** What anybody may call; whoever adds to it opens something to the whole world. */
const openToAll = [
  'GET /',
  'GET /auth-provider/callback/:provider',
  'GET /auth-provider/connect',
  'GET /auth-provider/login',
  'GET /auth-provider/signup',
  'GET /auth/captcha/challenge',
  'GET /auth/verify-email',
  'GET /docs/*',
  'GET /gate',
  'GET /healthz',
  'GET /metrics',
  'GET /openapi.json',
  'GET /profile-images/:file',
  'GET /readyz',
  'GET /robots.txt',
  'GET /static/*',
  'HEAD /',
  'HEAD /auth-provider/callback/:provider',
  'HEAD /auth-provider/connect',
  'HEAD /auth-provider/login',
  'HEAD /auth-provider/signup',
  'HEAD /auth/captcha/challenge',
  'HEAD /auth/verify-email',
  'HEAD /docs/*',
  'HEAD /gate',
  'HEAD /healthz',
  'HEAD /metrics',
  'HEAD /openapi.json',
  'HEAD /profile-images/:file',
  'HEAD /readyz',
  'HEAD /robots.txt',
  'HEAD /static/*',
  'POST /auth-provider/callback/:provider',
  'POST /auth/verify-email/confirm',
  'POST /gate',
]

/** What a page of an allowed origin may call for a visitor. */
const openToVisitors = [
  ...['GET /app', 'GET /app-member', 'GET /app/plans/:planId', 'GET /member'],
  ...['GET /comments/channels/info', 'GET /comments/posts', 'GET /comments/threads'],
  ...['HEAD /app', 'HEAD /app-member', 'HEAD /app/plans/:planId', 'HEAD /member'],
  ...['HEAD /comments/channels/info', 'HEAD /comments/posts', 'HEAD /comments/threads'],
  ...['POST /app-member', 'POST /auth/login', 'POST /auth/passwordless/login'],
  ...['POST /auth/passwordless/login/send', 'POST /auth/passwordless/signup/send'],
  ...['POST /auth/reset-password', 'POST /auth/send-reset-password-email', 'POST /auth/signup'],
  ...['POST /auth/verify-email', 'POST /event', 'POST /member/logout', 'POST /page-view'],
]

const serverMade = 'fastify.initialization'
const routes: Route[] = []
let site: TestApp

beforeAll(async () => {
  subscribe(serverMade, collectRoutes)
  site = await startTestApp({ databaseUrl: await createTestDatabase() })
  unsubscribe(serverMade, collectRoutes)
})
afterAll(() => site.close())

/** Hears of a server that is made, and of every route that it gets. */
function collectRoutes(message: unknown): void {
  if (typeof message !== 'object' || message === null || !('fastify' in message)) return
  if (!isServer(message.fastify)) return
  message.fastify.addHook('onRoute', ({ method, url, config }) => {
    for (const name of [method].flat()) routes.push({ method: name, url, access: config?.access })
  })
}

function isServer(value: unknown): value is FastifyInstance {
  return typeof value === 'object' && value !== null && 'addHook' in value
}

/** An address that a route's pattern takes. */
function addressOf({ url }: Route): string {
  return url
    .replace(':date', '11-20-26')
    .replace(/:(?:key|timestamp)/, '11-20-26-10AM')
    .replace(/:\w+/g, '0199a1f4-1111-7abc-8def-0123456789ab')
    .replace('*', 'nothing')
}

/** What is registered where every call names its app: the protocol, but for popups, pages and the captcha. */
function needsApp({ method, url }: Route): boolean {
  if (url === '/auth/verify-email' && method !== 'POST') return false
  const apart = ['/auth/captcha/challenge', '/auth/verify-email/confirm']
  return (
    /^\/(app|app-member|auth|member|member-auth|secure-content|comments|page-view|event)(\/|$)/.test(url) &&
    !apart.includes(url)
  )
}

/** A route's name, with the pages of the reference and the static files as one each. */
function nameOf({ method, url }: Route): string {
  return `${method} ${url.replace(/^\/(docs|static)\b.*/, '/$1/*')}`
}

describe('the route table', () => {
  it('has every address that the contracts name', () => {
    const { desk, docs, ...others } = paths
    const { provider, ...membership } = membershipPaths
    const urls = new Set(routes.map(({ url }) => url))
    for (const path of [...Object.values(others), ...Object.values(desk), ...Object.values(membership)]) {
      expect(urls).toContain(path)
    }
    for (const mode of ['login', 'signup', 'connect']) expect(urls).toContain(provider.replace(':mode', mode))
    expect([...urls].some((url) => url.startsWith(docs))).toBe(true)
  })

  it('refuses every call without a session, but for what is open to all', async () => {
    const open = new Set<string>()
    for (const route of routes.filter((one) => !needsApp(one))) {
      const reply = await site.app.inject({ method: route.method, url: addressOf(route) })
      if (reply.statusCode !== 401) open.add(nameOf(route))
    }
    expect([...open].toSorted()).toEqual(openToAll)
  })

  it('refuses every membership call without the key of an app', async () => {
    const membership = routes.filter(needsApp)
    expect(membership.length).toBeGreaterThan(40)
    for (const route of membership) {
      const reply = await site.app.inject({ method: route.method, url: addressOf(route) })
      expect(reply.statusCode, nameOf(route)).toBe(404)
      if (route.method !== 'HEAD') expect(reply.json().error.code, nameOf(route)).toBe('app-not-found')
    }
  })

  it('refuses every membership call without a login, but for what visitors may call', async () => {
    const headers = { 'x-api-key': site.context.config.site.appPublicKey }
    const open = new Set<string>()
    for (const route of routes.filter(needsApp)) {
      const reply = await site.app.inject({ method: route.method, url: addressOf(route), headers })
      if (reply.statusCode !== 401) open.add(nameOf(route))
      else if (route.method !== 'HEAD') expect(reply.json().error.code, nameOf(route)).toBe('login-required')
    }
    expect([...open].toSorted()).toEqual(openToVisitors.toSorted())
  })

  it.each([
    ['/desk/', 'invalid-api-key'],
    ['/edition/', 'gate-required'],
    ['/media/', 'gate-required'],
    ['/gated/', 'gate-required'],
    ['/cms/', 'gate-required'],
    ['/socket', 'gate-required'],
  ])('refuses everything under %s by %s', async (prefix, code) => {
    const under = routes.filter(({ url, method }) => url.startsWith(prefix) && method !== 'HEAD')
    expect(under.length).toBeGreaterThan(0)
    for (const route of under) {
      const reply = await site.app.inject({ method: route.method, url: addressOf(route) })
      expect(reply.json().error.code, nameOf(route)).toBe(code)
      expect(reply.headers['cache-control']).toBe('no-store')
    }
  })

  it('lets a gate pass into nothing of the desk, and an editor key into nothing behind the gate', async () => {
    for (const route of routes.filter(({ access }) => access === 'editor' || access === 'gate')) {
      const headers: Record<string, string> =
        route.access === 'editor' ? { cookie: site.pass } : { authorization: site.editor }
      const reply = await site.app.inject({ method: route.method, url: addressOf(route), headers })
      expect(reply.statusCode, nameOf(route)).toBe(401)
    }
  })

  it('refuses to boot with a route that does not say who may call it', async () => {
    function addSilentRoute(message: unknown): void {
      if (typeof message !== 'object' || message === null || !('fastify' in message)) return
      if (!isServer(message.fastify)) return
      message.fastify.addHook('onRoute', function ({ url, method }) {
        if (url === '/gate' && method === 'POST') this.get('/forgotten', async () => 'x')
      })
    }
    subscribe(serverMade, addSilentRoute)
    const booted = buildApp(site.context).then((app) => app.ready())
    await expect(booted).rejects.toThrow('GET /forgotten')
    unsubscribe(serverMade, addSilentRoute)
  })
})
