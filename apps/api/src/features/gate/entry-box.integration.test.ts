import { entryBoxReply } from '@tidings/contracts/gate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { startTestApp, type TestApp, useTestApp } from '#test/test-app.ts'
import { createTestDatabase } from '#test/test-database.ts'

let site: TestApp
beforeAll(async () => {
  site = await startTestApp({ databaseUrl: await createTestDatabase() })
})
afterAll(() => site.close())

/** Leaves something in the box. */
async function leave({ app, pass }: TestApp, tool: unknown) {
  return await app.inject({
    method: 'POST',
    url: '/cms/auth/protect',
    headers: { cookie: pass },
    payload: { tool },
  })
}

/** How often a contact is stored. */
async function countStored({ context }: TestApp, value: string): Promise<number> {
  return await context.database.db.readerContact.count({ where: { value } })
}

describe('POST /cms/auth/protect', () => {
  it.each([
    ['email', [' First@Example.com', 'first@example.COM', 'mailto:first@example.com'], 'first@example.com'],
    ['phone', ['(213) 555-0101', '213.555.0101', '+1 213 555 0101', 'tel:+12135550101'], '+12135550101'],
    ['phone', ['+44 20 7946 0958', '0044 (0)20-7946-0958'], '+442079460958'],
  ])('stores an %s once, however it is spelled', async (kind, spellings, value) => {
    for (const spelling of spellings) {
      const reply = await leave(site, spelling)
      expect(reply.statusCode).toBe(200)
      expect(z.strictObject(entryBoxReply.shape).parse(reply.json())).toEqual({ kind })
    }
    expect(await countStored(site, value)).toBe(1)
  })

  it('stores a contact once that is left many times at once', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => leave(site, 'crowd@example.com')))
    expect(new Set(replies.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
    expect(await countStored(site, 'crowd@example.com')).toBe(1)
  })

  it.each([
    'hello',
    'reader@example',
    'reader@example.com/<script>',
    '12345',
    'reader\u0000@example.com',
    "x'; DROP TABLE reader_contact; --",
    '<img src=x onerror=alert(1)>@example.com',
    '     ',
  ])('rejects %j and names what it accepts', async (tool) => {
    const before = await site.context.database.db.readerContact.count()
    const reply = await leave(site, tool)
    expect(reply.statusCode).toBe(400)
    expect(reply.json().error.code).toBe('invalid-contact')
    expect(reply.json().error.message).toMatch(/email.*phone/)
    expect(await site.context.database.db.readerContact.count()).toBe(before)
  })

  it.each([undefined, null, '', 7, ['a@example.com'], { $ne: '' }, 'x'.repeat(321)])(
    'refuses %j as malformed',
    async (tool) => {
      const reply = await leave(site, tool)
      expect(reply.statusCode).toBe(400)
      expect(reply.json().error.code).toBe('invalid-request')
    },
  )

  it('is behind the gate', async () => {
    const reply = await site.app.inject({
      method: 'POST',
      url: '/cms/auth/protect',
      payload: { tool: 'outside@example.com' },
    })
    expect(reply.statusCode).toBe(401)
    expect(reply.json().error.code).toBe('gate-required')
    expect(await countStored(site, 'outside@example.com')).toBe(0)
  })

  it('makes an address wait that leaves too much', async () => {
    const limited = await useTestApp({ env: { RATE_ENTRY_BOX_PER_MINUTE: '2' } })
    await leave(limited, 'a@example.com')
    await leave(limited, 'no contact')
    const reply = await leave(limited, 'b@example.com')
    expect(reply.statusCode).toBe(429)
    expect(reply.json().error.code).toBe('too-many-requests')
    expect(Number(reply.headers['retry-after'])).toBeGreaterThanOrEqual(1)
    expect(await countStored(limited, 'b@example.com')).toBe(0)
  })

  it('reads bare numbers as those of the configured region', async () => {
    const british = await useTestApp({ env: { PHONE_REGION: 'GB' } })
    await leave(british, '020 7946 0958')
    expect(await countStored(british, '+442079460958')).toBe(1)
  })
})
