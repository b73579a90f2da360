import { entryBoxReply } from '@tidings/contracts/gate'
import { describe, expect } from 'vitest'
import { z } from 'zod'
import { siteTest } from '#test/fixtures.ts'
import { type TestApp, useTestApp } from '#test/test-app.ts'

const it = siteTest()

/** Submits a contact. */
async function submit({ app, pass }: TestApp, tool: unknown, remoteAddress = '127.0.0.1') {
  return await app.inject({
    method: 'POST',
    url: '/cms/auth/protect',
    headers: { cookie: pass },
    payload: { tool },
    remoteAddress,
  })
}

/** Returns the number of rows with a contact. */
async function countStored({ context }: TestApp, value: string): Promise<number> {
  return await context.database.db.readerContact.count({ where: { value } })
}

describe('POST /cms/auth/protect', () => {
  it.for([
    ['email', [' First@Example.com', 'first@example.COM', 'mailto:first@example.com'], 'first@example.com'],
    ['phone', ['(213) 555-0101', '213.555.0101', '+1 213 555 0101', 'tel:+12135550101'], '+12135550101'],
    ['phone', ['+44 20 7946 0958', '0044 (0)20-7946-0958'], '+442079460958'],
  ] as const)('stores an %s once, however it is spelled', async ([kind, spellings, value], { site }) => {
    for (const spelling of spellings) {
      const reply = await submit(site, spelling)
      expect(reply.statusCode).toBe(200)
      expect(z.strictObject(entryBoxReply.shape).parse(reply.json())).toEqual({ kind })
    }
    expect(await countStored(site, value)).toBe(1)
  })

  it('stores a contact once for concurrent requests', async ({ site }) => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => submit(site, 'crowd@example.com')))
    expect(new Set(replies.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
    expect(await countStored(site, 'crowd@example.com')).toBe(1)
  })

  it.for([
    'hello',
    'reader@example',
    'reader@example.com/<script>',
    '12345',
    'reader\u0000@example.com',
    "x'; DROP TABLE reader_contact; --",
    '<img src=x onerror=alert(1)>@example.com',
    '     ',
  ])('rejects %j and names what it accepts', async (tool, { site }) => {
    const before = await site.context.database.db.readerContact.count()
    const reply = await submit(site, tool)
    expect(reply.statusCode).toBe(400)
    expect(reply.json().error.code).toBe('invalid-contact')
    expect(reply.json().error.message).toMatch(/email.*phone/)
    expect(await site.context.database.db.readerContact.count()).toBe(before)
  })

  it.for([undefined, null, '', 7, ['a@example.com'], { $ne: '' }, 'x'.repeat(321)])(
    'refuses %j as malformed',
    async (tool, { site }) => {
      const reply = await submit(site, tool)
      expect(reply.statusCode).toBe(400)
      expect(reply.json().error.code).toBe('invalid-request')
    },
  )

  it('is behind the gate', async ({ site }) => {
    const reply = await site.app.inject({
      method: 'POST',
      url: '/cms/auth/protect',
      payload: { tool: 'outside@example.com' },
    })
    expect(reply.statusCode).toBe(401)
    expect(reply.json().error.code).toBe('gate-required')
    expect(await countStored(site, 'outside@example.com')).toBe(0)
  })

  it('limits the requests of an IP address', async ({ site }) => {
    site.limitCalls('entryBox', 2)
    await submit(site, 'a@example.com', '192.0.2.1')
    await submit(site, 'no contact', '192.0.2.1')
    const reply = await submit(site, 'b@example.com', '192.0.2.1')
    expect(reply.statusCode).toBe(429)
    expect(reply.json().error.code).toBe('too-many-requests')
    expect(Number(reply.headers['retry-after'])).toBeGreaterThanOrEqual(1)
    expect(await countStored(site, 'b@example.com')).toBe(0)
  })

  it('reads bare numbers as those of the configured region', async () => {
    const british = await useTestApp({ env: { PHONE_REGION: 'GB' } })
    await submit(british, '020 7946 0958')
    expect(await countStored(british, '+442079460958')).toBe(1)
  })
})
