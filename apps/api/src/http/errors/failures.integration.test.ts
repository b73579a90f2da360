import { beforeEach, describe, expect, onTestFinished } from 'vitest'
import { createLogger } from '#platform/logger.ts'
import { publishedEdition } from '#test/factories/editions.ts'
import { siteTest } from '#test/fixtures.ts'

const lines: string[] = []

// The real logger at level trace.
const logger = createLogger({ level: 'trace', process: 'api' }, { write: (line) => void lines.push(line) })

const it = siteTest({ overrides: { logger }, working: false })
  .extend('memoId', { scope: 'file' }, async ({ site }) => {
    const { memos } = await publishedEdition(site.context, '11-20-26-10AM', 1)
    return memos[0]?.id
  })
  /** Breaks a table until the test ends. */
  .extend('breakTable', { scope: 'file' }, ({ site }) => async (name: string) => {
    const { pool } = site.context.database
    await pool.query(`ALTER TABLE ${name} RENAME TO elsewhere`)
    onTestFinished(async () => void (await pool.query(`ALTER TABLE elsewhere RENAME TO ${name}`)))
  })

beforeEach(() => {
  lines.length = 0
})

describe('an internal error', () => {
  it.for([
    ['a read', { method: 'GET', url: '/edition/prod/11-20-26-10AM' }],
    [
      'a like',
      {
        method: 'POST',
        url: '/edition/update_counter',
        payload: { id: '0199a1f4-1111-7abc-8def-0123456789ab', add: true },
      },
    ],
    ['a picture', { method: 'GET', url: '/media/11-20-26/10AM/abcdefghijklmnopqrstuvwxyz.jpg' }],
  ] as const)(
    'in %s returns a code without its cause and is logged once',
    async ([_name, call], { site, memoId, breakTable }) => {
      expect(memoId).toBeDefined()
      await breakTable('memo')
      const reply = await site.app.inject({ ...call, headers: { cookie: site.pass } })
      expect(reply.statusCode).toBe(500)
      expect(reply.json()).toEqual({ error: { code: 'unknown-error', message: 'An error occurred' } })
      expect(reply.headers['cache-control']).toBe('no-store')
      const errors = lines.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50)
      expect(errors).toHaveLength(1)
      expect(errors[0].err.stack).toContain(' at ')
      expect(errors[0].route).toMatch(/^\/(edition|media)\//)
    },
  )

  it('in the lists of the shell leaves them out and is logged as a warning', async ({ site, breakTable }) => {
    await breakTable('edition')
    const reply = await site.app.inject({ url: '/', headers: { cookie: site.pass, accept: 'text/html' } })
    expect(reply.statusCode).toBe(200)
    expect(reply.body).toContain('id="site-start">{"gate":{"on":true,"passed":true}}<')
    const logged = lines.map((line) => JSON.parse(line)).filter(({ level }) => level >= 40)
    expect(logged).toHaveLength(1)
    expect(logged[0]).toMatchObject({ level: 40, msg: 'shell lists query failed' })
    expect(logged[0].err.stack).toContain(' at ')
  })

  it('contains no request data, neither in the response nor in the log', async ({ site, breakTable }) => {
    const { app, pass } = site
    await breakTable('reader_contact')
    const reply = await app.inject({
      method: 'POST',
      url: '/cms/auth/protect?source=mail',
      headers: { cookie: pass },
      payload: { tool: 'reader@example.com' },
    })
    expect(reply.statusCode).toBe(500)
    for (const text of [reply.body, lines.join('')]) {
      expect(text).not.toMatch(/reader@example\.com|source=mail/)
      expect(text).not.toContain(pass)
    }
    expect(lines.join('')).toContain('request failed')
  })
})

describe('the log', () => {
  it('never contains a password, cookie, key, address or query', async ({ site, memoId }) => {
    const { app, pass, editor } = site
    const headers = { cookie: pass, authorization: editor, 'x-forwarded-for': '203.0.113.77' }
    const payloads: [url: string, payload: object][] = [
      ['/gate?token=query-secret', { password: 'tidings' }],
      ['/gate', { password: 'wrong-secret' }],
      ['/cms/auth/protect', { tool: 'reader@example.com' }],
      ['/cms/auth/protect', { tool: '(213) 555-0123' }],
      ['/edition/update_counter', { id: memoId, add: true }],
      ['/desk/v1/editions/11-21-26-10AM/publish', { note: 'body-secret' }],
    ]
    for (const [url, payload] of payloads) await app.inject({ method: 'POST', url, headers, payload })
    for (const url of [
      '/edition/prod/11-20-26-10AM?token=query-secret',
      '/%zz?token=query-secret',
      '/metrics',
    ]) {
      await app.inject({ url, headers })
    }
    const log = lines.join('')
    expect(log).toContain('"msg":"response"')
    expect(log).not.toMatch(/wrong-secret|query-secret|body-secret|tdk_|tidings_gate=|tidings_reader=/)
    expect(log).not.toMatch(/reader@example\.com|2135550123|555-0123|203\.0\.113/)
    expect(log).not.toContain(pass.split('=')[1])
  })
})
