import { describe, expect, onTestFinished } from 'vitest'
import { createCapturedLog } from '#test/captured-log.ts'
import { siteTest } from '#test/fixtures.ts'
import { buildWorkerServer, serveWorkerMetrics } from './worker-server.ts'

const it = siteTest({ working: false, env: { METRICS_TOKEN: 'metrics-token' } })

describe('the server of a worker', () => {
  it('serves metrics with the token, its health, and nothing else', async ({ site }) => {
    const server = buildWorkerServer(site.context)
    onTestFinished(() => server.close())
    expect((await server.inject('/metrics')).json().error.code).toBe('invalid-api-key')
    const reply = await server.inject({ url: '/metrics', headers: { authorization: 'Bearer metrics-token' } })
    expect(reply.body).toContain('tidings_jobs_total')
    expect((await server.inject('/healthz')).json()).toEqual({ status: 'ok', ...site.context.config.build })
    expect((await server.inject('/openapi.json')).statusCode).toBe(404)
  })

  it('lets the worker work when its port is taken, and says which setting to change', async ({ site }) => {
    const log = createCapturedLog()
    const port = Number(new URL(await site.listen()).port)
    const context = { ...site.context, logger: log.logger }
    context.config = { ...context.config, workerMetricsPort: port }
    const server = buildWorkerServer(context)
    onTestFinished(() => server.close())
    await serveWorkerMetrics(server, context)
    expect(log.entries()).toMatchObject([
      { msg: 'metrics port unavailable', port, hint: expect.stringContaining('WORKER_METRICS_PORT') },
    ])
  })
})
