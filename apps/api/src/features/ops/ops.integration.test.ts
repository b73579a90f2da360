import { describe, expect } from 'vitest'
import { publishedEdition } from '#test/factories/editions.ts'
import { siteTest } from '#test/fixtures.ts'
import { startTestApp, useTestApp } from '#test/test-app.ts'
import { cleanUp } from './ops.jobs.ts'

const it = siteTest({ working: false })

const metricsTest = siteTest({ env: { METRICS_TOKEN: 'metrics-token' }, working: false })

const unavailableTest = it.extend(
  'appWithoutDatabase',
  { scope: 'file' },
  async ({ site }, { onCleanup }) => {
    const databaseUrl = site.context.config.database.url
    const { app, context, close } = await startTestApp({ databaseUrl, working: false })
    onCleanup(() => close())
    await context.jobs.stop()
    await context.database.close()
    return app
  },
)

describe('GET /healthz', () => {
  unavailableTest('names the code even without a database', async ({ appWithoutDatabase }) => {
    const reply = await appWithoutDatabase.inject('/healthz')
    expect([reply.statusCode, reply.json()]).toEqual([
      200,
      { status: 'ok', version: expect.stringMatching(/^\d+\.\d+\.\d+/), revision: expect.any(String) },
    ])
    expect(reply.headers['cache-control']).toBe('no-store')
  })
})

describe('GET /metrics', () => {
  it('labels requests by route pattern and never by URL', async () => {
    const { app, context, pass } = await useTestApp()
    await publishedEdition(context, '11-20-26-10AM', 1)
    await app.inject({ url: '/edition/prod/11-20-26-10AM?secret=1', headers: { cookie: pass } })
    await app.inject({ url: '/media/11-20-26/10AM/secret.jpg', headers: { cookie: pass } })
    await app.inject('/some/thing/unknown')
    const reply = await app.inject('/metrics')
    expect(reply.statusCode).toBe(200)
    expect(reply.headers['content-type']).toContain('text/plain')
    expect(reply.headers['cache-control']).toBe('no-store')
    expect(reply.body).toContain('route="/media/:date/:timestamp/:file",status="404"')
    expect(reply.body).toContain('tidings_http_refusals_total{code="not-found",status="404"} 1')
    expect(reply.body).toContain('tidings_live_sockets 0')
    expect(reply.body).toContain('tidings_cache_reads_total{outcome="miss"} 1')
    expect(reply.body).not.toMatch(/11-20-26|secret|some.thing/)
  })

  metricsTest.for([
    ['no token', undefined, 401],
    ['a wrong token', 'Bearer wrong', 401],
    ['the token without its scheme', 'metrics-token', 401],
    ['an empty token', 'Bearer ', 401],
    ['the token', 'Bearer metrics-token', 200],
  ] as const)('checks %s against the configured token', async ([_name, authorization, status], { site }) => {
    const reply = await site.app.inject({
      url: '/metrics',
      headers: authorization === undefined ? {} : { authorization },
    })
    expect(reply.statusCode).toBe(status)
    if (status === 401) expect(reply.json().error.code).toBe('invalid-api-key')
  })
})

describe('the job ops.clean-up', () => {
  it('removes only rate limit counters that expired more than an hour ago', async ({ site, db }) => {
    const hour = 3600 * 1000
    const now = site.clock.now().getTime()
    await db.rateLimit.createMany({
      data: [
        { key: 'expired long ago', expire: BigInt(now - hour - 1) },
        { key: 'expired', expire: BigInt(now - hour) },
        { key: 'current', expire: BigInt(now + hour) },
        { key: 'permanent', expire: null },
      ],
    })
    await cleanUp.run({}, site.context)
    const left = await db.rateLimit.findMany({ orderBy: { key: 'asc' } })
    expect(left.map(({ key }) => key)).toEqual(['current', 'expired', 'permanent'])
  })
})
