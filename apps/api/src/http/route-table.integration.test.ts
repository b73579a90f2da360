import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { paths } from '@tidings/contracts/paths'
import type { FastifyInstance, HTTPMethods } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../test/test-app.ts'
import { createTestDatabase } from '../../test/test-database.ts'
import { buildApp } from '../app.ts'

type Route = { method: HTTPMethods; url: string; access: unknown }

/** What anybody may call; whoever adds to it opens something to the whole world. */
const openToAll = [
  'GET /',
  'GET /docs/*',
  'GET /gate',
  'GET /healthz',
  'GET /metrics',
  'GET /openapi.json',
  'GET /readyz',
  'GET /robots.txt',
  'GET /static/*',
  'HEAD /',
  'HEAD /docs/*',
  'HEAD /gate',
  'HEAD /healthz',
  'HEAD /metrics',
  'HEAD /openapi.json',
  'HEAD /readyz',
  'HEAD /robots.txt',
  'HEAD /static/*',
  'POST /gate',
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

/** A route's name, with the pages of the reference and the static files as one each. */
function nameOf({ method, url }: Route): string {
  return `${method} ${url.replace(/^\/(docs|static)\b.*/, '/$1/*')}`
}

describe('the route table', () => {
  it('has every address that the contracts name', () => {
    const { desk, docs, ...others } = paths
    const urls = new Set(routes.map(({ url }) => url))
    for (const path of [...Object.values(others), ...Object.values(desk)]) expect(urls).toContain(path)
    expect([...urls].some((url) => url.startsWith(docs))).toBe(true)
  })

  it('refuses every call without a session, but for what is open to all', async () => {
    const open = new Set<string>()
    for (const route of routes) {
      const reply = await site.app.inject({ method: route.method, url: addressOf(route) })
      if (reply.statusCode !== 401) open.add(nameOf(route))
    }
    expect([...open].toSorted()).toEqual(openToAll)
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
