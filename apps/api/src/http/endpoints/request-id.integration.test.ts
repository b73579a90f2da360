import { describe, expect } from 'vitest'
import { createCapturedLog } from '#test/captured-log.ts'
import { publishedEdition } from '#test/factories/editions.ts'
import { siteTest } from '#test/fixtures.ts'
import { useTestApp } from '#test/test-app.ts'

const it = siteTest()
const id = '5b0f2f4e6d0c4b1c9d2a7e8f90a1b2c3'

describe('X-Request-Id', () => {
  it('is in every response, those of the cache too', async ({ site }) => {
    await publishedEdition(site.context, '11-20-26-10AM', 1)
    const read = () => site.app.inject({ url: '/edition/prod/11-20-26-10AM', headers: { cookie: site.pass } })
    const replies = [
      await read(),
      await read(),
      await site.app.inject('/healthz'),
      await site.app.inject('/unknown/path'),
      await site.app.inject('/%E0%A4%A'),
    ]
    const ids = replies.map(({ headers }) => String(headers['x-request-id']))
    for (const each of ids) expect(each).toMatch(/^[a-z0-9]{12}-[a-z0-9]+$/)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('names the request of a trusted proxy in the response and the log', async () => {
    const log = createCapturedLog()
    const { app } = await useTestApp({
      env: { TRUST_PROXY: '127.0.0.1' },
      overrides: { logger: log.logger },
      working: false,
    })
    const reply = await app.inject({ url: '/healthz', headers: { 'x-request-id': id } })
    expect(reply.headers['x-request-id']).toBe(id)
    expect(log.entries()).toContainEqual(expect.objectContaining({ msg: 'response', request: id }))
  })
})
